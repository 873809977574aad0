/* SPDX-License-Identifier: MIT */
/* What a port map is read from, beside the disks of machine.h: driver, log, SMART. */
#ifndef COLDSWAP_TESTS_SATA_H
#define COLDSWAP_TESTS_SATA_H

#include "machine.h"

#define SATA_DEVICE "sys/devices/pci0000:00/0000:00:1f.2/"
#define SATA_NO_SWAP "Filename\tType\tSize\tUsed\tPriority\n"
#define SATA_START "[    0.000000] Linux version 6.1.0-35-amd64 (x@y) #1 SMP\n"
#define SATA_HEADER(speed, mask)                                                                   \
	"[    1.1] ahci 0000:00:1f.2: AHCI 0001.0300 32 slots 5 ports " speed " Gbps " mask        \
	" impl SATA mode\n"
#define SATA_UP(ata, speed, sstatus)                                                               \
	"[    1.5] ata" ata ": SATA link up " speed " Gbps (SStatus " sstatus " SControl 300)\n"
#define SATA_DOWN(ata, sstatus)                                                                    \
	"[    1.5] ata" ata ": SATA link down (SStatus " sstatus " SControl 300)\n"
#define SATA_FAST(ata) SATA_UP(ata, "6.0", "133")
#define SATA_SLOW(ata) SATA_UP(ata, "3.0", "123")

static inline void sata_smart(const struct tree *tree, const char *disk, const char *max,
			      const char *current, int crc)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "coldswap/smart/%s.json", disk);
	snprintf(text, sizeof(text),
		 "{\n \"smartctl\": {\"exit_status\": 0},\n \"interface_speed\": {\n"
		 "  \"max\": {\"sata_value\": 14, \"string\": \"%s Gb/s\"},\n"
		 "  \"current\": {\"sata_value\": 2, \"string\": \"%s Gb/s\"}\n },\n"
		 " \"ata_smart_attributes\": {\"table\": [\n"
		 "  {\"id\": 5, \"raw\": {\"value\": 3}},\n"
		 "  {\"id\": 199, \"raw\": {\"value\": %d}}]}}\n",
		 max, current, crc);
	tree_file(tree, path, text);
}

static inline void sata_link_file(const struct tree *tree, const char *link, const char *name,
				  const char *speed)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/ata_link/%s/%s", link, name);
	tree_file(tree, path, speed);
}

/* IDENTIFY data whose word 76 is this: bits 1 to 3 are the drive's speeds. */
static inline void sata_identify(const struct tree *tree, const char *device, unsigned speeds)
{
	char path[128], text[2048] = "";

	for (unsigned word = 0; word < 256; word++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%04x%c",
			 word == 76 ? speeds : 0, word % 8 == 7 ? '\n' : ' ');
	snprintf(path, sizeof(path), "sys/class/ata_device/%s/id", device);
	tree_file(tree, path, text);
}

/* sda, sdb, sdc on ports 0 to 2 with / on sda; drives of 6 Gb/s; the log as given. */
static inline struct tree sata_new(const char *log)
{
	struct tree tree = machine_new();

	machine_port(&tree, 5);
	tree_file(&tree, "sys/bus/pci/drivers/ahci/bind", "");
	tree_link(&tree, SATA_DEVICE "driver", "../../../bus/pci/drivers/ahci");
	sata_smart(&tree, "sda", "6.0", "6.0", 0);
	sata_smart(&tree, "sdb", "6.0", "6.0", 0);
	sata_smart(&tree, "sdc", "6.0", "3.0", 0);
	tree_file(&tree, "proc/cmdline", "root=/dev/sda1 ro quiet\n");
	tree_file(&tree, "proc/swaps", SATA_NO_SWAP);
	if (log != NULL)
		tree_file(&tree, "coldswap/kernel.log", log);
	return tree;
}

/* sdc is held back by port 2; ports 3 and 4 are not wired. */
#define SATA_HELD                                                                                  \
	SATA_START SATA_HEADER(                                                                    \
		"6", "0x7") "[    1.2] ata4: DUMMY\n[    1.2] ata5: DUMMY\n" SATA_FAST("1")        \
		SATA_FAST("2") SATA_SLOW("3")

static inline const struct portmap *sata_map(struct machine *machine)
{
	const struct portmap *map = NULL;

	cr_assert_eq(facts_portmap(machine->facts, &map, NULL), 0);
	return map;
}

#define SATA_ADDRESS "0000:00:1f.2"

#endif
