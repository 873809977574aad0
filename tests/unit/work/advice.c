/* SPDX-License-Identifier: MIT */
#include "work/advice.h"

#include <criterion/criterion.h>
#include <string.h>

#include "sata.h"
#include "work/advice_internal.h"

/* sdc, slow; sdb writes at `mb_s`; sda is the boot disk. */
#define FIGURES(mb_s)                                                                              \
	"{\"figures\": [{\"kind\": \"disk.write\", \"disk\": \"SERa\", \"mb_s\": [162, 152]}, "    \
	"{\"kind\": \"disk.write\", \"disk\": \"SERb\", \"mb_s\": [" mb_s "]}]}"

#define MAKE(tree)                                                                                 \
	AUTO_MACHINE machine = machine_open(tree);                                                 \
	CLEANUP(cleanup_advice) struct advice *advice = NULL;                                      \
	cr_assert_eq(advice_make(machine.facts, &advice, NULL), 0)

static const struct advice_option *with(const struct advice *advice, const char *other)
{
	for (size_t i = 0; i < advice->n_options; i++)
		if (advice->options[i].other != NULL &&
		    strcmp(advice->options[i].other->name, other) == 0)
			return &advice->options[i];
	cr_assert_fail("no option with %s", other);
	return NULL;
}

Test(advice, a_trade_that_spares_the_boot_disk)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	tree_file(&tree, "coldswap/measures.json", FIGURES("332, 333"));
	MAKE(&tree);
	const struct advice_option *a = with(advice, "sda"), *b = with(advice, "sdb");

	cr_assert_eq(advice->n_held, 1);
	cr_assert_eq(advice->held[0].cause, HELD_PORT);
	cr_assert_eq(advice->held[0].could_be, 3);
	cr_assert_eq(advice->action, ADVICE_SWAP);
	cr_assert_str_eq(advice->disks[0]->name, "sdc");
	cr_assert_str_eq(advice->disks[1]->name, "sdb");
	cr_assert(a->touches_boot && a->rejected && !a->advised);
	cr_assert(a->loses_known);
	cr_assert_float_eq(a->loses_mb_s, 0, 0.001);
	cr_assert_not_null(strstr(a->why, "boot disk"));
	cr_assert(b->advised && !b->touches_boot);
	cr_assert_float_eq(b->loses_mb_s, 33, 0.001);
	cr_assert_not_null(strstr(b->formula, "333 - ceiling 300"));
}

Test(advice, what_is_slower_than_the_ceiling_loses_nothing)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	tree_file(&tree, "coldswap/measures.json", FIGURES("250"));
	MAKE(&tree);

	cr_assert(with(advice, "sdb")->loses_known);
	cr_assert_float_eq(with(advice, "sdb")->loses_mb_s, 0, 0.001);
}

Test(advice, no_figure_no_claim)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	MAKE(&tree);

	cr_assert_not(with(advice, "sdb")->loses_known);
	cr_assert_not_null(strstr(with(advice, "sdb")->derived,
				  "not measured; the ceiling falls from 600 to 300"));
	cr_assert_eq(advice->action, ADVICE_SWAP);
}

/* A disk does not give way to one that writes less. */
Test(advice, the_busier_disk_keeps_its_port)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	tree_file(&tree, "proc/diskstats",
		  "8 16 sdb 1 2 3 4 5 6 900 8 9 10 11\n8 32 sdc 1 2 3 4 5 6 70 8 9 10 11\n");
	MAKE(&tree);

	cr_assert(with(advice, "sdb")->rejected);
	cr_assert_eq(advice->action, ADVICE_NONE);
	cr_assert_null(advice->disks[0]);
}

Test(advice, crc_errors_mean_the_cable)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	sata_smart(&tree, "sdc", "6.0", "3.0", 57);
	MAKE(&tree);

	cr_assert_eq(advice->held[0].cause, HELD_CABLE);
	cr_assert_eq(advice->n_options, 0);
	cr_assert_eq(advice->action, ADVICE_NONE);
}

Test(advice, a_limit_means_software)
{
	AUTO_TREE tree = sata_new(
		SATA_HELD "[    2.0] ata3: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");
	MAKE(&tree);

	cr_assert_eq(advice->held[0].cause, HELD_SOFTWARE);
	cr_assert_not(advice->held[0].deliberate);
}

Test(advice, a_limit_on_all_ports_is_deliberate)
{
	AUTO_TREE tree = sata_new(
		SATA_HELD "[    2.0] ata3: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");
	tree_file(&tree, "proc/cmdline", "ro libata.force=3.0Gbps quiet\n");
	MAKE(&tree);

	cr_assert(advice->held[0].deliberate);
}

Test(advice, nothing_told_of_crc_is_not_zero)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	char path[512];

	tree_path(&tree, "coldswap/smart/sdc.json", path);
	unlink(path);
	sata_identify(&tree, "dev3.0", 0x000e);
	MAKE(&tree);

	cr_assert_eq(advice->n_held, 1);
	cr_assert_eq(advice->held[0].cause, HELD_UNKNOWN);
	cr_assert_eq(advice->action, ADVICE_NONE);
}

Test(advice, a_slow_drive_is_not_held_back)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	sata_smart(&tree, "sdc", "3.0", "3.0", 0);
	MAKE(&tree);

	cr_assert_eq(advice->n_held, 0);
}

Test(advice, a_slow_controller_holds_nothing_back)
{
	AUTO_TREE tree = sata_new(SATA_START SATA_HEADER("3", "0x7") SATA_SLOW("1") SATA_SLOW("2")
					  SATA_SLOW("3"));
	MAKE(&tree);

	cr_assert_eq(advice->n_held, 0);
}

