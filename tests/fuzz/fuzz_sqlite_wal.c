/* SPDX-License-Identifier: MIT */
/* A write-ahead log, a rollback journal and the header of a database, of the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "fuzz.h"
#include "fuzz_bytes.h"
#include "probe/sqlite_state.h"

static uint32_t word(const uint8_t *at, bool big_endian)
{
	return big_endian ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
				    at[3]
			  : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 |
				    at[0];
}

static void add(uint32_t sum[2], const uint8_t *bytes, size_t len, bool big_endian)
{
	for (size_t i = 0; i < len; i += 8) {
		sum[0] += word(bytes + i, big_endian) + sum[1];
		sum[1] += word(bytes + i + 4, big_endian) + sum[0];
	}
}

static void store(uint8_t *at, const uint32_t sum[2])
{
	for (int i = 0; i < 4; i++) {
		at[i] = (uint8_t)(sum[0] >> (24 - 8 * i));
		at[4 + i] = (uint8_t)(sum[1] >> (24 - 8 * i));
	}
}

/* A fuzzer never guesses a sum that runs through the whole log: make all of them right. */
static void seal(uint8_t *bytes, size_t size)
{
	uint32_t sum[2] = { 0, 0 }, page_size;
	bool big_endian;

	if (size < 32)
		return;
	big_endian = bytes[3] & 1;
	page_size = word(bytes + 8, true);
	add(sum, bytes, 24, big_endian);
	store(bytes + 24, sum);
	if (page_size < 8 || page_size % 8 || page_size > size)
		return;
	for (size_t at = 32; size - at >= 24 + (size_t)page_size; at += 24 + (size_t)page_size) {
		add(sum, bytes + at, 8, big_endian);
		add(sum, bytes + at + 24, page_size, big_endian);
		store(bytes + at + 16, sum);
	}
}

static void read_wal(const struct bytes_at *file)
{
	struct sqlite_wal wal;

	if (sqlite_wal_read(file, &wal, NULL) < 0)
		return;
	MUST(wal.torn <= file->size);
	MUST(wal.at_most == wal.frames * wal.page_size);
	if (wal.empty) {
		MUST(wal.frames == 0 && wal.uncommitted == 0 && wal.torn == file->size);
		return;
	}
	MUST(32 + (wal.frames + wal.uncommitted) * (24 + (uint64_t)wal.page_size) + wal.torn ==
	     file->size);
	MUST((wal.frames > 0) == (wal.db_pages > 0));
}

static void read_journal(const struct bytes_at *file)
{
	struct sqlite_journal journal;

	if (sqlite_journal_read(file, &journal, NULL) < 0)
		return;
	MUST(!journal.super || (journal.hot && *journal.super));
	MUST(!journal.super || strlen(journal.super) < file->size);
	sqlite_journal_done(&journal);
}

static void read_header(const struct bytes_at *file)
{
	struct sqlite_header header;

	if (sqlite_header_read(file, &header, NULL) < 0)
		return;
	MUST(header.empty == (file->size == 0));
	MUST(header.empty || (header.page_size >= 512 && header.page_size <= 65536));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE uint8_t *copy = malloc(size + 1);
	struct fuzz_bytes bytes = { data, size };
	struct bytes_at file = fuzz_bytes_at(&bytes);

	if (!copy)
		return 0;
	read_wal(&file);
	read_journal(&file);
	read_header(&file);
	memcpy(copy, data, size);
	seal(copy, size);
	bytes.data = copy;
	read_wal(&file);
	return 0;
}
