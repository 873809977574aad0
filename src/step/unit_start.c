/* SPDX-License-Identifier: MIT */
/* unit.start: start a unit; mostly after the work. */
#include "base/intl.h"
#include "step/unit_control.h"

struct unit_start_params {
	char *unit;
};

static const struct param_row params[] = {
	{ .name = "unit",
	  .type = PARAM_STRING,
	  .required = true,
	  .check = control_check_name,
	  .offset = PARAM_OFFSET(unit_start_params, unit),
	  .help = N_("The unit, such as k3s.service.") },
	{ 0 },
};

static const char *unit_of(const void *data)
{
	const struct unit_start_params *p = data;

	return p->unit;
}

static int describe(const void *data, struct buf *ret)
{
	return buf_addf(ret, _("start %s"), unit_of(data));
}

static int describe_undo(const void *data, struct buf *ret)
{
	return buf_addf(ret, _("stop %s again, if it was not active"), unit_of(data));
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	return control_run(step, unit_of(data), MANAGER_START, ret, err);
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	return control_verify(step, unit_of(data), MANAGER_START, effect, ret_standing, ret, err);
}

static int undo(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	return control_undo(step, unit_of(data), MANAGER_START, ret, err);
}

const struct kind kind_unit_start = {
	.name = "unit.start",
	.class = KIND_ACTION,
	.title = N_("start a unit"),
	.help = N_("Has systemd start a unit, waits for the job's result and reads the state "
		   "again: it must be active, so this is not for a unit that does its work and "
		   "ends. What stands behind the mounts of a moved disk is started after "
		   "mounts.expected. Taking it back stops the unit if it was not active."),
	.deadline_s = 300,
	.params_size = sizeof(struct unit_start_params),
	.params = params,
	.outputs = unit_control_outputs,
	.findings = unit_control_findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.undo = undo,
	.describe_undo = describe_undo,
	.typical_s = 10,
};
