/* SPDX-License-Identifier: MIT */
/*
 * unit.hold: a unit stays down over the next boot.
 *
 * A drop-in whose Assert says that the drop-in itself is not there: it fails
 * each start, in words that `systemctl status` shows, and to remove that one
 * file is to lift the hold, whether systemd has read its files again or not.
 * Nothing is stopped or started here.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/installed.h"
#include "step/unit_control.h"

struct unit_hold_params {
	char *unit;
};

static const struct param_row params[] = {
	{ .name = "unit",
	  .type = PARAM_STRING,
	  .required = true,
	  .check = control_check_name,
	  .offset = PARAM_OFFSET(unit_hold_params, unit),
	  .help = N_("The unit that is not to start by itself, such as k3s.service.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "lift", OUTPUT_STRING, N_("The command that lifts the hold without coldswap.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "held",
	  .title = N_("held down"),
	  .means = N_("The drop-in is there, and systemd has its Assert: the unit does not start, "
		      "neither by hand nor at the next boot.") },
	{ .id = "released",
	  .title = N_("free to start"),
	  .means = N_("The drop-in is gone, and systemd knows of no such Assert.") },
	{ .id = "absent",
	  .title = N_("no such unit"),
	  .means = N_("systemd says that there is no unit of that name, or does not run at all: "
		      "there is nothing to hold.") },
	{ .id = "invalid-name",
	  .title = N_("not the name of a unit"),
	  .means = N_("The text cannot be a unit's name."),
	  .harm = N_("No unit was held."),
	  .mend = N_("Write it as `systemctl list-units` does, such as k3s.service.") },
	INSTALLED_ROWS,
	{ 0 },
};

struct hold {
	struct control control;
	bool told; /* systemd answered last; else what was said of it leaves the matter unknown */
	struct installed installed;
	char *dir, *path, *text, *assert;
};

static void hold_done(struct hold *hold)
{
	control_done(&hold->control);
	free(hold->dir);
	free(hold->path);
	free(hold->text);
	free(hold->assert);
}

/* What `systemctl status` shows of a unit are its description and its drop-ins. */
static int write_text(struct hold *hold, int64_t session)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "# Written by coldswap, session %lld: %s stays down.\n", (long long)session,
		 hold->control.unit);
	buf_addf(&text,
		 "# To lift it: coldswap abort, or by hand: rm %s; systemctl daemon-reload\n",
		 hold->path);
	buf_adds(&text, "[Unit]\n");
	buf_addf(&text, "Description=%%n, held down by coldswap, session %lld\n",
		 (long long)session);
	buf_addf(&text, "%s\n", hold->assert);
	hold->text = buf_take(&text);
	return hold->text ? 0 : -ENOMEM;
}

static int fill(struct hold *hold, const struct step *step, struct result *ret, struct error *err)
{
	if (asprintf(&hold->dir, PATH_HOLD_DIR_FMT, hold->control.unit) < 0)
		hold->dir = NULL;
	else if (asprintf(&hold->path, "%s/" PATH_HOLD_NAME, hold->dir) < 0)
		hold->path = NULL;
	else if (asprintf(&hold->assert, "AssertPathExists=!%s", hold->path) < 0)
		hold->assert = NULL;
	if (!hold->dir || !hold->path || !hold->assert || write_text(hold, step->session) < 0)
		return error_oom(err);
	hold->installed = (struct installed){ .step = step,
					      .ret = ret,
					      .dir = hold->dir,
					      .items = { { hold->path, hold->text, false } },
					      .n = 1 };
	return 1;
}

/* systemd may not answer: the file is looked at, and removed, all the same. */
static int hold_open(const struct step *step, const void *data, struct result *ret,
		     struct hold *hold, struct error *err)
{
	const struct unit_hold_params *p = data;
	int r = control_open(step, p->unit, ret, &hold->control, err);

	hold->told = r > 0;
	if (r < 0 || ret->verdict == VERDICT_FAIL)
		return r;
	return fill(hold, step, ret, err);
}

