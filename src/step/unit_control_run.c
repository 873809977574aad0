/* SPDX-License-Identifier: MIT */
/* What unit.stop and unit.start do, verify and take back: the same, each the other way round. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/unit_control.h"

static bool wants_down(enum manager_verb verb)
{
	return verb == MANAGER_STOP;
}

static int judge(struct control *control, enum manager_verb verb, const struct error *why,
		 enum standing *ret_standing, struct error *err)
{
	int r;

	*ret_standing = STANDING_UNKNOWN;
	if (!wants_down(verb)) {
		control_judge_up(control, why, ret_standing);
		return 1;
	}
	control_judge_down(control, why, ret_standing);
	r = control_judge_triggers(control, err);
	if (r > 0 && *ret_standing == STANDING_YES)
		r = control_judge_left(control, err);
	return r;
}

static void sum_up(struct control *control, enum standing standing, enum manager_verb verb)
{
	if (standing == STANDING_UNKNOWN)
		result_summary(control->ret, _("The state of %s is not known."), control->unit);
	else if (wants_down(verb))
		result_summary(control->ret,
			       standing == STANDING_YES ? _("%s is stopped.")
							: _("%s is not stopped."),
			       control->unit);
	else
		result_summary(control->ret,
			       standing == STANDING_YES ? _("%s runs.") : _("%s does not run."),
			       control->unit);
}

static int bring(struct control *control, enum manager_verb verb, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	enum standing standing = STANDING_UNKNOWN;
	int r = control_bring(control, verb, &why, err);

	if (r > 0)
		r = judge(control, verb, &why, &standing, err);
	if (r >= 0)
		sum_up(control, standing, verb);
	return r;
}

static void skip_absent(struct control *control)
{
	struct result *ret = control->ret;
	struct finding *finding = result_find(ret, "absent", VERDICT_SKIP, "%s", control->unit);

	result_say(ret, finding,
		   control->manager ? _("There is no unit %s, so there is nothing to stop.")
				    : _("systemd does not run on this host, so there is no unit "
					"to stop: %s."),
		   control->unit);
	control_cite(control, finding);
	result_skip(ret, "%s", finding->summary ? finding->summary : "");
}

static int change(struct control *control, enum manager_verb verb, struct error *err)
{
	enum standing standing;
	int r;

	if (!control->now.found && wants_down(verb)) {
		skip_absent(control);
		return 0;
	}
	if (!control->now.found)
		return judge(control, verb, NULL, &standing, err);
	r = control_save(control, err);
	if (r <= 0)
		return r;
	r = control_was_up(control, err);
	if (r < 0)
		return r;
	result_output_bool(control->ret, "was_active", r);
	return bring(control, verb, err);
}

int control_run(const struct step *step, const char *unit, enum manager_verb verb,
		struct result *ret, struct error *err)
{
	AUTO_CONTROL control = CONTROL_INIT;
	int r = step_may_change(step, err);

	if (r < 0)
		return r;
	r = control_open(step, unit, ret, &control, err);
	if (r > 0)
		r = change(&control, verb, err);
	return r < 0 ? r : 0;
}

/* ---- verify and undo ------------------------------------------------------------- */

static void say_untouched(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "untouched", VERDICT_PASS, "%s", control->unit);

	result_say(control->ret, finding, _("Nothing is to be taken back of %s."), control->unit);
	control_cite(control, finding);
	result_summary(control->ret, _("Nothing is to be taken back of %s."), control->unit);
}

/* Did the run change anything?  Not where the unit was already as it should be. */
static int was_changed(struct control *control, enum manager_verb verb, struct error *err)
{
	int was_up = control_was_up(control, err);

	if (was_up == -ENODATA)
		return 0;
	return was_up < 0 ? was_up : was_up == wants_down(verb);
}

static enum manager_verb opposite(enum manager_verb verb)
{
	return wants_down(verb) ? MANAGER_START : MANAGER_STOP;
}

static int verify_undone(struct control *control, enum manager_verb verb, enum standing *ret,
			 struct error *err)
{
	int r = was_changed(control, verb, err);

	if (r < 0)
		return r;
	if (r > 0)
		return judge(control, opposite(verb), NULL, ret, err);
	say_untouched(control);
	*ret = STANDING_YES;
	return 0;
}

/* What was stopped and runs now was started again, whoever looks. */
static int verify_wanted(struct control *control, enum manager_verb verb, enum standing *ret,
			 struct error *err)
{
	const char *id;
	int r = step_original(control->step, "invocation-id", &id, err);

	if (r < 0)
		return r;
	if (r > 0 && wants_down(verb)) {
		free(control->invocation);
		control->invocation = strdup(id);
		if (!control->invocation)
			return error_oom(err);
	}
	return judge(control, verb, NULL, ret, err);
}

int control_verify(const struct step *step, const char *unit, enum manager_verb verb,
		   enum effect effect, enum standing *ret_standing, struct result *ret,
		   struct error *err)
{
	AUTO_CONTROL control = CONTROL_INIT;
	int r;

	*ret_standing = STANDING_UNKNOWN;
	r = control_open(step, unit, ret, &control, err);
	if (r > 0 && effect == EFFECT_UNDONE)
		r = verify_undone(&control, verb, ret_standing, err);
	else if (r > 0)
		r = verify_wanted(&control, verb, ret_standing, err);
	if (r > 0)
		sum_up(&control, *ret_standing, effect == EFFECT_WANTED ? verb : opposite(verb));
	return r < 0 ? r : 0;
}

int control_undo(const struct step *step, const char *unit, enum manager_verb verb,
		 struct result *ret, struct error *err)
{
	AUTO_CONTROL control = CONTROL_INIT;
	int r = step_may_change(step, err);

	if (r < 0)
		return r;
	r = control_open(step, unit, ret, &control, err);
	if (r <= 0)
		return r;
	r = was_changed(&control, verb, err);
	if (r == 0)
		say_untouched(&control);
	else if (r > 0)
		r = bring(&control, opposite(verb), err);
	return r < 0 ? r : 0;
}
