/* SPDX-License-Identifier: MIT */
/* What stands before the step that powers off, what behind it, and what is restored there. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "runbook.h"

#define STEPS "coldswap: 1\nname: r\nsteps:\n"
#define UNIT "  - id: unit\n    use: boot.unit\n    keep: true\n"
#define STOP "  - {id: stop, use: unit.stop, with: {unit: a.service}}\n"
#define OFF "  - id: off\n    use: power.off\n"
#define LINKS "  - id: links\n    use: disk.links\n"
#define BACK(id, step) "  - {id: " id ", use: session.restore, with: {step: " step "}}\n"

static char *errors_of(const char *text, struct runbook **ret)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	AUTO_BUF lines = BUF_INIT;
	int r = runbook_parse(text, strlen(text), "f", ret, &diags, NULL);

	cr_assert_eq(r, diagnostics_any(&diags) ? -EINVAL : 0);
	diagnostics_print(&diags, &lines);
	return buf_take(&lines);
}

/* All the errors, exactly. */
static void check(const char *text, const char *expected)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_FREE char *errors = errors_of(text, &runbook);

	cr_expect_str_eq(errors, expected, "%s\n--- gives\n%s--- not\n%s", text, errors, expected);
}

Test(boundary, a_sound_runbook_knows_its_boundary_and_what_is_restored)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_FREE char *errors =
		errors_of(STEPS UNIT STOP OFF LINKS BACK("back", "stop"), &runbook);

	cr_assert_str_eq(errors, "");
	cr_expect_eq(runbook->boundary, 2);
	cr_expect_eq(runbook->steps[4].restores, 1);
	cr_expect_eq(runbook->steps[1].restores, SIZE_MAX);
	cr_expect(runbook->steps[0].keep);
}

Test(boundary, without_one_nothing_has_to_be_restored)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_FREE char *errors = errors_of(STEPS STOP, &runbook);

	cr_assert_str_eq(errors, "");
	cr_expect_eq(runbook->boundary, runbook->n_steps);
}

Test(boundary, there_is_one)
{
	check(STEPS UNIT OFF "  - id: off2\n    use: power.off\n" LINKS,
	      "f:9:5: the step on line 7 powers off already: a runbook has one such step\n");
}

Test(boundary, what_verifies_at_the_boot_is_set_up_before_it)
{
	check(STEPS OFF LINKS, "f:4:5: no step before this one makes the next boot verify by "
			       "itself: use boot.unit\n");
}

Test(boundary, a_proof_stands_behind_it)
{
	check(STEPS UNIT OFF,
	      "f:7:5: no step behind this one proves that the work succeeded: use one of "
	      "boot.happened, disk.links, mounts.expected\n");
	check(STEPS UNIT LINKS OFF "  - {id: boot, use: boot.happened}\n",
	      "f:7:5: disk.links judges what the work has done: it stands behind the step that "
	      "powers off, which is on line 9\n");
}

Test(boundary, what_is_changed_before_it_is_restored_behind_it_or_kept)
{
	check(STEPS UNIT STOP OFF LINKS,
	      "f:7:5: nothing behind the step that powers off restores 'stop': restore it there, "
	      "or say 'keep: true' here\n");
	check(STEPS UNIT STOP OFF LINKS BACK("one", "stop") BACK("two", "stop"),
	      "f:13:50: 'stop' is restored by the step on line 12 already\n");
	check(STEPS UNIT OFF LINKS BACK("back", "unit"),
	      "f:11:51: 'unit' has 'keep: true': what it changes is not to be restored\n");
	check(STEPS UNIT STOP BACK("back", "stop") OFF LINKS,
	      "f:8:5: a restore stands behind the step that powers off, which is on line 9; before "
	      "it, `coldswap abort` takes everything back\n");
}

Test(boundary, a_restore_names_an_earlier_action)
{
	check(STEPS STOP BACK("back", "stpo"),
	      "f:5:51: unknown step 'stpo'; did you mean 'stop'? Allowed: stop\n");
	check(STEPS BACK("back", "stop") STOP,
	      "f:4:51: 'stop' does not stand before this step: nothing is there to be restored "
	      "yet\n");
	check(STEPS BACK("back", "back"),
	      "f:4:51: 'back' does not stand before this step: nothing is there to be restored "
	      "yet\n");
	check(STEPS LINKS BACK("back", "links"),
	      "f:6:51: 'links' (disk.links) changes nothing that could be taken back\n");
	check("coldswap: 1\nname: r\nvars:\n  v: {type: string, default: stop}\nsteps:\n" STOP BACK(
		      "back", "\"${v}\""),
	      "f:7:51: step: the id of an earlier step is asked for, and no reference\n");
}

Test(boundary, what_is_broken_already_is_not_reported_again)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_FREE char *errors = errors_of(
		STEPS UNIT "  - {id: stop, use: unit.stpo}\n" OFF LINKS BACK("back", "stop"),
		&runbook);

	cr_expect(strstr(errors, "f:7:21: unknown kind 'unit.stpo'; did you mean 'unit.stop'?"));
	cr_expect_eq(strchr(errors, '\n')[1], '\0', "one error, not\n%s", errors);
}
