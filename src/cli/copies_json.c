/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "cli/copies.h"
#include "report/frontmatter.h"

static int set_count(json_t *object, const char *key, uint64_t n)
{
	return json_object_set_new(object, key, json_integer((json_int_t)n));
}

static int set_pair(json_t *list, const char *first_key, const char *first, const char *key,
		    const char *text)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 || json_set_text(object, first_key, first) < 0)
		return -1;
	return json_set_text(object, key, text);
}

static int add_faults(json_t *document, const struct copy_verdict *verdict)
{
	json_t *list = json_array();

	if (json_object_set_new(document, "faults", list) < 0)
		return -1;
	for (size_t i = 0; i < verdict->n_faults; i++)
		if (set_pair(list, "path", verdict->faults[i].path, "what",
			     verdict->faults[i].what) < 0)
			return -1;
	return set_count(document, "more", verdict->more);
}

static int add_checks(json_t *copy, const struct copy_head *head)
{
	json_t *list = json_array();

	if (json_object_set_new(copy, "checks", list) < 0)
		return -1;
	for (size_t i = 0; i < head->n_checks; i++) {
		const struct copy_check *check = &head->checks[i];

		if (set_pair(list, "path", check->path, "what", check->what) < 0 ||
		    json_object_set_new(json_array_get(list, i), "passed",
					json_boolean(check->passed)) < 0 ||
		    json_set_text(json_array_get(list, i), "text", check->text) < 0)
			return -1;
	}
	return 0;
}

/* Who made it; null where there is no manifest to say so. */
static int add_copy(json_t *document, const struct copies_answer *answer)
{
	const struct copy_head *head = &answer->verdict.head;
	json_t *copy = answer->no_manifest ? json_null() : json_object();

	if (json_object_set_new(document, "copy", copy) < 0 || answer->no_manifest)
		return answer->no_manifest ? 0 : -1;
	if (json_set_text(copy, "host", head->host) < 0 ||
	    json_set_text(copy, "machine_id", head->machine_id) < 0 ||
	    json_set_text(copy, "boot_id", head->boot_id) < 0 ||
	    json_object_set_new(copy, "session", json_integer(head->session)) < 0 ||
	    json_set_text(copy, "step", head->step) < 0 ||
	    json_set_text(copy, "created", head->created) < 0)
		return -1;
	return add_checks(copy, head);
}

int copies_json(const struct copies_answer *answer, int exit_code, struct buf *ret,
		struct error *err)
{
	const struct copy_verdict *verdict = &answer->verdict;
	AUTO_JSON document = NULL;
	int r = frontmatter_of("copies", NULL, NULL, &document, err);

	if (r < 0)
		return r;
	if (json_set_text(document, "directory", answer->dir) < 0 ||
	    add_copy(document, answer) < 0 ||
	    json_set_text(document, "verdict", verdict->n_faults ? "fail" : "pass") < 0 ||
	    json_object_set_new(document, "exit_code", json_integer(exit_code)) < 0 ||
	    set_count(document, "files", verdict->files) < 0 ||
	    set_count(document, "bytes", verdict->bytes) < 0 ||
	    set_count(document, "bytes_from_cache", verdict->from_cache) < 0 ||
	    add_faults(document, verdict) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}
