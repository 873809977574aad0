/* SPDX-License-Identifier: MIT */
/* The copy is made, and what came of it is told. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/intl.h"
#include "base/shell.h"
#include "base/strv.h"
#include "probe/identity.h"
#include "step/files_copy.h"
#include "sys/clock.h"
#include "sys/copydir.h"
#include "version.h"

/* ---- the job ------------------------------------------------------------------------ */

static bool lies_in_another(const struct copying *copying, const char *root, size_t item, size_t n)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_roots; k++) {
			const char *other = set->roots[k].path;
			bool same = strcmp(other, root) == 0;

			if (i == item && k == n)
				continue;
			if (path_is_below(root, other) &&
			    (!same || i < item || (i == item && k < n)))
				return true;
		}
	}
	return false;
}

/* Files of a database that lie in a tree are proved like a database, and so is the tree. */
static bool has_database(const struct copying *copying, const char *root)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_files; k++)
			if ((set->database || set->files[k].role != DATAFILE_PLAIN) &&
			    path_is_below(set->files[k].path, root))
				return true;
	}
	return false;
}

static int list_roots(const struct copying *copying, struct copy_root **ret, size_t *ret_n)
{
	struct copy_root *roots;
	size_t n = 0, source = 0;

	for (size_t i = 0; i < copying->n; i++)
		n += copying->items[i].set ? copying->items[i].set->n_roots : 0;
	*ret = roots = calloc(n + 1, sizeof(*roots));
	*ret_n = 0;
	for (size_t i = 0; roots && i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_roots; k++)
			if (!lies_in_another(copying, set->roots[k].path, i, k))
				roots[(*ret_n)++] = (struct copy_root){
					.path = set->roots[k].path,
					.database = has_database(copying, set->roots[k].path),
					.source = source,
				};
		source += set != NULL;
	}
	return roots ? 0 : -ENOMEM;
}

static bool is_root(const struct copying *copying, const char *path, bool below)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_roots; k++)
			if (below ? path_is_below(set->roots[k].path, path)
				  : strcmp(set->roots[k].path, path) == 0)
				return true;
	}
	return false;
}

/*
 * A directory that has a source in it is left out name by name, all but the
 * way to that source.  What comes into it afterwards is copied as well, or
 * told as a change: too much is no harm.
 */
static int leave_out(const struct copying *copying, const char *path, char ***ret,
		     struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = 0;

	if (!is_root(copying, path, true))
		return strv_add(ret, path) ? error_oom(err) : 0;
	r = filetree_list(copying->tree, path, &names, err);
	for (char **name = names; r == 0 && name && *name; name++) {
		AUTO_FREE char *below = NULL;

		if (asprintf(&below, "%s/%s", strcmp(path, "/") == 0 ? "" : path, *name) < 0) {
			below = NULL;
			return error_oom(err);
		}
		if (!is_root(copying, below, false))
			r = leave_out(copying, below, ret, err);
	}
	return r;
}

/* What is recreatable and lies in something that is copied. */
static int list_left_out(const struct copying *copying, char ***ret, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < copying->n; i++) {
		const struct copy_item *item = &copying->items[i];

		if (!item->set && item->recreatable && item->path &&
		    copying_owner(copying, item->path) == item)
			r = leave_out(copying, item->path, ret, err);
	}
	return r;
}

/* ---- the head ------------------------------------------------------------------------ */

static char *text_of(const char *text)
{
	return text ? strdup(text) : NULL;
}

static int fill_source(const struct copy_item *item, struct copy_source_row *row)
{
	const struct dataset *set = item->set;

	row->given = strdup(item->given);
	row->database = set->database ? strdup(database_name(set->database)) : NULL;
	row->reason = text_of(item->reason);
	row->files = item->files;
	row->bytes = item->bytes;
	for (size_t i = 0; i < set->n_roots; i++)
		if (strv_add(&row->roots, set->roots[i].path))
			return -ENOMEM;
	return row->given ? 0 : -ENOMEM;
}

static int fill_rows(const struct copying *copying, struct copy_head *head)
{
	int r = 0;

	head->sources = calloc(copying->n + 1, sizeof(*head->sources));
	head->left_out = calloc(copying->n + 1, sizeof(*head->left_out));
	if (!head->sources || !head->left_out)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < copying->n; i++) {
		const struct copy_item *item = &copying->items[i];

		if (item->set)
			r = fill_source(item, &head->sources[head->n_sources++]);
		else if (item->path)
			head->left_out[head->n_left_out++] = (struct copy_left_out){
				.path = strdup(item->path),
				.reason = text_of(item->reason),
				.bytes = item->bytes,
			};
	}
	return r;
}

static int fill_head(const struct copying *copying, struct copy_head *head, struct error *err)
{
	struct identity identity = IDENTITY_INIT;
	struct timespec now = clock_realtime();
	char created[64] = "";
	struct tm tm;
	int r = identity_load(copying->step->host, &identity, err);

	if (r < 0)
		return r;
	if (gmtime_r(&now.tv_sec, &tm))
		strftime(created, sizeof(created), "%Y-%m-%dT%H:%M:%SZ", &tm);
	head->version = strdup(COLDSWAP_VERSION);
	head->host = identity.name;
	head->machine_id = identity.machine_id;
	head->boot_id = identity.boot_id;
	free(identity.source);
	head->session = copying->step->session;
	head->step = strdup(copying->step->id);
	head->created = strdup(created);
	r = head->version && head->step && head->created ? fill_rows(copying, head) : -ENOMEM;
	return r ? error_oom(err) : 0;
}

/* ---- what came of it ------------------------------------------------------------------ */

