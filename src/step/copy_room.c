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
	{ .id = "source",
	  .title = N_("to be copied"),
	  .means = N_("A directory that belongs to the cold copy, with its size.") },
	DESTINATION_ROWS,
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

static int read_facts(struct copy_look *look, const char **ret_source, struct error *err)
{
	int r = facts_mounts(look->step->facts, &look->to.mounts, err);

	*ret_source = PATH_MOUNTINFO;
	if (r < 0)
		return r;
	r = facts_blocks(look->step->facts, &look->to.blocks, err);
	*ret_source = PATH_CLASS_BLOCK;
	if (r < 0)
		return r;
	*ret_source = "coldswap/files.json";
	return filetree_open(look->step->host, &look->tree, err);
}

static void sum_up(struct copy_look *look)
{
	result_output_int(look->result, "sources", (int64_t)look->sources.n);
	if (look->sources.all_known)
		result_output_int(look->result, "source_bytes", (int64_t)look->sources.total.bytes);
	if (look->to.path)
		result_output_string(look->result, "copy_to", look->to.path);
}

static void say_room_unknown(struct copy_look *look)
{
	result_summary(look->result, _("Whether a copy has room could not be determined."));
}

static void sum_room(struct copy_look *look, const struct destination_room *room)
{
	result_output_int(look->result, "need_bytes",
			  (int64_t)(room->need > INT64_MAX ? INT64_MAX : room->need));
	result_output_int(look->result, "available_bytes",
			  (int64_t)(room->available > INT64_MAX ? INT64_MAX : room->available));
	result_summary(
		look->result,
		room->fits ? PLURAL("%s of %zu source fit into %s, which has %s free.",
				    "%s of %zu sources fit into %s, which has %s free.",
				    look->sources.n)
			   : PLURAL("%s of %zu source do not fit into %s, which has %s free.",
				    "%s of %zu sources do not fit into %s, which has %s free.",
				    look->sources.n),
		room->sum_text, look->sources.n, look->to.mount->target, room->available_text);
}

static int judge_room(struct copy_look *look, struct error *err)
{
	CLEANUP(destination_room_done)
	struct destination_room room = {
		.bytes = look->sources.total.bytes,
		.inodes = look->sources.total.files + look->sources.total.directories,
	};
	int r;

	/* A sum with a part missing would be a promise; the part is a finding already. */
	if (!look->sources.all_known) {
		result_summary(look->result, _("How much must be copied is not wholly known."));
		return 0;
	}
	r = destination_judge_room(&look->to, &room, err);
	if (r == 0 && room.known)
		sum_room(look, &room);
	return r;
}

static int judge(struct copy_look *look, const struct copy_room_params *p, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = copy_find_sources(look, p->sources, err);

	if (r < 0)
		return r;
	/* Nothing to copy; a database that may not be looked for is no such proof. */
	if (look->sources.n == 0 && look->result->n_findings == 0) {
		/* A capture has what was looked at: that there is no other is not proved. */
		result_skip(
			look->result, "%s",
			host_is_live(look->step->host)
				? _("No database directory was found: there is nothing to copy.")
				: _("The capture tells of no database directory: there is "
				    "nothing to judge."));
		return 0;
	}
	if (look->sources.n == 0)
		return 0;
	r = destination_find(&look->to, look->tree, p->copy_to, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(look->result, "unreadable", p->copy_to, p->copy_to, &why);
		return 0;
	}
	for (size_t i = 0; i < look->sources.n; i++)
		destination_nesting(&look->to, look->sources.items[i].path);
	r = destination_judge(&look->to, err);
	return r == 0 ? judge_room(look, err) : r;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	const struct copy_room_params *p = data;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct copy_look look = {
		.step = step,
		.result = ret,
		.to = { .step = step, .result = ret, .param = "copy_to" },
	};
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
	destination_done(&look.to);
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
