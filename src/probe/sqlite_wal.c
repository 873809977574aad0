/* SPDX-License-Identifier: MIT */
/*
 * A write-ahead log, frame by frame, as SQLite's recovery reads it: the
 * checksum runs on from frame to frame, and the first frame that does not fit
 * ends the log.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "attr.h"
#include "base/bytes.h"
#include "probe/sqlite_state.h"

#define HEADER_BYTES 32
#define FRAME_BYTES 24
#define MAGIC 0x377f0682u /* its lowest bit: sums are of big-endian words */
#define VERSION 3007000u
#define PAGE_MIN 512
#define PAGE_MAX 65536

struct sum {
	bool big_endian;
	uint32_t s0, s1;
};

/* `len` is a multiple of eight. */
static void sum_add(struct sum *sum, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i += 8) {
		uint32_t first = sum->big_endian ? bytes_be32(bytes + i) : bytes_le32(bytes + i);
		uint32_t second =
			sum->big_endian ? bytes_be32(bytes + i + 4) : bytes_le32(bytes + i + 4);

		sum->s0 += first + sum->s1;
		sum->s1 += second + sum->s0;
	}
}

static bool sum_is(const struct sum *sum, const uint8_t *stored)
{
	return sum->s0 == bytes_be32(stored) && sum->s1 == bytes_be32(stored + 4);
}

/* Does SQLite take it for the header of a log? */
static bool header_counts(const uint8_t header[HEADER_BYTES], struct sum *ret_sum,
			  uint32_t *ret_page_size)
{
	uint32_t magic = bytes_be32(header), page_size = bytes_be32(header + 8);

	if ((magic & ~1u) != MAGIC || page_size < PAGE_MIN || page_size > PAGE_MAX ||
	    (page_size & (page_size - 1)) != 0)
		return false;
	*ret_page_size = page_size;
	*ret_sum = (struct sum){ .big_endian = magic & 1 };
	sum_add(ret_sum, header, 24);
	return sum_is(ret_sum, header + 24);
}

static bool frame_counts(const uint8_t *frame, const uint8_t *header, uint32_t page_size,
			 struct sum *sum)
{
	if (memcmp(frame + 8, header + 16, 8) != 0 || bytes_be32(frame) == 0)
		return false;
	sum_add(sum, frame, 8);
	sum_add(sum, frame + FRAME_BYTES, page_size);
	return sum_is(sum, frame + 16);
}

static int read_frames(const struct bytes_at *file, const uint8_t *header, struct sum sum,
		       struct sqlite_wal *wal, struct error *err)
{
	size_t size = FRAME_BYTES + (size_t)wal->page_size;
	AUTO_FREE uint8_t *frame = malloc(size);
	uint64_t offset = HEADER_BYTES, valid = 0;

	if (!frame)
		return error_oom(err);
	for (; file->size - offset >= size; offset += size) {
		int r = bytes_read(file, offset, frame, size, err);

		if (r < 0)
			return r;
		if (!frame_counts(frame, header, wal->page_size, &sum))
			break;
		valid++;
		if (bytes_be32(frame + 4)) {
			wal->frames = valid;
			wal->db_pages = bytes_be32(frame + 4);
		}
	}
	wal->uncommitted = valid - wal->frames;
	wal->torn = file->size - offset;
	wal->at_most = wal->frames * wal->page_size;
	return 0;
}

int sqlite_wal_read(const struct bytes_at *file, struct sqlite_wal *ret, struct error *err)
{
	struct sqlite_wal wal = { 0 };
	uint8_t header[HEADER_BYTES];
	struct sum sum;
	int r;

	*ret = (struct sqlite_wal){ .empty = true, .torn = file->size };
	if (file->size < HEADER_BYTES)
		return 0;
	r = bytes_read(file, 0, header, sizeof(header), err);
	if (r < 0 || !header_counts(header, &sum, &wal.page_size))
		return r;
	if (bytes_be32(header + 4) != VERSION) {
		error_set(err, -ENOTSUP, "%s is a write-ahead log of the unknown version %u",
			  file->name, bytes_be32(header + 4));
		error_hint(err, "let SQLite itself write it into the database: "
				"PRAGMA wal_checkpoint(TRUNCATE)");
		return -ENOTSUP;
	}
	r = read_frames(file, header, sum, &wal, err);
	if (r == 0)
		*ret = wal;
	return r;
}
