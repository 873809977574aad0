/* SPDX-License-Identifier: MIT */
/* What a step reports: findings, evidence, outputs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "step.h"

static const char *const verdict_names[] = {
	[VERDICT_SKIP] = "skip",       [VERDICT_PASS] = "pass", [VERDICT_WARN] = "warn",
	[VERDICT_UNKNOWN] = "unknown", [VERDICT_FAIL] = "fail",
};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

enum verdict verdict_worse(enum verdict a, enum verdict b)
{
	return a > b ? a : b;
}

void result_init(struct result *result, const struct kind *kind)
{
	*result = (struct result){ .verdict = VERDICT_SKIP, .kind = kind };
}

static void finding_done(struct finding *finding)
{
	for (size_t i = 0; i < finding->n_evidence; i++) {
		struct evidence *evidence = &finding->evidence[i];

		free(evidence->source);
		free(evidence->observed);
		free(evidence->formula);
		free(evidence->derived);
	}
	free(finding->evidence);
	free(finding->id);
	free(finding->subject);
	free(finding->summary);
	free(finding->remedy);
	*finding = (struct finding){ 0 };
}

static void output_done(struct output *output)
{
	if (output->type == OUTPUT_STRING)
		free(output->value.string);
}

void result_done(struct result *result)
{
	for (size_t i = 0; i < result->n_findings; i++)
		finding_done(&result->findings[i]);
	for (size_t i = 0; i < result->n_outputs; i++)
		output_done(&result->outputs[i]);
	free(result->findings);
	free(result->outputs);
	strv_free(result->names);
	free(result->summary);
	finding_done(&result->discarded);
	result_init(result, result->kind);
}

/* The first failure stays: what follows it is a consequence. */
static void fail(struct result *result, int code)
{
	if (!result->failed)
		result->failed = code;
}

PRINTF_LIKE(3, 0)
static void set_text(struct result *result, char **text, const char *fmt, va_list args)
{
	char *made;

	if (vasprintf(&made, fmt, args) < 0) {
		fail(result, -ENOMEM);
		return;
	}
	free(*text);
	*text = made;
}

static char *copy_text(struct result *result, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		fail(result, -ENOMEM);
	return copy;
}

static void *grow(struct result *result, void *items, size_t n, size_t size)
{
	void *grown = reallocarray(items, n + 1, size);

	if (!grown)
		fail(result, -ENOMEM);
	else
		memset((char *)grown + n * size, 0, size);
	return grown;
}

static struct finding *add_finding(struct result *result, const char *id)
{
	const struct finding_row *row = kind_finding(result->kind, id);
	struct finding *grown;

	if (!row) {
		/* A finding that `explain` could not explain is an error of the kind. */
		fail(result, -EINVAL);
		return NULL;
	}
	grown = grow(result, result->findings, result->n_findings, sizeof(*grown));
	if (!grown)
		return NULL;
	result->findings = grown;
	if (asprintf(&grown[result->n_findings].id, "%s/%s", result->kind->name, row->id) < 0) {
		grown[result->n_findings].id = NULL;
		fail(result, -ENOMEM);
		return NULL;
	}
	return &grown[result->n_findings++];
}

struct finding *result_find(struct result *result, const char *id, enum verdict verdict,
			    const char *subject_fmt, ...)
{
	struct finding *finding = add_finding(result, id);
	va_list args;

	if (!finding)
		finding = &result->discarded;
	finding->verdict = verdict;
	result->verdict = verdict_worse(result->verdict, verdict);
	va_start(args, subject_fmt);
	set_text(result, &finding->subject, subject_fmt, args);
	va_end(args);
	return finding;
}

void result_summary(struct result *result, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text(result, &result->summary, fmt, args);
	va_end(args);
}

void result_skip(struct result *result, const char *fmt, ...)
{
	va_list args;

	result->verdict = VERDICT_SKIP;
	va_start(args, fmt);
	set_text(result, &result->summary, fmt, args);
	va_end(args);
}

void result_say(struct result *result, struct finding *finding, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text(result, &finding->summary, fmt, args);
	va_end(args);
}

void result_remedy(struct result *result, struct finding *finding, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text(result, &finding->remedy, fmt, args);
	va_end(args);
}

void result_evidence(struct result *result, struct finding *finding, const char *source,
		     const char *observed, const char *formula, const char *derived)
{
	struct evidence *grown =
		grow(result, finding->evidence, finding->n_evidence, sizeof(*grown));

	if (!grown)
		return;
	finding->evidence = grown;
	grown[finding->n_evidence++] = (struct evidence){
		.source = copy_text(result, source),
		.observed = copy_text(result, observed),
		.formula = copy_text(result, formula),
		.derived = copy_text(result, derived),
	};
}

void result_unknown(struct result *result, const char *id, const char *subject, const char *source,
		    const struct error *why)
{
	struct finding *finding = result_find(result, id, VERDICT_UNKNOWN, "%s", subject);

	result_say(result, finding, _("This could not be determined: %s."), error_text(why));
	if (why->hint)
		result_remedy(result, finding, "%s", why->hint);
	else if (why->code == -EACCES || why->code == -EPERM)
		result_remedy(result, finding, "%s", _("Run coldswap as root."));
	else
		result_remedy(result, finding, _("Make %s readable, then run coldswap again."),
			      source ? source : subject);
	result_evidence(result, finding, source ? source : subject, error_text(why), NULL, NULL);
}

/* The slot of a declared output, emptied; NULL when the kind does not declare it. */
static struct output *output_slot(struct result *result, const char *name, enum output_type type)
{
	const struct output_row *row = result->kind->outputs;
	struct output *grown;

	while (row && row->name && strcmp(row->name, name))
		row++;
	if (!row || !row->name || row->type != type) {
		fail(result, -EINVAL);
		return NULL;
	}
	for (size_t i = 0; i < result->n_outputs; i++)
		if (result->outputs[i].name == row->name) {
			output_done(&result->outputs[i]);
			return &result->outputs[i];
		}
	grown = grow(result, result->outputs, result->n_outputs, sizeof(*grown));
	if (!grown)
		return NULL;
	result->outputs = grown;
	grown[result->n_outputs] = (struct output){ .name = row->name, .type = type };
	return &grown[result->n_outputs++];
}

void result_output_bool(struct result *result, const char *name, bool value)
{
	struct output *output = output_slot(result, name, OUTPUT_BOOL);

	if (output)
		output->value.boolean = value;
}

void result_output_int(struct result *result, const char *name, int64_t value)
{
	struct output *output = output_slot(result, name, OUTPUT_INT);

	if (output)
		output->value.integer = value;
}

void result_output_string(struct result *result, const char *name, const char *value)
{
	struct output *output = output_slot(result, name, OUTPUT_STRING);

	if (output)
		output->value.string = copy_text(result, value);
}
