/* SPDX-License-Identifier: MIT */
#include "work/placement.h"

#include <string.h>

#include "base/strv.h"
#include "machine.h"
#include "sys/images.h"

#define STATE "/var/lib/coldswap"

static struct placements judge(struct machine *machine, const char *path, enum placed_role role)
{
	const struct placed_path paths[] = { { role, path } };
	struct placements placements;

	cr_assert_eq(placement_judge(machine->facts, machine->work, paths, 1, &placements, NULL),
		     0);
	cr_assert_eq(placements.n, 1);
	cr_assert_eq(placements.worst, placements.items[0].fate);
	if (placements.worst == PLACEMENT_STAYS)
		cr_assert_null(placements.items[0].text);
	else
		cr_assert(strstr(placements.items[0].text, path) && placements.items[0].way_out);
	return placements;
}

static void expect(struct machine *machine, const char *path, enum placement_fate fate,
		   const char *words)
{
	CLEANUP(placements_done)
	struct placements placements = judge(machine, path, PLACED_STATE);

	cr_assert_eq(placements.worst, fate, "%s: %d", path, placements.worst);
	if (words)
		cr_assert(strstr(placements.items[0].text, words), "said: %s",
			  placements.items[0].text);
}

/* / on sda, /srv/b on sdb; /srv/link leads to it. */
static struct tree machine_of_places(void)
{
	struct tree tree = machine_new();

	tree_file(&tree, "srv/b/state/journal.db", "");
	tree_link(&tree, "srv/link", "b/state");
	tree_file(&tree, "var/lib/empty", "");
	return tree;
}

Test(placement, a_disk_that_stays_is_no_obstacle)
{
	AUTO_TREE tree = machine_of_places();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	expect(&machine, STATE, PLACEMENT_STAYS, NULL);
	WORK(&machine, EXCHANGE("SERa", "SERc"));
	expect(&machine, "/srv/b/state", PLACEMENT_STAYS, NULL);
}

Test(placement, a_disk_that_moves_is_refused_whatever_the_work_is)
{
	AUTO_TREE tree = machine_of_places();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	expect(&machine, "/srv/b/state", PLACEMENT_REFUSED, "another port");
	expect(&machine, "/srv/b/not/yet/there", PLACEMENT_REFUSED, "another port");
	expect(&machine, "/srv/link", PLACEMENT_REFUSED, "/srv/link");
	WORK(&machine, MOVE("SERb", "port 3"));
	expect(&machine, "/srv/b/state", PLACEMENT_REFUSED, "another port");
	WORK(&machine, REMOVE("SERb"));
	expect(&machine, "/srv/b/state", PLACEMENT_REFUSED, "takes out");
	WORK(&machine, REPLACE("SERb", "NEW1"));
	expect(&machine, "/srv/b/state", PLACEMENT_REFUSED, "replaces");
	WORK(&machine, machine_request(WORK_RECABLE, "SERb", NULL, NULL));
	expect(&machine, "/srv/b/state", PLACEMENT_REFUSED, "cable");
}

Test(placement, each_role_has_its_own_way_out)
{
	static const struct {
		enum placed_role role;
		const char *way_out;
	} cases[] = { { PLACED_STATE, "--state" },      { PLACED_PROGRAM, "Copy coldswap" },
		      { PLACED_LIBRARY, "system" },     { PLACED_RUNBOOK, "runbook" },
		      { PLACED_KUBECONFIG, "Copy it" }, { PLACED_COPY, "copy_to" } };
	AUTO_TREE tree = machine_of_places();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		CLEANUP(placements_done)
		struct placements placements = judge(&machine, "/srv/b/x", cases[i].role);

		cr_assert(strstr(placements.items[0].way_out, cases[i].way_out));
	}
}

Test(placement, the_root_disk_may_move_and_may_not_go)
{
	AUTO_TREE tree = machine_of_places();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERa", "SERc"));
	{
		CLEANUP(placements_done)
		struct placements placements = judge(&machine, STATE, PLACED_STATE);

		cr_assert_eq(placements.worst, PLACEMENT_RISKY);
		cr_assert(placements.on_moving_root);
		cr_assert(strstr(placements.items[0].way_out, "card"));
	}
	WORK(&machine, REMOVE("SERa"));
	expect(&machine, STATE, PLACEMENT_REFUSED, "takes out");
	WORK(&machine, REPLACE("SERa", "NEW1"));
	expect(&machine, STATE, PLACEMENT_REFUSED, "replaces");
}

/* sda1 and sdb1 are a mirror, which is /; /srv is a volume on sdc1. */
static struct tree machine_of_layers(const char *level)
{
	struct tree tree = tree_new();
	static const char member[] = "E:ID_FS_TYPE=linux_raid_member\nE:ID_FS_USAGE=raid\n";

