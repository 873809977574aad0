/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "machine.h"
#include "step/kinds.h"

#define BY_PATH "/dev/disk/by-path/pci-0000:00:1f.2-ata-"
#define B "UUID=" MACHINE_UUID("b")
#define C "UUID=" MACHINE_UUID("c")
#define ROOT "UUID=" MACHINE_UUID("a") " / ext4 defaults 0 1\n"

struct names_fstab_params {
	char **disks;
};

/* `disk`: the key of one to count as worked on, or NULL. */
static int run_step(struct machine *machine, const char *disk, struct result *ret,
		    struct error *err)
{
	static const volatile sig_atomic_t cancelled;
	const struct step step = { .id = "test",
				   .cancelled = &cancelled,
				   .host = machine->host,
				   .facts = machine->facts,
				   .work = machine->work };
	AUTO_STRV char **disks = NULL;

	if (disk)
		cr_assert_eq(strv_add(&disks, disk), 0);
	result_init(ret, &kind_names_fstab);
	return kind_names_fstab.run(&step, &(struct names_fstab_params){ disks }, ret, err);
}

/* Run the kind on /etc/fstab = `fstab` (NULL: as it is) with sdb and sdc exchanged. */
static void run(struct machine *machine, const struct tree *tree, const char *fstab,
		struct result *ret)
{
	if (fstab)
		tree_file(tree, "etc/fstab", fstab);
	*machine = machine_open(tree);
	WORK(machine, EXCHANGE("SERb", "SERc"));
	cr_assert_eq(run_step(machine, NULL, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
	cr_assert_not_null(ret->summary);
}

/* What was found besides good news, as "ID SUBJECT VERDICT; ..." */
static const char *found(const struct result *result)
{
	static char text[2048];

	text[0] = '\0';
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->findings[i];

		if (finding->verdict == VERDICT_PASS)
			continue;
		cr_assert(finding->summary && finding->remedy && finding->n_evidence, "%s",
			  finding->id);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %s %s",
			 text[0] ? "; " : "", strchr(finding->id, '/') + 1, finding->subject,
			 verdict_name(finding->verdict));
	}
	return text;
}

static const char *judge(const struct tree *tree, const char *fstab)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };

	run(&machine, tree, fstab, &result);
	return found(&result);
}

#define EXPECT(fstab, wanted)                                                                      \
	({                                                                                         \
		AUTO_TREE tree_ = machine_new();                                                   \
		cr_assert_str_eq(judge(&tree_, fstab), wanted);                                    \
	})

Test(names_fstab, entries_that_survive_pass)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };
	AUTO_TREE tree = machine_new();

	run(&machine, &tree,
	    "# /dev/sdb1 was here\n" ROOT B " /srv/b ext4 nofail 0 2\n"
	    "LABEL=gone /mnt/usb ext4 noauto 0 0\n"
	    "nas:/x /srv/x nfs _netdev 0 0\n/srv/b/w /var/www none bind 0 0\n"
	    "overlay /m overlay lowerdir=/srv/b 0 0\ntmpfs /tmp tmpfs defaults 0 0\n"
	    "tank/home /home zfs defaults 0 0\n/swapfile none swap sw 0 0\n"
	    "/img /mnt/i ext4 loop 0 0\n/dev/sr0 /media/cdrom0 udf,iso9660 user,noauto 0 0\n",
	    &result);
	cr_assert_str_eq(found(&result), "");
	cr_assert_eq(result.verdict, VERDICT_PASS);
	cr_assert(strstr(result.summary, "11 entries read; each means the same device"));
	cr_assert_eq(result.outputs[0].value.integer, 11);
}

/* A root on a disk, and what else is mounted. */
#define MOUNTS(more)                                                                               \
	"29 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 29 0:25 / /run rw - tmpfs tmpfs rw\n"             \
	"31 29 8:1 /srv /mnt rw - ext4 /dev/sda1 rw\n" more
#define DATA "32 29 8:17 / /data rw - ext4 /dev/sdb1 rw\n"

/* The verdict with `fstab` (NULL: none), and what was found besides good news. */
static enum verdict judge_bare(const struct tree *tree, const char *fstab, const char *wanted)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };
	char path[4096];

	tree_path(tree, "etc/fstab", path);
	unlink(path);
	run(&machine, tree, fstab, &result);
	cr_assert_str_eq(found(&result), wanted);
	return result.verdict;
}

