/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "machine.h"
#include "step/kinds.h"

struct disk_smart_params {
	char **disks;
};

struct check {
	struct machine machine;
	struct result result;
};

static void check_done(struct check *check)
{
	result_done(&check->result);
	machine_done(&check->machine);
}
#define AUTO_CHECK CLEANUP(check_done) struct check

static struct check run(const struct tree *tree, char **disks, const char *exchange,
			const char *other)
{
	static const volatile sig_atomic_t cancelled = 0;
	struct check check = { .machine = machine_open(tree) };
	struct disk_smart_params params = { disks };
	struct work_request requests[1];
	struct step step = { .id = "smart", .cancelled = &cancelled };

	if (exchange)
		requests[0] = EXCHANGE(exchange, other);
	cr_assert_eq(machine_work(&check.machine, requests, exchange ? 1 : 0, NULL), 0);
	step.host = check.machine.host;
	step.facts = check.machine.facts;
	step.work = check.machine.work;
	result_init(&check.result, &kind_disk_smart);
	cr_assert_eq(kind_disk_smart.run(&step, &params, &check.result, NULL), 0);
	cr_assert_eq(check.result.failed, 0);
	return check;
}
#define RUN(tree) run(tree, NULL, NULL, NULL)

static const struct finding *found(const struct check *check, const char *id)
{
	for (size_t i = 0; i < check->result.n_findings; i++)
		if (strcmp(strchr(check->result.findings[i].id, '/') + 1, id) == 0)
			return &check->result.findings[i];
	return NULL;
}

/* The one finding that is worse than a pass, with its verdict. */
static const struct finding *only(const struct check *check, const char *id, enum verdict verdict)
{
	const struct finding *finding = found(check, id);

	cr_assert_not_null(finding, "no %s", id);
	cr_assert_eq(finding->verdict, verdict);
	cr_assert_not_null(finding->remedy);
	cr_assert_gt(finding->n_evidence, 0);
	for (size_t i = 0; i < check->result.n_findings; i++)
		cr_assert(&check->result.findings[i] == finding ||
				  check->result.findings[i].verdict <= VERDICT_PASS,
			  "also %s", check->result.findings[i].id);
	return finding;
}

static const char *output(const struct check *check, const char *name)
{
	for (size_t i = 0; i < check->result.n_outputs; i++)
		if (strcmp(check->result.outputs[i].name, name) == 0)
			return check->result.outputs[i].value.string;
	return NULL;
}

#define ROW(id, name, value, thresh, raw)                                                          \
	"{\"id\": " id ", \"name\": \"" name "\", \"value\": " value ", \"worst\": " value         \
	", \"thresh\": " thresh ", \"when_failed\": \"\",\n \"raw\": {\n\"value\": " raw "}}"
#define ATA(status, passed, rows)                                                                  \
	"{\"smartctl\": {\"exit_status\": " status "},\n\"smart_status\": {\"passed\": " passed    \
	"},\n\"ata_smart_attributes\": {\"table\": [\n" rows "]}}\n"
#define SOUND ATA("0", "true", ROW("199", "UDMA_CRC_Error_Count", "200", "0", "0"))

/* Three disks, of which the first answers as told. */
static struct tree with(const char *document)
{
	struct tree tree = machine_new();

	tree_file(&tree, "coldswap/smart/sda.json", document);
	tree_file(&tree, "coldswap/smart/sdb.json", SOUND);
	tree_file(&tree, "coldswap/smart/sdc.json", SOUND);
	return tree;
}

Test(disk_smart, sound_disks_pass_with_their_baseline)
{
	AUTO_TREE tree =
		with(ATA("64", "true", ROW("199", "UDMA_CRC_Error_Count", "200", "0", "1483")));
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.verdict, VERDICT_PASS, "an old log and an old count are history");
	cr_assert_not_null(found(&check, "healthy"));
	cr_assert_str_eq(output(&check, "crc_baseline"), "SERa=1483, SERb=0, SERc=0");
	cr_assert_str_eq(found(&check, "crc-baseline")->evidence[0].source,
			 "coldswap/smart/sda.json:4");
}

