/* SPDX-License-Identifier: MIT */
/*
 * names.fstab over a hostile /etc/fstab on a small host: two SATA disks that
 * trade ports, one with the root, one with data and swap; a tag borne twice.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "probe/facts.h"
#include "runbook.h"
#include "step.h"
#include "work/work.h"

#define PORT(n)                                                                                    \
	"sys/devices/pci0000:00/0000:00:17.0/ata" #n "/host" #n "/target" #n ":0:0/" #n            \
	":0:0:0/block/"
#define DISK_A PORT(1) "sda"
#define DISK_B PORT(2) "sdb"

static const struct {
	const char *path, *text;
} tree[] = {
	{ DISK_A "/dev", "8:0\n" },
	{ DISK_A "/size", "1000000\n" },
	{ DISK_A "/sda1/dev", "8:1\n" },
	{ DISK_A "/sda1/partition", "1\n" },
	{ DISK_A "/sda1/size", "900000\n" },
	{ DISK_B "/dev", "8:16\n" },
	{ DISK_B "/size", "1000000\n" },
	{ DISK_B "/sdb1/dev", "8:17\n" },
	{ DISK_B "/sdb1/partition", "1\n" },
	{ DISK_B "/sdb1/size", "900000\n" },
	{ DISK_B "/sdb2/dev", "8:18\n" },
	{ DISK_B "/sdb2/partition", "2\n" },
	{ DISK_B "/sdb2/size", "90000\n" },
	{ "sys/devices/pci0000:00/0000:00:17.0/ata1/ata_port/ata1/port_no", "1\n" },
	{ "sys/devices/pci0000:00/0000:00:17.0/ata2/ata_port/ata2/port_no", "2\n" },
	{ "run/udev/data/b8:0",
	  "S:disk/by-id/ata-A_1\nE:ID_BUS=ata\nE:ID_MODEL=A\nE:ID_SERIAL_SHORT=1\n"
	  "E:ID_WWN=0x5000c50000000001\nE:ID_PATH=pci-0000:00:17.0-ata-1\n" },
	{ "run/udev/data/b8:1", "S:disk/by-uuid/aaaa\nS:disk/by-path/pci-0000:00:17.0-ata-1-part1\n"
				"E:ID_FS_UUID=aaaa\nE:ID_FS_TYPE=ext4\nE:ID_FS_LABEL=root\n"
				"E:ID_PATH=pci-0000:00:17.0-ata-1\n" },
	{ "run/udev/data/b8:16",
	  "S:disk/by-id/ata-B_2\nE:ID_BUS=ata\nE:ID_MODEL=B\nE:ID_SERIAL_SHORT=2\n"
	  "E:ID_WWN=0x5000c50000000002\nE:ID_PATH=pci-0000:00:17.0-ata-2\n" },
	{ "run/udev/data/b8:17",
	  "S:disk/by-uuid/bbbb\nS:disk/by-path/pci-0000:00:17.0-ata-2-part1\n"
	  "E:ID_FS_UUID=bbbb\nE:ID_FS_TYPE=btrfs\nE:ID_FS_LABEL=twice\n"
	  "E:ID_PATH=pci-0000:00:17.0-ata-2\n" },
	{ "run/udev/data/b8:18", "E:ID_FS_UUID=cccc\nE:ID_FS_TYPE=swap\nE:ID_FS_LABEL=twice\n" },
	{ "proc/self/mountinfo", "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
				 "22 21 8:17 / /data rw - btrfs /dev/sdb1 rw\n" },
	{ "proc/swaps", "Filename Type Size Used Priority\n/dev/sdb2 partition 45000 0 -2\n" },
	{ "coldswap/kernel.log", "[    0.000000] Linux version 6.1.0\n" },
};

static const struct {
	const char *path, *target;
} links[] = {
	{ "sys/class/block/sda", "../../../" DISK_A },
	{ "sys/class/block/sda1", "../../../" DISK_A "/sda1" },
	{ "sys/class/block/sdb", "../../../" DISK_B },
	{ "sys/class/block/sdb1", "../../../" DISK_B "/sdb1" },
	{ "sys/class/block/sdb2", "../../../" DISK_B "/sdb2" },
	{ "sys/class/ata_port/ata1", "../../devices/pci0000:00/0000:00:17.0/ata1/ata_port/ata1" },
	{ "sys/class/ata_port/ata2", "../../devices/pci0000:00/0000:00:17.0/ata2/ata_port/ata2" },
	{ "dev/disk/by-uuid/aaaa", "../../sda1" },
	{ "dev/disk/by-uuid/bbbb", "../../sdb1" },
	{ "dev/disk/by-path/pci-0000:00:17.0-ata-1-part1", "../../sda1" },
	{ "dev/disk/by-path/pci-0000:00:17.0-ata-2-part1", "../../sdb1" },
};

static char root[64];

static void remove_root(void)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	if (system(command) != 0)
		perror(root);
}

static void make_parents(char *path)
{
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static void write_file(const char *name, const void *bytes, size_t len)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	make_parents(path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	close(fd);
}

static void make_root(void)
{
	char path[512];

	snprintf(root, sizeof(root), "%s/coldswap-fuzz-XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	MUST(mkdtemp(root));
	atexit(remove_root);
	for (size_t i = 0; i < ELEMENTS(tree); i++)
		write_file(tree[i].path, tree[i].text, strlen(tree[i].text));
	for (size_t i = 0; i < ELEMENTS(links); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, links[i].path);
		make_parents(path);
		MUST(symlink(links[i].target, path) == 0);
	}
}

static void judge(struct facts *facts, struct host *host)
{
	static const volatile sig_atomic_t not_cancelled;
	const struct kind *kind = kind_find("names.fstab");
	const struct block *a = NULL, *b = NULL;
	CLEANUP(cleanup_work) struct work *work = NULL;
	struct step step = { .id = "fuzz",
			     .host = host,
			     .facts = facts,
			     .cancelled = &not_cancelled,
			     .deadline_us = UINT64_MAX };
	const struct runbook_value *values[16] = { NULL };
	AUTO_FREE void *params = calloc(1, kind->params_size + 1);
	struct result result;

	MUST(params && params_parse(kind, values, params, NULL) == 0);
	MUST(facts_find_disk(facts, "sda", &a, NULL) == 0);
	MUST(facts_find_disk(facts, "sdb", &b, NULL) == 0);
	MUST(work_advised(facts, a, b, &work, NULL) == 0);
	step.work = work;
	result_init(&result, kind);
	MUST(kind->run(&step, params, &result, NULL) == 0);
	MUST(!result.failed);
	for (size_t i = 0; i < result.n_findings; i++)
		if (result.findings[i].verdict > VERDICT_PASS)
			MUST(result.findings[i].n_evidence && result.findings[i].remedy &&
			     result.findings[i].summary);
	result_done(&result);
	params_done(kind, params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;

	if (!root[0])
		make_root();
	write_file("etc/fstab", data, size);
	MUST(host_open(root, &host, NULL) == 0);
	MUST(facts_new(host, &facts, NULL) == 0);
	judge(facts, host);
	return 0;
}
