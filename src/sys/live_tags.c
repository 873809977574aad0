/* SPDX-License-Identifier: MIT */
/* The signature of a device by libblkid, as the property lines that udev keeps of it. */
#include <blkid/blkid.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sys/device.h"
#include "sys/host_root.h"
#include "sys/live.h"

#define VALUE_MAX 512

enum coding {
	CODING_SAFE,    /* blanks become "_" */
	CODING_ENCODED, /* what is unsafe becomes \xNN */
};

struct property {
	const char *blkid, *udev;
	enum coding coding;
};

static const struct property properties[] = {
	{ "TYPE", "ID_FS_TYPE", CODING_SAFE },
	{ "USAGE", "ID_FS_USAGE", CODING_SAFE },
	{ "VERSION", "ID_FS_VERSION", CODING_SAFE },
	{ "UUID", "ID_FS_UUID", CODING_SAFE },
	{ "UUID", "ID_FS_UUID_ENC", CODING_ENCODED },
	{ "UUID_SUB", "ID_FS_UUID_SUB", CODING_SAFE },
	{ "UUID_SUB", "ID_FS_UUID_SUB_ENC", CODING_ENCODED },
	{ "LABEL", "ID_FS_LABEL", CODING_SAFE },
	{ "LABEL", "ID_FS_LABEL_ENC", CODING_ENCODED },
	{ "PTTYPE", "ID_PART_TABLE_TYPE", CODING_SAFE },
	{ "PTUUID", "ID_PART_TABLE_UUID", CODING_SAFE },
	{ "PART_ENTRY_SCHEME", "ID_PART_ENTRY_SCHEME", CODING_SAFE },
	{ "PART_ENTRY_NAME", "ID_PART_ENTRY_NAME", CODING_ENCODED },
	{ "PART_ENTRY_UUID", "ID_PART_ENTRY_UUID", CODING_SAFE },
	{ "PART_ENTRY_TYPE", "ID_PART_ENTRY_TYPE", CODING_ENCODED },
	{ "PART_ENTRY_NUMBER", "ID_PART_ENTRY_NUMBER", CODING_SAFE },
};

static void free_probe(blkid_probe *probe)
{
	blkid_free_probe(*probe);
}

static int add_property(blkid_probe probe, const struct property *property, struct buf *ret)
{
	char safe[VALUE_MAX];
	const char *value;
	int r;

	if (blkid_probe_lookup_value(probe, property->blkid, &value, NULL) < 0)
		return 0;
	r = property->coding == CODING_ENCODED ? blkid_encode_string(value, safe, sizeof(safe))
					       : blkid_safe_string(value, safe, sizeof(safe));
	return r < 0 ? 0 : buf_addf(ret, "%s=%s\n", property->udev, safe);
}

static int set_up(blkid_probe probe)
{
	if (blkid_probe_enable_superblocks(probe, 1) < 0 ||
	    blkid_probe_set_superblocks_flags(
		    probe, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID | BLKID_SUBLKS_TYPE |
				   BLKID_SUBLKS_USAGE | BLKID_SUBLKS_VERSION) < 0 ||
	    blkid_probe_enable_partitions(probe, 1) < 0 ||
	    blkid_probe_set_partitions_flags(probe, BLKID_PARTS_ENTRY_DETAILS) < 0)
		return -ENOMEM;
	return 0;
}

/* 1 is a device without any signature: an answer, with no lines. */
static int judge(int code, const char *device, struct error *err)
{
	if (code == 0 || code == 1)
		return 0;
	if (code == -2) {
		error_set(err, -ENODATA, "%s carries the signatures of several filesystems",
			  device);
		error_hint(err, "look at them with: wipefs %s", device);
		return -ENODATA;
	}
	error_set(err, -ENODATA, "libblkid cannot read %s", device);
	error_hint(err, "look into the kernel log for errors of the device");
	return -ENODATA;
}

static int probe_device(struct host *host, const char *device, struct buf *ret, struct error *err)
{
	CLEANUP(free_probe) blkid_probe probe = NULL;
	size_t i;
	int r;

	errno = 0;
	probe = blkid_new_probe_from_filename(device);
	if (!probe)
		return host_cannot(host, device, errno ? -errno : -EIO, err);
	if (set_up(probe) < 0)
		return error_oom(err);
	r = judge(blkid_do_safeprobe(probe), device, err);
	for (i = 0; r == 0 && i < ELEMENTS(properties); i++)
		if (add_property(probe, &properties[i], ret) < 0)
			return error_set(err, buf_error(ret), "the tags of %s do not fit", device);
	return r;
}

int live_tags(struct host *host, const char *name, struct buf *ret, char **ret_source,
	      struct error *err)
{
	AUTO_FREE char *device = NULL;
	int r = device_path(name, &device);

	if (r < 0)
		return error_oom(err);
	r = device_check(host, device, err);
	if (r == 0)
		r = probe_device(host, device, ret, err);
	if (r < 0)
		return r;
	if (asprintf(ret_source, "libblkid %s", device) >= 0)
		return 0;
	*ret_source = NULL;
	return error_oom(err);
}
