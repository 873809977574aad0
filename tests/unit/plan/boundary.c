/* SPDX-License-Identifier: MIT */
/* A runbook that powers off: its two sides, what is restored, and how long it takes. */
#include "plan/times.h"
#include "plan/two_disks.h"

static int undo_words(const void *params, struct buf *ret)
{
	return buf_addf(ret, "take back %s", ((const struct trial *)params)->word);
}

static int undo(const struct step *step, const void *params, struct result *ret, struct error *err)
{
	(void)step;
	(void)params;
	(void)ret;
	(void)err;
	return 0;
}

#define TRIAL                                                                                      \
	.title = "a trial", .params_size = sizeof(struct trial), .params = trial_rows,             \
	.outputs = trial_outputs, .findings = trial_findings, .describe = trial_describe
static const struct kind check = { .name = "a.check", TRIAL };
static const struct kind later_check = { .name = "a.proof", .flags = KIND_AFTER, TRIAL };
static const struct kind action = { .name = "a.stop",
				    .class = KIND_ACTION,
				    .undo = undo,
				    .describe_undo = undo_words,
				    .typical_s = 30,
				    TRIAL };
static const struct kind boot_unit = { .name = "a.unit",
				       .class = KIND_ACTION,
				       .flags = KIND_SETS_BOOT,
				       .undo = undo,
				       .describe_undo = undo_words,
				       .typical_s = 2,
				       TRIAL };
static const struct kind off = {
	.name = "a.off", .class = KIND_GATE, .flags = KIND_BOUNDARY, .typical_s = 5, TRIAL
};
static const struct kind restore = {
	.name = "a.restore", .class = KIND_ACTION, .flags = KIND_RESTORE, TRIAL
};

enum { CHECK, UNIT, STOP, OFF, PROOF, AGAIN, BACK, GONE, N };

struct book {
	struct scene scene;
	struct runbook_step steps[N];
	struct runbook_param param; /* of the action: a disk */
	char *disks[2];
	struct runbook runbook;
};

static char name[] = "r", file[] = "f", word_step[] = "stop";
static char ids[N][16] = { "check", "unit", "stop", "off", "proof", "again", "back", "gone" };

static void book_init(struct book *book)
{
	static const struct kind *const kinds[N] = { &check,       &boot_unit, &action,  &off,
						     &later_check, &check,     &restore, &restore };

	*book = (struct book){ .scene = scene_new() };
	for (size_t i = 0; i < N; i++)
		book->steps[i] = (struct runbook_step){ .id = ids[i],
							.kind = kinds[i],
							.restores = SIZE_MAX };
	book->steps[BACK].restores = STOP;
	book->steps[GONE].restores = UNIT;
	book->runbook = (struct runbook){
		.name = name, .file = file, .steps = book->steps, .n_steps = N, .boundary = OFF
	};
}

static void book_done(struct book *book)
{
	scene_done(&book->scene);
}
#define AUTO_BOOK CLEANUP(book_done) struct book

/* The action names a disk by its serial. */
static void name_disk(struct book *book, char *serial)
{
	book->disks[0] = serial;
	book->param = (struct runbook_param){
		.name = word_step,
		.row = &trial_rows[0],
		.value = { .is_list = true, .items = book->disks },
	};
	book->steps[STOP].params = &book->param;
	book->steps[STOP].n_params = 1;
}

static struct plan *planned(struct book *book, const struct plan_args *args)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct plan *plan = NULL;

	cr_assert_eq(plan_make(&book->runbook, book->scene.facts, args, &plan, &diags, NULL), 0,
		     "%s", diags.n ? diags.items[0].message : "");
	return plan;
}