Test(names_fstab, without_entries_and_with_the_root_alone)
{
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "proc/self/mountinfo", MOUNTS(""));
	cr_assert_eq(judge_bare(&tree, "# nothing yet\n", ""), VERDICT_PASS);
	cr_assert_eq(judge_bare(&tree, NULL, ""), VERDICT_SKIP);
}

Test(names_fstab, without_entries_the_mounts_of_disks_are_not_known)
{
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "proc/self/mountinfo", MOUNTS(DATA));
	cr_assert_eq(judge_bare(&tree, "", "unlisted-mount /data unknown"), VERDICT_UNKNOWN);
	cr_assert_eq(judge_bare(&tree, NULL, "unlisted-mount /data unknown"), VERDICT_UNKNOWN);
}

Test(names_fstab, a_mount_unit_is_judged_in_place_of_an_entry)
{
	static const char unit[] = "etc/systemd/system/data.mount";
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "proc/self/mountinfo", MOUNTS(DATA));
	tree_file(&tree, unit, "[Mount]\nWhat=" B "\nWhere=/data\n");
	cr_assert_eq(judge_bare(&tree, NULL, ""), VERDICT_PASS);
	tree_file(&tree, unit, "[Mount]\nWhat = /dev/sdb1 \nWhere=/data\n");
	cr_assert_eq(judge_bare(&tree, NULL, "kernel-name /etc/systemd/system/data.mount:2 fail"),
		     VERDICT_FAIL);
	tree_file(&tree, unit, "[Mount]\nWhere=/data\n");
	cr_assert_eq(judge_bare(&tree, NULL, "unlisted-mount /data unknown"), VERDICT_UNKNOWN);
}

Test(names_fstab, a_partition_is_found_by_its_type_on_the_disk_of_the_root)
{
	static const char home[] = "32 29 8:2 / /home rw - ext4 /dev/sda2 rw\n";
	AUTO_TREE tree = machine_new();

	disk_part(&tree, "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda/sda2",
		  "2", "8:2");
	disk_udev(&tree, "8:2",
		  "E:ID_FS_TYPE=ext4\nE:ID_PART_ENTRY_TYPE=933ac7e1-2eb4-4f13-b844-0e14e2aef915\n");
	AUTO_BUF mounts = BUF_INIT;
	buf_addf(&mounts, "%s%s", MOUNTS(""), home);
	tree_file(&tree, "proc/self/mountinfo", buf_text(&mounts));
	cr_assert_eq(judge_bare(&tree, NULL, "unlisted-mount /home unknown"), VERDICT_UNKNOWN);
	tree_file(&tree,
		  "sys/firmware/efi/efivars/"
		  "LoaderDevicePartUUID-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f",
		  "x");
	cr_assert_eq(judge_bare(&tree, NULL, ""), VERDICT_PASS);
}

Test(names_fstab, disks_that_are_named_count_as_worked_on)
{
	static const struct {
		const char *options, *plain, *named;
	} rows[] = {
		{ "defaults", "", "no-nofail /etc/fstab:2 warn" },
		{ "nofail", "", "nofail-unguarded /etc/fstab:2 fail" },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		CLEANUP(result_done) struct result plain, named;
		AUTO_MACHINE machine = { 0 };
		AUTO_TREE tree = machine_new();
		char fstab[256];

		machine_disk(&tree, 5, MACHINE_FS("e"));
		if (i)
			tree_file(&tree, "etc/systemd/system/db.service",
				  "[Service]\nExecStart=/bin/db /srv/e/x\n");
		snprintf(fstab, sizeof(fstab), ROOT "UUID=" MACHINE_UUID("e") " /srv/e ext4 %s\n",
			 rows[i].options);
		run(&machine, &tree, fstab, &plain);
		cr_assert_str_eq(found(&plain), rows[i].plain);
		cr_assert_eq(run_step(&machine, "0x500000000000000e", &named, NULL), 0);
		cr_assert_str_eq(found(&named), rows[i].named);
	}
}

