/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "capture/collect.h"

int capture_begin(struct host *host, struct error *err)
{
	return host_record(host, err);
}

void capture_free(struct capture *capture)
{
	if (!capture)
		return;
	entries_done(&capture->entries);
	for (size_t i = 0; i < capture->n_unread; i++)
		free(capture->unread[i].path);
	free(capture->unread);
	strmap_done(&capture->unread_places);
	strmap_done(&capture->plain);
	strmap_done(&capture->file_places);
	json_decref(capture->files);
	strv_free(capture->tops);
	free(capture->host_name);
	free(capture);
}

int collect_unread(struct capture *capture, const char *path, int code, struct error *err)
{
	struct unread *more;

	/* The list is lines of columns; such a name finds no place in it. */
	if (strpbrk(path, "\t\n") || strmap_find(&capture->unread_places, path))
		return 0;
	more = reallocarray(capture->unread, capture->n_unread + 1, sizeof(*more));
	if (!more)
		return error_oom(err);
	capture->unread = more;
	more[capture->n_unread] = (struct unread){ strdup(path), code };
	if (!more[capture->n_unread].path)
		return error_oom(err);
	capture->n_unread++;
	return strmap_add(&capture->unread_places, path, 0) < 0 ? error_oom(err) : 0;
}

int collect_listed(struct capture *capture, const char *path, const char *type, uint64_t size,
		   struct error *err)
{
	AUTO_JSON row = json_object();
	int r;

	if (strmap_find(&capture->file_places, path))
		return 0;
	r = json_set_text(row, "path", path);
	if (r == 0)
		r = json_set_text(row, "type", type);
	if (r == 0)
		r = json_object_set_new(row, "size", json_integer((json_int_t)size));
	if (r < 0 || json_array_append(capture->files, row) < 0 ||
	    strmap_add(&capture->file_places, path, 0) < 0)
		return error_oom(err);
	return 0;
}

/* "/data/k3s" begins with "data". */
static int add_top(struct capture *capture, const char *path)
{
	AUTO_FREE char *top = NULL;

	if (!path || *path != '/')
		return 0;
	top = strndup(path + 1, strcspn(path + 1, "/"));
	if (!top)
		return -ENOMEM;
	return !*top || strv_has(capture->tops, top) ? 0 : strv_add(&capture->tops, top);
}

/* What may stand first in a path of this host: see mask.h. */
static int find_tops(struct capture *capture, struct error *err)
{
	AUTO_STRV char **names = NULL;
	const struct mounts *mounts;
	const struct fstab *fstab;
	int r = 0;

	for (size_t i = 0; r == 0 && capture_usual_top(i); i++)
		r = strv_add(&capture->tops, capture_usual_top(i));
	if (r == 0 && facts_mounts(capture->facts, &mounts, NULL) == 0)
		for (size_t i = 0; r == 0 && i < mounts->n; i++)
			r = add_top(capture, mounts->items[i].target);
	if (r == 0 && facts_fstab(capture->facts, &fstab, NULL) == 0)
		for (size_t i = 0; r == 0 && i < fstab->n; i++)
			r = add_top(capture, fstab->items[i].target);
	if (r == 0 && host_list(capture->host, "/", &names, NULL) == 0)
		for (size_t i = 0; r == 0 && names[i]; i++)
			if (!strv_has(capture->tops, names[i]))
				r = strv_add(&capture->tops, names[i]);
	capture->mask.tops = capture->tops;
	return r < 0 ? error_oom(err) : 0;
}

static unsigned want_of(unsigned touch)
{
	static const struct {
		unsigned touch, want;
	} wants[] = {
		{ TOUCH_READ, WANT_CONTENT }, { TOUCH_LIST, WANT_NAMES },
		{ TOUCH_LINK, WANT_LINK },    { TOUCH_STAT, 0 },
		{ TOUCH_REAL, WANT_PLACE },
	};
	unsigned want = 0;

	for (size_t i = 0; i < ELEMENTS(wants); i++)
		if (touch & wants[i].touch)
			want |= wants[i].want;
	return want;
}

static int take_recorded(struct capture *capture, const struct recording *recording,
			 struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < recording->n_paths; i++) {
		const struct touched *path = &recording->paths[i];
		unsigned want = want_of(path->how);

		/* A look follows links; only where nothing else was done is the link all. */
		if (path->how & TOUCH_STAT && !(want & ~(unsigned)WANT_LINK))
			want |= WANT_STAT;
		r = collect_path(capture, path->path, want, err);
	}
	return r;
}

/* What the machine itself refused when the capture was made that is captured now. */
static int take_unreadable(struct capture *capture, struct error *err)
{
	const char *path;
	int code, r = 0;

	for (size_t i = 0; r == 0 && host_unreadable_at(capture->host, i, &path, &code); i++)
		r = collect_unread(capture, path, code, err);
	return r;
}

static struct capture *new_capture(struct facts *facts)
{
	CLEANUP(cleanup_capture) struct capture *capture = calloc(1, sizeof(*capture));

	if (!capture)
		return NULL;
	capture->facts = facts;
	capture->host = facts_host(facts);
	capture->files = json_array();
	return capture->files ? TAKE(capture) : NULL;
}

int capture_collect(struct facts *facts, struct capture **ret, struct error *err)
{
	CLEANUP(cleanup_capture) struct capture *capture = new_capture(facts);
	const struct recording *recording;
	int r = capture ? 0 : error_oom(err);

	if (r == 0)
		r = find_tops(capture, err);
	if (r == 0)
		r = collect_ask(capture, err);
	if (r == 0)
		r = host_record_stop(capture->host, &recording, err);
	if (r == 0)
		r = take_unreadable(capture, err);
	if (r == 0)
		r = collect_facts(capture, recording, err);
	if (r == 0)
		r = collect_holders(capture, err);
	if (r == 0)
		r = take_recorded(capture, recording, err);
	if (r == 0)
		r = collect_rows(capture, err);
	if (r == 0)
		r = collect_lists(capture, err);
	if (r < 0)
		return r;
	*ret = TAKE(capture);
	return 0;
}
