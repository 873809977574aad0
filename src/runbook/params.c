/* SPDX-License-Identifier: MIT */
/* Texts become the typed members of a kind's parameter struct, by its rows. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/intl.h"
#include "base/parse.h"
#include "base/strv.h"
#include "runbook.h"

void runbook_value_done(struct runbook_value *value)
{
	strv_free(value->items);
	free(value->places);
	free(value->cells);
	*value = (struct runbook_value){ 0 };
}

const struct param_row *runbook_value_row(const struct runbook_value *value,
					  const struct param_row *row, size_t i)
{
	return value->cells ? value->cells[i].row : row;
}

static int store_text(const char *text, void *member, struct error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return error_oom(err);
	*(char **)member = copy;
	return 0;
}

static int store_bool(const char *text, void *member, struct error *err)
{
	int r = parse_bool(text, member);

	return r ? error_set(err, r, _("'%.80s' is neither 'true' nor 'false'"), text) : 0;
}

static int store_int(const char *text, void *member, struct error *err)
{
	int r = parse_i64(text, member);

	return r ? error_set(err, r, _("'%.80s' is not a whole number"), text) : 0;
}

static int store_size(const char *text, void *member, struct error *err)
{
	int r = parse_size(text, member);

	return r ? error_set(err, r,
			     _("'%.80s' is not a size, such as '4096', '10 GB' (10^9 bytes) or "
			       "'10 GiB' (2^30)"),
			     text)
		 : 0;
}

static int store_duration(const char *text, void *member, struct error *err)
{
	int r = parse_duration(text, member);

	return r ? error_set(err, r,
			     _("'%.80s' is not a duration, such as '500ms', '60s', '5min' or '2h'"),
			     text)
		 : 0;
}

/* Collapses "//", "/./" and a slash at the end; ".." would need the host. */
static int store_path(const char *text, void *member, struct error *err)
{
	char *path, *end;

	if (*text != '/')
		return error_set(err, -EINVAL, _("'%.80s' is not an absolute path"), text);
	path = malloc(strlen(text) + 1);
	if (!path)
		return error_oom(err);
	end = path;
	while (*(text += strspn(text, "/"))) {
		size_t len = strcspn(text, "/");

		if (len == 2 && !strncmp(text, "..", 2)) {
			free(path);
			return error_set(err, -EINVAL, _("a path cannot hold '..'"));
		}
		if (len != 1 || *text != '.') {
			*end++ = '/';
			end = (char *)memcpy(end, text, len) + len;
		}
		text += len;
	}
	if (end == path)
		*end++ = '/';
	*end = '\0';
	*(char **)member = path;
	return 0;
}

static int store_disk(const char *text, void *member, struct error *err)
{
	if (!*text)
		return error_set(
			err, -EINVAL,
			_("a disk is named by its serial, WWN, by-id name or a mount point "
			  "on it"));
	return store_text(text, member, err);
}

static const struct {
	int (*store)(const char *text, void *member, struct error *err);
	bool owned; /* the member is allocated */
	bool is_list;
	enum param_type item;
} types[] = {
	[PARAM_STRING] = { store_text, true, false, PARAM_STRING },
	[PARAM_BOOL] = { store_bool, false, false, PARAM_BOOL },
	[PARAM_INT] = { store_int, false, false, PARAM_INT },
	[PARAM_SIZE] = { store_size, false, false, PARAM_SIZE },
	[PARAM_DURATION] = { store_duration, false, false, PARAM_DURATION },
	[PARAM_PATH] = { store_path, true, false, PARAM_PATH },
	[PARAM_DISK] = { store_disk, true, false, PARAM_DISK },
	[PARAM_STRINGS] = { store_text, true, true, PARAM_STRING },
	[PARAM_PATHS] = { store_path, true, true, PARAM_PATH },
	[PARAM_DISKS] = { store_disk, true, true, PARAM_DISK },
	/* Its entries' rows say how each text is stored. */
	[PARAM_ENTRIES] = { store_text, false, true, PARAM_STRING },
};

bool param_is_list(enum param_type type)
{
	return types[type].is_list;
}

enum param_type param_item_type(enum param_type type)
{
	return types[type].item;
}

int param_check(enum param_type type, const char *text, struct error *err)
{
	union {
		char *text;
		uint64_t number;
		bool boolean;
	} member = { 0 };
	int r = types[type].store(text, &member, err);

	if (!r && types[type].owned)
		free(member.text);
	return r;
}

