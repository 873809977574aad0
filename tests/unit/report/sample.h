/* SPDX-License-Identifier: MIT */
/* A report made by hand: two disks, one kind, findings as a test wants them. */
#ifndef COLDSWAP_TEST_REPORT_SAMPLE_H
#define COLDSWAP_TEST_REPORT_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "probe/block.h"
#include "report.h"
#include "work/work.h"

/* ESC, a bidi override, a byte that is no UTF-8, a newline. */
#define HOSTILE                                                                                    \
	"a\033[31mb\u202ec\xff"                                                                    \
	"d\ne"

static const struct param_row sample_params[] = { { 0 } };
static const struct output_row sample_outputs[] = { { "held", OUTPUT_BOOL, "h" },
						    { "count", OUTPUT_INT, "h" },
						    { "note", OUTPUT_STRING, "h" },
						    { 0 } };
static const struct finding_row sample_findings[] = {
	{ .id = "bad", .title = "t", .means = "m" },
	{ .id = "odd", .title = "t", .means = "m" },
	{ .id = "unread", .title = "t", .means = "m" },
	{ .id = "good", .title = "t", .means = "m" },
	{ 0 },
};
static const struct kind sample_kind = {
	.name = "test.kind",
	.class = KIND_CHECK,
	.title = "a test",
	.help = "A test.",
	.params = sample_params,
	.outputs = sample_outputs,
	.findings = sample_findings,
};

struct sample {
	struct block disks[3];
	struct block *items[3];
	struct blocks blocks;
	struct work_op op;
	struct work work;
	struct plan_step step;
	struct plan plan;
	struct report_step report_step;
	struct report report;
};

static char sample_names[3][4] = { "sda", "sdb", "sdc" };
static char sample_serials[3][4] = { "AAA", "BBB", "CCC" };
static char sample_model[] = "Disk";
static char sample_pci[] = "0000:00:1f.2";
static char sample_root[] = "/";
static char sample_id[] = "one";
static char sample_title[] = "a test";
static char sample_book[] = "book";

/* `n` disks on SATA, exchange of the first two; the power cycle with n < 2. */
static inline void sample_init(struct sample *sample, size_t n)
{
	*sample = (struct sample){ 0 };
	for (size_t i = 0; i < n; i++) {
		sample->disks[i] = (struct block){
			.name = sample_names[i],
			.bus = BUS_ATA,
			.model = sample_model,
			.serial = sample_serials[i],
			.key = sample_serials[i],
			.place = { .controller = sample_pci, .port = (int)i, .pmp = -1 }
		};
		sample->disks[i].disk = &sample->disks[i];
		sample->items[i] = &sample->disks[i];
	}
	sample->blocks = (struct blocks){ sample->items, n };
	sample->op = (struct work_op){ .type = WORK_EXCHANGE,
				       .disk = &sample->disks[0],
				       .other = &sample->disks[1] };
	sample->work = (struct work){ .origin = n < 2 ? WORK_POWER_CYCLE : WORK_GIVEN,
				      .ops = &sample->op,
				      .n = n < 2 ? 0 : 1,
				      .blocks = &sample->blocks };
	sample->step =
		(struct plan_step){ .id = sample_id, .kind = &sample_kind, .title = sample_title };
	sample->plan = (struct plan){
		.name = sample_book, .work = &sample->work, .steps = &sample->step, .n_steps = 1
	};
	sample->report_step.plan = &sample->step;
	result_init(&sample->report_step.result, &sample_kind);
	sample->report = (struct report){ .command = "audit",
					  .root = sample_root,
					  .plan = &sample->plan,
					  .steps = &sample->report_step,
					  .n_steps = 1 };
}

static inline void sample_find(struct sample *sample, const char *id, enum verdict verdict,
			       const char *subject, const char *summary, const char *remedy)
{
	struct result *result = &sample->report_step.result;
	struct finding *finding = result_find(result, id, verdict, "%s", subject);

	result_say(result, finding, "%s", summary);
	if (remedy)
		result_remedy(result, finding, "%s", remedy);
	result_evidence(result, finding, "/etc/fstab:2", subject, NULL, NULL);
	sample->report.verdict = result->verdict;
	sample->report.exit_code = exit_code_of(result->verdict);
}

static inline void sample_done(struct sample *sample)
{
	result_done(&sample->report_step.result);
	error_done(&sample->report_step.failure);
}

static inline char *sample_text(struct sample *sample, struct screen screen)
{
	struct buf text = BUF_INIT;

	if (!screen.width)
		screen.width = 80;
	if (report_text(&sample->report, &screen, &text, NULL) < 0)
		return NULL;
	return buf_take(&text);
}

#endif
