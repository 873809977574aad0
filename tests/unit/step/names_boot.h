/* SPDX-License-Identifier: MIT */
/* A machine of three disks on which names.boot is tried: sda boots. */
#ifndef COLDSWAP_TESTS_NAMES_BOOT_H
#define COLDSWAP_TESTS_NAMES_BOOT_H

#include <string.h>

#include "efi_made.h"
#include "machine.h"
#include "step/kinds.h"

#define PART(letter) "4000000" letter "-1111-4222-8333-444444444444"
#define ESP "E:ID_PART_ENTRY_TYPE=c12a7328-f81f-11d2-ba4b-00a0c93ec93b\n"
#define TAGS(letter, part) MACHINE_FS(letter) ESP "E:ID_PART_ENTRY_UUID=" PART(part) "\n"
#define ROOT "root=UUID=" MACHINE_UUID("a") " ro\n"

/* sda on port 0 with the root and the ESP's partition UUID, sdb and sdc on ports 1 and 2. */
static inline struct tree boot_machine(void)
{
	struct tree tree = tree_new();

	machine_disk(&tree, 1, TAGS("a", "a"));
	machine_disk(&tree, 2, TAGS("b", "b"));
	machine_disk(&tree, 3, TAGS("c", "c"));
	machine_port(&tree, 4);
	tree_file(&tree, "proc/self/mountinfo", "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	tree_file(&tree, "proc/cmdline", ROOT);
	return tree;
}

static inline void run(struct machine *machine, const struct tree *tree,
		       struct work_request request, struct result *ret)
{
	static const volatile sig_atomic_t cancelled;
	struct step step = { .id = "test", .cancelled = &cancelled };

	*machine = machine_open(tree);
	cr_assert_eq(machine_work(machine, &request, request.disk ? 1 : 0, NULL), 0);
	step.host = machine->host;
	step.facts = machine->facts;
	step.work = machine->work;
	result_init(ret, &kind_names_boot);
	cr_assert_eq(kind_names_boot.run(&step, NULL, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
	cr_assert_not_null(ret->summary);
}

/* "ID SUBJECT VERDICT; ..." of what is neither good news nor a skip, unless `all`. */
static inline const char *found(const struct result *result, bool all)
{
	static char text[4096];

	text[0] = '\0';
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->findings[i];

		cr_assert(finding->summary && finding->n_evidence, "%s", finding->id);
		if (finding->verdict <= VERDICT_PASS && !all)
			continue;
		cr_assert(finding->remedy || finding->verdict <= VERDICT_PASS, "%s", finding->id);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %s %s",
			 text[0] ? "; " : "", strchr(finding->id, '/') + 1, finding->subject,
			 verdict_name(finding->verdict));
	}
	return text;
}

static inline const char *judge(const struct tree *tree, struct work_request request, bool all)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };

	run(&machine, tree, request, &result);
	return found(&result, all);
}
#define EXPECT(tree, request, wanted) cr_assert_str_eq(judge(tree, request, false), wanted)
#define EXPECT_ALL(tree, request, wanted) cr_assert_str_eq(judge(tree, request, true), wanted)
#define CYCLE ((struct work_request){ 0 })
#define SWAP_AB EXCHANGE("SERa", "SERb")
#define SWAP_BC EXCHANGE("SERb", "SERc")
#define STABLE_LINE "command-line-stable /proc/cmdline:1 pass"

#endif
