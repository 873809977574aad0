/* SPDX-License-Identifier: MIT */
/*
 * A result as JSON, and back.  The one writer of these keys: reports and the
 * journal both use it, so that what was kept is what was shown.
 */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "step.h"

static int add_evidence(json_t *list, const struct evidence *evidence)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "source", evidence->source) < 0 ||
	    json_set_text(object, "observed", evidence->observed) < 0 ||
	    json_set_text(object, "formula", evidence->formula) < 0)
		return -1;
	return json_set_text(object, "derived", evidence->derived);
}

static int add_finding(json_t *list, const struct finding *finding)
{
	json_t *object = json_object(), *evidence;

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "id", finding->id) < 0 ||
	    json_set_text(object, "verdict", verdict_name(finding->verdict)) < 0 ||
	    json_set_text(object, "subject", finding->subject) < 0 ||
	    json_set_text(object, "summary", finding->summary) < 0 ||
	    json_set_text(object, "remedy", finding->remedy) < 0)
		return -1;
	evidence = json_array();
	if (json_object_set_new(object, "evidence", evidence) < 0)
		return -1;
	for (size_t i = 0; i < finding->n_evidence; i++)
		if (add_evidence(evidence, &finding->evidence[i]) < 0)
			return -1;
	return 0;
}

static int set_output(json_t *outputs, const struct output *output)
{
	if (output->type == OUTPUT_STRING)
		return json_set_text(outputs, output->name, output->value.string);
	return json_object_set_new(outputs, output->name,
				   output->type == OUTPUT_BOOL
					   ? json_boolean(output->value.boolean)
					   : json_integer(output->value.integer));
}

int result_set_json(const struct result *result, json_t *object)
{
	json_t *outputs = json_object(), *findings = json_array();
	int r;

	if (json_set_text(object, "verdict", verdict_name(result->verdict)) < 0 ||
	    json_set_text(object, "summary", result->summary) < 0) {
		json_decref(outputs);
		json_decref(findings);
		return -ENOMEM;
	}
	r = json_object_set_new(object, "outputs", outputs);
	if (json_object_set_new(object, "findings", findings) < 0 || r < 0)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_outputs; i++)
		if (set_output(outputs, &result->outputs[i]) < 0)
			return -ENOMEM;
	for (size_t i = 0; i < result->n_findings; i++)
		if (add_finding(findings, &result->findings[i]) < 0)
			return -ENOMEM;
	return 0;
}

int result_save(const struct result *result, struct buf *ret, struct error *err)
{
	AUTO_JSON object = json_object();

	/* A result that lost a finding on its way must not be kept as a whole one. */
	if (result->failed)
		return error_set(err, result->failed, "a result that is not whole is not kept");
	if (!object || result_set_json(result, object) < 0)
		return error_oom(err);
	return json_print(object, ret, err);
}

/* ---- and back: everything is looked at, nothing is guessed ---------------------- */

static int misfit(struct error *err, const char *key)
{
	return error_set(err, -EBADMSG, "no result of a step: '%s' is missing or of a wrong type",
			 key);
}

/* A text that must be there; null is NULL where `may_lack`. */
static int get_text(const json_t *object, const char *key, bool may_lack, char **ret,
		    struct error *err)
{
	const json_t *value = json_object_get(object, key);

	if (may_lack && json_is_null(value))
		return 0;
	if (!json_is_string(value))
		return misfit(err, key);
	*ret = strdup(json_string_value(value));
	return *ret ? 0 : error_oom(err);
}

static int get_verdict(const json_t *object, enum verdict *ret, struct error *err)
{
	const char *name = json_text(object, "verdict");

	for (enum verdict v = VERDICT_SKIP; name && v <= VERDICT_FAIL; v++)
		if (strcmp(name, verdict_name(v)) == 0) {
			*ret = v;
			return 0;
		}
	return misfit(err, "verdict");
}

