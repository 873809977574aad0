/* SPDX-License-Identifier: MIT */
/*
 * What a device reference means before the work and after it.
 *
 * One function for every place that can name a device (fstab, crypttab, the
 * command line, a unit): it parses the reference, resolves it on the machine
 * as it is, simulates the work, resolves it again and says what became of
 * it.  It judges the *reference*; how bad that is (required at boot, swap,
 * nofail) is for the kind that asked.
 */
#ifndef COLDSWAP_WORK_NAMES_H
#define COLDSWAP_WORK_NAMES_H

#include "work/work.h"

enum ref_form {
	REF_NOT_A_DEVICE, /* NFS, tmpfs, bind, ZFS dataset, overlay, ... */
	REF_TAG,          /* UUID=, LABEL=, PARTUUID=, PARTLABEL=, /dev/disk/by-uuid/... */
	REF_KERNEL_NAME,  /* /dev/sdb1, /dev/nvme0n1p2, /dev/vda */
	REF_BY_PATH,      /* /dev/disk/by-path/... */
	REF_BY_ID,        /* /dev/disk/by-id/... */
	REF_MAPPER,       /* /dev/mapper/..., /dev/VG/LV */
	REF_DM_NUMBER,    /* /dev/dm-3 */
	REF_MD_NAME,      /* /dev/md/archive */
	REF_MD_NUMBER,    /* /dev/md127 */
	REF_OTHER,        /* a link below /dev that is none of these */
};

enum ref_fate {
	FATE_SAME,        /* means the same device before and after */
	FATE_NO_DEVICE,   /* is no business of a check of names */
	FATE_KERNEL_NAME, /* a name of today: may be any disk after the work */
	FATE_OTHER_DISK,  /* will silently resolve to another disk */
	FATE_NOTHING,     /* will resolve to nothing after the work */
	FATE_SHARED_PORT, /* a by-path name that several disks claim (multiplier) */
	FATE_AMBIGUOUS,   /* a tag that two devices carry */
	FATE_BUS_CHANGE,  /* a by-id name whose bus prefix changes with the port */
	FATE_REMOVED,     /* its disk is taken out by the work */
	FATE_MD_UNLISTED, /* an array number without an ARRAY line */
	FATE_ABSENT,      /* resolves to nothing today already */
	FATE_UNKNOWN,     /* could not be determined; `why` says what is missing */
};

struct ref {
	enum ref_form form;
	enum ref_fate fate;
	const struct block *before[8]; /* what it means today */
	size_t n_before;               /* full count, may be over 8 */
	const struct block *after;     /* what it will mean; NULL none or not known */
	bool touched;                  /* a disk of the work lies below it */
	char *why;                     /* one sentence with names, for evidence */
};

int ref_resolve(struct facts *facts, const struct work *work, const char *spec, struct ref *ret,
		struct error *err);
void ref_done(struct ref *ref);
/*
 * Would the device be missing if a disk of the work did not come up?  False
 * for an array that has a member on a disk that nobody touches.
 */
bool ref_at_stake(const struct work *work, const struct ref *ref);
const char *ref_form_name(enum ref_form form);
const char *ref_fate_name(enum ref_fate fate);

#endif
