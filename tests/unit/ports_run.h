/* SPDX-License-Identifier: MIT */
/* disk.ports, run over a made machine; and what it found. */
#ifndef COLDSWAP_TESTS_PORTS_RUN_H
#define COLDSWAP_TESTS_PORTS_RUN_H

#include <criterion/criterion.h>
#include <string.h>

#include "sata.h"
#include "step/kinds.h"

struct check {
	struct machine machine;
	struct result result;
};

static inline void check_done(struct check *check)
{
	result_done(&check->result);
	machine_done(&check->machine);
}
#define AUTO_CHECK CLEANUP(check_done) struct check

static inline struct check run(const struct tree *tree, struct work_request *requests, size_t n)
{
	struct check check = { .machine = machine_open(tree) };
	struct step step = { .id = "ports" };

	cr_assert_eq(machine_work(&check.machine, requests, n, NULL), 0);
	step.host = check.machine.host;
	step.facts = check.machine.facts;
	step.work = check.machine.work;
	result_init(&check.result, &kind_disk_ports);
	cr_assert_eq(kind_disk_ports.run(&step, NULL, &check.result, NULL), 0);
	cr_assert_eq(check.result.failed, 0);
	return check;
}
#define RUN(tree) run(tree, NULL, 0)
#define RUN_WITH(tree, ...)                                                                        \
	({                                                                                         \
		struct work_request requests_[] = { __VA_ARGS__ };                                 \
		run(tree, requests_, ELEMENTS(requests_));                                         \
	})

static inline const struct finding *found(const struct check *check, const char *id)
{
	for (size_t i = 0; i < check->result.n_findings; i++)
		if (strcmp(strchr(check->result.findings[i].id, '/') + 1, id) == 0)
			return &check->result.findings[i];
	return NULL;
}

/* The one finding that is worse than a pass, with its verdict. */
static inline const struct finding *only(const struct check *check, const char *id,
					 enum verdict verdict)
{
	const struct finding *finding = found(check, id);

	cr_assert_not_null(finding, "no %s", id);
	cr_assert_eq(finding->verdict, verdict);
	cr_assert_not_null(finding->remedy);
	cr_assert_gt(finding->n_evidence, 0);
	for (size_t i = 0; i < check->result.n_findings; i++)
		cr_assert(&check->result.findings[i] == finding ||
				  check->result.findings[i].verdict <= VERDICT_PASS,
			  "and %s", check->result.findings[i].id);
	return finding;
}

#define ALL_WELL                                                                                   \
	SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")           \
		SATA_DOWN("4", "0") SATA_DOWN("5", "0")

#endif
