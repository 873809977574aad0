/* SPDX-License-Identifier: MIT */
/*
 * power.off: the boundary.
 *
 * All that is asked and proved before it is the executor's, which calls run()
 * once the crossing stands in the journal.  Whether the power went off nobody
 * here can know: the next boot's id tells.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step.h"
#include "sys/logind.h"

#define SUBJECT "logind"

struct power_off_params {
	char *power;
};

static int check_power(const char *text, struct error *err)
{
	if (strcmp(text, "auto") == 0 || strcmp(text, "manual") == 0)
		return 0;
	return error_set(err, -EINVAL, _("'%.80s' is neither 'auto' nor 'manual'"), text);
}

static const struct param_row params[] = {
	{ .name = "power",
	  .type = PARAM_STRING,
	  .fallback = "auto",
	  .offset = PARAM_OFFSET(power_off_params, power),
	  .check = check_power,
	  .help = N_("Who powers the machine off: auto, logind does; manual, the operator does.") },
	{ 0 },
};

static const struct output_row outputs[] = { { 0 } };

static const struct finding_row findings[] = {
	{ .id = "powering-off",
	  .title = N_("the machine powers off"),
	  .means = N_("logind has begun the shutdown.") },
	{ .id = "by-hand",
	  .title = N_("to be powered off by hand"),
	  .means = N_("All is ready, and the operator powers the machine off.") },
	{ .id = "refused",
	  .title = N_("logind does not power off"),
	  .means = N_(
		  "logind refused: somebody blocks the shutdown, it is not allowed, this machine "
		  "cannot be powered off by software, or logind does not run."),
	  .harm = N_("The machine is still on: pull no cable."),
	  .mend = N_("`systemd-inhibit --list` shows who blocks it. Then `coldswap resume` asks "
		     "again; or set `power: manual`.") },
	{ .id = "not-known",
	  .title = N_("whether the machine powers off is not known"),
	  .means = N_("logind was asked, and gave no answer."),
	  .harm = N_("The shutdown may have begun, or not: pull no cable while anything lights."),
	  .mend = N_("Wait a minute. If the machine is still up, `coldswap resume` asks again.") },
	{ 0 },
};

static bool is_manual(const void *data)
{
	const struct power_off_params *p = data;

	return strcmp(p->power, "manual") == 0;
}

static int describe(const void *data, struct buf *ret)
{
	return buf_adds(ret, is_manual(data)
				     ? _("prove everything once more, and have the operator power "
					 "this machine off")
				     : _("prove everything once more, and power this machine off"));
}

static void say(struct result *ret, const char *id, enum verdict verdict, const char *words,
		const char *remedy, const char *observed)
{
	struct finding *finding = result_find(ret, id, verdict, "%s", SUBJECT);

	result_say(ret, finding, "%s", words);
	if (remedy)
		result_remedy(ret, finding, "%s", remedy);
	result_evidence(ret, finding, SUBJECT, observed, NULL, NULL);
	result_summary(ret, "%s", words);
}

/* The host could not be asked at all; what comes after the call was sent proves nothing. */
static bool is_refusal(int code)
{
	static const int codes[] = { -EBUSY, -EACCES, -EPERM, -EOPNOTSUPP, -ENOENT };

	for (size_t i = 0; i < ELEMENTS(codes); i++)
		if (code == codes[i])
			return true;
	return false;
}

static void say_refused(struct result *ret, const struct error *why)
{
	AUTO_BUF words = BUF_INIT;

	buf_addf(&words, _("The machine was not powered off: %s."), error_text(why));
	say(ret, "refused", VERDICT_FAIL, buf_text(&words),
	    why->hint ? why->hint
		      : _("See who blocks it: systemd-inhibit --list; then coldswap resume."),
	    error_text(why));
}

static void say_not_known(struct result *ret, const struct error *why)
{
	AUTO_BUF words = BUF_INIT;

	buf_addf(&words, _("Whether the machine powers off is not known: %s."), error_text(why));
	say(ret, "not-known", VERDICT_UNKNOWN, buf_text(&words),
	    _("Wait a minute; if the machine is still up, go on with coldswap resume."),
	    error_text(why));
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = step_may_change(step, err);

	if (r < 0)
		return r;
	if (is_manual(data)) {
		say(ret, "by-hand", VERDICT_PASS,
		    _("Power this machine off now: systemctl poweroff."), NULL, "power: manual");
		return 0;
	}
	r = logind_power_off(step->host, &why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r == 0)
		say(ret, "powering-off", VERDICT_PASS, _("This machine powers off."), NULL,
		    "PowerOff");
	else if (is_refusal(r))
		say_refused(ret, &why);
	else
		say_not_known(ret, &why);
	return 0;
}

const struct kind kind_power_off = {
	.name = "power.off",
	.class = KIND_GATE,
	.title = N_("power off, and the work"),
	.help = N_(
		"The boundary of a session. Shows what is proved, what is gone while the machine "
		"is off, and the card to take along; asks that the card is saved and for the "
		"host's name; proves everything once more, and only then powers off. After the "
		"work and the boot, `coldswap resume` goes on with the steps behind it."),
	.flags = KIND_BOUNDARY,
	.params_size = sizeof(struct power_off_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
	.typical_s = 60,
};