static void say_cache(struct copying *copying, const struct copy_outcome *outcome, const char *dir)
{
	AUTO_FREE char *size = NULL;
	struct finding *finding;

	if (!outcome->from_cache || size_words(outcome->from_cache, &size) < 0)
		return;
	finding = result_find(copying->result, "from-cache", VERDICT_WARN, "%s", dir);
	result_say(copying->result, finding,
		   _("%s of the copy were verified from cache: that the device holds them is not "
		     "proved."),
		   size);
	result_remedy(copying->result, finding,
		      _("Read it again when memory is free: coldswap copies verify %s"), dir);
	result_evidence(copying->result, finding, "mincore", size, NULL, NULL);
}

static void say_without_lease(struct copying *copying, const struct copy_outcome *outcome,
			      const char *dir)
{
	struct finding *finding;

	if (!outcome->without_lease)
		return;
	finding = result_find(copying->result, "without-lease", VERDICT_WARN, "%s", dir);
	result_say(copying->result, finding,
		   PLURAL("%llu file was copied without a lease; its size, times and a second "
			  "hash stand in.",
			  "%llu files were copied without a lease; their sizes, times and a "
			  "second hash stand in.",
			  outcome->without_lease),
		   (unsigned long long)outcome->without_lease);
	result_remedy(copying->result, finding, "%s",
		      _("See that nothing uses the sources: coldswap check files.quiescent "
			"path=PATH"));
	result_evidence(copying->result, finding, "fcntl", "F_SETLEASE", NULL, NULL);
}

static void say_told(struct copying *copying, const struct copy_outcome *outcome)
{
	for (char **text = outcome->told; text && *text; text++) {
		struct finding *finding =
			result_find(copying->result, "told", VERDICT_PASS, "%s", *text);

		result_say(copying->result, finding, "%s", *text);
		result_evidence(copying->result, finding, *text, NULL, NULL, NULL);
	}
}

static void say_digest(struct copying *copying, const char *dir)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *path = NULL;
	char sha256[65];

	if (asprintf(&path, "%s/" COPY_MANIFEST, dir) < 0)
		path = NULL;
	if (path && !copydir_sha256(path, sha256, &why))
		result_output_string(copying->result, "sha256", sha256);
}

/* The last words of the step: how much, where, what it holds, and how to be rid of it. */
static void say_copied(struct copying *copying, const struct copy_outcome *outcome, const char *dir)
{
	struct result *ret = copying->result;
	AUTO_FREE char *size = NULL, *left = NULL;
	AUTO_BUF observed = BUF_INIT, word = BUF_INIT;
	struct finding *finding;

	if (size_words(outcome->bytes, &size) < 0 || size_words(copying->left_out, &left) < 0 ||
	    shell_word(dir, &word) < 0) {
		ret->failed = -ENOMEM;
		return;
	}
	finding = result_find(ret, "copied", VERDICT_PASS, "%s", dir);
	result_say(ret, finding,
		   PLURAL("%s in %llu file were copied to %s, read back and verified.",
			  "%s in %llu files were copied to %s, read back and verified.",
			  outcome->files),
		   size, (unsigned long long)outcome->files, dir);
	buf_addf(&observed, "%llu bytes, %llu taken over; read in %llu ms, verified in %llu ms",
		 (unsigned long long)outcome->bytes, (unsigned long long)outcome->taken_over,
		 (unsigned long long)outcome->read_us / 1000,
		 (unsigned long long)outcome->verify_us / 1000);
	result_evidence(ret, finding, dir, buf_text(&observed), NULL, NULL);
	finding = result_find(ret, "secrets", VERDICT_PASS, "%s", dir);
	result_say(ret, finding,
		   _("The copy of %s in %s holds secrets; when it is no longer needed: rm -r %s"),
		   size, dir, buf_text(&word));
	result_evidence(ret, finding, dir, "0700", NULL, NULL);
	result_output_string(ret, "directory", dir);
	result_output_int(ret, "bytes", (int64_t)outcome->bytes);
	result_output_int(ret, "files", (int64_t)outcome->files);
	result_summary(
		ret,
		_("%s are copied and verified, %s left out. The copy holds secrets and stays "
		  "until you remove it: rm -r %s"),
		size, left, buf_text(&word));
}

static void progress(void *data, const struct copy_progress *now)
{
	const struct copying *copying = data;
	const struct progress told = {
		.what = now->phase, .done = now->done, .total = now->total, .bytes = true
	};

	step_progress(copying->step, &told);
}

int copying_make(struct copying *copying, const char *dir, struct error *err)
{
	CLEANUP(copy_outcome_done) struct copy_outcome outcome = { 0 };
	CLEANUP(copy_head_done) struct copy_head head = { 0 };
	AUTO_FREE struct copy_root *roots = NULL;
	AUTO_STRV char **left_out = NULL;
	struct copy_job job = {
		.host = copying->step->host,
		.dir = dir,
		.head = &head,
		.total = copying->bytes,
		.cancelled = copying->step->cancelled,
		.data = copying,
		.progress = progress,
		.finish = copying_finish,
	};
	int r = fill_head(copying, &head, err);

	if (!r && list_roots(copying, &roots, &job.n_roots))
		r = error_oom(err);
	if (!r)
		r = list_left_out(copying, &left_out, err);
	if (r)
		return r;
	job.roots = roots;
	job.left_out = (const char *const *)left_out;
	r = copy_make(&job, &outcome, err);
	say_told(copying, &outcome);
	if (r < 0 || outcome.trouble != COPY_FINE) {
		copying_trouble(copying, &outcome, &head, dir);
		return r;
	}
	say_cache(copying, &outcome, dir);
	say_without_lease(copying, &outcome, dir);
	say_digest(copying, dir);
	say_copied(copying, &outcome, dir);
	return copying->result->failed;
}
