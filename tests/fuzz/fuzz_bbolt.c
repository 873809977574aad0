/* SPDX-License-Identifier: MIT */
/*
 * A bbolt file: its metas, a walk over all of it, one key.
 *
 * A fuzzer never guesses the sum of a meta, so the sums of both are made right
 * first; and a walk over the bytes must end, whatever they say.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_bytes.h"
#include "probe/bbolt.h"

#define META_AT 16
#define SUMMED 56

static void seal(uint8_t *bytes, size_t size, size_t at)
{
	uint64_t sum = 0xcbf29ce484222325u;

	if (at > size || size - at < META_AT + SUMMED + sizeof(sum))
		return;
	for (size_t i = 0; i < SUMMED; i++)
		sum = (sum ^ bytes[at + META_AT + i]) * 0x100000001b3u;
	memcpy(bytes + at + META_AT + SUMMED, &sum, sizeof(sum));
}

static void seal_both(uint8_t *bytes, size_t size)
{
	uint32_t page_size;

	if (size < META_AT + SUMMED + 8)
		return;
	seal(bytes, size, 0);
	memcpy(&page_size, bytes + META_AT + 8, sizeof(page_size));
	if (page_size)
		seal(bytes, size, page_size);
}

static void read_file(const struct bytes_at *file)
{
	AUTO_BUF value = BUF_INIT;
	struct bbolt_walk walk;

	if (bbolt_check(file, &walk, NULL) == 0) {
		MUST(walk.meta.valid >= 1 && walk.meta.valid <= 2);
		MUST(walk.meta.high_water <= file->size / walk.meta.page_size);
		/* The freelist is counted among the pages, both metas are not. */
		MUST(walk.pages + walk.free_pages + walk.lost_pages + 2 <= walk.meta.high_water);
		MUST(walk.keys <= file->size / 16);
		MUST(walk.buckets <= file->size / 16);
	}
	if (bbolt_get(file, "meta", "k", 4096, &value, NULL) == 0)
		MUST(value.len <= 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE uint8_t *copy = malloc(size + 1);
	struct fuzz_bytes bytes = { copy, size };
	struct bytes_at file = fuzz_bytes_at(&bytes);

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	seal_both(copy, size);
	read_file(&file);
	return 0;
}