static bool has_assert(const struct hold *hold)
{
	const struct manager_unit *now = &hold->control.now;

	for (size_t i = 0; now->found && i < now->n_asserts; i++)
		if (!strcmp(now->asserts[i].text, hold->assert))
			return true;
	return false;
}

static void cite_asserts(struct hold *hold, struct finding *finding)
{
	const struct manager_unit *now = &hold->control.now;
	AUTO_BUF source = BUF_INIT, text = BUF_INIT;

	for (size_t i = 0; now->found && i < now->n_asserts; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", now->asserts[i].text);
	buf_addf(&source, "systemd %s Asserts", hold->control.unit);
	result_evidence(hold->installed.ret, finding, buf_text(&source), buf_text(&text), NULL,
			NULL);
}

static void say_so(struct hold *hold, const char *id, const char *words)
{
	struct result *ret = hold->installed.ret;
	struct finding *finding = result_find(ret, id, VERDICT_PASS, "%s", hold->control.unit);

	result_say(ret, finding, "%s: %s", hold->control.unit, words);
	result_evidence(ret, finding, hold->path,
			hold->installed.items[0].text && !strcmp(id, "held")
				? hold->installed.items[0].text
				: _("not there"),
			NULL, NULL);
	cite_asserts(hold, finding);
	result_summary(ret, "%s: %s", hold->control.unit, words);
}

/* For the card: names of units are plain words to a shell but for a backslash. */
static void tell_lift(struct hold *hold)
{
	AUTO_BUF command = BUF_INIT;

	buf_addf(&command, strchr(hold->path, '\\') ? "rm '%s'" : "rm %s", hold->path);
	result_output_string(hold->installed.ret, "lift", buf_text(&command));
}

static void say_not_in_effect(struct hold *hold, bool file)
{
	struct result *ret = hold->installed.ret;
	struct finding *finding =
		result_find(ret, "not-in-effect", VERDICT_FAIL, "%s", hold->control.unit);

	result_say(ret, finding,
		   file ? _("%s is not held: systemd has no such Assert of it.")
			: _("%s is not held: its drop-in is not there."),
		   hold->control.unit);
	result_remedy(ret, finding,
		      _("See which files systemd reads for it: systemctl cat %s; then systemctl "
			"daemon-reload."),
		      hold->control.unit);
	result_evidence(ret, finding, hold->path, file ? _("there") : _("not there"), NULL, NULL);
	cite_asserts(hold, finding);
}

static void say_not_released(struct hold *hold, bool file)
{
	struct result *ret = hold->installed.ret;
	struct finding *finding = result_find(ret, file ? "not-removed" : "not-in-effect",
					      VERDICT_FAIL, "%s", hold->control.unit);

	result_say(ret, finding,
		   file ? _("%s is still held: its drop-in is there.")
			: _("The drop-in of %s is gone, and systemd has not read its files since."),
		   hold->control.unit);
	result_remedy(ret, finding, _("rm -f %s; systemctl daemon-reload"), hold->path);
	result_evidence(ret, finding, hold->path, file ? _("there") : _("not there"), NULL, NULL);
	cite_asserts(hold, finding);
}

static int judge(struct hold *hold, bool held, enum standing *ret, struct error *err)
{
	size_t n;
	int r = installed_look(&hold->installed, &n, err);

	*ret = STANDING_UNKNOWN;
	if (r < 0)
		return r;
	if (held && n > 0)
		tell_lift(hold);
	if (r == 0) {
		*ret = hold->installed.ret->verdict == VERDICT_FAIL ? STANDING_NO
								    : STANDING_UNKNOWN;
		return 0;
	}
	if (held ? n == 1 && has_assert(hold) : n == 0 && hold->told && !has_assert(hold))
		*ret = STANDING_YES;
	else if (held == (n == 0) || hold->told)
		*ret = STANDING_NO;
	if (*ret == STANDING_YES)
		say_so(hold, held ? "held" : "released",
		       held ? _("it does not start until its drop-in is removed.")
			    : _("it may start."));
	else if (*ret == STANDING_NO && held)
		say_not_in_effect(hold, n > 0);
	else if (*ret == STANDING_NO)
		say_not_released(hold, n > 0);
	return 0;
}

/* ---- the callbacks -------------------------------------------------------------------- */

static int reload(struct hold *hold, struct error *err)
{
	int r = hold->told ? control_reload(&hold->control, err) : 0;

	hold->told = r > 0;
	return r < 0 ? r : 0;
}

static void skip_absent(struct hold *hold)
{
	struct result *ret = hold->control.ret;
	struct finding *finding =
		result_find(ret, "absent", VERDICT_SKIP, "%s", hold->control.unit);

	result_say(ret, finding, _("There is no unit %s to hold."), hold->control.unit);
	control_cite(&hold->control, finding);
	result_skip(ret, _("There is no unit %s to hold."), hold->control.unit);
}

static int put(struct hold *hold, struct error *err)
{
	enum standing standing;
	int r = installed_put(&hold->installed, err);

	if (r <= 0)
		return r;
	r = reload(hold, err);
	return r < 0 ? r : judge(hold, true, &standing, err);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(hold_done) struct hold hold = { 0 };
	int r = step_may_change(step, err);

	if (r == 0)
		r = hold_open(step, data, ret, &hold, err);
	/* Nothing is written that could not be seen to be in effect. */
	if (r <= 0 || !hold.told)
		return r < 0 ? r : 0;
	if (!hold.control.now.found) {
		skip_absent(&hold);
		return 0;
	}
	return put(&hold, err);
}

static void say_untouched(struct hold *hold)
{
	struct result *ret = hold->installed.ret;
	struct finding *finding =
		result_find(ret, "untouched", VERDICT_PASS, "%s", hold->control.unit);

	result_say(ret, finding, _("The session has not held %s."), hold->control.unit);
	result_evidence(ret, finding, hold->path, _("not written"), NULL, NULL);
	result_summary(ret, _("The session has not held %s."), hold->control.unit);
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	CLEANUP(hold_done) struct hold hold = { 0 };
	int r = hold_open(step, data, ret, &hold, err);

	*ret_standing = STANDING_UNKNOWN;
	if (r > 0)
		r = installed_kept(&hold.installed, err);
	if (r < 0 || !hold.path)
		return r < 0 ? r : 0;
	if (r > 0 || effect == EFFECT_WANTED)
		return judge(&hold, effect == EFFECT_WANTED, ret_standing, err);
	say_untouched(&hold);
	*ret_standing = STANDING_YES;
	return 0;
}

static int take_back(struct hold *hold, struct error *err)
{
	enum standing standing;
	int r = installed_remove(&hold->installed, err);

	if (r <= 0)
		return r;
	r = reload(hold, err);
	return r < 0 ? r : judge(hold, false, &standing, err);
}

static int undo(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(hold_done) struct hold hold = { 0 };
	int r = step_may_change(step, err);

	if (r == 0)
		r = hold_open(step, data, ret, &hold, err);
	if (r <= 0)
		return r;
	r = installed_kept(&hold.installed, err);
	if (r > 0)
		return take_back(&hold, err);
	if (r == 0)
		say_untouched(&hold);
	return r;
}

static int describe(const void *data, struct buf *ret)
{
	const struct unit_hold_params *p = data;

	return buf_addf(ret, _("keep %s down over the next boot"), p->unit);
}

static int describe_undo(const void *data, struct buf *ret)
{
	const struct unit_hold_params *p = data;

	return buf_addf(ret, _("let %s start again"), p->unit);
}

const struct kind kind_unit_hold = {
	.name = "unit.hold",
	.class = KIND_ACTION,
	.title = N_("keep a unit down over the boot"),
	.help = N_(
		"Writes a drop-in that fails every start of the unit, at the next boot too, until "
		"it is removed; `systemctl status` shows it with the session's number. It stops "
		"nothing: unit.stop does. Taking it back, best after mounts.expected, removes "
		"the drop-in and starts nothing. By hand: rm "
		"/etc/systemd/system/UNIT.d/90-coldswap-hold.conf."),
	.deadline_s = 120,
	.params_size = sizeof(struct unit_hold_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.undo = undo,
	.describe_undo = describe_undo,
	.typical_s = 1,
};
