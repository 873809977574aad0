/* SPDX-License-Identifier: MIT */
/*
 * disk.smart: is a drive about to fail?
 *
 * A power cycle is what an old drive does not come back from, so every drive
 * is asked, those of the work first.  The count of transfer errors is no
 * verdict by itself: it never goes down, and is kept to be compared.
 */
#include "step/disk_smart.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"

struct disk_smart_params {
	char **disks;
};

struct tally {
	char **members; /* drives behind RAID controllers that the capture holds */
	unsigned asked, flagged;
	struct buf baseline; /* "SERIAL=COUNT, ..." */
};

static const struct param_row params[] = {
	{ .name = "disks",
	  .type = PARAM_DISKS,
	  .offset = PARAM_OFFSET(disk_smart_params, disks),
	  .help = N_("Disks to ask; when none is named, all, those of the work first.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "drives", OUTPUT_INT, N_("Number of drives that were asked.") },
	{ "flagged", OUTPUT_INT, N_("Drives that are not in good health, or tell nothing.") },
	{ "crc_baseline", OUTPUT_STRING,
	  N_("Transfer errors of each drive so far, by serial number: SERIAL=COUNT.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct disk_smart_params *p = data;
	size_t n = strv_length(p->disks);

	if (!n)
		return buf_adds(ret, _("ask every disk for its health, those of the work first"));
	buf_adds(ret,
		 PLURAL("ask this disk for its health:", "ask these disks for their health:", n));
	for (size_t i = 0; i < n; i++)
		buf_addf(ret, "%s %s", i ? "," : "", p->disks[i]);
	return buf_error(ret);
}

/* ---- shared by the parts ------------------------------------------------------ */

struct finding *drive_find(struct drive_check *check, const char *id, enum verdict verdict)
{
	check->flagged |= verdict > VERDICT_PASS;
	return result_find(check->ret, id, verdict, "%s", check->name);
}

void drive_source(const struct drive_check *check, unsigned line, struct buf *ret)
{
	buf_adds(ret, check->smart->source ? check->smart->source : "smartctl");
	if (check->smart->lined && line)
		buf_addf(ret, ":%u", line);
}

void drive_cite(struct drive_check *check, struct finding *finding, unsigned line,
		const char *observed_fmt, ...)
{
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT;
	va_list args;

	va_start(args, observed_fmt);
	buf_vaddf(&observed, observed_fmt, args);
	va_end(args);
	drive_source(check, line, &source);
	result_evidence(check->ret, finding, buf_text(&source), buf_text(&observed), NULL, NULL);
}

void drive_advise(struct drive_check *check, struct finding *finding)
{
	if (finding->verdict == VERDICT_FAIL)
		result_remedy(check->ret, finding,
			      _("Copy what is on %s now, while it runs, and replace it; do not "
				"power it down before."),
			      check->name);
	else
		result_remedy(check->ret, finding,
			      _("Have a fresh copy of what is on %s before the power goes off, and "
				"compare the figure afterwards."),
			      check->name);
}

void drive_say_count(struct drive_check *check, struct finding *finding,
		     enum smart_attribute_kind kind, int64_t n)
{
	long long number = n;

	if (kind == SMART_PENDING)
		result_say(check->ret, finding,
			   PLURAL("%s has %lld sector that it cannot read.",
				  "%s has %lld sectors that it cannot read.", number),
			   check->name, number);
	else if (kind == SMART_UNCORRECTABLE)
		result_say(check->ret, finding,
			   PLURAL("%s has had %lld error that it could not correct.",
				  "%s has had %lld errors that it could not correct.", number),
			   check->name, number);
	else
		result_say(check->ret, finding,
			   PLURAL("%s has replaced %lld bad sector.",
				  "%s has replaced %lld bad sectors.", number),
			   check->name, number);
	drive_advise(check, finding);
}

/* ---- one drive ------------------------------------------------------------------ */

/* An NVMe drive's own verdict is its critical warning, which has a finding with its reason. */
static void judge_verdict(struct drive_check *check)
{
	const struct smart *smart = check->smart;
	bool failing = smart->passed == 0 || (smart->exit_status & SMART_EXIT_FAILING) != 0;
	struct finding *finding;

	if (!failing || smart->nvme.critical_warning.n > 0)
		return;
	finding = drive_find(check, "failing", VERDICT_FAIL);
	result_say(check->ret, finding, _("%s says of itself that it is failing."), check->name);
	drive_advise(check, finding);
	if (smart->passed == 0)
		drive_cite(check, finding, smart->passed_line, "\"passed\": false");
	if (smart->exit_status & SMART_EXIT_FAILING)
		drive_cite(check, finding, smart->exit_line, "\"exit_status\": %u",
			   smart->exit_status);
}

/* "31628 hours on, 36 °C" */
static void add_life(const struct smart *smart, struct buf *ret)
{
	if (smart->hours >= 0)
		buf_addf(ret, PLURAL("%lld hour on", "%lld hours on", smart->hours),
			 (long long)smart->hours);
	if (smart->celsius != INT64_MIN)
		buf_addf(ret, "%s%lld °C", ret->len ? ", " : "", (long long)smart->celsius);
}

static void say_healthy(struct drive_check *check)
{
	const struct smart *smart = check->smart;
	struct finding *finding = drive_find(check, "healthy", VERDICT_PASS);
	AUTO_BUF life = BUF_INIT;

	add_life(smart, &life);
	result_say(check->ret, finding,
		   smart->passed == 1 ? _("%s calls itself healthy, and no counter says otherwise.")
				      : _("No counter of %s tells of a fault."),
		   check->name);
	drive_cite(check, finding, smart->passed_line, "%s%s%s",
		   smart->passed == 1 ? "\"passed\": true" : "",
		   smart->passed == 1 && life.len ? "; " : "", buf_text(&life));
}

static void keep_baseline(struct drive_check *check, struct tally *tally)
{
	const struct smart *smart = check->smart;
	const char *serial = smart->serial ? smart->serial : check->disk->serial;
	struct finding *finding;

	if (smart->crc_errors < 0)
		return;
	buf_addf(&tally->baseline, "%s%s=%lld", tally->baseline.len ? ", " : "",
		 serial ? serial : check->disk->name, (long long)smart->crc_errors);
	finding = drive_find(check, "crc-baseline", VERDICT_PASS);
	result_say(check->ret, finding,
		   PLURAL("%s has had %lld transfer error in its life: the baseline.",
			  "%s has had %lld transfer errors in its life: the baseline.",
			  smart->crc_errors),
		   check->name, (long long)smart->crc_errors);
	drive_cite(check, finding, smart->crc_line, "UDMA_CRC_Error_Count %lld",
		   (long long)smart->crc_errors);
}

static void judge_drive(struct drive_check *check, struct tally *tally)
{
	if (check->smart->gap == SMART_TOLD) {
		tally->asked++;
		judge_verdict(check);
		judge_ata(check);
		judge_nvme(check);
		judge_scsi(check);
		if (!check->flagged)
			say_healthy(check);
		keep_baseline(check, tally);
	} else {
		judge_gap(check);
	}
	tally->flagged += check->flagged;
}

/* ---- which drives ------------------------------------------------------------------ */

static int look_at(struct drive_check *check, const char *kernel_name, const char *name,
		   struct tally *tally, struct error *err)
{
	int r = facts_smart(check->step->facts, kernel_name, &check->smart, err);

	if (r < 0)
		return r;
	check->name = name;
	check->flagged = false;
	judge_drive(check, tally);
	return 0;
}

/* The drives behind a RAID controller stand for the disk that it makes of them. */
static int look_at_members(struct drive_check *check, char *const *members, struct tally *tally,
			   struct error *err)
{
	int r = 0;

	for (size_t i = 0; members && members[i] && r == 0; i++) {
		const struct smart *smart = NULL;
		AUTO_FREE char *name = NULL;
		const char *kind = members[i] + strlen(check->disk->name) + 1;

		r = facts_smart(check->step->facts, members[i], &smart, err);
		if (r < 0)
			return r;
		if (asprintf(&name, _("%s (%s), %s behind %s"),
			     smart->model ? smart->model : members[i],
			     smart->serial ? smart->serial : "?", kind, check->disk->name) < 0) {
			name = NULL;
			return error_oom(err);
		}
		r = look_at(check, members[i], name, tally, err);
	}
	return r;
}

static int look_at_disk(const struct step *step, struct result *ret, const struct block *disk,
			struct tally *tally, struct error *err)
{
	struct drive_check check = { .step = step, .ret = ret, .disk = disk };
	AUTO_STRV char **members = NULL;
	AUTO_FREE char *name = NULL;
	int r = smart_members_of(tally->members, disk->name, &members, err);

	if (r == 0 && members)
		return look_at_members(&check, members, tally, err);
	if (r == 0 && block_describe(disk, &name) < 0)
		return error_oom(err);
	return r < 0 ? r : look_at(&check, disk->name, name, tally, err);
}

static bool is_named(const struct disk_smart_params *p, const struct block *disk)
{
	return !p->disks || (disk->key && strv_has(p->disks, disk->key)) ||
	       (disk->serial && strv_has(p->disks, disk->serial)) || strv_has(p->disks, disk->name);
}

/* A card reader without a card is no drive, and a virtual disk has no health. */
static bool can_tell(const struct block *disk)
{
	return block_is_disk(disk) && !disk_has_no_smart(disk) &&
	       !(disk->removable && disk->size == 0);
}

static int look_at_all(const struct step *step, const struct disk_smart_params *p,
		       const struct blocks *blocks, struct result *ret, struct tally *tally,
		       struct error *err)
{
	int r = smart_captured_members(step->host, &tally->members, err);

	for (int touched = 1; touched >= 0; touched--)
		for (size_t i = 0; i < blocks->n && r == 0; i++) {
			const struct block *disk = blocks->items[i];

			if (!can_tell(disk) || !is_named(p, disk) ||
			    work_touches(step->work, disk) != (touched == 1))
				continue;
			if (*step->cancelled)
				return error_set(err, -ECANCELED, "cancelled");
			r = look_at_disk(step, ret, disk, tally, err);
		}
	return r;
}

static void sum_up(struct result *ret, const struct tally *tally)
{
	if (!ret->n_findings) {
		result_skip(ret, "%s",
			    _("No disk of this host has SMART: they are virtual, SD "
			      "cards, or there is none."));
		return;
	}
	result_output_int(ret, "drives", tally->asked);
	result_output_int(ret, "flagged", tally->flagged);
	result_output_string(ret, "crc_baseline", buf_text(&tally->baseline));
	if (tally->flagged)
		result_summary(ret,
			       PLURAL("%u drive told of its health; %u is in doubt.",
				      "%u drives told of their health; %u in doubt.", tally->asked),
			       tally->asked, tally->flagged);
	else
		result_summary(ret,
			       PLURAL("%u drive told of its health; none is in doubt.",
				      "%u drives told of their health; none is in doubt.",
				      tally->asked),
			       tally->asked);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct blocks *blocks;
	struct tally tally = { 0 };
	int r = facts_blocks(step->facts, &blocks, &why);

	if (r == -ENOMEM)
		return error_copy(err, &why);
	if (r < 0) {
		result_unknown(ret, "disks-unreadable", _("disks"), PATH_CLASS_BLOCK, &why);
		return 0;
	}
	r = look_at_all(step, data, blocks, ret, &tally, err);
	if (r == 0 && buf_error(&tally.baseline) < 0)
		r = error_oom(err);
	if (r == 0)
		sum_up(ret, &tally);
	strv_free(tally.members);
	buf_done(&tally.baseline);
	return r;
}

const struct kind kind_disk_smart = {
	.name = "disk.smart",
	.class = KIND_CHECK,
	.title = N_("health of the disks"),
	.help = N_("Asks every drive by smartctl for its own verdict, for sectors that were "
		   "replaced, cannot be read or wait, for wear and spare, and keeps the count of "
		   "transfer errors by serial number. A drive that sleeps is left asleep. The "
		   "count of transfer errors and old entries of the error log are history, and no "
		   "fault."),
	.flags = KIND_NEEDS_ROOT,
	.deadline_s = 120,
	.params_size = sizeof(struct disk_smart_params),
	.params = params,
	.outputs = outputs,
	.findings = disk_smart_findings,
	.describe = describe,
	.run = run,
};
