/* SPDX-License-Identifier: MIT */
/* Disks for a capture that a test makes: sysfs entries and udev data. */
#ifndef COLDSWAP_TESTS_DISKS_H
#define COLDSWAP_TESTS_DISKS_H

#include "tree.h"

/* A device at `device`, a path below sys/devices that ends in its name. */
static inline void disk_at(const struct tree *tree, const char *device, const char *devno,
			   const char *sectors)
{
	const char *name = strrchr(device, '/') + 1;
	char path[384], target[384];

	snprintf(path, sizeof(path), "sys/devices/%s/dev", device);
	tree_file(tree, path, devno);
	snprintf(path, sizeof(path), "sys/devices/%s/size", device);
	tree_file(tree, path, sectors);
	snprintf(path, sizeof(path), "sys/class/block/%s", name);
	snprintf(target, sizeof(target), "../../devices/%s", device);
	tree_link(tree, path, target);
}

static inline void disk_part(const struct tree *tree, const char *device, const char *number,
			     const char *devno)
{
	char path[384];

	disk_at(tree, device, devno, "2048");
	snprintf(path, sizeof(path), "sys/devices/%s/partition", device);
	tree_file(tree, path, number);
}

static inline void disk_udev(const struct tree *tree, const char *devno, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "run/udev/data/b%s", devno);
	tree_file(tree, path, text);
}

/* A slave of a virtual device; `to` is a path below sys/devices. */
static inline void disk_slave(const struct tree *tree, const char *virtual, const char *to)
{
	char path[384], target[384];

	snprintf(path, sizeof(path), "sys/devices/virtual/block/%s/slaves/%s", virtual,
		 strrchr(to, '/') + 1);
	snprintf(target, sizeof(target), "../../../../../%s", to);
	tree_link(tree, path, target);
}

#define PORT(ata, host)                                                                            \
	"pci0000:00/0000:00:1f.2/ata" ata "/host" host "/target" host ":0:0/" host ":0:0:0/block/"

#endif