static int get_evidence(const json_t *list, struct finding *ret, struct error *err)
{
	const json_t *item;
	size_t i;
	int r;

	if (!json_is_array(list))
		return misfit(err, "evidence");
	ret->evidence = calloc(json_array_size(list) + 1, sizeof(*ret->evidence));
	if (!ret->evidence)
		return error_oom(err);
	json_array_foreach (list, i, item) {
		struct evidence *evidence = &ret->evidence[ret->n_evidence++];

		if ((r = get_text(item, "source", false, &evidence->source, err)) < 0 ||
		    (r = get_text(item, "observed", true, &evidence->observed, err)) < 0 ||
		    (r = get_text(item, "formula", true, &evidence->formula, err)) < 0 ||
		    (r = get_text(item, "derived", true, &evidence->derived, err)) < 0)
			return r;
	}
	return 0;
}

static int get_finding(const json_t *item, struct finding *ret, struct error *err)
{
	int r;

	if ((r = get_text(item, "id", false, &ret->id, err)) < 0 ||
	    (r = get_verdict(item, &ret->verdict, err)) < 0 ||
	    (r = get_text(item, "subject", true, &ret->subject, err)) < 0 ||
	    (r = get_text(item, "summary", true, &ret->summary, err)) < 0 ||
	    (r = get_text(item, "remedy", true, &ret->remedy, err)) < 0)
		return r;
	return get_evidence(json_object_get(item, "evidence"), ret, err);
}

static int get_findings(const json_t *list, struct result *ret, struct error *err)
{
	const json_t *item;
	size_t i;
	int r;

	if (!json_is_array(list))
		return misfit(err, "findings");
	ret->findings = calloc(json_array_size(list) + 1, sizeof(*ret->findings));
	if (!ret->findings)
		return error_oom(err);
	json_array_foreach (list, i, item)
		if ((r = get_finding(item, &ret->findings[ret->n_findings++], err)) < 0)
			return r;
	return 0;
}

/* The kind's own name of an output, or a copy that the result owns. */
static const char *output_name(struct result *result, const char *name)
{
	const struct output_row *row = result->kind ? result->kind->outputs : NULL;

	for (; row && row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row->name;
	if (strv_add(&result->names, name) < 0)
		return NULL;
	return result->names[strv_length(result->names) - 1];
}

static int get_output(const char *name, const json_t *value, struct result *result,
		      struct error *err)
{
	struct output *output = &result->outputs[result->n_outputs];

	output->name = output_name(result, name);
	if (!output->name)
		return error_oom(err);
	if (json_is_boolean(value)) {
		output->type = OUTPUT_BOOL;
		output->value.boolean = json_is_true(value);
	} else if (json_is_integer(value)) {
		output->type = OUTPUT_INT;
		output->value.integer = json_integer_value(value);
	} else if (json_is_string(value) || json_is_null(value)) {
		output->type = OUTPUT_STRING;
		if (json_is_string(value) &&
		    !(output->value.string = strdup(json_string_value(value))))
			return error_oom(err);
	} else {
		return misfit(err, name);
	}
	result->n_outputs++;
	return 0;
}

static int get_outputs(const json_t *object, struct result *ret, struct error *err)
{
	const json_t *value;
	const char *name;
	int r;

	if (!json_is_object(object))
		return misfit(err, "outputs");
	ret->outputs = calloc(json_object_size(object) + 1, sizeof(*ret->outputs));
	if (!ret->outputs)
		return error_oom(err);
	/* The loop of jansson's own macro casts const away. */
	for (void *at = json_object_iter((json_t *)(uintptr_t)object); at;
	     at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
		name = json_object_iter_key(at);
		value = json_object_iter_value(at);
		if ((r = get_output(name, value, ret, err)) < 0)
			return r;
	}
	return 0;
}

int result_from_json(const json_t *object, const struct kind *kind, struct result *ret,
		     struct error *err)
{
	struct result result;
	int r;

	result_init(&result, kind);
	if ((r = get_verdict(object, &result.verdict, err)) < 0 ||
	    (r = get_text(object, "summary", true, &result.summary, err)) < 0 ||
	    (r = get_outputs(json_object_get(object, "outputs"), &result, err)) < 0 ||
	    (r = get_findings(json_object_get(object, "findings"), &result, err)) < 0) {
		result_done(&result);
		return r;
	}
	*ret = result;
	return 0;
}

int result_load(const char *text, size_t len, const struct kind *kind, struct result *ret,
		struct error *err)
{
	AUTO_JSON object = NULL;
	int r = json_parse(text, len, "a result", &object, err);

	return r < 0 ? r : result_from_json(object, kind, ret, err);
}
