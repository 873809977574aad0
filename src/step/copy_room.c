/* SPDX-License-Identifier: MIT */
/*
 * copy.room: can a cold copy of the databases be made, and survive the work?
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/copy_room.h"

struct copy_room_params {
	char **sources;
	char *copy_to;
};

static const struct param_row params[] = {
	{ .name = "sources",
	  .type = PARAM_PATHS,
	  .offset = PARAM_OFFSET(copy_room_params, sources),
	  .draft = DRAFT_DATABASES,
	  .help = N_("Directories or files to be copied; the database directories that are found "
		     "when none is named.") },
	{ .name = "copy_to",
	  .type = PARAM_PATH,
	  .fallback = PATH_COPY_TO,
	  .offset = PARAM_OFFSET(copy_room_params, copy_to),
	  .draft = DRAFT_COPY_TO,
	  .help = N_("Directory that receives the copy; it need not exist yet.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "sources", OUTPUT_INT, N_("Number of directories and files to be copied.") },
	{ "source_bytes", OUTPUT_INT, N_("Their size.") },
	{ "need_bytes", OUTPUT_INT, N_("Room that the copy needs, with its reserve.") },
	{ "available_bytes", OUTPUT_INT, N_("Room that the destination has.") },
	{ "copy_to", OUTPUT_STRING, N_("The destination, with links resolved.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "room",
	  .title = N_("there is room for the copy"),
	  .means = N_("The destination has the bytes and inodes that the copy needs.") },
	{ .id = "source",
	  .title = N_("to be copied"),
	  .means = N_("A directory that belongs to the cold copy, with its size.") },
	{ .id = "dest-on-moved-disk",
	  .title = N_("the copy would lie on a disk that the work touches"),
	  .means = N_("The destination is on a disk whose port, cable or presence the work "
		      "changes."),
	  .harm = N_("If that disk does not come back, the copy is gone with it: it protects "
		     "from nothing."),
	  .mend = N_("Choose a destination on a disk that stays as it is: copy_to.") },
	{ .id = "dest-disk-unknown",
	  .title = N_("the destination's disk is not known"),
	  .means = N_("It could not be determined on which disk the destination lies."),
	  .harm = N_("It may be one that the work touches."),
	  .mend = N_("Choose a destination on a filesystem of a disk, or run as root.") },
	{ .id = "dest-in-memory",
	  .title = N_("the copy would lie in memory"),
	  .means = N_("The destination's filesystem is a tmpfs or ramfs."),
	  .harm = N_("The copy is gone when the power is."),
	  .mend = N_("Choose a destination on a disk.") },
	{ .id = "dest-network",
	  .title = N_("the destination is on another machine"),
	  .means = N_("The destination's filesystem is mounted over the network."),
	  .harm = N_("The copy is as safe as that machine, and out of reach while this one has "
		     "no network."),
	  .mend = N_("Make sure that the other machine stays up, or choose a disk here."),
	  .acceptable = true },
	{ .id = "dest-read-only",
	  .title = N_("the destination cannot be written"),
	  .means = N_("The destination's filesystem is mounted read-only."),
	  .harm = N_("The copy cannot be made; a filesystem that turned read-only has errors."),
	  .mend = N_("See the kernel log for the reason, or choose another destination.") },
	{ .id = "nested",
	  .title = N_("destination and source lie in each other"),
	  .means = N_("The destination is inside a directory that is copied, or holds one."),
	  .harm = N_("The copy would copy itself, or overwrite its source."),
	  .mend = N_("Choose a destination outside all sources.") },
	{ .id = "no-room",
	  .title = N_("not enough room"),
	  .means = N_("The destination has fewer bytes free than the copy and its reserve need."),
	  .harm = N_("The copy ends in the middle, with the services down."),
	  .mend = N_("Free the missing bytes, or choose another destination.") },
	{ .id = "no-inodes",
	  .title = N_("not enough inodes"),
	  .means = N_("The destination's filesystem can hold fewer new files than are copied."),
	  .harm = N_("The copy ends in the middle, with the services down."),
	  .mend = N_("Choose another destination.") },
	{ .id = "source-missing",
	  .title = N_("a source does not exist"),
	  .means = N_("A path that was named as a source is not there."),
	  .harm = N_("What should be in the copy is not."),
	  .mend = N_("Correct the path, or mount what it lies on.") },
	{ .id = "unreadable",
	  .title = N_("could not be determined"),
	  .means = N_("A source, or the room at the destination, could not be read."),
	  .harm = N_("The copy may not fit."),
	  .mend = N_("Run as root, or capture the host again.") },
	{ .id = "search-cut",
	  .title = N_("the search for databases was cut"),
	  .means = N_("There are more directories than are searched for databases."),
	  .harm = N_("A database that was not found is not copied."),
	  .mend = N_("Name what must be copied: sources."),
	  .acceptable = true },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct copy_room_params *p = data;

	if (!p->sources || !*p->sources)
		return buf_addf(ret, _("see that a cold copy of the databases has room in %s"),
				p->copy_to);
	buf_addf(ret, _("see that %s has room for a cold copy of"), p->copy_to);
	for (char **source = p->sources; *source; source++)
		buf_addf(ret, " %s", *source);
	return buf_error(ret);
}

int copy_size(uint64_t bytes, char **ret)
{
	static const struct {
		uint64_t unit;
		const char *name;
	} units[] = {
		{ 1000000000000, "TB" },
		{ 1000000000, "GB" },
		{ 1000000, "MB" },
		{ 1000, "kB" },
	};
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < ELEMENTS(units) && !text.len; i++) {
		double value = (double)bytes / (double)units[i].unit;

		if (bytes >= units[i].unit)
			buf_addf(&text, value < 10 ? "%.1f %s" : "%.0f %s", value, units[i].name);
	}
	if (!text.len)
		buf_addf(&text, "%llu bytes", (unsigned long long)bytes);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

static int read_facts(struct copy_look *look, const char **ret_source, struct error *err)
{
	int r = facts_mounts(look->step->facts, &look->mounts, err);

	*ret_source = PATH_MOUNTINFO;
	if (r < 0)
		return r;
	r = facts_blocks(look->step->facts, &look->blocks, err);
	*ret_source = PATH_CLASS_BLOCK;
	if (r < 0)
		return r;
	*ret_source = "coldswap/files.json";
	return filetree_open(look->step->host, &look->tree, err);
}

static int find_target(struct copy_look *look, const char *copy_to, struct error *err)
{
	int r = filetree_resolve(look->tree, copy_to, &look->target.path, err);

	if (r < 0)
		return r;
	look->target.mount = mounts_over(look->mounts, look->target.path);
	if (!look->target.mount)
		return error_set(err, -ENOENT, "no mount is known below %s", copy_to);
	look->target.device = blocks_of_mount(look->blocks, look->target.mount);
	return 0;
}

static void sum_up(struct copy_look *look)
{
	result_output_int(look->result, "sources", (int64_t)look->sources.n);
	if (look->sources.all_known)
		result_output_int(look->result, "source_bytes", (int64_t)look->sources.total.bytes);
	if (look->target.path)
		result_output_string(look->result, "copy_to", look->target.path);
}

static void say_room_unknown(struct copy_look *look)
{
	result_summary(look->result, _("Whether a copy has room could not be determined."));
}

static int judge(struct copy_look *look, const struct copy_room_params *p, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = copy_find_sources(look, p->sources, err);

	if (r < 0)
		return r;
	/* Nothing to copy; a database that may not be looked for is no such proof. */
	if (look->sources.n == 0 && look->result->n_findings == 0) {
		result_skip(look->result, _("No database directory was found: there is nothing to "
					    "copy."));
		return 0;
	}
	if (look->sources.n == 0)
		return 0;
	r = find_target(look, p->copy_to, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(look->result, "unreadable", p->copy_to, p->copy_to, &why);
		return 0;
	}
	r = copy_judge_target(look, err);
	return r == 0 ? copy_judge_room(look, err) : r;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	const struct copy_room_params *p = data;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct copy_look look = { .step = step, .result = ret };
	const char *source = NULL;
	int r = read_facts(&look, &source, &why);

	if (r == -ENOMEM) {
		r = error_oom(err);
	} else if (r < 0) {
		result_unknown(ret, "unreadable", source, source, &why);
		say_room_unknown(&look);
		r = 0;
	} else {
		r = judge(&look, p, err);
		if (r == 0)
			sum_up(&look);
		if (r == 0 && !ret->summary) /* a finding says why */
			say_room_unknown(&look);
	}
	copy_sources_done(&look.sources);
	filetree_free(look.tree);
	free(look.target.path);
	return r;
}

const struct kind kind_copy_room = {
	.name = "copy.room",
	.class = KIND_CHECK,
	.title = N_("room for a cold copy"),
	.help = N_("Adds up what a cold copy takes and compares it with the room at its "
		   "destination: bytes with a reserve of a tenth (at least 64 MiB), and inodes. "
		   "The destination must lie on no disk that the work touches, and neither in a "
		   "source nor around one. Without `sources` the database directories of k3s, "
		   "Vault, PostgreSQL, etcd, MySQL and Grafana are looked for: in their usual "
		   "places, and on the disks that the work touches."),
	.deadline_s = 600,
	.params_size = sizeof(struct copy_room_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
};