/* Chipsets give their first ports the higher speed. */
Test(advice, a_free_port_behind_the_slow_one_is_not_advised)
{
	AUTO_TREE tree = sata_new(SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2")
					  SATA_SLOW("3") SATA_DOWN("4", "0") SATA_DOWN("5", "0"));
	MAKE(&tree);

	for (size_t i = 0; i < advice->n_options; i++)
		if (advice->options[i].other == NULL)
			cr_assert(advice->options[i].rejected, "behind a slow port");
	cr_assert_eq(advice->action, ADVICE_SWAP);
}

Test(advice, a_free_port_before_the_slow_one_is_advised)
{
	AUTO_TREE tree = tree_new();
	machine_disk(&tree, 1, MACHINE_FS("a"));
	machine_port(&tree, 2);
	machine_disk(&tree, 3, MACHINE_FS("c"));
	tree_file(&tree, "sys/bus/pci/drivers/ahci/bind", "");
	tree_link(&tree, SATA_DEVICE "driver", "../../../bus/pci/drivers/ahci");
	tree_file(&tree, "proc/self/mountinfo", "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	tree_file(&tree, "proc/swaps", SATA_NO_SWAP);
	sata_smart(&tree, "sda", "6.0", "6.0", 0);
	sata_smart(&tree, "sdc", "6.0", "3.0", 0);
	tree_file(&tree, "coldswap/kernel.log",
		  SATA_START SATA_HEADER("6", "0x7") SATA_FAST("1") SATA_DOWN("2", "0")
			  SATA_SLOW("3"));
	MAKE(&tree);

	cr_assert_eq(advice->action, ADVICE_MOVE);
	cr_assert_str_eq(advice->disks[0]->name, "sdc");
	cr_assert_null(advice->disks[1]);
}

/* DUMMY, switched off, without a link: none of them is free. */
Test(advice, only_an_empty_port_is_free)
{
	AUTO_TREE tree = sata_new(SATA_START SATA_HEADER("6", "0xf") SATA_FAST("1") SATA_FAST("2")
					  SATA_SLOW("3") SATA_DOWN("4", "4"));
	MAKE(&tree);

	for (size_t i = 0; i < advice->n_options; i++)
		cr_assert_not_null(advice->options[i].other);
}

Test(advice, boot_disks)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	tree_file(&tree, "proc/swaps",
		  "Filename\tType\tSize\tUsed\tPriority\n/dev/sdc1 partition 1 0 -2\n");
	AUTO_MACHINE machine = machine_open(&tree);
	const struct portmap *map = sata_map(&machine);
	bool boot[3];

	for (unsigned i = 0; i < 3; i++)
		cr_assert_eq(disk_is_boot(machine.facts,
					  portmap_port(map, SATA_ADDRESS, i)->disks[0], &boot[i],
					  NULL),
			     0);
	cr_assert(boot[0], "/ is on it");
	cr_assert_not(boot[1], "/srv/b is no place of the system");
	cr_assert(boot[2], "the swap in use is on it");
}

/* A disk is no boot disk only when all was read that could make it one. */
static void boot_is_unknown(const struct tree *tree, bool root_known)
{
	MAKE(tree);
	const struct advice_option *a = with(advice, "sda"), *b = with(advice, "sdb");

	cr_expect_eq(advice->action, ADVICE_NONE);
	cr_expect_eq(a->touches_boot, root_known);
	cr_expect(a->rejected && !a->advised);
	cr_expect(b->boot_unknown && b->rejected && !b->advised && !b->touches_boot);
	cr_expect_not_null(strstr(b->why, "could not be read"));
	cr_expect_null(strstr(b->why, "no boot disk"));
}

Test(advice, what_hides_the_boot_disk_keeps_a_trade_back)
{
	AUTO_TREE swaps = sata_new(SATA_HELD);
	tree_file(&swaps, "coldswap/unreadable.tsv", "/proc/swaps\tEACCES\n");
	boot_is_unknown(&swaps, true);

	AUTO_TREE mounts = sata_new(SATA_HELD);
	tree_file(&mounts, "coldswap/unreadable.tsv", "/proc/self/mountinfo\tEACCES\n");
	boot_is_unknown(&mounts, false);
}

Test(advice, what_hides_the_boot_disk_keeps_a_move_back)
{
	AUTO_TREE tree = sata_new(SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2")
					  SATA_SLOW("3") SATA_DOWN("4", "0") SATA_DOWN("5", "0"));
	tree_file(&tree, "coldswap/unreadable.tsv", "/proc/swaps\tEACCES\n");
	MAKE(&tree);

	for (size_t i = 0; i < advice->n_options; i++) {
		cr_expect(advice->options[i].boot_unknown && advice->options[i].rejected);
		cr_expect_null(strstr(advice->options[i].why, "no other disk is touched"));
	}
	cr_expect_eq(advice->action, ADVICE_NONE);
}

Test(advice, libata_force)
{
	static const struct {
		const char *cmdline;
		bool all;
	} rows[] = {
		{ "ro libata.force=3.0Gbps quiet", true },
		{ "libata.force=1.5\n", true },
		{ "libata.force=noncq,3.0Gbps", true },
		{ "libata.force=2:3.0Gbps", false },
		{ "libata.force=2:noncq,3.0Gbps", false },
		{ "libata.force=noncq", false },
		{ "xlibata.force=3.0Gbps", false },
		{ "libata.force=", false },
		{ "libata.force=2:1.5Gbps libata.force=3.0Gbps", true },
		{ "", false },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++)
		cr_assert_eq(cmdline_limits_all_ports(rows[i].cmdline), rows[i].all, "%s",
			     rows[i].cmdline);
}
