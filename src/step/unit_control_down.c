/* SPDX-License-Identifier: MIT */
/*
 * Is a unit down, what may start it again, and what of it still runs?
 *
 * With KillMode=process systemd ends the main process alone, with none
 * nothing at all: the unit is inactive then and its children go on.  So
 * whatever is in its control group is told, by pid, command and container.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/unit_control.h"
#include "sys/cgroup.h"

#define PROCESSES_MAX 20 /* that are told one by one */

/* ---- its state ------------------------------------------------------------------ */

static void say_down(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "stopped", VERDICT_PASS, "%s", control->unit);

	if (!control->manager)
		result_say(control->ret, finding,
			   _("systemd does not run on this host, and so neither does %s."),
			   control->unit);
	else if (!control->now.found)
		result_say(control->ret, finding, _("There is no unit %s."), control->unit);
	else
		result_say(control->ret, finding, _("%s is %s (%s)."), control->unit,
			   control->now.active, control->now.sub);
	control_cite(control, finding);
}

/* It may have been ended by force: what it had open needs recovery. */
static void say_ended_badly(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "ended-badly", VERDICT_WARN, "%s", control->unit);

	result_say(control->ret, finding,
		   _("%s is stopped, and did not end well: its result is %s."), control->unit,
		   control->now.result ? control->now.result : "?");
	result_remedy(control->ret, finding,
		      _("Look into it: journalctl -b -u %s; what it had open may need recovery."),
		      control->unit);
	control_cite(control, finding);
}

static void say_again(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "active-again", VERDICT_FAIL, "%s", control->unit);

	result_say(control->ret, finding, _("%s was stopped, and something has started it again."),
		   control->unit);
	result_remedy(
		control->ret, finding,
		_("Stop what starts it first, with a step of its own: a socket, timer or path "
		  "unit (systemctl show -p TriggeredBy %s), or a program that watches it."),
		control->unit);
	control_cite(control, finding);
}

static void say_not_down(struct control *control, const struct error *why)
{
	bool busy = control_is_busy(control);
	struct finding *finding = result_find(control->ret, busy ? "job-pending" : "not-stopped",
					      VERDICT_FAIL, "%s", control->unit);

	if (why && why->code < 0)
		result_say(control->ret, finding, _("%s is %s (%s): %s."), control->unit,
			   control->now.active, control->now.sub, error_text(why));
	else if (busy)
		result_say(control->ret, finding,
			   _("%s is %s (%s), and systemd is still at work on it."), control->unit,
			   control->now.active, control->now.sub);
	else
		result_say(control->ret, finding, _("%s is %s (%s); it should be inactive."),
			   control->unit, control->now.active, control->now.sub);
	if (why && why->hint)
		result_remedy(control->ret, finding, "%s", why->hint);
	else
		result_remedy(control->ret, finding,
			      _("See what it waits for: systemctl list-jobs; journalctl -b -u %s."),
			      control->unit);
	control_cite(control, finding);
}

/* Each start has an InvocationID of its own. */
static bool was_started_again(const struct control *control)
{
	const char *now = control->now.found ? control->now.invocation_id : NULL;

	return control_is_up(control) && control->invocation && *control->invocation && now &&
	       strcmp(now, control->invocation) != 0;
}

void control_judge_down(struct control *control, const struct error *why,
			enum standing *ret_standing)
{
	bool down = control_is_down(control) && !control_is_busy(control);

	*ret_standing = down ? STANDING_YES : STANDING_NO;
	if (down) {
		say_down(control);
		if (control->now.found && strcmp(control->now.active, "failed") == 0)
			say_ended_badly(control);
	} else if (was_started_again(control)) {
		say_again(control);
	} else {
		say_not_down(control, why);
	}
}

/* ---- what may start it again ------------------------------------------------------- */

static void say_trigger(struct control *control, const struct control *trigger)
{
	struct finding *finding = result_find(control->ret, "triggered", VERDICT_WARN, "%s by %s",
					      control->unit, trigger->unit);

	result_say(control->ret, finding, _("%s is %s, and may start %s again."), trigger->unit,
		   trigger->now.active, control->unit);
	result_remedy(control->ret, finding, _("Stop %s first, with a step of its own."),
		      trigger->unit);
	control_cite(trigger, finding);
}

static int judge_trigger(struct control *control, const char *unit, struct error *err)
{
	/* Its own connection: a unit that cannot be read is told as that unit's. */
	AUTO_CONTROL trigger = CONTROL_INIT;
	int r = control_open(control->step, unit, control->ret, &trigger, err);

	if (r > 0 && !control_is_down(&trigger))
		say_trigger(control, &trigger);
	return r < 0 ? r : 1;
}

