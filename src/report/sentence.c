/* SPDX-License-Identifier: MIT */
/*
 * The closing sentence: the answer to the one question that was asked.
 *
 * One row for each sort of work, one whole sentence for each answer, so that
 * translators never meet half a sentence.
 */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/intl.h"
#include "report/fill.h"
#include "work/work.h"

enum answer { ANSWER_SAFE, ANSWER_NOT_SAFE, ANSWER_NOT_KNOWN, ANSWER_NOTHING, N_ANSWERS };

static const enum answer answers[] = {
	[VERDICT_SKIP] = ANSWER_NOTHING,  [VERDICT_PASS] = ANSWER_SAFE,
	[VERDICT_WARN] = ANSWER_SAFE,     [VERDICT_UNKNOWN] = ANSWER_NOT_KNOWN,
	[VERDICT_FAIL] = ANSWER_NOT_SAFE,
};

enum shape {
	SHAPE_CHECK,
	SHAPE_NO_SATA,
	SHAPE_ONE_SATA,
	SHAPE_CYCLE,
	SHAPE_EXCHANGE,
	SHAPE_MOVE,
	SHAPE_REMOVE,
	SHAPE_REPLACE,
	SHAPE_RECABLE,
	SHAPE_SEVERAL,
	SHAPE_VERIFY,
	SHAPE_VERIFY_UNNAMED,
	SHAPE_VERIFY_UNNAMED_WARNED,
	SHAPE_VERIFY_ALONE,
	SHAPE_VERIFY_ALONE_WARNED,
	SHAPE_VERIFY_SESSION,
};

static const enum shape op_shapes[] = {
	[WORK_EXCHANGE] = SHAPE_EXCHANGE, [WORK_MOVE] = SHAPE_MOVE,
	[WORK_REMOVE] = SHAPE_REMOVE,     [WORK_REPLACE] = SHAPE_REPLACE,
	[WORK_RECABLE] = SHAPE_RECABLE,
};

static const char *const sentences[][N_ANSWERS] = {
	[SHAPE_CHECK] = {
		N_("The check passed: {counts}."),
		N_("The check failed: {counts}."),
		N_("The check could not be decided: {counts}."),
		N_("The check does not apply here: {counts}."),
	},
	[SHAPE_NO_SATA] = {
		N_("No SATA port to exchange; a power cycle is safe: {counts}."),
		N_("No SATA port to exchange, and a power cycle is not safe: {counts}."),
		N_("No SATA port to exchange, and it is not known whether a power cycle is safe: "
		   "{counts}."),
		N_("No SATA port to exchange, and nothing here that a power cycle could hurt was "
		   "found to check: {counts}."),
	},
	[SHAPE_ONE_SATA] = {
		N_("Only one disk on a SATA port, so none to swap it with; a power cycle is safe: "
		   "{counts}."),
		N_("Only one disk on a SATA port, so none to swap it with, and a power cycle is "
		   "not safe: {counts}."),
		N_("Only one disk on a SATA port, so none to swap it with, and it is not known "
		   "whether a power cycle is safe: {counts}."),
		N_("Only one disk on a SATA port, and nothing to check was found: {counts}."),
	},
	[SHAPE_CYCLE] = {
		N_("Safe to power down and on again with every cable where it is: {counts}."),
		N_("Not safe to power down and on again, even with every cable where it is: "
		   "{counts}."),
		N_("Not known whether it is safe to power down and on again with every cable "
		   "where it is: {counts}."),
		N_("Nothing was found to check before a power cycle: {counts}."),
	},
	[SHAPE_EXCHANGE] = {
		N_("Safe to power down and swap {a} and {b}: {counts}."),
		N_("Not safe to power down and swap {a} and {b}: {counts}."),
		N_("Not known whether it is safe to power down and swap {a} and {b}: {counts}."),
		N_("Nothing was found to check before swapping {a} and {b}: {counts}."),
	},
	[SHAPE_MOVE] = {
		N_("Safe to power down and move {a} to {to}: {counts}."),
		N_("Not safe to power down and move {a} to {to}: {counts}."),
		N_("Not known whether it is safe to power down and move {a} to {to}: {counts}."),
		N_("Nothing was found to check before moving {a} to {to}: {counts}."),
	},
	[SHAPE_REMOVE] = {
		N_("Safe to power down and take out {a}: {counts}."),
		N_("Not safe to power down and take out {a}: {counts}."),
		N_("Not known whether it is safe to power down and take out {a}: {counts}."),
		N_("Nothing was found to check before taking out {a}: {counts}."),
	},
	[SHAPE_REPLACE] = {
		N_("Safe to power down and replace {a} by {to}: {counts}."),
		N_("Not safe to power down and replace {a} by {to}: {counts}."),
		N_("Not known whether it is safe to power down and replace {a} by {to}: "
		   "{counts}."),
		N_("Nothing was found to check before replacing {a} by {to}: {counts}."),
	},
	[SHAPE_RECABLE] = {
		N_("Safe to power down and change the cable of {a}: {counts}."),
		N_("Not safe to power down and change the cable of {a}: {counts}."),
		N_("Not known whether it is safe to power down and change the cable of {a}: "
		   "{counts}."),
		N_("Nothing was found to check before changing the cable of {a}: {counts}."),
	},
	[SHAPE_SEVERAL] = {
		N_("Safe to power down and carry out the planned work: {counts}."),
		N_("Not safe to power down and carry out the planned work: {counts}."),
		N_("Not known whether it is safe to power down and carry out the planned work: "
		   "{counts}."),
		N_("Nothing was found to check before the planned work: {counts}."),
	},
	[SHAPE_VERIFY] = {
		N_("The work was done as planned: {counts}."),
		N_("The work was not done as planned: {counts}."),
		N_("Not known whether the work was done as planned: {counts}."),
		N_("Nothing was found to verify the work by: {counts}."),
	},
	[SHAPE_VERIFY_UNNAMED] = {
		N_("Nothing is missing, slower or failing since the capture, and no work was named "
		   "to compare with: {counts}."),
		N_("Not all is as it was in the capture, and no work was named to compare with: "
		   "{counts}."),
		N_("Not known whether all is as it was in the capture: {counts}."),
		N_("Nothing was found to compare with the capture: {counts}."),
	},
	/* A warning may be of something slower or failing; it never makes the answer worse. */
	[SHAPE_VERIFY_UNNAMED_WARNED] = {
		N_("No check against the capture failed, and no work was named to compare with: "
		   "{counts}."),
	},
	[SHAPE_VERIFY_ALONE] = {
		N_("The present state shows no failure, and nothing was recorded before to compare "
		   "it with: {counts}."),
		N_("The present state shows a failure, and nothing was recorded before to compare "
		   "it with: {counts}."),
		N_("Not known whether the present state is sound, and nothing was recorded before "
		   "to compare it with: {counts}."),
		N_("Nothing was found to verify: {counts}."),
	},
	[SHAPE_VERIFY_ALONE_WARNED] = {
		N_("No check failed, and nothing was recorded before to compare with: {counts}."),
	},
	[SHAPE_VERIFY_SESSION] = {
		N_("The machine is as the session wants it after the power-off: {counts}."),
		N_("The machine is not as the session wants it after the power-off: {counts}."),
		N_("Not known whether the machine is as the session wants it after the power-off: "
		   "{counts}."),
		N_("Nothing was found to verify the session by: {counts}."),
	},
};

