/* SPDX-License-Identifier: MIT */
/*
 * Block devices: what they are, where they are plugged in, what they carry.
 *
 * Read from sysfs (/sys/class/block and the realpath of each entry), from
 * udev's database (/run/udev/data/bMAJ:MIN) and, on a live host without udev
 * data, from the device itself by libblkid.  In a capture the udev database
 * is the source; its dev/NAME files are plain text and never probed.
 *
 * `struct blocks` owns everything; all pointers live as long as it does.
 */
#ifndef COLDSWAP_PROBE_BLOCK_H
#define COLDSWAP_PROBE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"

enum bus {
	BUS_UNKNOWN,
	BUS_ATA, /* libata: SATA or PATA, has an ataN */
	BUS_NVME,
	BUS_USB,
	BUS_SCSI,   /* SAS, FC, iSCSI, a RAID controller */
	BUS_VIRTIO, /* virtio-blk, Xen */
	BUS_MMC,
	BUS_VIRTUAL, /* md, dm, loop, zram: made of other devices or of memory */
};

const char *bus_name(enum bus bus);

/* Where a disk is plugged in.  Valid for BUS_ATA; else only `pci`. */
struct place {
	char *controller; /* "0000:00:1f.2", or "f2540000.sata"; NULL unknown */
	unsigned ata;     /* N of ataN; 0 = none */
	int port;         /* port index of the controller, from 0; -1 = none */
	int device;       /* 0; 1 = the second device of one ata number */
	int pmp;          /* port of a port multiplier; -1 = plugged in directly */
};

struct block {
	char *name;    /* kernel name: "sdb", "sdb1", "md127", "nvme0n1p2" */
	char *devpath; /* realpath in sysfs */
	unsigned major, minor;
	const struct block *disk; /* the whole disk; itself when it is one */
	unsigned partition;       /* number; 0 = not a partition */
	uint64_t size;            /* bytes; 0 = unknown */
	enum bus bus;             /* of a partition: its disk's */
	bool removable;
	bool optical;   /* a CD or DVD drive */
	int rotational; /* 1, 0, -1 unknown */

	/* a whole disk only; NULL where the host does not tell */
	char *model, *serial, *wwn, *table_uuid;
	char *key;       /* WWN, else "MODEL_SERIAL"; NULL when neither is told */
	bool key_shared; /* another disk has the same key: not an identity */
	struct place place;
	unsigned max_generation; /* SATA: 1, 2, 3 by the drive's word; 0 unknown */

	/* signature; NULL where there is none or it could not be read */
	bool tags_known; /* udev data or libblkid answered for this device */
	char *fs_type, *fs_usage, *fs_uuid, *fs_uuid_sub, *fs_label;
	char *part_uuid, *part_label, *part_type;
	char *id_path; /* udev ID_PATH */
	char **links;  /* udev's symbolic links below /dev: "disk/by-id/..." */
	char *dm_name; /* "vg0-root" */
	char *dm_uuid; /* "LVM-...", "CRYPT-LUKS2-..." */
	char *md_name; /* name below /dev/md, when udev tells it */
	char *md_uuid;
	const struct block **slaves; /* what a virtual device is made of */
	size_t n_slaves;
	const struct block **disks; /* the physical disks below: blocks_disks_of() */
	size_t n_disks;
};

struct blocks {
	struct block **items; /* by name, natural order; disks and partitions alike */
	size_t n;
};

int blocks_load(struct host *host, struct blocks **ret, struct error *err);
void blocks_free(struct blocks *blocks);
DEFINE_CLEANUP(blocks, blocks_free)

static inline bool block_is_disk(const struct block *block)
{
	return block->disk == block && block->bus != BUS_VIRTUAL && !block->optical;
}

/* Of a container with no devices of its own: false. */
bool blocks_have_disk(const struct blocks *blocks);

/* NULL when there is none. */
const struct block *blocks_by_name(const struct blocks *blocks, const char *name);
const struct block *blocks_by_devno(const struct blocks *blocks, unsigned major, unsigned minor);
const struct block *blocks_by_key(const struct blocks *blocks, const char *key);

/*
 * The devices that carry a tag now: "UUID", "LABEL", "PARTUUID",
 * "PARTLABEL" (compared as mount(8) does).  Members of a RAID array or a
 * btrfs or ZFS pool legitimately share a UUID: for those one device, the
 * array or the first member, is returned.  Fills at most `max`; returns the
 * full count.
 */
size_t blocks_by_tag(const struct blocks *blocks, const char *tag, const char *value,
		     const struct block **ret, size_t max);

/*
 * Is it one filesystem or array, seen on two devices by right?  Members of a
 * pool differ in their sub-UUID; a clone of one does not.
 */
bool block_shares_filesystem(const struct block *a, const struct block *b);

/*
 * Follow a name below /dev ("/dev/sdb1", "/dev/disk/by-path/...",
 * "/dev/mapper/x", "/dev/vg/lv", "/dev/md/x") to the device it means now.
 * More than one device may claim one link (a port multiplier): the count of
 * claims is returned, the first `max` are filled.
 */
size_t blocks_by_path(const struct blocks *blocks, const char *path, const struct block **ret,
		      size_t max);

/*
 * The physical disks below a device (a partition's disk, an array's members'
 * disks, ...), each once.  Members of one btrfs or ZFS filesystem count as
 * one device's disks.  Fills at most `max`; returns the full count.
 */
size_t blocks_disks_of(const struct blocks *blocks, const struct block *block,
		       const struct block **ret, size_t max);

/*
 * Find a disk by what an operator may call it: serial, WWN, by-id name, key,
 * kernel name ("sdb", "/dev/sdb") or, with `mount_source` (may be NULL) the
 * device of a mount point they named.  -ENOENT with the nearest known names
 * as hint; -ENOTUNIQ lists the candidates (doubled or empty serials).
 */
int blocks_find_disk(const struct blocks *blocks, const char *text, const struct block **ret,
		     struct error *err);

/*
 * The other disks that nothing read from the drives tells apart from this one: they have
 * the same key, or on the same bus none at all.  Fills at most `max`; returns the full count.
 */
size_t blocks_alike(const struct blocks *blocks, const struct block *disk, const struct block **ret,
		    size_t max);

/* "Samsung SSD 860 EVO (S3YJ...)": how reports call a disk; static storage never. */
int block_describe(const struct block *disk, char **ret);

/* "port 5 of 0000:00:1f.2", "port 5 of 0000:00:1f.2, multiplier port 2", "USB", ... */
int place_describe(const struct block *disk, char **ret);

#endif