int control_judge_triggers(struct control *control, struct error *err)
{
	int r = 1;

	for (char **unit = control->now.triggered_by; r > 0 && unit && *unit; unit++)
		r = judge_trigger(control, *unit, err);
	return r;
}

/* ---- what of it still runs ---------------------------------------------------------- */

static const char *why_left(const struct manager_unit *unit)
{
	if (unit->kill_mode && strcmp(unit->kill_mode, "process") == 0)
		return _("KillMode=process: systemd ended the main process alone.");
	if (unit->kill_mode && strcmp(unit->kill_mode, "none") == 0)
		return _("KillMode=none: systemd ended no process.");
	if (unit->delegate)
		return _("Delegate=yes: the unit makes control groups of its own.");
	return _("They did not end when systemd told them to.");
}

static void cite_process(struct control *control, struct finding *finding,
			 const struct cgroup_process *process)
{
	AUTO_BUF source = BUF_INIT, text = BUF_INIT;

	buf_addf(&source, "control group %s", process->path);
	if (process->pid)
		buf_addf(&text, "pid %d", (int)process->pid);
	else
		buf_adds(&text, "a pid that cannot be seen from here");
	buf_addf(&text, ": %s", process->comm ? process->comm : "?");
	if (process->of)
		buf_addf(&text, " of %s", process->of);
	result_evidence(control->ret, finding, buf_text(&source), buf_text(&text), NULL, NULL);
}

static void cite_settings(struct control *control, struct finding *finding)
{
	AUTO_BUF source = BUF_INIT, text = BUF_INIT;

	buf_addf(&source, "systemd %s", control->unit);
	buf_addf(&text, "KillMode=%s Delegate=%s",
		 control->now.kill_mode ? control->now.kill_mode : "?",
		 control->now.delegate ? "yes" : "no");
	result_evidence(control->ret, finding, buf_text(&source), buf_text(&text), NULL, NULL);
}

static void say_left(struct control *control, const struct cgroup_list *list)
{
	struct finding *finding =
		result_find(control->ret, "left-running", VERDICT_WARN, "%s", control->unit);
	size_t shown = list->n < PROCESSES_MAX ? list->n : PROCESSES_MAX;

	result_say(control->ret, finding,
		   PLURAL("%zu process of %s still runs, %s being %s. %s",
			  "%zu processes of %s still run, %s being %s. %s", list->n),
		   list->n, control->unit, control->unit,
		   control->now.found ? control->now.active : "gone", why_left(&control->now));
	result_remedy(control->ret, finding, "%s",
		      _("Go on only behind a check that what they work on is quiescent "
			"(files.quiescent), or end them first."));
	cite_settings(control, finding);
	for (size_t i = 0; i < shown; i++)
		cite_process(control, finding, &list->processes[i]);
	if (shown < list->n) {
		AUTO_BUF more = BUF_INIT;

		buf_addf(&more, "%zu more", list->n - shown);
		result_evidence(control->ret, finding, control->group, buf_text(&more), NULL, NULL);
	}
}

static void say_nothing_left(struct control *control)
{
	AUTO_BUF source = BUF_INIT;
	struct finding *finding =
		result_find(control->ret, "left-nothing", VERDICT_PASS, "%s", control->unit);

	buf_addf(&source, "control group %s", control->group);
	result_say(control->ret, finding, _("No process of %s is left."), control->unit);
	result_evidence(control->ret, finding, buf_text(&source), _("no process"), NULL, NULL);
}

/* While it is empty systemd may have taken the name from the unit: that of before is as good. */
static int group_of(struct control *control)
{
	const char *now = control->now.found ? control->now.control_group : NULL;

	if (!now || !*now || strcmp(now, "/") == 0)
		return 0;
	free(control->group);
	control->group = strdup(now);
	return control->group ? 0 : -ENOMEM;
}

int control_judge_left(struct control *control, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_CGROUP_LIST list = { 0 };
	int r = group_of(control);

	if (r < 0)
		return error_oom(err);
	/* Nothing was ever started in it. */
	if (!control->group)
		return 1;
	r = cgroup_processes(control->step->host, control->group, &list, &why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r < 0) {
		result_unknown(control->ret, "left-unknown", control->unit, control->group, &why);
		return 1;
	}
	result_output_int(control->ret, "left", (int64_t)list.n);
	if (list.n)
		say_left(control, &list);
	else
		say_nothing_left(control);
	return 1;
}