static int check_word(const char *const *words, const char *text, struct error *err)
{
	AUTO_BUF near = BUF_INIT;
	size_t n = 0;

	for (; words[n]; n++)
		if (!strcmp(words[n], text))
			return 0;
	if (suggest(text, words, n, &near))
		return error_oom(err);
	/* TRANSLATORS: "'keeep' is no word of it; did you mean 'keep'? Allowed: ..." */
	return error_set(err, -EINVAL, _("'%.80s' is no word for it%s"), text, buf_text(&near));
}

int param_check_row(const struct param_row *row, const char *text, struct error *err)
{
	int r = param_check(param_item_type(row->type), text, err);

	if (r == 0 && row->words)
		r = check_word(row->words, text, err);
	return r == 0 && row->check ? row->check(text, err) : r;
}

static int store_items(enum param_type type, char *const *items, void *member, struct error *err)
{
	char ***list = member;
	int r = 0;

	if (!types[type].is_list)
		return types[type].store(items[0], member, err);
	for (size_t i = 0; items[i] && !r; i++) {
		char *item = NULL;

		r = types[type].store(items[i], &item, err);
		if (!r && strv_take(list, item))
			r = error_oom(err);
	}
	return r;
}

static int store_fallback(const struct param_row *row, void *member, struct error *err)
{
	AUTO_FREE char *copy = strdup(row->fallback);
	char *items[] = { copy, NULL };

	return copy ? store_items(row->type, items, member, err) : error_oom(err);
}

/* The rows of one entry, from the items of the value that begin at `*i`. */
static int store_entry(const struct param_row *rows, const struct runbook_value *value,
		       size_t entry, size_t *i, void *into, struct error *err)
{
	size_t first = *i;
	int r = 0;

	while (value->items[*i] && value->cells[*i].entry == entry)
		++*i;
	for (const struct param_row *row = rows; row->name && !r; row++) {
		void *member = (char *)into + row->offset;
		size_t at = first;

		while (at < *i && value->cells[at].row != row)
			at++;
		if (at < *i)
			r = types[row->type].store(value->items[at], member, err);
		else if (row->fallback)
			r = store_fallback(row, member, err);
		if (r)
			error_wrap(err, "%s", row->name);
	}
	return r;
}

static int store_entries(const struct param_row *row, const struct runbook_value *value,
			 struct param_entries *ret, struct error *err)
{
	size_t i = 0;
	int r = 0;

	ret->items = calloc(value->n_entries + 1, row->entry_size);
	if (!ret->items)
		return error_oom(err);
	/* Counted at once: what is half stored is freed like the rest. */
	ret->n = value->n_entries;
	for (size_t entry = 0; entry < ret->n && !r; entry++)
		r = store_entry(row->entry, value, entry, &i,
				(char *)ret->items + entry * row->entry_size, err);
	return r;
}

static int store_param(const struct param_row *row, const struct runbook_value *value, void *member,
		       struct error *err)
{
	if (!value)
		return row->fallback ? store_fallback(row, member, err) : 0;
	if (row->type == PARAM_ENTRIES)
		return store_entries(row, value, member, err);
	return store_items(row->type, value->items, member, err);
}

int params_parse(const struct kind *kind, const struct runbook_value *const *values, void *ret,
		 struct error *err)
{
	memset(ret, 0, kind->params_size);
	for (size_t i = 0; kind->params && kind->params[i].name; i++) {
		const struct param_row *row = &kind->params[i];
		int r = store_param(row, values[i], (char *)ret + row->offset, err);

		if (r) {
			error_wrap(err, _("parameter '%s'"), row->name);
			params_done(kind, ret);
			return r;
		}
	}
	return 0;
}

static void rows_done(const struct param_row *rows, void *into);

static void entries_done(const struct param_row *row, struct param_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		rows_done(row->entry, (char *)entries->items + i * row->entry_size);
	free(entries->items);
	*entries = (struct param_entries){ 0 };
}

/* An entry's rows are scalars, so this goes one level deep. */
static void rows_done(const struct param_row *rows, void *into)
{
	for (const struct param_row *row = rows; row && row->name; row++) {
		void *member = (char *)into + row->offset;

		if (row->type == PARAM_ENTRIES) {
			entries_done(row, member);
		} else if (types[row->type].is_list) {
			strv_free(*(char ***)member);
			*(char ***)member = NULL;
		} else if (types[row->type].owned) {
			free(*(char **)member);
			*(char **)member = NULL;
		}
	}
}

void params_done(const struct kind *kind, void *params)
{
	if (params)
		rows_done(kind->params, params);
}
