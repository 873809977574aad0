/* SPDX-License-Identifier: MIT */
/*
 * unit.state: are the units in the state that they should be in?
 *
 * Without `units` the usual services of such a host are looked at, and what
 * is not installed or not started is no fault; what is *broken* before the
 * work is said, so that nobody takes it for a consequence of the work.  After
 * the work, what was active in the earlier capture must be active again.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "probe/unit.h"
#include "step.h"
#include "step/unit_state_since.h"

struct unit_state_params {
	char **units;
	char *state;
};

static const struct param_row params[] = {
	{ .name = "units",
	  .type = PARAM_STRINGS,
	  .offset = PARAM_OFFSET(unit_state_params, units),
	  .draft = DRAFT_UNITS,
	  .help = N_("Units that must be in the state, such as k3s.service; when none is named, "
		     "the usual services are looked at, as far as they exist.") },
	{ .name = "state",
	  .type = PARAM_STRING,
	  .fallback = "active",
	  .offset = PARAM_OFFSET(unit_state_params, state),
	  .help = N_("The right state, by systemd's words: active, inactive, failed, or a finer "
		     "one such as running, exited, dead.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "active", OUTPUT_INT, N_("Number of units looked at that are active.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "state",
	  .title = N_("the state of a unit"),
	  .means = N_("systemd was asked, and the unit is as it should be.") },
	{ .id = "failed",
	  .title = N_("a broken unit"),
	  .means = N_("The unit is in the state failed, or systemd restarts it again and again."),
	  .harm = N_("When it was broken before the work, nobody can tell afterwards whether the "
		     "work broke it."),
	  .mend = N_("Look into `journalctl -u UNIT`, mend it, then start over."),
	  .acceptable = true },
	{ .id = "failed-since",
	  .title = N_("active in the earlier capture, and not now"),
	  .means = N_("The unit was active when the earlier capture was made; now it is failed, "
		      "stopped or gone."),
	  .harm = N_("What it ran before the work does not run after it."),
	  .mend = N_("Look into `journalctl -b -u UNIT`; see that the filesystems it needs are "
		     "mounted; start it.") },
	{ .id = "differs",
	  .title = N_("not in the state asked for"),
	  .means = N_("The unit's state is not the one that the runbook asks for."),
	  .harm = N_("The next step relies on it."),
	  .mend = N_("Start or stop the unit, or correct `state`.") },
	{ .id = "absent",
	  .title = N_("no such unit"),
	  .means = N_("systemd knows no unit of a name that was given."),
	  .harm = N_("What it should run does not run."),
	  .mend = N_("Correct the name; `systemctl list-unit-files` lists those that exist.") },
	{ .id = "bad-setting",
	  .title = N_("the unit's file is broken"),
	  .means = N_("systemd cannot use the unit's file as it now stands."),
	  .harm = N_("The unit does not start after the power cycle, though it may run now."),
	  .mend = N_("Run `systemd-analyze verify UNIT`, and correct what it names."),
	  .acceptable = true },
	{ .id = "need-reload",
	  .title = N_("the file changed since systemd read it"),
	  .means = N_("The unit's file on disk is newer than what systemd works with."),
	  .harm = N_("The next boot starts something else than what runs now."),
	  .mend = N_("Run `systemctl daemon-reload` and see that the unit still works."),
	  .acceptable = true },
	{ .id = "not-enabled",
	  .title = N_("runs now, and is not started at boot"),
	  .means = N_("The unit is active, its file is disabled, and nothing pulls it in."),
	  .harm = N_("After the power cycle it stays down."),
	  .mend = N_("Run `systemctl enable UNIT`, or write down to start it by hand."),
	  .acceptable = true },
	{ .id = "unreadable",
	  .title = N_("the state could not be read"),
	  .means = N_("systemd could not be asked, or the capture does not hold the unit."),
	  .harm = N_("A unit that is broken would go unseen."),
	  .mend = N_("Be root, or capture the host again.") },
	{ 0 },
};

struct look {
	const struct step *step;
	const struct unit_state_params *params;
	bool named; /* by the operator */
	bool live;
	unsigned active;
	struct result *ret;
};

static int describe(const void *data, struct buf *ret)
{
	const struct unit_state_params *p = data;
	size_t n = strv_length(p->units);

	if (!n)
		return buf_adds(ret, _("see that no usual service of this host is broken"));
	buf_addf(ret, PLURAL("see that this unit is %s:", "see that these units are %s:", n),
		 p->state);
	for (size_t i = 0; i < n; i++)
		buf_addf(ret, " %s", p->units[i]);
	return buf_error(ret);
}

