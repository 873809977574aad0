/* SPDX-License-Identifier: MIT */
/* The two metas of a bbolt file: a commit writes the one and leaves the other. */
#include <errno.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "probe/bbolt.h"

#define PAGE_HEADER_BYTES 16
#define META_BYTES 64
#define MAGIC 0xed0cdaedu
#define VERSION 2
#define SUMMED_BYTES 56
#define PAGE_MIN 512u
#define PAGE_MAX (1u << 24)

static uint64_t fnv1a(const uint8_t *bytes, size_t len)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3u;
	return sum;
}

struct found {
	struct bbolt_meta meta;
	bool foreign, version; /* why there is none: the byte order, the version */
};

static bool is_page_size(uint32_t size)
{
	return size >= PAGE_MIN && size <= PAGE_MAX && (size & (size - 1)) == 0;
}

static bool parse(const uint8_t bytes[META_BYTES], struct found *found, struct bbolt_meta *ret)
{
	uint32_t magic = bytes_host32(bytes);

	found->foreign |= magic == __builtin_bswap32(MAGIC);
	if (magic != MAGIC || bytes_host64(bytes + SUMMED_BYTES) != fnv1a(bytes, SUMMED_BYTES))
		return false;
	found->version |= bytes_host32(bytes + 4) != VERSION;
	*ret = (struct bbolt_meta){
		.page_size = bytes_host32(bytes + 8),
		.root = bytes_host64(bytes + 16),
		.freelist = bytes_host64(bytes + 32),
		.high_water = bytes_host64(bytes + 40),
		.txid = bytes_host64(bytes + 48),
		.valid = 1,
	};
	return bytes_host32(bytes + 4) == VERSION && is_page_size(ret->page_size);
}

/* Look for a meta in the page that begins at `offset`. */
static int look_at(const struct bytes_at *file, uint64_t offset, struct found *found,
		   struct error *err)
{
	uint8_t bytes[META_BYTES];
	struct bbolt_meta meta;
	int r;

	if (file->size < META_BYTES + PAGE_HEADER_BYTES ||
	    offset > file->size - META_BYTES - PAGE_HEADER_BYTES)
		return 0;
	r = bytes_read(file, offset + PAGE_HEADER_BYTES, bytes, sizeof(bytes), err);
	if (r < 0 || !parse(bytes, found, &meta))
		return r;
	/* The second one stands where the page size says: a copy of it elsewhere is none. */
	if (offset && offset != meta.page_size)
		return 0;
	meta.valid += found->meta.valid;
	if (!found->meta.valid || meta.txid > found->meta.txid)
		found->meta = meta;
	found->meta.valid = meta.valid;
	return 0;
}

static int no_meta(const struct bytes_at *file, const struct found *found, struct error *err)
{
	if (found->foreign)
		error_set(err, -ENOTSUP, "%s was written by a machine of another byte order",
			  file->name);
	else if (found->version)
		error_set(err, -ENOTSUP, "%s is a bbolt file of an unknown version", file->name);
	else
		error_set(err, -EBADMSG,
			  "%s holds no valid meta page: it is no bbolt file, or damaged",
			  file->name);
	error_hint(err, "keep it, and restore the database from a snapshot or an earlier copy");
	return found->foreign || found->version ? -ENOTSUP : -EBADMSG;
}

int bbolt_meta_read(const struct bytes_at *file, struct bbolt_meta *ret, struct error *err)
{
	struct found found = { 0 };
	int r = look_at(file, 0, &found, err);

	if (r == 0 && found.meta.valid)
		r = look_at(file, found.meta.page_size, &found, err);
	else
		/* The first is damaged: only the second knows where it stands itself. */
		for (uint64_t at = PAGE_MIN; r == 0 && !found.meta.valid && at <= PAGE_MAX; at *= 2)
			r = look_at(file, at, &found, err);
	if (r < 0)
		return r;
	if (!found.meta.valid)
		return no_meta(file, &found, err);
	*ret = found.meta;
	return 0;
}
