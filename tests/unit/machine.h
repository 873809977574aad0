/* SPDX-License-Identifier: MIT */
/* A machine with SATA disks for tests of the planned work: sda on port 0, sdb on port 1, ... */
#ifndef COLDSWAP_TESTS_MACHINE_H
#define COLDSWAP_TESTS_MACHINE_H

#include <criterion/criterion.h>

#include "disks.h"
#include "probe/facts.h"
#include "work/work.h"

#define MACHINE_UUID(letter) "0000000" letter "-1111-4222-8333-444444444444"

static inline void machine_port(const struct tree *tree, unsigned ata)
{
	char path[256], text[16];

	snprintf(path, sizeof(path),
		 "sys/devices/pci0000:00/0000:00:1f.2/ata%u/ata_port/ata%u/port_no", ata, ata);
	snprintf(text, sizeof(text), "%u\n", ata);
	tree_file(tree, path, text);
	snprintf(path, sizeof(path), "sys/class/ata_port/ata%u", ata);
	snprintf(text, sizeof(text), "%u", ata);
	{
		char target[256];

		snprintf(target, sizeof(target),
			 "../../devices/pci0000:00/0000:00:1f.2/ata%u/ata_port/ata%u", ata, ata);
		tree_link(tree, path, target);
	}
}

static inline void machine_udev(const struct tree *tree, unsigned ata, unsigned part,
				const char *extra)
{
	char letter = (char)('a' + ata - 1), devno[16], text[2048], suffix[16] = "";
	unsigned minor = (ata - 1) * 16 + part;

	if (part)
		snprintf(suffix, sizeof(suffix), "-part%u", part);
	snprintf(devno, sizeof(devno), "8:%u", minor);
	snprintf(text, sizeof(text),
		 "S:disk/by-id/ata-MODEL_SER%c%s\nS:disk/by-id/wwn-0x500000000000000%c%s\n"
		 "S:disk/by-path/pci-0000:00:1f.2-ata-%u%s\n"
		 "S:disk/by-path/pci-0000:00:1f.2-ata-%u.0%s\n"
		 "E:ID_BUS=ata\nE:ID_MODEL=MODEL\nE:ID_SERIAL=MODEL_SER%c\n"
		 "E:ID_SERIAL_SHORT=SER%c\nE:ID_WWN=0x500000000000000%c\n%s",
		 letter, suffix, letter, suffix, ata, suffix, ata, suffix, letter, letter, letter,
		 extra);
	disk_udev(tree, devno, text);
}

/* Disk sdX on port ata - 1, with partition 1; `fs` are udev lines of the partition. */
static inline void machine_disk(const struct tree *tree, unsigned ata, const char *fs)
{
	char path[256], name[8], part[300], devno[16];

	snprintf(name, sizeof(name), "sd%c", 'a' + (int)ata - 1);
	snprintf(path, sizeof(path),
		 "pci0000:00/0000:00:1f.2/ata%u/host%u/target%u:0:0/%u:0:0:0/block/%s", ata,
		 ata - 1, ata - 1, ata - 1, name);
	snprintf(devno, sizeof(devno), "8:%u", (ata - 1) * 16);
	disk_at(tree, path, devno, "1000000");
	snprintf(part, sizeof(part), "%s/%s1", path, name);
	snprintf(devno, sizeof(devno), "8:%u", (ata - 1) * 16 + 1);
	disk_part(tree, part, "1", devno);
	machine_port(tree, ata);
	machine_udev(tree, ata, 0, "");
	machine_udev(tree, ata, 1, fs);
}

/* The file system of a disk's first partition. */
#define MACHINE_FS(letter)                                                                         \
	"S:disk/by-uuid/" MACHINE_UUID(letter) "\nE:ID_FS_TYPE=ext4\nE:ID_FS_USAGE=filesystem\nE:" \
					       "ID_FS_UUID=" MACHINE_UUID(letter) "\n"

/* Three disks on ports 0 to 2, ports 3 and 4 free. */
static inline struct tree machine_new(void)
{
	struct tree tree = tree_new();

	machine_disk(&tree, 1, MACHINE_FS("a"));
	machine_disk(&tree, 2, MACHINE_FS("b"));
	machine_disk(&tree, 3, MACHINE_FS("c"));
	machine_port(&tree, 4);
	tree_file(&tree, "proc/self/mountinfo",
		  "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		  "30 29 8:17 / /srv/b rw - ext4 /dev/sdb1 rw\n");
	return tree;
}

struct machine {
	struct host *host;
	struct facts *facts;
	struct work *work;
};

static inline void machine_done(struct machine *machine)
{
	work_free(machine->work);
	facts_free(machine->facts);
	host_free(machine->host);
}
#define AUTO_MACHINE CLEANUP(machine_done) struct machine

static inline struct machine machine_open(const struct tree *tree)
{
	struct machine machine = { 0 };

	cr_assert_eq(host_open(tree->root, &machine.host, NULL), 0);
	cr_assert_eq(facts_new(machine.host, &machine.facts, NULL), 0);
	return machine;
}

/* Texts of a request are borrowed here and never written to. */
static inline struct work_request machine_request(enum work_type type, const char *disk,
						  const char *other, const char *to)
{
	struct work_request request = { .type = type };

	request.disk = disk ? strdup(disk) : NULL;
	request.other = other ? strdup(other) : NULL;
	request.to = to ? strdup(to) : NULL;
	request.position = strdup("--test");
	return request;
}

static inline int machine_work(struct machine *machine, struct work_request *requests, size_t n,
			       struct error *err)
{
	int r;

	work_free(machine->work);
	machine->work = NULL;
	r = work_resolve(machine->facts, requests, n, &machine->work, err);
	for (size_t i = 0; i < n; i++)
		work_request_done(&requests[i]);
	return r;
}

#define EXCHANGE(a, b) machine_request(WORK_EXCHANGE, a, b, NULL)
#define MOVE(disk, to) machine_request(WORK_MOVE, disk, NULL, to)
#define REMOVE(disk) machine_request(WORK_REMOVE, disk, NULL, NULL)
#define REPLACE(disk, by) machine_request(WORK_REPLACE, disk, by, NULL)
#define WORK(machine, ...)                                                                         \
	({                                                                                         \
		struct work_request requests_[] = { __VA_ARGS__ };                                 \
		cr_assert_eq(machine_work(machine, requests_, ELEMENTS(requests_), NULL), 0);      \
	})
#define REFUSE(machine, code, words, ...)                                                          \
	({                                                                                         \
		struct work_request requests_[] = { __VA_ARGS__ };                                 \
		CLEANUP(error_done) struct error err_ = ERROR_INIT;                                \
		cr_assert_eq(machine_work(machine, requests_, ELEMENTS(requests_), &err_), code);  \
		cr_assert(strstr(error_text(&err_), words), "said: %s", error_text(&err_));        \
		cr_assert(strstr(error_text(&err_), "--test"), "said: %s", error_text(&err_));     \
	})

#endif