Test(boundary, the_step_that_powers_off_divides_the_plan)
{
	AUTO_BOOK book;
	CLEANUP(cleanup_plan) struct plan *plan = NULL;

	book_init(&book);
	book.steps[UNIT].keep = true;
	plan = planned(&book, &(struct plan_args){ .side = PLAN_WHOLE });
	cr_expect_eq(plan->boundary, OFF);
	for (size_t i = 0; i < N; i++) {
		cr_expect_eq(plan->steps[i].state, PLAN_READY);
		cr_expect_eq(plan->steps[i].after, i > OFF, "step %zu", i);
	}
	cr_expect(plan->steps[UNIT].keep && !plan->steps[STOP].keep);
	cr_expect_eq(plan->steps[BACK].restores, STOP);
	cr_expect_eq(plan->steps[STOP].restores, SIZE_MAX);
}

Test(boundary, an_audit_leaves_out_all_that_stands_behind_it)
{
	AUTO_BOOK book;
	CLEANUP(cleanup_plan) struct plan *plan = NULL;

	book_init(&book);
	plan = planned(&book, &(struct plan_args){ .audit = true, .side = PLAN_BEFORE });
	for (size_t i = 0; i < N; i++)
		cr_expect_eq(plan->steps[i].state, i > OFF ? PLAN_SKIPPED : PLAN_READY);
	cr_expect_str_eq(plan->steps[AGAIN].reason,
			 "It stands after the work: `coldswap verify` runs it.");
	cr_expect_str_eq(plan->steps[BACK].reason,
			 "It stands after the work: only `coldswap resume` does it.");
}

Test(boundary, a_past_action_keeps_its_parameters_whatever_is_so_now)
{
	AUTO_BOOK book;
	AUTO_SCENE before = scene_new();
	static char missing[] = "CCC3", fact[] = "md";
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	const struct plan_args args = { .audit = true, .side = PLAN_AFTER, .before = before.facts };

	book_init(&book);
	/* Taken out since: only the earlier capture knows it. */
	add_disk(&before.tree, "sdc", 2,
		 "E:ID_MODEL=Gamma\nE:ID_SERIAL_SHORT=CCC3\nE:ID_WWN=0x5000000000000003\n"
		 "E:ID_BUS=ata\nE:DEVTYPE=disk\n");
	name_disk(&book, missing);
	book.steps[STOP].when = fact;
	plan = planned(&book, &args);
	for (size_t i = 0; i < N; i++)
		cr_expect_eq(plan->steps[i].state, i > OFF ? PLAN_READY : PLAN_SKIPPED);
	cr_assert_not_null(plan->steps[STOP].params);
	cr_assert_not_null(((const struct trial *)plan->steps[STOP].params)->disks);
	cr_expect_str_eq(((const struct trial *)plan->steps[STOP].params)->disks[0],
			 "0x5000000000000003");
	cr_expect_str_eq(plan->steps[STOP].reason,
			 "It stands before the work: only `coldswap run` does it.");
	cr_expect_str_eq(plan->steps[CHECK].reason,
			 "It stands before the work: `coldswap audit` runs it.");
	cr_expect_str_eq(plan->steps[BACK].text, "take back none");
}

Test(boundary, what_a_past_step_names_is_no_mistake_of_the_operators)
{
	AUTO_BOOK book;
	static char missing[] = "CCC3";
	CLEANUP(cleanup_plan) struct plan *plan = NULL;

	book_init(&book);
	name_disk(&book, missing);
	plan = planned(&book, &(struct plan_args){ .audit = true, .side = PLAN_AFTER });
	cr_expect_eq(plan->steps[STOP].state, PLAN_SKIPPED);
	cr_expect_null(plan->steps[STOP].params);
	cr_expect_eq(plan->steps[BACK].state, PLAN_READY);
}

Test(boundary, a_restore_follows_the_step_that_it_takes_back)
{
	AUTO_BOOK book;
	static char fact[] = "md";
	CLEANUP(cleanup_plan) struct plan *whole = NULL, *skipped = NULL;

	book_init(&book);
	whole = planned(&book, NULL);
	cr_expect_str_eq(whole->steps[BACK].text, "take back none");
	book.steps[STOP].when = fact;
	skipped = planned(&book, NULL);
	cr_expect_eq(skipped->steps[BACK].state, PLAN_SKIPPED);
	cr_expect_str_eq(skipped->steps[BACK].reason,
			 "It restores the step 'stop', which is skipped.");
	cr_expect_eq(skipped->steps[GONE].state, PLAN_READY);
}

