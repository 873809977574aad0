/* SPDX-License-Identifier: MIT */
#include "step/kinds.h"
#include "systemd_made.h"

struct operator_confirm_params {
	char *question;
	char *word;
	bool allow_yes;
};

static char question[] = "Is a console at hand?", word[] = "console";

static int call(bool allow_yes, struct result *ret, struct error *err)
{
	const struct operator_confirm_params params = { question, word, allow_yes };

	return made_call(&kind_operator_confirm, &params, MADE_RUN, NULL, ret, err);
}

/* What was asked, seen while it is asked. */
static bool by_yes;

static int look_and_answer(void *data, const struct question *asked, char **ret, struct error *err)
{
	by_yes = asked->by_yes;
	cr_expect_str_eq(asked->text, question);
	cr_expect_str_eq(asked->word, word);
	cr_expect_not_null(asked->goes_on);
	cr_expect_not_null(asked->leaves);
	return made_ask(data, asked, ret, err);
}

Test(operator_confirm, the_word_is_the_evidence)
{
	CLEANUP(result_done) struct result result;
	const struct finding *finding;

	session.answer = word;
	cr_assert_eq(call(false, &result, NULL), 0);
	finding = EXPECT_FINDING(&result, "confirmed", VERDICT_PASS);
	cr_expect_str_eq(finding->evidence[0].source, question);
	cr_expect_str_eq(finding->evidence[0].observed, word);
}

Test(operator_confirm, only_allow_yes_lets_yes_answer)
{
	for (int allow = 0; allow < 2; allow++) {
		struct step_services services = MADE_SERVICES(&session);
		const struct step step = { .id = "ask", .services = &services };
		const struct operator_confirm_params params = { question, word, allow };
		CLEANUP(result_done) struct result result;

		session.answer = word;
		services.ask = look_and_answer;
		result_init(&result, &kind_operator_confirm);
		cr_assert_eq(kind_operator_confirm.run(&step, &params, &result, NULL), 0);
		cr_expect_eq(by_yes, allow);
	}
}

Test(operator_confirm, without_an_answer_nothing_is_confirmed)
{
	CLEANUP(result_done) struct result result;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_expect_eq(call(true, &result, &err), -ECANCELED);
	cr_expect_eq(result.n_findings, 0);
}

Test(operator_confirm, nobody_is_asked_in_a_dry_run)
{
	const struct operator_confirm_params params = { question, word, true };
	const struct step step = { .id = "ask" };
	CLEANUP(result_done) struct result result;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	result_init(&result, &kind_operator_confirm);
	cr_expect_eq(kind_operator_confirm.run(&step, &params, &result, &err), -EPERM);
}

Test(operator_confirm, one_word_that_can_be_typed)
{
	static const char *const wrong[] = { "", "q", "two words", "a\n", " yes" };
	int (*check)(const char *text, struct error *err) = kind_operator_confirm.params[1].check;

	for (size_t i = 0; i < ELEMENTS(wrong); i++)
		cr_expect_eq(check(wrong[i], NULL), -EINVAL, "'%s'", wrong[i]);
	cr_expect_eq(check("console", NULL), 0);
}
