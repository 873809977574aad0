/* SPDX-License-Identifier: MIT */
/*
 * files.copy: a cold copy of what cannot be had again.
 *
 * 1. Everything that can be known before is looked at first, and what stands
 *    in the way ends the step before a byte is written.
 * 2. The directory's name is kept before the first change and stays the same
 *    over crashes, so that an interrupted copy is found and taken over.
 * 3. A copy that was made before the machine was started again is none of
 *    this session's any more: it is renamed, and another one made.
 * 4. Nothing takes a copy back: it is left, and told.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/intl.h"
#include "base/shell.h"
#include "probe/identity.h"
#include "probe/paths.h"
#include "step/files_copy.h"
#include "sys/clock.h"
#include "sys/copydir.h"

static const char *const keeps[] = { "irreplaceable", "recreatable", NULL };

static const struct param_row source_rows[] = {
	{ .name = "path",
	  .type = PARAM_STRING,
	  .required = true,
	  .check = dataset_check,
	  .offset = PARAM_OFFSET(files_copy_entry, path),
	  .help = N_("A file or directory, or a database with all its files: sqlite:FILE, "
		     "postgres:DIR, etcd:DIR, raft:DIR.") },
	{ .name = "keep",
	  .type = PARAM_STRING,
	  .fallback = "irreplaceable",
	  .words = keeps,
	  .offset = PARAM_OFFSET(files_copy_entry, keep),
	  .help = N_("What is irreplaceable is copied; what is recreatable is left out, and "
		     "told.") },
	{ .name = "reason",
	  .type = PARAM_STRING,
	  .required_with = "keep=recreatable",
	  .offset = PARAM_OFFSET(files_copy_entry, reason),
	  .help = N_("Why it can, or cannot, be had again; what is recreatable needs one.") },
	{ 0 },
};

static const struct param_row params[] = {
	{ .name = "to",
	  .type = PARAM_PATH,
	  .fallback = PATH_COPY_TO,
	  .offset = PARAM_OFFSET(files_copy_params, to),
	  .draft = DRAFT_COPY_TO,
	  .help = N_("Directory that receives the copy, in a directory of its own; it need not "
		     "exist yet.") },
	{ .name = "sources",
	  .type = PARAM_ENTRIES,
	  .entry = source_rows,
	  .entry_size = sizeof(struct files_copy_entry),
	  .offset = PARAM_OFFSET(files_copy_params, sources),
	  .help = N_("What is on the disks of the work, and whether it can be had again; the "
		     "databases that are found when none is named. Of two that lie in each "
		     "other the longer path says it.") },
	{ .name = "allow_network",
	  .type = PARAM_BOOL,
	  .fallback = "false",
	  .offset = PARAM_OFFSET(files_copy_params, allow_network),
	  .help = N_("Take a destination that is mounted over the network.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "directory", OUTPUT_STRING, N_("The copy.") },
	{ "bytes", OUTPUT_INT, N_("What is copied.") },
	{ "files", OUTPUT_INT, N_("Number of files in it.") },
	{ "left_out_bytes", OUTPUT_INT, N_("What is left out, and can be had again.") },
	{ "seconds", OUTPUT_INT, N_("How long it is expected to take.") },
	{ "sha256", OUTPUT_STRING, N_("SHA-256 of the copy's manifest.") },
	{ 0 },
};

#include "step/files_copy_rows.h"

static int describe(const void *data, struct buf *ret)
{
	const struct files_copy_params *p = data;
	const struct files_copy_entry *entry = p->sources.items;
	size_t n = 0;

	if (!p->sources.n)
		return buf_addf(ret, _("copy the databases that are found to %s, and verify it"),
				p->to);
	buf_addf(ret, _("copy to %s, and verify it:"), p->to);
	for (size_t i = 0; i < p->sources.n; i++)
		if (strcmp(entry[i].keep, keeps[0]) == 0)
			buf_addf(ret, "%s %s", n++ ? "," : "", entry[i].path);
	return buf_error(ret);
}

static struct copying copying_init(const struct step *step, const void *data, struct result *ret)
{
	const struct files_copy_params *p = data;

	return (struct copying){
		.step = step,
		.result = ret,
		.params = p,
		.known = true,
		.to = { .step = step,
			.result = ret,
			.param = "to",
			.network = p->allow_network ? NETWORK_ALLOWED : NETWORK_REFUSED },
	};
}

static int foresee(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(copying_done) struct copying copying = copying_init(step, data, ret);

	return copying_look(&copying, err);
}

/* ---- the directory ------------------------------------------------------------------ */

/* Host names are what anybody wrote into a file: other bytes become '-'. */
static void add_safe(const char *text, struct buf *ret)
{
	for (size_t i = 0; text[i] && i < 63; i++) {
		char c = text[i];
		bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || (c == '.' && i) || c == '_' ||
			    (c == '-' && i);

		buf_addc(ret, safe ? c : '-');
	}
}

