/* SPDX-License-Identifier: MIT */
/* What is to be copied, and how much that is. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/datadirs.h"
#include "step/copy_room.h"
#include "work/work.h"

void copy_sources_done(struct copy_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++) {
		free(sources->items[i].given);
		free(sources->items[i].path);
	}
	free(sources->items);
	*sources = (struct copy_sources){ 0 };
}

static void say_source(struct copy_look *look, const struct copy_source *source, const char *marker)
{
	struct finding *finding =
		result_find(look->result, "source", VERDICT_PASS, "%s", source->given);
	AUTO_FREE char *size = NULL;
	AUTO_BUF observed = BUF_INIT;

	if (size_words(source->sum.bytes, &size) < 0)
		size = NULL;
	result_say(look->result, finding,
		   PLURAL("%s takes %s in %llu file.", "%s takes %s in %llu files.",
			  source->sum.files),
		   source->what ? source->what : source->given, size ? size : "?",
		   (unsigned long long)source->sum.files);
	buf_addf(&observed, "%llu bytes, %llu files, %llu directories",
		 (unsigned long long)source->sum.bytes, (unsigned long long)source->sum.files,
		 (unsigned long long)source->sum.directories);
	result_evidence(look->result, finding, marker ? marker : source->path, buf_text(&observed),
			NULL, NULL);
}

static void say_missing(struct copy_look *look, const char *path)
{
	struct finding *finding =
		result_find(look->result, "source-missing", VERDICT_FAIL, "%s", path);

	result_say(look->result, finding, _("%s does not exist."), path);
	result_remedy(look->result, finding, _("Correct the path %s, or mount what it lies on."),
		      path);
	result_evidence(look->result, finding, path, NULL, NULL, NULL);
}

/* A source in another one, or named twice, is copied once. */
static bool is_covered(const struct copy_sources *sources, const char *path)
{
	for (size_t i = 0; i < sources->n; i++)
		if (path_is_below(path, sources->items[i].path))
			return true;
	return false;
}

static int append(struct copy_sources *sources, const char *given, char *path, const char *what)
{
	struct copy_source *more = reallocarray(sources->items, sources->n + 1, sizeof(*more));
	AUTO_FREE char *copy = strdup(given);

	if (more)
		sources->items = more;
	if (!more || !copy) {
		free(path);
		return -ENOMEM;
	}
	more[sources->n++] =
		(struct copy_source){ .given = TAKE(copy), .path = path, .what = what };
	return 0;
}

static int measure(struct copy_look *look, struct copy_source *source, const char *marker,
		   struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct filetree_sum *total = &look->sources.total;
	int r = filetree_sum(look->tree, source->path, look->step->cancelled, &source->sum, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r == -ENOENT)
		say_missing(look, source->given);
	else if (r < 0)
		result_unknown(look->result, "unreadable", source->given, source->path, &why);
	if (r < 0) {
		look->sources.all_known = false;
		return 0;
	}
	total->bytes += source->sum.bytes;
	total->files += source->sum.files;
	total->directories += source->sum.directories;
	say_source(look, source, marker);
	return 0;
}

static int add_source(struct copy_look *look, const char *given, const char *what,
		      const char *marker, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	char *path = NULL;
	int r = filetree_resolve(look->tree, given, &path, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		look->sources.all_known = false;
		result_unknown(look->result, "unreadable", given, given, &why);
		return 0;
	}
	if (is_covered(&look->sources, path)) {
		free(path);
		return 0;
	}
	if (append(&look->sources, given, path, what) < 0)
		return error_oom(err);
	return measure(look, &look->sources.items[look->sources.n - 1], marker, err);
}

static void say_denied(struct copy_look *look, const struct datadirs *found)
{
	for (char **path = found->denied; path && *path; path++) {
		CLEANUP(error_done) struct error why = ERROR_INIT;

		error_set(&why, -EACCES, _("%s could not be looked into for databases"), *path);
		error_hint(&why, "%s", _("run as root"));
		result_unknown(look->result, "unreadable", *path, *path, &why);
		look->sources.all_known = false;
	}
}

static void say_truncated(struct copy_look *look)
{
	struct finding *finding = result_find(look->result, "search-cut", VERDICT_WARN, "sources");

	result_say(look->result, finding,
		   _("There are too many directories to search them all for databases."));
	result_remedy(look->result, finding, "%s",
		      _("Name the directories that must be copied: sources=PATH,PATH"));
}

static int search(struct copy_look *look, struct error *err)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_STRV char **below = NULL;
	int r;

	if (work_search_places(look->step->work, look->to.mounts, &below) < 0)
		return error_oom(err);
	r = datadirs_find(look->step->host, look->tree, look->to.mounts, below, &found, err);
	for (size_t i = 0; r == 0 && i < found->n; i++)
		r = add_source(look, found->items[i].path, found->items[i].what,
			       found->items[i].marker, err);
	if (r < 0)
		return r;
	say_denied(look, found);
	if (found->truncated)
		say_truncated(look);
	return 0;
}

int copy_find_sources(struct copy_look *look, char *const *named, struct error *err)
{
	int r = 0;

	look->sources.all_known = true;
	if (!named || !*named)
		return search(look, err);
	for (; r == 0 && *named; named++)
		r = add_source(look, *named, NULL, NULL, err);
	return r;
}