Test(names_fstab, a_disk_of_the_work_named_again_keeps_its_work)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "etc/fstab", ROOT BY_PATH "2-part1 /srv/b ext4 nofail\n");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	cr_assert_eq(run_step(&machine, "0x500000000000000b", &result, NULL), 0);
	cr_assert_str_eq(found(&result), "by-path-other-disk /etc/fstab:2 fail");
}

Test(names_fstab, a_disk_that_is_not_here_is_an_error)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "etc/fstab", ROOT);
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	cr_assert_eq(run_step(&machine, "0xdead", &result, &err), -ENOENT);
	cr_assert(strstr(error_text(&err), "0xdead"));
}

Test(names_fstab, kernel_names_by_what_they_are_for)
{
	EXPECT("/dev/sda1 / ext4 defaults 0 1\n", "kernel-name /etc/fstab:1 fail");
	EXPECT(ROOT "/dev/sdb1\t/srv/b\text4\tdefaults\r\n", "kernel-name /etc/fstab:2 fail");
	EXPECT(ROOT "/dev/sdb /srv/b ext4 nofail\n", "kernel-name /etc/fstab:2 warn");
	EXPECT(ROOT "/dev/sdb1 /srv/b ext4 noauto\n", "kernel-name /etc/fstab:2 warn");
	EXPECT(ROOT "/dev/sdb1 /srv/b ext4 x-systemd.automount\n", "kernel-name /etc/fstab:2 warn");
	EXPECT(ROOT "/dev/sdb1 /usr/local ext4 nofail\n", "kernel-name /etc/fstab:2 warn");
	EXPECT(ROOT "/dev/sdb1 /usr ext4 nofail\n", "kernel-name /etc/fstab:2 fail");
	EXPECT(ROOT "/dev/sdb2 none swap sw\n", "swap-kernel-name /etc/fstab:2 warn");
	EXPECT(ROOT "/dev/dm-1 /home ext4 defaults\n", "dm-number /etc/fstab:2 fail");
}

Test(names_fstab, a_silent_change_fails_in_spite_of_nofail)
{
	EXPECT(ROOT BY_PATH "2-part1 /srv/b ext4 nofail\n", "by-path-other-disk /etc/fstab:2 fail");
	EXPECT(ROOT BY_PATH "2-part1 /srv/b ext4 noauto\n", "by-path-other-disk /etc/fstab:2 fail");
	EXPECT(BY_PATH "1-part1 / ext4 defaults\n", "");
}

Test(names_fstab, duplicates_name_the_copy_once)
{
	AUTO_TREE tree = machine_new();

	machine_udev(&tree, 3, 1, MACHINE_FS("b"));
	cr_assert_str_eq(judge(&tree, ROOT B " /srv/b btrfs nofail,subvol=a\n" B
					     " /srv/c btrfs nofail,subvol=b\n"),
			 "duplicate-tag /etc/fstab:2 fail; duplicate-device /dev/sdc1 fail; "
			 "duplicate-tag /etc/fstab:3 fail");
}

Test(names_fstab, a_required_disk_of_the_work_stops_the_boot)
{
	EXPECT(ROOT B " /srv/b ext4 defaults\n", "no-nofail /etc/fstab:2 warn");
	EXPECT(ROOT B " /srv/b ext4 nofail\n", "");
	EXPECT(ROOT B " /srv/b ext4 x-systemd.automount\n", "");
	EXPECT(ROOT B " none swap sw\n", "");
	EXPECT(ROOT B " /var ext4 defaults\n", "");
	EXPECT(ROOT "UUID=" MACHINE_UUID("a") " /home btrfs subvol=home\n", "");
	EXPECT(B " / btrfs subvol=root\n" B " /home btrfs subvol=home\n", "");
	EXPECT(B " / ext4 defaults\n" C " /srv/c ext4 defaults\n", "no-nofail /etc/fstab:2 warn");
}

Test(names_fstab, nofail_is_dangerous_where_something_does_not_wait)
{
	static const char fstab[] = ROOT B " /srv/b ext4 nofail\n";
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "etc/systemd/system/db.service",
		  "[Service]\nExecStart=/bin/db /srv/b/x\n");
	cr_assert_str_eq(judge(&tree, fstab), "nofail-unguarded /etc/fstab:2 fail");
	cr_assert_str_eq(judge(&tree, ROOT B " /srv/b ext4 defaults\n"), "",
			 "there the stop is what keeps it from starting");
	cr_assert_str_eq(judge(&tree, ROOT B " /srv/b ext4 nofail,x-systemd.automount\n"), "");
	tree_file(&tree, "etc/systemd/system/db.service.d/w.conf",
		  "[Unit]\nRequiresMountsFor=/srv/b\n");
	cr_assert_str_eq(judge(&tree, fstab), "");
}

