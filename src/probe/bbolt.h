/* SPDX-License-Identifier: MIT */
/*
 * bbolt, the B+tree file of etcd, of containerd, and of Vault's and OpenBao's
 * raft storage.
 *
 * Numbers are in the byte order of the machine that wrote them; a file of the
 * other order is -ENOTSUP.  Data pages carry no checksum: what can be checked
 * is that the tree is one.
 */
#ifndef COLDSWAP_PROBE_BBOLT_H
#define COLDSWAP_PROBE_BBOLT_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes_at.h"
#include "buf.h"

struct bbolt_meta {
	uint32_t page_size;
	uint64_t txid, root, freelist, high_water;
	unsigned valid; /* metas that are: 1 or 2 */
};
/* The valid one with the highest transaction.  -EBADMSG: none is. */
int bbolt_meta_read(const struct bytes_at *file, struct bbolt_meta *ret, struct error *err);

struct bbolt_walk {
	struct bbolt_meta meta;
	uint64_t pages; /* of the tree, overflow pages counted */
	uint64_t keys, buckets;
	uint64_t free_pages; /* 0 where no freelist is kept */
	uint64_t lost_pages; /* neither reached nor free: room that is wasted, no damage */
};
/*
 * Every page from the root down: ids match, each is reached once, keys ascend,
 * nothing that is reachable is free, the file is as long as its high-water
 * mark.  -EBADMSG names the page and what is wrong with it; -EFBIG over 2^30
 * pages.  Memory: two bits a page.
 */
int bbolt_check(const struct bytes_at *file, struct bbolt_walk *ret, struct error *err);
/*
 * The value of a key in a bucket of the root, whole: for what Vault keeps
 * there.  -ENOENT; -EFBIG over `max`.
 */
int bbolt_get(const struct bytes_at *file, const char *bucket, const char *key, size_t max,
	      struct buf *ret, struct error *err);

#endif
