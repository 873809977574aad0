/* SPDX-License-Identifier: MIT */
/* What a plan says of a session: the two sides, what is taken back, who is asked, how long. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "machine.h"
#include "report.h"

static int undo(const struct step *step, const void *params, struct result *ret, struct error *err)
{
	(void)step;
	(void)params;
	(void)ret;
	(void)err;
	return 0;
}

static int describe_undo(const void *params, struct buf *ret)
{
	return buf_addf(ret, "start %s again", (const char *)params);
}

static const struct kind stop = {
	.name = "a.stop", .class = KIND_ACTION, .undo = undo, .describe_undo = describe_undo
};
static const struct kind mark = { .name = "a.mark", .class = KIND_ACTION };
static const struct kind off = { .name = "a.off", .class = KIND_GATE, .flags = KIND_BOUNDARY };
static const struct kind back = { .name = "a.back", .class = KIND_ACTION, .flags = KIND_RESTORE };

static char unit[] = "x.service", text[] = "do it", not_here[] = "Not here.";
static char ids[][8] = { "stop", "kept", "mark", "off", "back", "skipped" };

#define STEP(index, a_kind, ...)                                                                   \
	{                                                                                          \
		.id = ids[index], .kind = &a_kind, .title = ids[index], .text = text,              \
		.params = unit, .restores = SIZE_MAX, __VA_ARGS__                                  \
	}

static char *said(bool plain)
{
	AUTO_TREE tree = tree_new();
	AUTO_MACHINE machine = machine_open(&tree);
	struct plan_step steps[] = {
		STEP(0, stop, .estimate_us = 30000000),
		STEP(1, stop, .keep = true, .estimate_us = 5000000, .measured = true),
		STEP(2, mark, .keep = false),
		STEP(3, off, .keep = false),
		STEP(4, back, .after = true),
		STEP(5, stop, .after = true, .state = PLAN_SKIPPED, .reason = not_here),
	};
	struct plan plan = {
		.steps = steps, .n_steps = ELEMENTS(steps), .boundary = 3, .boot_us = 60000000
	};
	const struct screen screen = { .width = 200, .plain = plain };
	AUTO_BUF ret = BUF_INIT;

	steps[4].restores = 0;
	cr_assert_eq(plan_text(machine.facts, &plan, NULL, &screen, &ret, NULL), 0);
	return buf_take(&ret);
}

#define HOLDS(said, words) cr_expect(strstr(said, words), "%s is missing in\n%s", words, said)

Test(plan, both_sides_with_times_and_what_is_taken_back)
{
	AUTO_FREE char *page = said(false);

	HOLDS(page, "Before the power goes off:\n  1. stop: do it (30 s, assumed)\n"
		    "     -> `coldswap abort` would start x.service again.\n"
		    "  2. kept: do it (5 s, measured)\n"
		    "     -> It stays so after the work; `coldswap abort` would start x.service "
		    "again.\n"
		    "  3. mark: do it\n"
		    "     -> Nothing takes this back.\n"
		    "  4. off: do it\n"
		    "     -> It waits for your answer.\n\n"
		    "After the boot, by `coldswap resume`:\n"
		    "  5. back: do it\n"
		    "  6. skipped: skipped: Not here.\n");
	HOLDS(page, "  before the power goes off: 35 s (partly measured)\n"
		    "  power-off, firmware and boot: 1 min (assumed)\n"
		    "  downtime, from step 1 to step 5: 1 min 35 s (partly measured)\n"
		    "What needs you: the answers at 4, and the work itself behind 4.\n");
}

Test(plan, one_fact_a_line)
{
	AUTO_FREE char *page = said(true);

	HOLDS(page, "stop: ready: stop: do it (30 s, assumed) `coldswap abort` would start "
		    "x.service again.\n");
	HOLDS(page, "off: ready: off: do it It waits for your answer.\n");
	HOLDS(page, "power-off, firmware and boot: 1 min (assumed)\n");
}

Test(plan, json)
{
	AUTO_TREE tree = tree_new();
	AUTO_MACHINE machine = machine_open(&tree);
	struct plan_step steps[] = {
		STEP(0, stop, .estimate_us = 30000000),
		STEP(3, off, .keep = false),
		STEP(4, back, .after = true),
	};
	struct plan plan = { .steps = steps, .n_steps = 3, .boundary = 1, .boot_us = 60000000 };
	AUTO_BUF ret = BUF_INIT;

	steps[2].restores = 0;
	cr_assert_eq(plan_json(machine.facts, &plan, NULL, &ret, NULL), 0);
	HOLDS(buf_text(&ret), "\"estimate_ms\":30000,\"measured\":false,\"undo\":\"start "
			      "x.service again\"");
	HOLDS(buf_text(&ret), "\"after\":true,\"boundary\":false,\"keep\":false,\"restores\":"
			      "\"stop\"");
	HOLDS(buf_text(&ret), "\"boot\":{\"ms\":60000,\"basis\":\"assumed\"}");
}
