/* SPDX-License-Identifier: MIT */
/* power.off's own part: logind is asked, and what it says is told. */
#include "step/kinds.h"
#include "sys/logind.h"
#include "systemd_made.h"

struct power_off_params {
	char *power;
};

static int code;
static unsigned asked;

int logind_power_off(struct host *host, struct error *err)
{
	(void)host;
	asked++;
	return code < 0 ? error_set(err, code, "logind did not power off") : 0;
}

static int call(const char *power, struct result *ret, struct error *err)
{
	AUTO_FREE char *copy = strdup(power);
	const struct power_off_params params = { copy };

	return made_call(&kind_power_off, &params, MADE_RUN, NULL, ret, err);
}

Test(power_off, logind_is_asked_once)
{
	CLEANUP(result_done) struct result result;

	cr_assert_eq(call("auto", &result, NULL), 0);
	EXPECT_FINDING(&result, "powering-off", VERDICT_PASS);
	cr_expect_eq(asked, 1);
}

Test(power_off, by_hand_asks_nobody)
{
	CLEANUP(result_done) struct result result;

	cr_assert_eq(call("manual", &result, NULL), 0);
	EXPECT_FINDING(&result, "by-hand", VERDICT_PASS);
	cr_expect_eq(asked, 0);
}

Test(power_off, a_refusal_is_a_failure)
{
	static const int codes[] = { -EBUSY, -EACCES, -EPERM, -EOPNOTSUPP, -ENOENT };

	for (size_t i = 0; i < ELEMENTS(codes); i++) {
		CLEANUP(result_done) struct result result;

		code = codes[i];
		cr_assert_eq(call("auto", &result, NULL), 0);
		EXPECT_FINDING(&result, "refused", VERDICT_FAIL);
	}
}

Test(power_off, no_answer_proves_nothing)
{
	static const int codes[] = { -ETIMEDOUT, -ECONNRESET, -EIO };

	for (size_t i = 0; i < ELEMENTS(codes); i++) {
		CLEANUP(result_done) struct result result;

		code = codes[i];
		cr_assert_eq(call("auto", &result, NULL), 0);
		EXPECT_FINDING(&result, "not-known", VERDICT_UNKNOWN);
	}
}

Test(power_off, a_stop_is_handed_on)
{
	CLEANUP(result_done) struct result result;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	code = -ECANCELED;
	cr_expect_eq(call("auto", &result, &err), -ECANCELED);
}

Test(power_off, a_dry_run_powers_nothing_off)
{
	static char power[] = "auto";
	const struct power_off_params params = { power };
	const struct step step = { .id = "off" };
	CLEANUP(result_done) struct result result;

	result_init(&result, &kind_power_off);
	cr_expect_eq(kind_power_off.run(&step, &params, &result, NULL), -EPERM);
	cr_expect_eq(asked, 0);
}

Test(power_off, only_two_words_are_taken)
{
	cr_expect_eq(kind_power_off.params[0].check("auto", NULL), 0);
	cr_expect_eq(kind_power_off.params[0].check("manual", NULL), 0);
	cr_expect_eq(kind_power_off.params[0].check("Auto", NULL), -EINVAL);
	cr_expect_eq(kind_power_off.params[0].check("", NULL), -EINVAL);
}