Test(names_fstab, what_is_quoted_is_what_is_at_fault)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };
	AUTO_TREE tree = machine_new();
	const struct finding *finding;

	tree_file(&tree, "etc/systemd/system/db.service",
		  "[Service]\nExecStart=/bin/db /srv/b/x\n");
	run(&machine, &tree, ROOT B "  /srv/b ext4 nofail 0 2\n", &result);
	finding = &result.findings[0];
	cr_assert_str_eq(finding->evidence[0].source, "/etc/fstab:2");
	cr_assert_str_eq(finding->evidence[0].observed, "/srv/b ext4 nofail 0 2");
	cr_assert_str_eq(finding->evidence[1].source, "/etc/systemd/system/db.service:2");
	cr_assert_str_eq(finding->evidence[1].observed, "ExecStart=/bin/db /srv/b/x");
}

Test(names_fstab, a_mount_below_one_that_may_be_missing)
{
	EXPECT(ROOT B " /srv ext4 nofail\nUUID=" MACHINE_UUID("a") " /srv/x ext4 defaults\n",
	       "mount-below-moved /etc/fstab:3 warn");
	EXPECT(ROOT B " /srv ext4 nofail\nUUID=" MACHINE_UUID("a") " /srv/x ext4 nofail\n", "");
	EXPECT(ROOT B " /srv ext4 nofail\ntmpfs /srv/x tmpfs defaults\n", "");
}

Test(names_fstab, options_that_name_devices)
{
	EXPECT(ROOT C " /p btrfs device=/dev/sdb,device=/dev/sdc,nofail\n",
	       "btrfs-device-option /etc/fstab:2 warn");
	EXPECT(ROOT C " /p btrfs device=/dev/disk/by-id/ata-MODEL_SERb,nofail\n", "");
	EXPECT(ROOT C " /p xfs logdev=/dev/sdb1,nofail\n", "device-option /etc/fstab:2 warn");
	EXPECT(ROOT C " /p btrfs degraded,nofail\n", "");
}

Test(names_fstab, arrays)
{
	static const char fstab[] = ROOT "/dev/md127 /srv/m ext4 defaults\n";
	AUTO_TREE tree = machine_new();

	disk_at(&tree, "virtual/block/md127", "9:127", "1000");
	disk_slave(&tree, "md127", PORT("1", "0") "sda/sda1");
	disk_udev(&tree, "9:127", "E:MD_UUID=0:0:0:1\n");
	cr_assert_str_eq(judge(&tree, fstab), "md-unlisted /etc/fstab:2 warn");
	disk_at(&tree, "virtual/block/md126", "9:126", "1000");
	disk_slave(&tree, "md126", PORT("2", "1") "sdb/sdb1");
	disk_udev(&tree, "9:126", "E:MD_UUID=0:0:0:2\n");
	tree_file(&tree, "etc/mdadm/mdadm.conf", "\nDEVICE partitions\n");
	cr_assert_str_eq(judge(&tree, fstab), "md-unlisted /etc/fstab:2 fail; "
					      "md-no-array-lines /etc/mdadm/mdadm.conf:2 warn");
	tree_file(&tree, "etc/mdadm/mdadm.conf", "ARRAY /dev/md127 UUID=0:0:0:1\n");
	cr_assert_str_eq(judge(&tree, fstab), "");
}

Test(names_fstab, lines_and_devices_that_are_not_there)
{
	EXPECT(ROOT "nonsense\n", "malformed-line /etc/fstab:2 fail");
	EXPECT(ROOT "UUID=gone /x ext4 defaults\n", "absent-device /etc/fstab:2 fail");
	EXPECT(ROOT "UUID=gone /x ext4 nofail\n", "absent-device /etc/fstab:2 warn");
	EXPECT(ROOT "UUID=gone /x ext4 noauto\n", "");
	EXPECT(ROOT "LABEL=my\\040disk /x ext4 nofail\n", "absent-device /etc/fstab:2 warn");
}
