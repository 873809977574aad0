/* SPDX-License-Identifier: MIT */
/* What would be released, over trees; what happens then is tests/release/run's. */
#include "step/mount_release.h"
#include "machine.h"
#include "step/kinds.h"

#define ROOT_LINE "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"

static struct tree tree;
static struct machine machine;

static void setup(void)
{
	tree = machine_new();
}

static void teardown(void)
{
	machine_done(&machine);
	tree_done(&tree);
}

TestSuite(mount_release, .init = setup, .fini = teardown);

static void foresee(char **mounts, struct result *ret)
{
	struct mount_release_params params = { .mounts = mounts };
	const volatile sig_atomic_t cancelled = 0;
	struct step step = { .id = "release", .cancelled = &cancelled };

	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	step.host = machine.host;
	step.facts = machine.facts;
	step.work = machine.work;
	result_init(ret, &kind_mount_release);
	cr_assert_eq(kind_mount_release.foresee(&step, &params, ret, NULL), 0);
	cr_expect_eq(ret->failed, 0);
}

static const struct finding *find(const struct result *result, const char *id, enum verdict verdict)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(strchr(result->findings[i].id, '/') + 1, id) == 0) {
			cr_expect_eq(result->findings[i].verdict, verdict);
			cr_expect_geq(result->findings[i].n_evidence, 1);
			return &result->findings[i];
		}
	cr_assert_fail("no finding %s", id);
	return NULL;
}

static char **named(const char *mount)
{
	static char text[64];
	static char *mounts[2] = { text };

	snprintf(text, sizeof(text), "%s", mount);
	return mounts;
}

Test(mount_release, the_disks_of_the_work_by_default)
{
	CLEANUP(result_done) struct result result;

	foresee(NULL, &result);
	cr_expect(strstr(find(&result, "would-release", VERDICT_PASS)->summary, "sdb1"));
}

Test(mount_release, the_root_stays)
{
	CLEANUP(result_done) struct result result;

	foresee(named("/"), &result);
	find(&result, "needed", VERDICT_FAIL);
}

Test(mount_release, memory_has_no_device)
{
	CLEANUP(result_done) struct result result;

	tree_file(&tree, "proc/self/mountinfo", ROOT_LINE "31 29 0:40 / /srv/t rw - tmpfs t rw\n");
	foresee(named("/srv/t"), &result);
	find(&result, "no-device", VERDICT_FAIL);
}

Test(mount_release, nothing_is_mounted_there)
{
	CLEANUP(result_done) struct result result;

	foresee(named("/srv/x"), &result);
	find(&result, "not-mounted", VERDICT_FAIL);
}

Test(mount_release, a_pool_names_all_its_members)
{
	CLEANUP(result_done) struct result result;

	tree_file(&tree, "proc/self/mountinfo",
		  ROOT_LINE "31 29 0:40 /@ /srv/p rw - btrfs /dev/sdb1 rw\n");
	tree_file(&tree, "sys/fs/btrfs/UUID/devices/sdb1", "");
	tree_file(&tree, "sys/fs/btrfs/UUID/devices/sdc1", "");
	foresee(named("/srv/p"), &result);
	cr_expect(strstr(find(&result, "would-release", VERDICT_PASS)->summary, "sdb1, sdc1"));
}

Test(mount_release, a_pool_that_is_not_told_is_unknown)
{
	CLEANUP(result_done) struct result result;

	tree_file(&tree, "proc/self/mountinfo",
		  ROOT_LINE "31 29 0:40 /@ /srv/p rw - btrfs /dev/sdb1 rw\n");
	foresee(named("/srv/p"), &result);
	find(&result, "not-told", VERDICT_UNKNOWN);
}

/* The mapped device, not what lies below it. */
Test(mount_release, a_volume_is_judged_on_the_mapped_device)
{
	CLEANUP(result_done) struct result result;

	disk_at(&tree, "virtual/block/dm-0", "254:0", "2048");
	disk_slave(&tree, "dm-0",
		   "pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb/sdb1");
	tree_file(&tree, "proc/self/mountinfo",
		  ROOT_LINE "31 29 254:0 / /srv/v rw - xfs /dev/mapper/v rw\n");
	foresee(named("/srv/v"), &result);
	cr_expect(strstr(find(&result, "would-release", VERDICT_PASS)->summary, "dm-0"));
}

Test(mount_release, a_mount_on_it_stays)
{
	CLEANUP(result_done) struct result result;

	tree_file(&tree, "proc/self/mountinfo",
		  ROOT_LINE "30 29 8:17 / /srv/b rw - ext4 /dev/sdb1 rw\n"
			    "31 30 0:40 / /srv/b/t rw - tmpfs t rw\n");
	foresee(NULL, &result);
	find(&result, "nested", VERDICT_FAIL);
}
