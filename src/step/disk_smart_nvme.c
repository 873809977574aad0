/* SPDX-License-Identifier: MIT */
/* Health logs of NVMe and SCSI drives. */
#include "base/intl.h"
#include "step/disk_smart.h"

#define WORN_USED 90 /* percent */

/* A count with its name in the document. */
static void cite_count(struct drive_check *check, struct finding *finding, const char *key,
		       const struct smart_count *count)
{
	drive_cite(check, finding, count->line, "\"%s\": %lld", key, (long long)count->n);
}

static void judge_used(struct drive_check *check, const char *key, const struct smart_count *used)
{
	struct finding *finding;

	if (used->n < WORN_USED)
		return;
	finding = drive_find(check, "wear", VERDICT_WARN);
	result_say(check->ret, finding, _("%s has used %lld %% of its rated life."), check->name,
		   (long long)used->n);
	drive_advise(check, finding);
	cite_count(check, finding, key, used);
}

static bool judge_spare(struct drive_check *check)
{
	const struct smart_nvme *nvme = &check->smart->nvme;
	struct finding *finding;

	if (nvme->spare.n < 0 || nvme->spare.n >= nvme->spare_threshold.n)
		return false;
	finding = drive_find(check, "spare-low", VERDICT_FAIL);
	result_say(check->ret, finding,
		   _("%s has %lld %% of its spare blocks left; its own threshold is %lld %%."),
		   check->name, (long long)nvme->spare.n, (long long)nvme->spare_threshold.n);
	drive_advise(check, finding);
	cite_count(check, finding, "available_spare", &nvme->spare);
	return true;
}

/* "spare, read-only" */
static void name_warnings(int64_t bits, struct buf *ret)
{
	static const char *const names[] = {
		N_("spare used up"),
		N_("temperature"),
		N_("reliability degraded"),
		N_("read-only"),
		N_("backup of its memory failed"),
		N_("persistent memory unreliable"),
	};

	for (size_t i = 0; i < ELEMENTS(names); i++)
		if (bits >> i & 1)
			buf_addf(ret, "%s%s", ret->len ? ", " : "", _(names[i]));
	if (!ret->len)
		buf_addf(ret, "0x%02llx", (unsigned long long)bits);
}

static void judge_warning(struct drive_check *check, bool spare_said)
{
	const struct smart_count *warning = &check->smart->nvme.critical_warning;
	bool heat_alone = warning->n == SMART_NVME_TEMPERATURE;
	AUTO_BUF names = BUF_INIT;
	struct finding *finding;

	if (warning->n <= 0 || (spare_said && warning->n == SMART_NVME_SPARE))
		return;
	name_warnings(warning->n, &names);
	finding = drive_find(check, "nvme-critical", heat_alone ? VERDICT_WARN : VERDICT_FAIL);
	result_say(check->ret, finding, _("%s raises an alarm: %s."), check->name,
		   buf_text(&names));
	if (heat_alone)
		result_remedy(check->ret, finding, "%s", _("See to its cooling before the work."));
	else
		drive_advise(check, finding);
	cite_count(check, finding, "critical_warning", warning);
}

void judge_nvme(struct drive_check *check)
{
	const struct smart_nvme *nvme = &check->smart->nvme;

	judge_warning(check, judge_spare(check));
	judge_used(check, "percentage_used", &nvme->used);
	if (nvme->media_errors.n > 0) {
		struct finding *finding = drive_find(check, "media-errors", VERDICT_WARN);

		result_say(check->ret, finding,
			   PLURAL("%s has lost data %lld time.", "%s has lost data %lld times.",
				  nvme->media_errors.n),
			   check->name, (long long)nvme->media_errors.n);
		drive_advise(check, finding);
		cite_count(check, finding, "media_errors", &nvme->media_errors);
	}
}

static void judge_uncorrected(struct drive_check *check)
{
	const struct smart_scsi *scsi = &check->smart->scsi;
	struct finding *finding = NULL;

	for (size_t i = 0; i < ELEMENTS(scsi->uncorrected); i++) {
		const struct smart_count *count = &scsi->uncorrected[i];

		if (count->n <= 0)
			continue;
		if (!finding) {
			finding = drive_find(check, "uncorrectable", VERDICT_WARN);
			drive_say_count(check, finding, SMART_UNCORRECTABLE, count->n);
		}
		cite_count(check, finding, "total_uncorrected_errors", count);
	}
}

void judge_scsi(struct drive_check *check)
{
	const struct smart_scsi *scsi = &check->smart->scsi;
	struct finding *finding;

	if (scsi->pending_defects.n > 0) {
		finding = drive_find(check, "pending-sectors", VERDICT_WARN);
		drive_say_count(check, finding, SMART_PENDING, scsi->pending_defects.n);
		cite_count(check, finding, "count", &scsi->pending_defects);
	}
	judge_uncorrected(check);
	if (scsi->grown_defects.n > 0) {
		finding = drive_find(check, "reallocated", VERDICT_WARN);
		drive_say_count(check, finding, SMART_REALLOCATED, scsi->grown_defects.n);
		cite_count(check, finding, "scsi_grown_defect_list", &scsi->grown_defects);
	}
	judge_used(check, "percentage used", &scsi->used);
}