Test(boundary, a_restore_waits_for_a_step_that_waits)
{
	AUTO_BOOK book;
	static char output[] = "check.good";
	CLEANUP(cleanup_plan) struct plan *plan = NULL;

	book_init(&book);
	book.steps[STOP].when = output;
	plan = planned(&book, NULL);
	cr_expect_eq(plan->steps[BACK].state, PLAN_READY);
	plan->steps[STOP].state = PLAN_SKIPPED; /* as plan_step_due() may find */
	cr_assert_eq(plan_step_due(plan, BACK, book.scene.facts, NULL, NULL, NULL), 0);
	cr_expect_eq(plan->steps[BACK].state, PLAN_SKIPPED);
}

/* ---- times ---------------------------------------------------------------------- */

/* The action alone was measured. */
static int measured(void *data, const struct kind *kind, const char *id, uint64_t *ret_us)
{
	(void)data;
	if (strcmp(kind->name, "a.stop") != 0)
		return 0;
	cr_expect_str_eq(id, "stop");
	*ret_us = 12000000;
	return 1;
}

Test(times, a_step_takes_what_its_kind_assumes_or_what_was_measured)
{
	AUTO_BOOK book;
	CLEANUP(cleanup_plan) struct plan *plan = NULL, *known = NULL;

	book_init(&book);
	plan = planned(&book, NULL);
	cr_expect_eq(plan->steps[STOP].estimate_us, 30000000);
	cr_expect(!plan->steps[STOP].measured);
	cr_expect_eq(plan->steps[BACK].estimate_us, 30000000, "a restore is like its step");
	cr_expect_eq(plan->steps[CHECK].estimate_us, 0);
	known = planned(&book, &(struct plan_args){ .duration_of = measured });
	cr_expect_eq(known->steps[STOP].estimate_us, 12000000);
	cr_expect(known->steps[STOP].measured);
	cr_expect(!known->steps[BACK].measured);
}

Test(times, the_downtime_is_from_the_first_stop_to_the_last_restore)
{
	AUTO_BOOK book;
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	struct plan_times times;

	book_init(&book);
	plan = planned(&book, &(struct plan_args){ .duration_of = measured, .boot_us = 60000000 });
	cr_expect(plan->boot_measured);
	plan_times(plan, &times);
	cr_expect_eq(times.before.us, 14000000);
	cr_expect_eq(times.before.basis, TIME_MIXED);
	cr_expect_eq(times.boot.us, 60000000);
	cr_expect_eq(times.boot.basis, TIME_MEASURED);
	cr_expect_eq(times.down_from, STOP);
	cr_expect_eq(times.down_to, BACK);
	cr_expect_eq(times.down.us, 12000000 + 5000000 + 60000000 + 30000000);
	cr_expect_eq(times.down.basis, TIME_MIXED);
}

Test(times, the_boot_is_assumed_where_nobody_measured_it)
{
	AUTO_BOOK book;
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	struct plan_times times;

	book_init(&book);
	plan = planned(&book, NULL);
	cr_expect(!plan->boot_measured);
	plan_times(plan, &times);
	cr_expect_gt(times.boot.us, 0);
	cr_expect_eq(times.boot.basis, TIME_ASSUMED);
	cr_expect_eq(times.down.basis, TIME_ASSUMED);
}

Test(times, without_a_power_off_there_is_neither_boot_nor_downtime)
{
	AUTO_BOOK book;
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	struct plan_times times;

	book_init(&book);
	book.runbook.n_steps = book.runbook.boundary = OFF;
	plan = planned(&book, &(struct plan_args){ .boot_us = 1 });
	cr_expect_eq(plan->boot_us, 0);
	plan_times(plan, &times);
	cr_expect_eq(times.before.us, 32000000);
	cr_expect_eq(times.down.us, 0);
	cr_expect_eq(times.down_from, OFF);
}
