/* SPDX-License-Identifier: MIT */
/* The attribute table of an ATA drive. */
#include "base/intl.h"
#include "step/disk_smart.h"

#define WORN_LEFT 10 /* of 100 */

/* Is the limit one that announces failure?  Where no flag tells, smartctl's status does. */
static bool announces_failure(const struct drive_check *check,
			      const struct smart_attribute *attribute)
{
	return attribute->flagged ? attribute->prefailure
				  : (check->smart->exit_status & SMART_EXIT_BELOW_NOW) != 0;
}

static bool is_below(const struct smart_attribute *attribute)
{
	return attribute->failing_now || (attribute->threshold > 0 && attribute->value > 0 &&
					  attribute->value <= attribute->threshold);
}

static const char *name_of(const struct smart_attribute *attribute)
{
	return attribute->name ? attribute->name : "";
}

/* How far above the maker's limit: the drive calls itself failing at the threshold. */
static void add_margin(const struct smart_attribute *attribute, struct buf *formula,
		       struct buf *derived)
{
	int margin = attribute->value - attribute->threshold;

	if (attribute->threshold <= 0 || attribute->value < 0 || margin < 0)
		return;
	buf_addf(formula, "value %d - threshold %d", attribute->value, attribute->threshold);
	buf_addf(derived, _("%d left until the drive calls itself failing"), margin);
}

/* A raw value that packs several numbers, taken apart. */
static void add_words(const struct smart_attribute *attribute, struct buf *formula,
		      struct buf *derived)
{
	buf_addf(formula, "%s%lld = words %lld, %lld, %lld", formula->len ? "; raw " : "raw ",
		 (long long)attribute->raw, (long long)(attribute->raw >> 32),
		 (long long)(attribute->raw >> 16 & 0xffff), (long long)(attribute->raw & 0xffff));
	buf_addf(derived, _("%sa count of %lld"), derived->len ? "; " : "",
		 (long long)attribute->count);
}

/* The row of the table, and its raw value where that stands on a line of its own. */
static void cite_attribute(struct drive_check *check, struct finding *finding,
			   const struct smart_attribute *attribute, bool margin)
{
	AUTO_BUF formula = BUF_INIT, derived = BUF_INIT, observed = BUF_INIT, source = BUF_INIT;

	if (margin)
		add_margin(attribute, &formula, &derived);
	if (attribute->packed)
		add_words(attribute, &formula, &derived);
	drive_source(check, attribute->name_line, &source);
	buf_addf(&observed, "%u %s: value %d, worst %d, threshold %d, raw %lld", attribute->id,
		 name_of(attribute), attribute->value, attribute->worst, attribute->threshold,
		 (long long)attribute->raw);
	result_evidence(check->ret, finding, buf_text(&source), buf_text(&observed),
			formula.len ? buf_text(&formula) : NULL,
			derived.len ? buf_text(&derived) : NULL);
	if (check->smart->lined && attribute->raw_line != attribute->name_line)
		drive_cite(check, finding, attribute->raw_line, "\"value\": %lld",
			   (long long)attribute->raw);
}

static void judge_threshold(struct drive_check *check, const struct smart_attribute *attribute)
{
	bool prefailure = announces_failure(check, attribute);
	struct finding *finding =
		drive_find(check, "attribute-failing", prefailure ? VERDICT_FAIL : VERDICT_WARN);

	result_say(check->ret, finding,
		   prefailure ? _("%s of %s is at or below its threshold: its maker expects the "
				  "drive to fail soon.")
			      : _("%s of %s is at or below its threshold: its designed life is "
				  "over."),
		   name_of(attribute), check->name);
	drive_advise(check, finding);
	cite_attribute(check, finding, attribute, false);
	if (check->smart->lined && attribute->failing_now &&
	    attribute->failing_line != attribute->name_line)
		drive_cite(check, finding, attribute->failing_line, "\"when_failed\": \"now\"");
}

static void judge_past(struct drive_check *check, const struct smart_attribute *attribute)
{
	struct finding *finding;

	if (!attribute->failed_before || !attribute->prefailure)
		return;
	finding = drive_find(check, "attribute-failed-before", VERDICT_WARN);
	result_say(check->ret, finding, _("%s of %s was at or below its threshold once."),
		   name_of(attribute), check->name);
	drive_advise(check, finding);
	cite_attribute(check, finding, attribute, false);
}

/* Counters of which any number above zero is said. */
static const struct {
	enum smart_attribute_kind kind;
	const char *id;
	bool margin;
} counters[] = {
	{ SMART_PENDING, "pending-sectors", false },
	{ SMART_UNCORRECTABLE, "uncorrectable", false },
	{ SMART_REALLOCATED, "reallocated", true },
};

static void judge_counter(struct drive_check *check, size_t row)
{
	const struct smart *smart = check->smart;
	struct finding *finding = NULL;

	for (size_t i = 0; i < smart->n_attributes; i++) {
		const struct smart_attribute *attribute = &smart->attributes[i];

		if (attribute->kind != counters[row].kind || attribute->count <= 0 ||
		    is_below(attribute))
			continue;
		if (!finding) {
			finding = drive_find(check, counters[row].id, VERDICT_WARN);
			drive_say_count(check, finding, attribute->kind, attribute->count);
		}
		cite_attribute(check, finding, attribute, counters[row].margin);
	}
}

/* The value of such an attribute is what is left, whatever its raw value counts. */
static void judge_wear(struct drive_check *check)
{
	const struct smart *smart = check->smart;

	for (size_t i = 0; i < smart->n_attributes; i++) {
		const struct smart_attribute *attribute = &smart->attributes[i];
		struct finding *finding;

		if (attribute->kind != SMART_WEAR || is_below(attribute) || attribute->value < 0 ||
		    attribute->value > WORN_LEFT)
			continue;
		finding = drive_find(check, "wear", VERDICT_WARN);
		result_say(check->ret, finding, _("%s has %d %% of its rated life left."),
			   check->name, attribute->value);
		drive_advise(check, finding);
		cite_attribute(check, finding, attribute, false);
		return;
	}
}

void judge_ata(struct drive_check *check)
{
	const struct smart *smart = check->smart;

	for (size_t i = 0; i < smart->n_attributes; i++) {
		if (is_below(&smart->attributes[i]))
			judge_threshold(check, &smart->attributes[i]);
		else
			judge_past(check, &smart->attributes[i]);
	}
	for (size_t i = 0; i < ELEMENTS(counters); i++)
		judge_counter(check, i);
	judge_wear(check);
	if (smart->self_test) {
		struct finding *finding = drive_find(check, "self-test-failed", VERDICT_WARN);

		result_say(check->ret, finding, _("The newest self-test of %s failed."),
			   check->name);
		drive_advise(check, finding);
		drive_cite(check, finding, smart->self_test_line, "%s", smart->self_test);
	}
}
