/* SPDX-License-Identifier: MIT */
/* The sources of a copy: what the runbook names, or the databases that are found. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/datadirs.h"
#include "step/files_copy.h"
#include "work/work.h"

static int stopped(int r, const struct error *why, struct error *err)
{
	return r == -ENOMEM || r == -ECANCELED ? error_copy(err, why) : 0;
}

static void say_missing(struct copying *copying, const char *given, const struct error *why)
{
	struct finding *finding =
		result_find(copying->result, "source-missing", VERDICT_FAIL, "%s", given);

	result_say(copying->result, finding, _("%s cannot be a source: %s."), given,
		   error_text(why));
	result_remedy(copying->result, finding, _("Correct the path %s, or mount what it lies on."),
		      given);
	result_evidence(copying->result, finding, given, error_text(why), NULL, NULL);
}

static struct copy_item *append(struct copying *copying, const char *given, const char *reason,
				bool recreatable)
{
	struct copy_item *grown =
		reallocarray(copying->items, copying->n + 1, sizeof(*copying->items));
	struct copy_item *item;

	if (!grown)
		return NULL;
	copying->items = grown;
	item = &grown[copying->n];
	*item = (struct copy_item){ .recreatable = recreatable, .known = true };
	item->given = strdup(given);
	item->reason = reason ? strdup(reason) : NULL;
	copying->n++; /* what is half made is freed like the rest */
	return item->given && (item->reason || !reason) ? item : NULL;
}

static void say_no_reason(struct copying *copying, const char *given)
{
	struct finding *finding =
		result_find(copying->result, "no-reason", VERDICT_FAIL, "%s", given);

	result_say(copying->result, finding, _("%s is said to be recreatable, and not how."),
		   given);
	result_remedy(copying->result, finding,
		      _("Write the reason beside %s: reason: \"it is fetched again from ...\""),
		      given);
	result_evidence(copying->result, finding, given, "keep: recreatable", NULL, NULL);
}

static int take_recreatable(struct copying *copying, struct copy_item *item, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const char *path;
	int r;

	if (!item->reason || !*item->reason)
		say_no_reason(copying, item->given);
	(void)dataset_word(item->given, &path);
	r = filetree_resolve(copying->tree, path, &item->path, &why);
	if (!r)
		r = filetree_exists(copying->tree, item->path, &why);
	if (r > 0)
		return 0;
	if (r < 0)
		result_unknown(copying->result, "unreadable", item->given, path, &why);
	else if (item->path)
		error_set(&why, -ENOENT, _("%s does not exist"), path);
	if (r == 0)
		say_missing(copying, item->given, &why);
	item->known = false;
	return stopped(r, &why, err);
}

static int take_irreplaceable(struct copying *copying, struct copy_item *item, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = dataset_load(copying->tree, item->given, copying->step->cancelled, &item->set,
			     &why);

	if (!r) {
		item->path = strdup(item->set->path);
		return item->path ? 0 : error_oom(err);
	}
	item->known = copying->known = false;
	if (stopped(r, &why, err))
		return r;
	if (r == -ENOENT || r == -EINVAL)
		say_missing(copying, item->given, &why);
	else
		result_unknown(copying->result, "unreadable", item->given, item->given, &why);
	return 0;
}

static int take(struct copying *copying, const char *given, const char *reason, bool recreatable,
		struct error *err)
{
	struct copy_item *item = append(copying, given, reason, recreatable);

	if (!item)
		return error_oom(err);
	return recreatable ? take_recreatable(copying, item, err)
			   : take_irreplaceable(copying, item, err);
}

/* ---- without entries ------------------------------------------------------------------ */

/* What a search found, as the word that names all files of it. */
static const struct {
	const char *what, *word;
} words[] = {
	{ "PostgreSQL", "postgres:" },
	{ "etcd", "etcd:" },
};

static int take_found(struct copying *copying, const struct datadir *found, struct error *err)
{
	AUTO_BUF given = BUF_INIT;

	for (size_t i = 0; i < ELEMENTS(words); i++)
		if (strcmp(words[i].what, found->what) == 0)
			buf_adds(&given, words[i].word);
	if (buf_adds(&given, found->path) < 0)
		return error_oom(err);
	return take(copying, buf_text(&given), found->what, false, err);
}

static void say_not_searched(struct copying *copying, const struct datadirs *found)
{
	struct finding *finding;

	for (char **path = found->denied; path && *path; path++) {
		CLEANUP(error_done) struct error why = ERROR_INIT;

		error_set(&why, -EACCES, _("%s could not be looked into for databases"), *path);
		error_hint(&why, "%s", _("run as root"));
		result_unknown(copying->result, "unreadable", *path, *path, &why);
	}
	if (!found->truncated)
		return;
	finding = result_find(copying->result, "search-cut", VERDICT_WARN, "sources");
	result_say(copying->result, finding,
		   _("There are too many directories to search them all for databases."));
	result_remedy(copying->result, finding, "%s",
		      _("Name in the runbook what must be copied: sources."));
}

static int search(struct copying *copying, struct error *err)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_STRV char **below = NULL;
	int r;

	if (work_search_places(copying->step->work, copying->to.mounts, &below) < 0)
		return error_oom(err);
	r = datadirs_find(copying->step->host, copying->tree, copying->to.mounts, below, &found,
			  err);
	for (size_t i = 0; r == 0 && i < found->n; i++)
		r = take_found(copying, &found->items[i], err);
	if (r == 0)
		say_not_searched(copying, found);
	return r;
}

int copying_find(struct copying *copying, struct error *err)
{
	const struct files_copy_entry *entry = copying->params->sources.items;
	int r = 0;

	if (!copying->params->sources.n)
		return search(copying, err);
	for (size_t i = 0; r == 0 && i < copying->params->sources.n; i++, entry++)
		r = take(copying, entry->path, entry->reason,
			 strcmp(entry->keep, "recreatable") == 0, err);
	return r;
}
