/* SPDX-License-Identifier: MIT */
#include "report.h"

static const int exit_codes[] = {
	[VERDICT_SKIP] = EXIT_SAFE,         [VERDICT_PASS] = EXIT_SAFE,
	[VERDICT_WARN] = EXIT_SAFE,         [VERDICT_UNKNOWN] = EXIT_NOT_KNOWN,
	[VERDICT_FAIL] = EXIT_CHECK_FAILED,
};

/* Worst first: the numbers themselves are in no order. */
static const int exit_order[] = {
	EXIT_SYSTEM,       EXIT_USAGE,     EXIT_CHANGED, EXIT_BUSY,
	EXIT_CHECK_FAILED, EXIT_NOT_KNOWN, EXIT_WAITING, EXIT_SAFE,
};

int exit_code_of(enum verdict verdict)
{
	return exit_codes[verdict];
}

int exit_code_worse(int a, int b)
{
	if (a > EXIT_BY_SIGNAL(0) || b > EXIT_BY_SIGNAL(0))
		return a > b ? a : b;
	for (size_t i = 0; i < ELEMENTS(exit_order); i++)
		if (exit_order[i] == a || exit_order[i] == b)
			return exit_order[i];
	return a;
}

static void count_step(const struct report_step *step, struct tally *tally)
{
	const struct result *result = &step->result;
	unsigned before = tally->findings[VERDICT_UNKNOWN];

	tally->steps[result->verdict]++;
	for (size_t i = 0; i < result->n_findings; i++)
		tally->findings[result->findings[i].verdict]++;
	if (result->verdict == VERDICT_UNKNOWN && tally->findings[VERDICT_UNKNOWN] == before)
		tally->not_run++;
}

struct tally report_tally(const struct report *report)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < report->n_steps; i++)
		count_step(&report->steps[i], &tally);
	return tally;
}

void report_done(struct report *report)
{
	for (size_t i = 0; i < report->n_steps; i++) {
		result_done(&report->steps[i].result);
		error_done(&report->steps[i].failure);
	}
	free(report->steps);
	free(report->host_name);
	free(report->machine_id);
	free(report->boot_id);
	free(report->root);
	free(report->before.name);
	free(report->before.machine_id);
	free(report->before.boot_id);
	free(report->before.root);
	free(report->again);
	*report = (struct report){ 0 };
}
