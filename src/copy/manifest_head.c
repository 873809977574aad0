/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "copy/manifest_internal.h"

void copy_entry_done(struct copy_entry *entry)
{
	size_t i;

	for (i = 0; i < entry->n_xattrs; i++) {
		free(entry->xattrs[i].name);
		free(entry->xattrs[i].value);
	}
	free(entry->xattrs);
	free(entry->path);
	free(entry->target);
	memset(entry, 0, sizeof(*entry));
}

void copy_head_done(struct copy_head *head)
{
	size_t i;

	for (i = 0; i < head->n_sources; i++) {
		free(head->sources[i].given);
		free(head->sources[i].database);
		free(head->sources[i].reason);
		strv_free(head->sources[i].roots);
	}
	for (i = 0; i < head->n_left_out; i++) {
		free(head->left_out[i].path);
		free(head->left_out[i].reason);
	}
	for (i = 0; i < head->n_checks; i++) {
		free(head->checks[i].what);
		free(head->checks[i].path);
		free(head->checks[i].text);
	}
	free(head->sources);
	free(head->left_out);
	free(head->checks);
	free(head->version);
	free(head->host);
	free(head->machine_id);
	free(head->boot_id);
	free(head->step);
	free(head->created);
	memset(head, 0, sizeof(*head));
}

/* The array at `key`, with `n` empty objects in it; NULL without memory. */
static json_t *rows(json_t *json, const char *key, size_t n)
{
	json_t *array = json_array();

	if (json_object_set_new(json, key, array) < 0)
		return NULL;
	while (n--)
		if (json_array_append_new(array, json_object()) < 0)
			return NULL;
	return array;
}

static int put_number(json_t *object, const char *key, uint64_t number)
{
	return json_object_set_new(object, key, json_integer((json_int_t)number)) < 0 ? -ENOMEM : 0;
}

static int put_source(json_t *json, const struct copy_source_row *row)
{
	size_t i, n = strv_length(row->roots);
	json_t *roots;
	int r = manifest_put(json, "given", row->given);

	r = r < 0 ? r : manifest_put(json, "database", row->database);
	r = r < 0 ? r : manifest_put(json, "reason", row->reason);
	r = r < 0 ? r : put_number(json, "files", row->files);
	r = r < 0 ? r : put_number(json, "bytes", row->bytes);
	roots = r < 0 ? NULL : rows(json, "roots", n);
	if (r == 0 && !roots)
		r = -ENOMEM;
	for (i = 0; r == 0 && i < n; i++)
		r = manifest_put(json_array_get(roots, i), "path", row->roots[i]);
	return r;
}

static int put_head(json_t *json, const struct copy_head *head)
{
	json_t *sources, *left_out, *host = json_object();
	size_t i;
	int r = put_number(json, "coldswap_copy", 1);

	r = r < 0 ? r : manifest_put(json, "version", head->version);
	r = json_object_set_new(json, "host", host) < 0 ? -ENOMEM : r;
	r = r < 0 ? r : manifest_put(host, "name", head->host);
	r = r < 0 ? r : manifest_put(host, "machine_id", head->machine_id);
	r = r < 0 ? r : manifest_put(host, "boot_id", head->boot_id);
	r = r < 0 ? r : put_number(json, "session", (uint64_t)head->session);
	r = r < 0 ? r : manifest_put(json, "step", head->step);
	r = r < 0 ? r : manifest_put(json, "created", head->created);
	sources = rows(json, "sources", head->n_sources);
	left_out = rows(json, "left_out", head->n_left_out);
	if (!sources || !left_out)
		return -ENOMEM;
	for (i = 0; r == 0 && i < head->n_sources; i++)
		r = put_source(json_array_get(sources, i), &head->sources[i]);
	for (i = 0; r == 0 && i < head->n_left_out; i++) {
		json_t *row = json_array_get(left_out, i);

		r = manifest_put(row, "path", head->left_out[i].path);
		r = r < 0 ? r : manifest_put(row, "reason", head->left_out[i].reason);
		r = r < 0 ? r : put_number(row, "bytes", head->left_out[i].bytes);
	}
	return r;
}

json_t *manifest_head_json(const struct copy_head *head)
{
	json_t *json = json_object();

	if (json && put_head(json, head) == 0)
		return json;
	json_decref(json);
	return NULL;
}

