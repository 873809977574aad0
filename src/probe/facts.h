/* SPDX-License-Identifier: MIT */
/*
 * struct facts: what the probes read of one host, each probe run at most
 * once and only when asked for.  A probe that failed is remembered with its
 * error, and fails again in the same words.
 */
#ifndef COLDSWAP_PROBE_FACTS_H
#define COLDSWAP_PROBE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"
#include "probe/block.h"
#include "probe/fstab.h"
#include "probe/klog.h"
#include "probe/mounts.h"
#include "probe/ports.h"
#include "probe/smart.h"

struct facts;

int facts_new(struct host *host, struct facts **ret, struct error *err);
void facts_free(struct facts *facts);
DEFINE_CLEANUP(facts, facts_free)

struct host *facts_host(struct facts *facts);

int facts_blocks(struct facts *facts, const struct blocks **ret, struct error *err);
int facts_mounts(struct facts *facts, const struct mounts **ret, struct error *err);
int facts_swaps(struct facts *facts, const struct swaps **ret, struct error *err);
int facts_fstab(struct facts *facts, const struct fstab **ret, struct error *err);
int facts_klog(struct facts *facts, const struct klog **ret, struct error *err);
int facts_portmap(struct facts *facts, const struct portmap **ret, struct error *err);

/*
 * What smartctl says of a disk, or of a drive behind a RAID controller by its
 * name (smart_members_of()).  That it says nothing is no error.
 */
int facts_smart(struct facts *facts, const char *name, const struct smart **ret, struct error *err);

/*
 * The fastest figure of sequential writing that is known for a disk, MB/s
 * (10^6), by key, serial or a mount point on it; from HOST_FACT_MEASURES.
 * 1 known, 0 not measured, negative errno when the figures cannot be read.
 */
int facts_measured_write(struct facts *facts, const struct block *disk, double *ret_mb_s,
			 char **ret_source, struct error *err);

/* A disk by whatever an operator calls it, mount points included. */
int facts_find_disk(struct facts *facts, const char *text, const struct block **ret,
		    struct error *err);

/*
 * The device that is mounted, by its number or, where a filesystem has none
 * of its own (btrfs), by its source; of a ZFS dataset a member of its pool.
 * NULL for what is on no block device.
 */
const struct block *blocks_of_mount(const struct blocks *blocks, const struct mount *mount);
/* By its number; false too where the list of mounts cannot be read. */
bool facts_is_mounted(struct facts *facts, const struct block *block);

struct space {
	uint64_t total, available;         /* bytes; available to an ordinary user */
	uint64_t free;                     /* bytes, with those that are kept for root */
	uint64_t inodes, inodes_available; /* 0, 0: the filesystem does not count them */
	char *fstype, *device, *source;
};

/* Room on the filesystem at a mount point (HOST_FACT_STATVFS). */
int facts_space(struct facts *facts, const char *mount_point, struct space *ret, struct error *err);
void space_done(struct space *space);

/* The rows of `coldswap kinds --facts`, for `when:`. */
struct fact_row {
	const char *name;
	const char *help;
	int (*probe)(struct facts *facts, bool *ret, struct error *err);
};
const struct fact_row *fact_at(size_t index); /* NULL past the end */
const struct fact_row *fact_find(const char *name);

#endif
