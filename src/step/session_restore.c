/* SPDX-License-Identifier: MIT */
/*
 * session.restore: take an earlier action of the session back, where the
 * runbook wants it.  The rows alone: the executor runs the undo of the step
 * that is named, with that step's own parameters and originals.
 */
#include <errno.h>

#include "base/intl.h"
#include "step.h"

struct session_restore_params {
	char *step;
};

static const struct param_row params[] = {
	{ .name = "step",
	  .type = PARAM_STRING,
	  .required = true,
	  .offset = PARAM_OFFSET(session_restore_params, step),
	  .help = N_("The id of the earlier action that is taken back.") },
	{ 0 },
};

static const struct output_row outputs[] = { { 0 } };
static const struct finding_row findings[] = { { 0 } };

static int describe(const void *data, struct buf *ret)
{
	const struct session_restore_params *p = data;

	return buf_addf(ret, _("take back what the step '%s' did"), p->step);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	int r;

	(void)step;
	(void)data;
	(void)ret;
	r = error_set(err, -EPERM, "%s",
		      _("session.restore takes back a step of a session, and this is none"));
	error_hint(err, "%s", _("run the whole runbook: coldswap run RUNBOOK"));
	return r;
}

const struct kind kind_session_restore = {
	.name = "session.restore",
	.class = KIND_ACTION,
	.title = N_("take an earlier step back"),
	.help = N_(
		"Takes back what an earlier action of the session did, from what was kept before "
		"its first change: a unit that was stopped is started if it was active. What it "
		"says and finds is what the undo of that action says and finds. Every action "
		"before the boundary that can be taken back and is not to be kept (`keep: true`) "
		"has one such step behind it."),
	.flags = KIND_RESTORE,
	.deadline_s = 300,
	.params_size = sizeof(struct session_restore_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
};
