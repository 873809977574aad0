/* SPDX-License-Identifier: MIT */
/* Is a unit up? */
#include "base/intl.h"
#include "step/unit_control.h"

static void say_absent(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "absent", VERDICT_FAIL, "%s", control->unit);

	result_say(control->ret, finding,
		   control->manager
			   ? _("There is no unit %s, so it does not run.")
			   : _("systemd does not run on this host, and so neither does %s."),
		   control->unit);
	result_remedy(control->ret, finding, "%s",
		      _("Install again what brings it, or correct the name; `systemctl "
			"list-unit-files` lists those that exist."));
	control_cite(control, finding);
}

static void say_up(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "started", VERDICT_PASS, "%s", control->unit);

	result_say(control->ret, finding, _("%s is %s (%s)."), control->unit, control->now.active,
		   control->now.sub);
	control_cite(control, finding);
}

static void say_pending(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "job-pending", VERDICT_FAIL, "%s", control->unit);

	result_say(control->ret, finding, _("%s is %s (%s), and systemd is still at work on it."),
		   control->unit, control->now.active, control->now.sub);
	result_remedy(control->ret, finding,
		      _("See what it waits for: systemctl list-jobs; journalctl -b -u %s."),
		      control->unit);
	control_cite(control, finding);
}

static void say_not_up(struct control *control, const struct error *why)
{
	struct finding *finding =
		result_find(control->ret, "not-started", VERDICT_FAIL, "%s", control->unit);

	if (why && why->code < 0)
		result_say(control->ret, finding, _("%s is %s (%s): %s."), control->unit,
			   control->now.active, control->now.sub, error_text(why));
	else
		result_say(control->ret, finding, _("%s is %s (%s); it should be active."),
			   control->unit, control->now.active, control->now.sub);
	if (why && why->hint)
		result_remedy(control->ret, finding, "%s", why->hint);
	else
		result_remedy(control->ret, finding, _("Look into it: journalctl -b -u %s."),
			      control->unit);
	control_cite(control, finding);
}

void control_judge_up(struct control *control, const struct error *why, enum standing *ret_standing)
{
	bool up = control_is_up(control) && !control_is_busy(control);

	*ret_standing = up ? STANDING_YES : STANDING_NO;
	if (!control->now.found)
		say_absent(control);
	else if (up)
		say_up(control);
	else if (control_is_busy(control))
		say_pending(control);
	else
		say_not_up(control, why);
}