static enum shape cycle_shape(const struct work *work)
{
	size_t n = 0;

	if (!work || !work->blocks)
		return SHAPE_CYCLE;
	for (size_t i = 0; i < work->blocks->n; i++) {
		const struct block *block = work->blocks->items[i];

		n += block_is_disk(block) && block->bus == BUS_ATA;
	}
	return n == 0 ? SHAPE_NO_SATA : n == 1 ? SHAPE_ONE_SATA : SHAPE_CYCLE;
}

static enum shape verify_shape(const struct report *report)
{
	bool warned = report->verdict == VERDICT_WARN;

	if (report->session)
		return SHAPE_VERIFY_SESSION;
	if (!report->before.root)
		return warned ? SHAPE_VERIFY_ALONE_WARNED : SHAPE_VERIFY_ALONE;
	if (report->plan->work && (report->plan->work->n || report->plan->work->meant))
		return SHAPE_VERIFY;
	return warned ? SHAPE_VERIFY_UNNAMED_WARNED : SHAPE_VERIFY_UNNAMED;
}

static enum shape shape_of(const struct report *report)
{
	const struct work *work = report->plan->work;

	if (strcmp(report->command, "check") == 0)
		return SHAPE_CHECK;
	if (strcmp(report->command, "verify") == 0)
		return verify_shape(report);
	if (!work || work->n == 0)
		return cycle_shape(work);
	return work->n == 1 ? op_shapes[work->ops[0].type] : SHAPE_SEVERAL;
}