static int put_tail(json_t *json, const struct copy_head *head)
{
	json_t *checks = rows(json, "checks", head->n_checks);
	size_t i;
	int r = checks ? 0 : -ENOMEM;

	for (i = 0; r == 0 && i < head->n_checks; i++) {
		json_t *row = json_array_get(checks, i);

		r = manifest_put(row, "what", head->checks[i].what);
		r = r < 0 ? r : manifest_put(row, "path", head->checks[i].path);
		if (json_object_set_new(row, "passed", json_boolean(head->checks[i].passed)) < 0)
			r = -ENOMEM;
		r = r < 0 ? r : manifest_put(row, "text", head->checks[i].text);
	}
	r = r < 0 ? r : put_number(json, "files", head->files);
	r = r < 0 ? r : put_number(json, "bytes", head->bytes);
	return json_object_set_new(json, "complete", json_true()) < 0 ? -ENOMEM : r;
}

json_t *manifest_tail_json(const struct copy_head *head)
{
	json_t *json = json_object();

	if (json && put_tail(json, head) == 0)
		return json;
	json_decref(json);
	return NULL;
}

static uint64_t number(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

static int get_source(const json_t *json, struct copy_source_row *ret)
{
	const json_t *roots = json_object_get(json, "roots");
	size_t i;
	int r = manifest_get(json, "given", &ret->given);

	r = r < 0 ? r : manifest_get(json, "database", &ret->database);
	r = r < 0 ? r : manifest_get(json, "reason", &ret->reason);
	ret->files = number(json, "files");
	ret->bytes = number(json, "bytes");
	for (i = 0; r == 0 && i < json_array_size(roots); i++) {
		char *path = NULL;

		r = manifest_get(json_array_get(roots, i), "path", &path);
		if (r == 0)
			r = path ? strv_take(&ret->roots, path) : -EBADMSG;
		else
			free(path);
	}
	return r;
}

static int get_sources(const json_t *array, struct copy_head *ret)
{
	size_t i, n = json_array_size(array);
	int r = 0;

	ret->sources = calloc(n + 1, sizeof(*ret->sources));
	if (!ret->sources)
		return -ENOMEM;
	ret->n_sources = n;
	for (i = 0; r == 0 && i < n; i++)
		r = get_source(json_array_get(array, i), &ret->sources[i]);
	return r;
}

static int get_left_out(const json_t *array, struct copy_head *ret)
{
	size_t i, n = json_array_size(array);
	int r = 0;

	ret->left_out = calloc(n + 1, sizeof(*ret->left_out));
	if (!ret->left_out)
		return -ENOMEM;
	ret->n_left_out = n;
	for (i = 0; r == 0 && i < n; i++) {
		const json_t *row = json_array_get(array, i);

		r = manifest_get(row, "path", &ret->left_out[i].path);
		r = r < 0 ? r : manifest_get(row, "reason", &ret->left_out[i].reason);
		ret->left_out[i].bytes = number(row, "bytes");
	}
	return r;
}

int manifest_head_parse(const json_t *json, struct copy_head *ret)
{
	const json_t *host = json_object_get(json, "host");
	int r;

	if (number(json, "coldswap_copy") != 1)
		return -EBADMSG;
	r = manifest_get(json, "version", &ret->version);
	r = r < 0 ? r : manifest_get(host, "name", &ret->host);
	r = r < 0 ? r : manifest_get(host, "machine_id", &ret->machine_id);
	r = r < 0 ? r : manifest_get(host, "boot_id", &ret->boot_id);
	r = r < 0 ? r : manifest_get(json, "step", &ret->step);
	r = r < 0 ? r : manifest_get(json, "created", &ret->created);
	ret->session = (int64_t)number(json, "session");
	r = r < 0 ? r : get_sources(json_object_get(json, "sources"), ret);
	return r < 0 ? r : get_left_out(json_object_get(json, "left_out"), ret);
}

int manifest_tail_parse(const json_t *json, struct copy_head *ret)
{
	const json_t *array = json_object_get(json, "checks");
	size_t i, n = json_array_size(array);
	int r = 0;

	ret->checks = calloc(n + 1, sizeof(*ret->checks));
	if (!ret->checks)
		return -ENOMEM;
	ret->n_checks = n;
	for (i = 0; r == 0 && i < n; i++) {
		const json_t *row = json_array_get(array, i);

		r = manifest_get(row, "what", &ret->checks[i].what);
		r = r < 0 ? r : manifest_get(row, "path", &ret->checks[i].path);
		r = r < 0 ? r : manifest_get(row, "text", &ret->checks[i].text);
		ret->checks[i].passed = json_is_true(json_object_get(row, "passed"));
	}
	ret->files = number(json, "files");
	ret->bytes = number(json, "bytes");
	ret->complete = json_is_true(json_object_get(json, "complete"));
	return r == 0 && !ret->complete ? -EBADMSG : r;
}
