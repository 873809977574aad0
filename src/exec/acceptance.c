/* SPDX-License-Identifier: MIT */
#include "exec/acceptance.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/record.h"

static const struct finding_row *row_of(const char *id)
{
	AUTO_FREE char *name = strndup(id, strcspn(id, "/"));
	const struct kind *kind = name ? kind_find(name) : NULL;

	return kind ? kind_finding(kind, id) : NULL;
}

int acceptance_check(const struct acceptance *accepted, struct error *err)
{
	const struct finding_row *row = row_of(accepted->finding);
	int r;

	if (row && row->acceptable)
		return 0;
	if (row)
		r = error_set(err, -EINVAL,
			      _("the finding %s cannot be accepted: it must be mended"),
			      accepted->finding);
	else
		r = error_set(err, -EINVAL, _("no kind has a finding %s"), accepted->finding);
	error_hint(err, _("what a finding means and how to mend it: coldswap explain %s"),
		   accepted->finding);
	return r;
}

static bool same(const struct acceptance *a, const char *finding, const char *subject)
{
	return strcmp(a->finding, finding) == 0 && strcmp(a->subject, subject) == 0;
}

static bool is_known(const struct executor *executor, const struct acceptance *accepted)
{
	for (size_t i = 0; i < executor->n_accepted; i++)
		if (same(&executor->accepted[i], accepted->finding, accepted->subject))
			return true;
	return false;
}

static int keep(struct executor *executor, const struct acceptance *accepted, struct error *err)
{
	struct acceptance *grown =
		reallocarray(executor->accepted, executor->n_accepted + 1, sizeof(*grown));
	struct acceptance *copy;

	if (!grown)
		return error_oom(err);
	executor->accepted = grown;
	copy = &grown[executor->n_accepted++];
	copy->finding = strdup(accepted->finding);
	copy->subject = strdup(accepted->subject);
	copy->because = strdup(accepted->because);
	return copy->finding && copy->subject && copy->because ? 0 : error_oom(err);
}

int acceptance_take(struct executor *executor, struct error *err)
{
	const struct session_args *args = executor->args;
	int r = 0;

	for (size_t i = 0; !r && i < args->n_accepted; i++) {
		if (is_known(executor, &args->accepted[i]))
			continue;
		r = acceptance_check(&args->accepted[i], err);
		if (!r)
			r = record_accepted(executor, &args->accepted[i], err);
		if (!r)
			r = keep(executor, &args->accepted[i], err);
	}
	return r;
}

bool acceptance_clears(const struct executor *executor, const struct finding *finding)
{
	const struct finding_row *row = row_of(finding->id);

	if (finding->verdict == VERDICT_FAIL || !row || !row->acceptable)
		return false;
	for (size_t i = 0; i < executor->n_accepted; i++)
		if (same(&executor->accepted[i], finding->id, finding->subject))
			return true;
	return false;
}

/* A verdict that no finding bears (too late, broken) cannot have been accepted. */
bool acceptance_blocks(const struct executor *executor, const struct report_step *outcome)
{
	const struct result *result = &outcome->result;
	bool borne = false;

	if (outcome->failure.code < 0)
		return true;
	if (result->verdict < VERDICT_UNKNOWN)
		return false;
	for (size_t i = 0; i < result->n_findings; i++) {
		if (result->findings[i].verdict < VERDICT_UNKNOWN)
			continue;
		if (!acceptance_clears(executor, &result->findings[i]))
			return true;
		borne = borne || result->findings[i].verdict == result->verdict;
	}
	return !borne;
}

bool acceptance_warns(const struct executor *executor, const struct result *result)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (result->findings[i].verdict == VERDICT_WARN &&
		    !acceptance_clears(executor, &result->findings[i]))
			return true;
	return false;
}