/* "Samsung SSD 870 EVO 2TB (S620...) on port 5 of 0000:00:1f.2" */
static int describe_disk(const struct block *disk, char **ret)
{
	AUTO_FREE char *name = NULL, *place = NULL;
	AUTO_BUF text = BUF_INIT;
	int r;

	*ret = NULL;
	if (!disk)
		return 0;
	r = block_describe(disk, &name);
	if (r >= 0)
		r = place_describe(disk, &place);
	if (r < 0)
		return r;
	fill_sentence(_("{disk} on {place}"),
		      (const struct fill[]){ { "disk", name }, { "place", place }, { NULL, NULL } },
		      &text);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

/* Where a moved disk goes, or what comes in its place. */
static int describe_target(const struct work_op *op, char **ret)
{
	AUTO_BUF text = BUF_INIT;

	if (op->type == WORK_MOVE)
		buf_addf(&text, _("port %u of %s"), op->port, op->controller);
	else
		buf_adds(&text, op->new_text ? op->new_text : "");
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

/* A count of none is left out. */
static void PRINTF_LIKE(3, 4) add_count(struct buf *ret, unsigned n, const char *fmt, ...)
{
	va_list args;

	if (n == 0)
		return;
	if (ret->len > 0)
		buf_adds(ret, ", ");
	va_start(args, fmt);
	buf_vaddf(ret, fmt, args);
	va_end(args);
}

static unsigned unknowns(const struct tally *tally)
{
	return tally->findings[VERDICT_UNKNOWN] + tally->not_run;
}

/* Everything but what is wrong or not known. */
static void add_the_rest(struct buf *ret, const struct tally *tally)
{
	unsigned warned = tally->findings[VERDICT_WARN];
	unsigned passed = tally->steps[VERDICT_PASS], skipped = tally->steps[VERDICT_SKIP];

	add_count(ret, warned, PLURAL("%u warning", "%u warnings", warned), warned);
	add_count(ret, passed, PLURAL("%u check passed", "%u checks passed", passed), passed);
	add_count(ret, skipped, PLURAL("%u skipped", "%u skipped", skipped), skipped);
}

static void describe_faults(const struct tally *tally, struct buf *ret)
{
	unsigned failed = tally->findings[VERDICT_FAIL], unknown = unknowns(tally);

	add_count(ret, failed, PLURAL("%u failure", "%u failures", failed), failed);
	add_count(ret, unknown, PLURAL("%u fact not known", "%u facts not known", unknown),
		  unknown);
}

/* One check by hand: that it passed is said already. */
static void describe_check(const struct tally *tally, struct buf *ret)
{
	struct tally faults = *tally;

	faults.steps[VERDICT_PASS] = faults.steps[VERDICT_SKIP] = 0;
	describe_faults(&faults, ret);
	add_the_rest(ret, &faults);
	if (ret->len == 0)
		buf_adds(ret, tally->steps[VERDICT_SKIP] ? _("nothing to look at")
							 : _("no fault was found"));
}

static void describe_counts(const struct tally *tally, struct buf *ret)
{
	describe_faults(tally, ret);
	add_the_rest(ret, tally);
	if (ret->len == 0)
		buf_adds(ret, _("no step ran"));
}

/* When the answer is not known: what is known all the same. */
static void describe_known(const struct tally *tally, struct buf *ret)
{
	AUTO_BUF known = BUF_INIT;
	unsigned n = unknowns(tally);

	buf_addf(ret,
		 PLURAL("%u fact could not be determined", "%u facts could not be determined", n),
		 n);
	buf_adds(ret, _("; what could be read shows no failure"));
	add_the_rest(&known, tally);
	if (known.len > 0)
		buf_addf(ret, ", %s", known.data);
}

static int fill_answer(const struct work_op *op, const char *sentence, const char *counts,
		       struct buf *ret)
{
	AUTO_FREE char *a = NULL, *b = NULL, *to = NULL;
	int r = 0;

	if (op) {
		r = describe_disk(op->disk, &a);
		if (r >= 0)
			r = describe_disk(op->other, &b);
		if (r >= 0)
			r = describe_target(op, &to);
		if (r < 0)
			return r;
	}
	return fill_sentence(sentence,
			     (const struct fill[]){ { "counts", counts },
						    { "a", a ? a : "" },
						    { "b", b ? b : "" },
						    { "to", to ? to : "" },
						    { NULL, NULL } },
			     ret);
}

int report_sentence(const struct report *report, struct buf *ret)
{
	AUTO_BUF counts = BUF_INIT;
	struct tally tally = report_tally(report);
	enum answer answer = answers[report->verdict];
	enum shape shape = shape_of(report);
	const struct work *work = report->plan->work;
	const struct work_op *op = work && work->n == 1 ? &work->ops[0] : NULL;

	if (shape == SHAPE_CHECK)
		describe_check(&tally, &counts);
	else if (answer == ANSWER_NOT_KNOWN)
		describe_known(&tally, &counts);
	else
		describe_counts(&tally, &counts);
	if (buf_error(&counts) < 0)
		return buf_error(&counts);
	return fill_answer(op, _(sentences[shape][answer]), buf_text(&counts), ret);
}
