/* SPDX-License-Identifier: MIT */
/* unit.stop: stop a unit, and tell what of it still runs. */
#include <string.h>

#include "base/intl.h"
#include "probe/unit.h"
#include "step/unit_control.h"
#include "step/unit_stop.h"

struct unit_stop_params {
	char *unit;
};

static const struct param_row params[] = {
	{ .name = "unit",
	  .type = PARAM_STRING,
	  .required = true,
	  .check = control_check_name,
	  .offset = PARAM_OFFSET(unit_stop_params, unit),
	  .help = N_("The unit, such as k3s.service.") },
	{ 0 },
};

static const char *unit_of(const void *data)
{
	const struct unit_stop_params *p = data;

	return p->unit;
}

static int describe(const void *data, struct buf *ret)
{
	return buf_addf(ret, _("stop %s, and list what is left in its control group"),
			unit_of(data));
}

static int describe_undo(const void *data, struct buf *ret)
{
	return buf_addf(ret, _("start %s again, if it was active"), unit_of(data));
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	return control_run(step, unit_of(data), MANAGER_STOP, ret, err);
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	return control_verify(step, unit_of(data), MANAGER_STOP, effect, ret_standing, ret, err);
}

static int undo(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	return control_undo(step, unit_of(data), MANAGER_STOP, ret, err);
}

static bool is_below(const char *group, const char *parent)
{
	size_t len = strlen(parent);

	return strncmp(group, parent, len) == 0 && (group[len] == '/' || !group[len]);
}

bool unit_stop_spares(const struct unit *unit)
{
	const char *mode = unit->kill_mode;

	return mode && (strcmp(mode, "process") == 0 || strcmp(mode, "none") == 0);
}

bool unit_stop_ends(const struct unit *unit, const struct stoppable *who)
{
	const char *group = unit->control_group;

	if (who->pid > 0 && who->pid == unit->main_pid)
		return true;
	if (unit_stop_spares(unit))
		return false;
	/* The root of the tree is every process: no unit has it. */
	return who->cgroup && group && group[0] == '/' && group[1] && is_below(who->cgroup, group);
}

static int ends(const struct step *step, const void *data, const struct stoppable *who,
		struct error *err)
{
	CLEANUP(unit_done) struct unit unit = UNIT_INIT;
	int r = unit_load(step->host, unit_of(data), &unit, err);

	return r < 0 ? r : unit.found && unit_stop_ends(&unit, who);
}

static int foresee(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	return unit_stop_foresee(step, unit_of(data), ret, err);
}

const struct kind kind_unit_stop = {
	.name = "unit.stop",
	.class = KIND_ACTION,
	.title = N_("stop a unit"),
	.help = N_("Has systemd stop a unit, waits for the job's result and reads the state again. "
		   "Says which other units may start it again, and which processes are left in its "
		   "control group: inactive is no proof of quiescence. Taking it back starts the "
		   "unit if it was active."),
	.deadline_s = 300,
	.params_size = sizeof(struct unit_stop_params),
	.params = params,
	.outputs = unit_control_outputs,
	.findings = unit_control_findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.undo = undo,
	.describe_undo = describe_undo,
	.foresee = foresee,
	.ends = ends,
	.typical_s = 10,
};