Test(disk_smart, reallocated_with_the_distance_to_the_threshold)
{
	AUTO_TREE tree =
		with(ATA("0", "true", ROW("5", "Reallocated_Sector_Ct", "83", "10", "393")));
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "reallocated", VERDICT_WARN);

	cr_assert_not_null(strstr(finding->summary, "393"));
	cr_assert_str_eq(finding->evidence[0].source, "coldswap/smart/sda.json:4");
	cr_assert_str_eq(finding->evidence[0].formula, "value 83 - threshold 10");
	cr_assert_not_null(strstr(finding->evidence[0].derived, "73"));
	cr_assert_str_eq(finding->evidence[1].source, "coldswap/smart/sda.json:6");
}

Test(disk_smart, pending_and_uncorrectable_warn_on_a_disk_of_the_work_too)
{
	AUTO_TREE tree =
		with(ATA("0", "true", ROW("197", "Current_Pending_Sector", "100", "0", "8")));
	AUTO_CHECK check = run(&tree, NULL, "SERa", "SERb");

	only(&check, "pending-sectors", VERDICT_WARN);
	cr_assert_str_eq(check.result.findings[0].id, "disk.smart/pending-sectors");

	AUTO_CHECK last = run(&tree, NULL, "SERb", "SERc");

	cr_assert_not_null(strstr(last.result.findings[0].subject, "SERb"),
			   "the work's disks first");

	AUTO_TREE other = with(ATA("0", "true",
				   ROW("187", "Reported_Uncorrect", "99", "0", "1") ",\n" ROW(
					   "198", "Offline_Uncorrectable", "99", "0", "2")));
	AUTO_CHECK again = RUN(&other);

	cr_assert_eq(only(&again, "uncorrectable", VERDICT_WARN)->n_evidence, 4);
}

Test(disk_smart, a_failing_drive_fails)
{
	AUTO_TREE tree =
		with(ATA("8", "false", ROW("199", "UDMA_CRC_Error_Count", "200", "0", "0")));
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "failing", VERDICT_FAIL);

	cr_assert_str_eq(finding->evidence[0].source, "coldswap/smart/sda.json:2");
	cr_assert_str_eq(finding->evidence[1].source, "coldswap/smart/sda.json:1");
}

/* Without flags smartctl's own status says which sort of attribute it was. */
Test(disk_smart, an_attribute_at_its_threshold)
{
	AUTO_TREE tree =
		with(ATA("16", "true", ROW("5", "Reallocated_Sector_Ct", "10", "10", "4000")));
	AUTO_CHECK check = RUN(&tree);

	only(&check, "attribute-failing", VERDICT_FAIL);

	AUTO_TREE old =
		with(ATA("32", "true", ROW("190", "Airflow_Temperature_Cel", "45", "45", "55")));
	AUTO_CHECK again = RUN(&old);

	only(&again, "attribute-failing", VERDICT_WARN);
}

Test(disk_smart, wear)
{
	AUTO_TREE tree =
		with(ATA("0", "true", ROW("177", "Wear_Leveling_Count", "10", "0", "5190")));
	AUTO_CHECK check = RUN(&tree);

	only(&check, "wear", VERDICT_WARN);

	AUTO_TREE good =
		with(ATA("0", "true", ROW("177", "Wear_Leveling_Count", "78", "0", "519")));
	AUTO_CHECK again = RUN(&good);

	cr_assert_eq(again.result.verdict, VERDICT_PASS);
}