	machine_disk(&tree, 1, member);
	machine_disk(&tree, 2, member);
	machine_disk(&tree, 3, "E:ID_FS_TYPE=LVM2_member\nE:ID_FS_USAGE=raid\n");
	machine_port(&tree, 4);
	disk_at(&tree, "virtual/block/md0", "9:0", "1000");
	disk_slave(&tree, "md0", PORT("1", "0") "sda/sda1");
	disk_slave(&tree, "md0", PORT("2", "1") "sdb/sdb1");
	tree_file(&tree, "sys/devices/virtual/block/md0/md/level", level);
	disk_at(&tree, "virtual/block/dm-0", "253:0", "1000");
	disk_slave(&tree, "dm-0", PORT("3", "2") "sdc/sdc1");
	tree_file(&tree, "proc/self/mountinfo",
		  "29 1 9:0 / / rw - ext4 /dev/md0 rw\n"
		  "30 29 253:0 / /srv rw - ext4 /dev/mapper/vg-srv rw\n"
		  "31 29 0:40 / /run rw - tmpfs tmpfs rw\n"
		  "32 29 0:41 / /net rw - nfs4 nas:/x rw\n"
		  "33 29 0:42 / /odd rw - overlay overlay rw\n");
	return tree;
}

Test(placement, volumes_and_arrays_are_looked_through)
{
	AUTO_TREE tree = machine_of_layers("raid1\n");
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, MOVE("SERc", "port 3"));
	expect(&machine, "/srv/x", PLACEMENT_REFUSED, "SERc");
	expect(&machine, STATE, PLACEMENT_STAYS, NULL);
}

Test(placement, a_mirror_comes_up_without_one_half_and_not_without_both)
{
	AUTO_TREE tree = machine_of_layers("raid1\n");
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	expect(&machine, STATE, PLACEMENT_STAYS, NULL);
	WORK(&machine, REPLACE("SERb", "NEW1"));
	expect(&machine, STATE, PLACEMENT_STAYS, NULL);
	WORK(&machine, EXCHANGE("SERa", "SERb"));
	expect(&machine, STATE, PLACEMENT_RISKY, "another port");
}

Test(placement, stripes_need_every_member)
{
	AUTO_TREE tree = machine_of_layers("raid0\n");
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, REMOVE("SERb"));
	expect(&machine, STATE, PLACEMENT_REFUSED, "SERb");
	WORK(&machine, MOVE("SERb", "port 3"));
	expect(&machine, STATE, PLACEMENT_RISKY, "SERb");
}

Test(placement, memory_other_machines_and_what_is_not_known)
{
	AUTO_TREE tree = machine_of_layers("raid1\n");
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	expect(&machine, "/run/x", PLACEMENT_REFUSED, "memory");
	expect(&machine, "/net/x", PLACEMENT_RISKY, "nas:/x");
	expect(&machine, "/odd/x", PLACEMENT_UNKNOWN, "cannot be told");
	{
		CLEANUP(placements_done)
		struct placements placements = judge(&machine, "/run/book.yaml", PLACED_RUNBOOK);

		cr_assert_eq(placements.worst, PLACEMENT_RISKY);
		cr_assert_not(placements.on_moving_root);
	}
}

Test(placement, a_power_cycle_asks_only_for_what_outlives_the_power)
{
	AUTO_TREE tree = machine_of_layers("raid1\n");
	AUTO_MACHINE machine = machine_open(&tree);

	cr_assert_eq(work_resolve(machine.facts, NULL, 0, &machine.work, NULL), 0);
	expect(&machine, "/srv/x", PLACEMENT_STAYS, NULL);
	expect(&machine, "/odd/x", PLACEMENT_STAYS, NULL);
	expect(&machine, "/run/x", PLACEMENT_REFUSED, "memory");
}

Test(placement, the_libraries_of_one_mount_are_one)
{
	static const struct placed_path paths[] = { { PLACED_LIBRARY, "/srv/b/lib1.so" },
						    { PLACED_LIBRARY, "/srv/b/lib2.so" },
						    { PLACED_LIBRARY, "/usr/lib/libc.so.6" },
						    { PLACED_RUNBOOK, "/srv/b/x.yaml" } };
	AUTO_TREE tree = machine_of_places();
	AUTO_MACHINE machine = machine_open(&tree);
	CLEANUP(placements_done) struct placements placements = { 0 };

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	cr_assert_eq(placement_judge(machine.facts, machine.work, paths, ELEMENTS(paths),
				     &placements, NULL),
		     0);
	cr_assert_eq(placements.n, 3);
	cr_assert_eq(placements.items[0].fate, PLACEMENT_REFUSED);
	cr_assert_eq(placements.items[1].fate, PLACEMENT_STAYS);
	cr_assert_eq(placements.items[2].fate, PLACEMENT_REFUSED);
}

Test(placement, a_host_without_a_list_of_mounts_is_an_error)
{
	static const struct placed_path paths[] = { { PLACED_STATE, STATE } };
	AUTO_TREE tree = machine_of_places();
	AUTO_MACHINE machine = machine_open(&tree);
	struct placements placements;
	char path[512];

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	tree_path(&tree, "proc/self/mountinfo", path);
	cr_assert_eq(remove(path), 0);
	cr_assert_lt(placement_judge(machine.facts, machine.work, paths, 1, &placements, NULL), 0);
}

Test(placement, a_process_knows_its_program_and_libraries)
{
	AUTO_STRV char **images = NULL;
	bool libc = false;

	cr_assert_eq(process_images(&images, NULL), 0);
	cr_assert(strstr(images[0], "placement"), "the first is %s", images[0]);
	for (char **image = images; *image; image++) {
		cr_assert_eq(**image, '/');
		libc |= strstr(*image, "libc.so") || strstr(*image, "libc-");
	}
	cr_assert(libc);
}