/* TO/HOST-YYYYMMDDTHHMMSSZ-sN-STEP */
static int name_directory(struct copying *copying, char **ret, struct error *err)
{
	struct identity identity = IDENTITY_INIT;
	struct timespec now = clock_realtime();
	AUTO_BUF text = BUF_INIT;
	char stamp[32] = "";
	struct tm tm;
	int r = identity_load(copying->step->host, &identity, err);

	if (r < 0)
		return r;
	if (gmtime_r(&now.tv_sec, &tm))
		strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	buf_addf(&text, "%s/", strcmp(copying->to.path, "/") == 0 ? "" : copying->to.path);
	add_safe(identity.name ? identity.name : "host", &text);
	buf_addf(&text, "-%s-s%lld-%s", stamp, (long long)copying->step->session,
		 copying->step->id);
	identity_done(&identity);
	*ret = buf_error(&text) ? NULL : buf_take(&text);
	return *ret ? 0 : error_oom(err);
}

/* The one that is kept from an earlier attempt, or a new one, which is kept now. */
static int take_directory(struct copying *copying, const char **ret, struct error *err)
{
	AUTO_FREE char *made = NULL;
	int r = step_original(copying->step, "directory", ret, err);

	if (r)
		return r < 0 ? r : 0;
	r = name_directory(copying, &made, err);
	if (!r)
		r = step_save_original(copying->step, "directory", made, err);
	if (r)
		return r;
	r = step_original(copying->step, "directory", ret, err);
	return r < 0 ? r : r ? 0 : error_set(err, -EIO, "%s", _("the copy's name was not kept"));
}

static void say_superseded(struct copying *copying, const char *name)
{
	AUTO_BUF word = BUF_INIT;
	struct finding *finding =
		result_find(copying->result, "superseded", VERDICT_WARN, "%s", name);

	if (shell_word(name, &word) < 0)
		copying->result->failed = -ENOMEM;
	result_say(copying->result, finding,
		   _("%s was made before: its sources may have changed since, and it counts no "
		     "longer."),
		   name);
	result_remedy(copying->result, finding,
		      _("When the work is done and the new copy is not needed either: rm -r %s"),
		      buf_text(&word));
	result_evidence(copying->result, finding, name, NULL, NULL, NULL);
}

/* verify() said that it does not stand, or it was made before a restart. */
static int supersede(struct copying *copying, const char *dir, struct error *err)
{
	int r = copydir_exists(dir, err);

	for (unsigned i = 1; r == 1 && i < 100; i++) {
		AUTO_FREE char *name = NULL;
		char number[16] = "";

		if (i > 1)
			snprintf(number, sizeof(number), ".%u", i);
		if (asprintf(&name, "%s%s" COPY_SUPERSEDED, dir, number) < 0) {
			name = NULL;
			return error_oom(err);
		}
		r = copydir_exists(name, err);
		if (r)
			continue;
		r = copydir_rename(dir, name, err);
		if (!r)
			say_superseded(copying, name);
		return r;
	}
	return r < 0 ? r : 0;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(copying_done) struct copying copying = copying_init(step, data, ret);
	const char *dir = NULL;
	int r = step_may_change(step, err);

	if (!r)
		r = copying_look(&copying, err);
	if (r || !copying.n || ret->verdict >= VERDICT_UNKNOWN)
		return r;
	r = copydir_make(copying.to.path, err);
	if (!r)
		r = copydir_writable(copying.to.path, err);
	if (!r)
		r = take_directory(&copying, &dir, err);
	if (!r)
		r = supersede(&copying, dir, err);
	return r ? r : copying_make(&copying, dir, err);
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	const char *dir = NULL;
	int r = step->services ? step_original(step, "directory", &dir, err) : 0;

	(void)data;
	if (r < 0)
		return r;
	if (effect == EFFECT_UNDONE) {
		/* A copy is left and told: there is nothing to take back. */
		*ret_standing = STANDING_YES;
		return 0;
	}
	return copying_stands(step, dir, ret_standing, ret, err);
}

const struct kind kind_files_copy = {
	.name = "files.copy",
	.class = KIND_ACTION,
	.title = N_("a cold copy of what cannot be had again"),
	.help = N_("Copies files, directories and databases while nobody has them open: kernel "
		   "leases are held on the files of databases from the proof to the end, and on "
		   "every other file while it is copied. What changes meanwhile, or is opened by "
		   "somebody, discards the copy. Everything is hashed, read back from the device, "
		   "and each database opened on a scratch copy, before the directory gets its "
		   "name; beside the data lie SHA256SUMS, manifest.json and RESTORE.md. Only what "
		   "is irreplaceable is copied; how much is left out, and why it can be had again, "
		   "is told, and so is what lies on a disk of the work and is named by no entry. "
		   "The copy holds secrets and is readable by root alone. Nothing takes it back: "
		   "it is left, with the command that removes it."),
	.flags = KIND_NEEDS_ROOT,
	.deadline_s = 14400,
	.params_size = sizeof(struct files_copy_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.foresee = foresee,
	.typical_s = 60,
};