Test(disk_smart, nvme)
{
	static const struct {
		const char *text, *id;
		enum verdict verdict;
	} rows[] = {
		{ "\"critical_warning\": 4", "nvme-critical", VERDICT_FAIL },
		{ "\"critical_warning\": 2", "nvme-critical", VERDICT_WARN },
		{ "\"critical_warning\": 1, \"available_spare\": 3, \"available_spare_threshold\": "
		  "10",
		  "spare-low", VERDICT_FAIL },
		{ "\"percentage_used\": 97", "wear", VERDICT_WARN },
		{ "\"media_errors\": 2", "media-errors", VERDICT_WARN },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		AUTO_FREE char *text = NULL;

		cr_assert_geq(asprintf(&text,
				       "{\"smartctl\": {\"exit_status\": 0},\n"
				       "\"nvme_smart_health_information_log\": {%s}}\n",
				       rows[i].text),
			      0);
		AUTO_TREE tree = with(text);
		AUTO_CHECK check = RUN(&tree);

		only(&check, rows[i].id, rows[i].verdict);
	}
	AUTO_TREE tree = with("{\"smart_status\": {\"passed\": true},\n"
			      "\"nvme_smart_health_information_log\": {\"critical_warning\": 0, "
			      "\"available_spare\": 100, \"available_spare_threshold\": 10, "
			      "\"unsafe_shutdowns\": 57, \"media_errors\": 0}}\n");
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.verdict, VERDICT_PASS);
}

Test(disk_smart, scsi)
{
	AUTO_TREE tree =
		with("{\"smart_status\": {\"passed\": true},\n\"scsi_grown_defect_list\": 4,\n"
		     "\"scsi_error_counter_log\": {\"write\": {\n"
		     "\"total_uncorrected_errors\": 0}}}\n");
	AUTO_CHECK check = RUN(&tree);

	cr_assert_str_eq(only(&check, "reallocated", VERDICT_WARN)->evidence[0].source,
			 "coldswap/smart/sda.json:2");
}

/* Each may be accepted, and is never a pass. */
Test(disk_smart, drives_that_tell_nothing)
{
	static const struct {
		const char *text, *id;
	} rows[] = {
		{ "{\"smartctl\": {\"exit_status\": 2, \"messages\": [{\"string\": \"Device is in "
		  "STANDBY mode, exit(2)\"}]}}\n",
		  "not-asked" },
		{ "{\"smartctl\": {\"exit_status\": 1, \"messages\": [{\"string\": \"Unknown USB "
		  "bridge\"}]}}\n",
		  "no-answer" },
		{ "{\"smart_support\": {\"available\": true, \"enabled\": false}}\n",
		  "switched-off" },
		{ "{", "not-asked" },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		AUTO_TREE tree = with(rows[i].text);
		AUTO_CHECK check = RUN(&tree);

		only(&check, rows[i].id, VERDICT_UNKNOWN);
		cr_assert(kind_finding(&kind_disk_smart, rows[i].id)->acceptable);
	}
}

Test(disk_smart, what_only_root_may_ask_is_said_once)
{
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "coldswap/unreadable.tsv",
		  "/coldswap/smart/sda.json\tEACCES\n/coldswap/smart/sdb.json\tEACCES\n"
		  "/coldswap/smart/sdc.json\tEACCES\n");
	AUTO_CHECK check = RUN(&tree);

	only(&check, "needs-root", VERDICT_UNKNOWN);
	cr_assert_eq(check.result.n_findings, 1);
}

Test(disk_smart, the_drives_behind_a_controller_stand_for_its_disk)
{
	AUTO_TREE tree = with("{\"smartctl\": {\"exit_status\": 4}}\n");

	tree_file(&tree, "coldswap/smart/sda-megaraid0.json", SOUND);
	tree_file(&tree, "coldswap/smart/sda-megaraid1.json",
		  ATA("0", "true", ROW("5", "Reallocated_Sector_Ct", "98", "10", "12")));
	AUTO_CHECK check = RUN(&tree);

	cr_assert_not_null(strstr(only(&check, "reallocated", VERDICT_WARN)->subject, "megaraid1"));
}

Test(disk_smart, named_disks_alone)
{
	AUTO_TREE tree = with("{");
	AUTO_FREE char *key = strdup("0x500000000000000b");
	AUTO_CHECK check = run(&tree, (char *[]){ key, NULL }, NULL, NULL);

	cr_assert_eq(check.result.verdict, VERDICT_PASS);
	cr_assert_str_eq(output(&check, "crc_baseline"), "SERb=0");
}

Test(disk_smart, no_disks_no_verdict)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "proc/self/mountinfo", "");
	tree_file(&tree, "sys/class/block/.keep", "");
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.verdict, VERDICT_SKIP);
}
