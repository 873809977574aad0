/* SPDX-License-Identifier: MIT */
#include "step/unit_state_since.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/facts.h"

static bool is(const char *word, const char *text)
{
	return word && !strcmp(word, text);
}

/* What is still on its way up may yet get there: a boot takes its time. */
static bool is_down(const struct unit *unit)
{
	return unit_is_failed(unit) || is(unit->active, "inactive") ||
	       is(unit->active, "deactivating");
}

/* A service that its socket alone starts waits for the first caller. */
static bool waits_for_caller(const struct unit *unit)
{
	return unit->triggered && !unit_is_failed(unit) && !is(unit->file_state, "enabled");
}

static void cite(const struct step *step, const char *name, const struct unit *now,
		 const struct unit *before, struct result *ret, struct finding *finding)
{
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT;

	if (now->source)
		unit_state_evidence(ret, finding, now);
	else
		result_evidence(ret, finding, name, _("not there"), NULL, NULL);
	buf_addf(&source, "%s/%s", host_root(facts_host(step->before)),
		 before->source ? before->source : name);
	buf_addf(&observed, "ActiveState=%s", before->active);
	if (before->sub)
		buf_addf(&observed, " SubState=%s", before->sub);
	result_evidence(ret, finding, buf_text(&source), buf_text(&observed),
			"ActiveState now = ActiveState before", _("different"));
}

/* A capture without the unit's file proves nothing; systemd's own answer does. */
static void say_gone(const struct step *step, const char *name, const struct unit *now,
		     const struct unit *before, struct result *ret)
{
	bool proved = now->load || host_is_live(step->host);
	struct finding *finding =
		proved ? result_find(ret, "failed-since", VERDICT_FAIL, "%s", name)
		       : result_find(ret, "unreadable", VERDICT_UNKNOWN, "%s", name);

	if (proved) {
		result_say(ret, finding,
			   _("There is no unit %s any more; it was active in the earlier capture."),
			   name);
		result_remedy(ret, finding, "%s",
			      _("See that the filesystem that its file lies on is mounted, then "
				"systemctl daemon-reload."));
	} else {
		result_say(ret, finding,
			   _("%s was active in the earlier capture, and what it is now is not "
			     "told."),
			   name);
		result_remedy(ret, finding, "%s", _("Capture the host again, with its units."));
	}
	cite(step, name, now, before, ret, finding);
}

static void say_down(const struct step *step, const char *name, const struct unit *now,
		     const struct unit *before, struct result *ret)
{
	struct finding *finding = result_find(ret, "failed-since", VERDICT_FAIL, "%s", name);

	if (unit_is_failed(now)) {
		result_say(ret, finding, _("%s has failed since the capture: it was active then."),
			   name);
		result_remedy(ret, finding, _("Look into it: journalctl -b -u %s"), name);
	} else {
		result_say(ret, finding, _("%s has stopped since the capture: it was active then."),
			   name);
		result_remedy(ret, finding, "systemctl start %s", name);
	}
	cite(step, name, now, before, ret, finding);
}

int unit_state_since(const struct step *step, const char *name, const struct unit *now,
		     struct result *ret, struct unit *ret_before, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	if (!step->before || (now->found && !is_down(now)))
		return 0;
	r = unit_load(facts_host(step->before), name, ret_before, &why);
	if (r == -ENOMEM)
		return error_copy(err, &why);
	if (r < 0) {
		error_wrap(&why, _("the earlier capture %s"), host_root(facts_host(step->before)));
		result_unknown(ret, "unreadable", name, name, &why);
		return 0;
	}
	if (!ret_before->found || !unit_is_active(ret_before))
		return 0;
	if (!now->found)
		say_gone(step, name, now, ret_before, ret);
	else if (!waits_for_caller(now))
		say_down(step, name, now, ret_before, ret);
	else
		return 0;
	return 1;
}