/* "active (running), Result success, 3 restarts" */
void unit_state_evidence(struct result *result, struct finding *finding, const struct unit *unit)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "ActiveState=%s", unit->active ? unit->active : "");
	if (unit->sub)
		buf_addf(&text, " SubState=%s", unit->sub);
	if (unit->load && strcmp(unit->load, "loaded"))
		buf_addf(&text, " LoadState=%s", unit->load);
	if (unit->file_state)
		buf_addf(&text, " UnitFileState=%s", unit->file_state);
	if (unit->result)
		buf_addf(&text, " Result=%s", unit->result);
	if (unit->restarts > 0)
		buf_addf(&text, " NRestarts=%lld", (long long)unit->restarts);
	if (unit->need_reload)
		buf_adds(&text, " NeedDaemonReload=yes");
	result_evidence(result, finding, unit->source, buf_text(&text), NULL, NULL);
}

static bool is(const char *word, const char *text)
{
	return word && !strcmp(word, text);
}

static bool is_in(const struct unit *unit, const char *state)
{
	if (!strcmp(state, "active"))
		return unit_is_active(unit);
	return is(unit->active, state) || is(unit->sub, state);
}

static void say_absent(struct look *look, const char *name)
{
	struct finding *finding;

	if (!look->named)
		return;
	if (!look->live) {
		finding = result_find(look->ret, "unreadable", VERDICT_UNKNOWN, "%s", name);
		result_say(look->ret, finding, _("The capture does not hold %s."), name);
		result_remedy(look->ret, finding, "%s",
			      _("Capture the host again, with its units."));
		result_evidence(look->ret, finding, name, NULL, NULL, NULL);
		return;
	}
	finding = result_find(look->ret, "absent",
			      strcmp(look->params->state, "inactive") ? VERDICT_FAIL : VERDICT_PASS,
			      "%s", name);
	result_say(look->ret, finding, _("There is no unit %s."), name);
	if (finding->verdict != VERDICT_PASS)
		result_remedy(look->ret, finding, "%s",
			      _("Correct the name; `systemctl list-unit-files` lists those that "
				"exist."));
	result_evidence(look->ret, finding, name, "LoadState=not-found", NULL, NULL);
}

/* After the work, only the earlier capture tells what was broken before it. */
static void say_failed(struct look *look, const char *name, const struct unit *unit,
		       const struct unit *before)
{
	struct finding *finding = result_find(look->ret, "failed", VERDICT_WARN, "%s", name);
	bool after = look->step->after || look->step->before;

	result_say(look->ret, finding,
		   !after                   ? _("%s was broken before any work began.")
		   : unit_is_failed(before) ? _("%s is broken, and was so in the earlier capture.")
					    : _("%s is broken."),
		   name);
	result_remedy(look->ret, finding,
		      after ? _("Look into it: journalctl -u %s")
			    : _("Look into it before the work: journalctl -u %s"),
		      name);
	unit_state_evidence(look->ret, finding, unit);
}

static void say_differs(struct look *look, const char *name, const struct unit *unit)
{
	struct finding *finding = result_find(look->ret, "differs", VERDICT_FAIL, "%s", name);
	const char *state = look->params->state;

	result_say(look->ret, finding, _("%s is %s (%s); it should be %s."), name, unit->active,
		   unit->sub ? unit->sub : "?", state);
	if (!strcmp(state, "active"))
		result_remedy(look->ret, finding, "systemctl start %s", name);
	else if (!strcmp(state, "inactive"))
		result_remedy(look->ret, finding, "systemctl stop %s", name);
	else
		result_remedy(look->ret, finding, _("Bring %s into the state %s."), name, state);
	unit_state_evidence(look->ret, finding, unit);
}

static void say_state(struct look *look, const char *name, const struct unit *unit)
{
	struct finding *finding = result_find(look->ret, "state", VERDICT_PASS, "%s", name);

	result_say(look->ret, finding, _("%s is %s (%s)."), name, unit->active,
		   unit->sub ? unit->sub : "?");
	unit_state_evidence(look->ret, finding, unit);
}

static void warn(struct look *look, const char *id, const char *name, const struct unit *unit,
		 const char *summary, const char *remedy)
{
	struct finding *finding = result_find(look->ret, id, VERDICT_WARN, "%s", name);

	result_say(look->ret, finding, "%s: %s", name, summary);
	result_remedy(look->ret, finding, "%s %s", remedy, name);
	unit_state_evidence(look->ret, finding, unit);
}

/* What the power cycle will change about a unit, whatever state it is in. */
static void judge_next_boot(struct look *look, const char *name, const struct unit *unit)
{
	if (is(unit->load, "bad-setting") || is(unit->load, "error"))
		warn(look, "bad-setting", name, unit, _("systemd cannot use its file."),
		     "systemd-analyze verify");
	if (unit->need_reload)
		warn(look, "need-reload", name, unit,
		     _("its file changed since systemd read it, so the next boot starts "
		       "something else than what runs now."),
		     _("Look at the change, then systemctl daemon-reload:"));
	if (unit_is_active(unit) && is(unit->file_state, "disabled") && !unit->pulled_in)
		warn(look, "not-enabled", name, unit,
		     _("it runs now and nothing starts it at the next boot."), "systemctl enable");
}

