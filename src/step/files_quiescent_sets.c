/* SPDX-License-Identifier: MIT */
/* Which databases: those that are named, else those that are found. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/datadirs.h"
#include "probe/facts.h"
#include "step/files_quiescent.h"
#include "work/work.h"

static int append_set(struct look *look, struct dataset *set, struct error *err)
{
	struct dataset **more =
		reallocarray(look->sets, look->n_sets + 1, sizeof(struct dataset *));

	if (!more) {
		dataset_free(set);
		return error_oom(err);
	}
	look->sets = more;
	more[look->n_sets++] = set;
	return 0;
}

/* What a capture does not hold may be there all the same. */
static void say_missing(const struct look *look, const char *text, struct result *ret)
{
	struct finding *finding = result_find(
		ret, "missing", look->live ? VERDICT_FAIL : VERDICT_UNKNOWN, "%s", text);
	const char *path;

	dataset_word(text, &path);
	result_say(ret, finding, _("%s is not there: nothing of it could be proved."), text);
	result_remedy(ret, finding, _("Correct the path %s, or mount what it lies on."), path);
	result_evidence(ret, finding, path, NULL, NULL, NULL);
}

static int add(struct look *look, const char *text, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct dataset *set = NULL;
	int r = dataset_load(look->tree, text, look->step->cancelled, &set, &why);
	const char *path;

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r == 0)
		return append_set(look, set, err);
	dataset_word(text, &path);
	if (r == -ELOOP)
		error_hint(&why, _("see where its links lead: namei -l %s"), path);
	if (r == -ENOENT)
		say_missing(look, text, ret);
	else
		result_unknown(ret, "unreadable", text, path, &why);
	return 0;
}

static int add_found(struct look *look, const struct datadir *found, struct result *ret,
		     struct error *err)
{
	bool postgres = strcmp(found->what, database_name(DATABASE_POSTGRES)) == 0;
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "%s%s", postgres ? "postgres:" : "", found->path);
	return buf_error(&text) ? error_oom(err) : add(look, buf_text(&text), ret, err);
}

static void say_search_gaps(const struct datadirs *found, struct result *ret)
{
	for (char **path = found->denied; path && *path; path++) {
		CLEANUP(error_done) struct error why = ERROR_INIT;

		error_set(&why, -EACCES, _("%s could not be looked into for databases"), *path);
		error_hint(&why, "%s", _("run as root"));
		result_unknown(ret, "unreadable", *path, *path, &why);
	}
	if (found->truncated) {
		struct finding *finding = result_find(ret, "search-cut", VERDICT_UNKNOWN, "path");

		result_say(ret, finding,
			   _("There are too many directories to search them all for databases."));
		result_remedy(ret, finding, "%s",
			      _("Name the databases that must be quiescent: path=PATH,PATH"));
		result_evidence(ret, finding, "path", NULL, NULL, NULL);
	}
}

static int search(struct look *look, struct result *ret, struct error *err)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct mounts *mounts = NULL;
	AUTO_STRV char **below = NULL;
	int r = facts_mounts(look->step->facts, &mounts, &why);

	if (r == 0 && work_search_places(look->step->work, mounts, &below) < 0)
		return error_oom(err);
	if (r == 0)
		r = datadirs_find(look->step->host, look->tree, mounts, below, &found, &why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r < 0) {
		result_unknown(ret, "unreadable", "path", "path", &why);
		return 0;
	}
	for (size_t i = 0; r == 0 && i < found->n; i++)
		r = add_found(look, &found->items[i], ret, err);
	say_search_gaps(found, ret);
	return r;
}

int quiet_find_sets(struct look *look, struct result *ret, struct error *err)
{
	char *const *path = look->params->path;
	int r = 0;

	look->named = path && *path;
	if (!look->named)
		return search(look, ret, err);
	for (; r == 0 && *path; path++)
		r = add(look, *path, ret, err);
	return r;
}
