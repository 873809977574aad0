/* SPDX-License-Identifier: MIT */
/* What a run and the proof after it both found is told once. */
#include "exec/turn.h"

#include <criterion/criterion.h>

#include "step/kinds.h"

static void find(struct report_step *step, const char *id, enum verdict verdict,
		 const char *subject, const char *words)
{
	struct finding *finding = result_find(&step->result, id, verdict, "%s", subject);

	result_say(&step->result, finding, "%s", words);
	result_evidence(&step->result, finding, "somewhere", "something", NULL, NULL);
}

Test(turn, what_was_told_is_not_told_again)
{
	struct report_step run = { 0 }, proof = { 0 };

	result_init(&run.result, &kind_unit_stop);
	result_init(&proof.result, &kind_unit_stop);
	find(&run, "stopped", VERDICT_PASS, "k3s.service", "It is inactive.");
	find(&run, "left-running", VERDICT_WARN, "k3s.service", "2 processes still run.");
	find(&proof, "stopped", VERDICT_PASS, "k3s.service", "It is inactive.");
	find(&proof, "stopped", VERDICT_PASS, "vault.service", "It is inactive.");
	find(&proof, "left-running", VERDICT_WARN, "k3s.service", "1 process still runs.");
	find(&proof, "job-pending", VERDICT_FAIL, "k3s.service", "A job is queued.");
	cr_assert_eq(turn_absorb(&run, &proof), 0);
	cr_expect_eq(run.result.n_findings, 5);
	cr_expect_str_eq(run.result.findings[2].subject, "vault.service");
	cr_expect_str_eq(run.result.findings[3].summary, "1 process still runs.");
	cr_expect_eq(run.result.verdict, VERDICT_FAIL);
	cr_expect_eq(proof.result.n_findings, 1);
	report_step_done(&run);
	report_step_done(&proof);
}