static void judge_state(struct look *look, const char *name, const struct unit *unit,
			const struct unit *before)
{
	if (look->named && is_in(unit, look->params->state))
		say_state(look, name, unit);
	else if (unit_is_failed(unit) && !look->named)
		say_failed(look, name, unit, before);
	else if (look->named)
		say_differs(look, name, unit);
	else
		say_state(look, name, unit);
}

static int judge(struct look *look, const char *name, const struct unit *unit, struct error *err)
{
	CLEANUP(unit_done) struct unit before = UNIT_INIT;
	int since = 0;

	if (!look->named)
		since = unit_state_since(look->step, name, unit, look->ret, &before, err);
	if (since < 0)
		return since;
	if (!unit->found) {
		say_absent(look, name);
		return 0;
	}
	if (!unit->active) {
		struct finding *finding =
			result_find(look->ret, "unreadable", VERDICT_UNKNOWN, "%s", name);

		result_say(look->ret, finding, _("The state of %s is not told."), name);
		result_remedy(look->ret, finding, "%s",
			      _("Capture the host again, with its units."));
		unit_state_evidence(look->ret, finding, unit);
		return 0;
	}
	look->active += unit_is_active(unit);
	if (!since)
		judge_state(look, name, unit, &before);
	judge_next_boot(look, name, unit);
	return 0;
}

static int look_at(const struct step *step, struct look *look, const char *name, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(unit_done) struct unit unit = UNIT_INIT;
	int r;

	r = unit_load(step->host, name, &unit, &why);
	if (r == -ENOMEM)
		return error_copy(err, &why);
	if (r < 0)
		result_unknown(look->ret, "unreadable", name, name, &why);
	else
		return judge(look, name, &unit, err);
	return 0;
}

static int look_at_all(const struct step *step, struct look *look, struct error *err)
{
	const char *name;
	int r = 0;

	for (size_t i = 0; r == 0; i++) {
		name = look->named ? look->params->units[i] : unit_usual(i);
		if (!name)
			break;
		r = look_at(step, look, name, err);
	}
	return r;
}

static void say_no_systemd(struct look *look, const char *name)
{
	bool wanted = strcmp(look->params->state, "inactive") != 0;
	struct finding *finding =
		result_find(look->ret, "absent", wanted ? VERDICT_FAIL : VERDICT_PASS, "%s", name);

	result_say(look->ret, finding,
		   _("systemd does not run on this host, and so neither does %s."), name);
	if (wanted)
		result_remedy(look->ret, finding, _("Leave %s out of the units."), name);
	result_evidence(look->ret, finding, PATH_SYSTEMD_RUN, _("not there"), NULL, NULL);
}

static int without_systemd(int runs, const struct error *why, struct look *look)
{
	if (runs < 0) {
		result_unknown(look->ret, "unreadable", PATH_SYSTEMD_RUN, PATH_SYSTEMD_RUN, why);
		return 0;
	}
	if (!look->named)
		result_skip(look->ret, "%s", _("systemd does not run on this host."));
	else
		result_summary(look->ret, "%s", _("systemd does not run on this host."));
	for (char **name = look->params->units; name && *name; name++)
		say_no_systemd(look, *name);
	return 0;
}

static void sum_up(struct look *look)
{
	if (!look->ret->n_findings && look->live)
		result_skip(look->ret, "%s", _("None of the usual services is installed."));
	else if (!look->ret->n_findings)
		result_skip(look->ret, "%s", _("The capture holds none of the usual services."));
	else
		result_summary(look->ret,
			       PLURAL("%u unit is active.", "%u units are active.", look->active),
			       look->active);
	if (look->ret->n_findings)
		result_output_int(look->ret, "active", look->active);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct look look = {
		.step = step, .params = data, .ret = ret, .live = host_is_live(step->host)
	};
	int r;

	look.named = strv_length(look.params->units) > 0;
	r = unit_manager_runs(step->host, &why);
	if (r <= 0)
		return without_systemd(r, &why, &look);
	r = look_at_all(step, &look, err);
	if (r == 0)
		sum_up(&look);
	return r;
}

const struct kind kind_unit_state = {
	.name = "unit.state",
	.class = KIND_CHECK,
	.title = N_("states of services"),
	.help = N_("Asks systemd for the state of units: whether one is broken already, whether "
		   "the next boot will start it, and from the file that runs now."),
	.flags = KIND_VOLATILE,
	.deadline_s = 10,
	.params_size = sizeof(struct unit_state_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
};
