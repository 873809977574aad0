/* SPDX-License-Identifier: MIT */
#include "cli/kinds_json.h"

#include "base/json.h"
#include "probe/facts.h"
#include "report/frontmatter.h"

const char *output_type_name(enum output_type type)
{
	static const char *const names[] = {
		[OUTPUT_BOOL] = "bool",
		[OUTPUT_INT] = "int",
		[OUTPUT_STRING] = "string",
	};

	return names[type];
}

static int add_param(json_t *list, const struct param_row *row);

/* "entry": the keys of one of its mappings, which are parameters themselves. */
static int add_entry(json_t *object, const struct param_row *rows)
{
	json_t *list = json_array();

	if (json_object_set_new(object, "entry", list) < 0)
		return -1;
	for (const struct param_row *row = rows; row->name; row++)
		if (add_param(list, row) < 0)
			return -1;
	return 0;
}

static int add_words(json_t *object, const char *const *words)
{
	json_t *list = json_array();

	if (json_object_set_new(object, "words", list) < 0)
		return -1;
	for (; *words; words++)
		if (json_array_append_new(list, json_string(*words)) < 0)
			return -1;
	return 0;
}

static int add_param(json_t *list, const struct param_row *row)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "name", row->name) < 0 ||
	    json_set_text(object, "type", param_type_name(row->type)) < 0 ||
	    json_object_set_new(object, "required", json_boolean(row->required)) < 0 ||
	    json_set_text(object, "default", row->fallback) < 0 ||
	    (row->words && add_words(object, row->words) < 0) ||
	    (row->required_with &&
	     json_set_text(object, "required_with", row->required_with) < 0) ||
	    (row->entry && add_entry(object, row->entry) < 0))
		return -1;
	return json_set_text(object, "help", row->help);
}

static int add_output(json_t *list, const struct output_row *row)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "name", row->name) < 0 ||
	    json_set_text(object, "type", output_type_name(row->type)) < 0)
		return -1;
	return json_set_text(object, "help", row->help);
}

int kinds_add_finding(json_t *list, const struct kind *kind, const struct finding_row *row)
{
	AUTO_BUF id = BUF_INIT;
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    buf_addf(&id, "%s/%s", kind->name, row->id) < 0 ||
	    json_set_text(object, "id", buf_text(&id)) < 0 ||
	    json_set_text(object, "title", row->title) < 0 ||
	    json_set_text(object, "means", row->means) < 0 ||
	    json_set_text(object, "harm", row->harm) < 0)
		return -1;
	return json_set_text(object, "mend", row->mend);
}

static json_t *add_list(json_t *object, const char *key)
{
	json_t *list = json_array();

	return json_object_set_new(object, key, list) < 0 ? NULL : list;
}

static int add_rows(json_t *object, const struct kind *kind)
{
	json_t *params = add_list(object, "parameters");
	json_t *outputs = add_list(object, "outputs");
	json_t *findings = add_list(object, "findings");

	for (const struct param_row *row = kind->params; row->name; row++)
		if (add_param(params, row) < 0)
			return -1;
	for (const struct output_row *row = kind->outputs; row->name; row++)
		if (add_output(outputs, row) < 0)
			return -1;
	for (const struct finding_row *row = kind->findings; row->id; row++)
		if (kinds_add_finding(findings, kind, row) < 0)
			return -1;
	return params && outputs && findings ? 0 : -1;
}

static int add_kind(json_t *list, const struct kind *kind)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "name", kind->name) < 0 ||
	    json_set_text(object, "class", kind_class_name(kind->class)) < 0 ||
	    json_set_text(object, "title", kind->title) < 0 ||
	    json_set_text(object, "help", kind->help) < 0)
		return -1;
	return add_rows(object, kind);
}

int kinds_json(const struct kind *kind, struct buf *ret, struct error *err)
{
	AUTO_JSON document = NULL;
	json_t *list;
	int r = frontmatter_of("kinds", NULL, NULL, &document, err);

	if (r < 0)
		return r;
	list = add_list(document, "kinds");
	if (kind)
		r = add_kind(list, kind);
	for (size_t i = 0; !kind && r >= 0 && kind_at(i); i++)
		r = add_kind(list, kind_at(i));
	return r < 0 ? error_oom(err) : json_print(document, ret, err);
}

int facts_list_json(struct buf *ret, struct error *err)
{
	AUTO_JSON document = NULL;
	json_t *list;
	int r = frontmatter_of("kinds", NULL, NULL, &document, err);

	if (r < 0)
		return r;
	list = add_list(document, "facts");
	for (size_t i = 0; fact_at(i); i++) {
		json_t *object = json_object();

		if (json_array_append_new(list, object) < 0 ||
		    json_set_text(object, "name", fact_at(i)->name) < 0 ||
		    json_set_text(object, "help", fact_at(i)->help) < 0)
			return error_oom(err);
	}
	return json_print(document, ret, err);
}
