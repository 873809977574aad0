/* SPDX-License-Identifier: MIT */
/* The header of a database, and its rollback journal; its log is in sqlite_wal.c. */
#include "probe/sqlite_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "base/bytes.h"

#define HEADER_BYTES 100
#define PAGE_MIN 512
#define PAGE_MAX 65536

/* A rollback journal: its header, and where the name of a super-journal ends. */
#define JOURNAL_HEADER_BYTES 28
#define SUPER_TRAILER_BYTES 16
#define SUPER_NAME_MAX 4096
#define SECTOR_MIN 32

static const uint8_t header_magic[16] = "SQLite format 3";
static const uint8_t journal_magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };

static bool is_power_of_two(uint32_t value)
{
	return value && (value & (value - 1)) == 0;
}

static int no_database(const struct bytes_at *file, const char *why, struct error *err)
{
	error_set(err, -EBADMSG, "%s is no SQLite database: %s", file->name, why);
	error_hint(err, "look at it: file %s; an encrypted database looks so too", file->name);
	return -EBADMSG;
}

int sqlite_header_read(const struct bytes_at *file, struct sqlite_header *ret, struct error *err)
{
	uint8_t header[HEADER_BYTES];
	struct sqlite_header found = { 0 };
	uint64_t by_size;
	int r;

	if (file->size == 0) {
		*ret = (struct sqlite_header){ .empty = true };
		return 0;
	}
	if (file->size < HEADER_BYTES)
		return no_database(file, "it is shorter than a header", err);
	r = bytes_read(file, 0, header, sizeof(header), err);
	if (r < 0)
		return r;
	if (memcmp(header, header_magic, sizeof(header_magic)) != 0)
		return no_database(file, "its first bytes are not those of one", err);
	found.page_size = bytes_be16(header + 16);
	if (found.page_size == 1)
		found.page_size = PAGE_MAX;
	if (found.page_size < PAGE_MIN || !is_power_of_two(found.page_size))
		return no_database(file, "its page size is none", err);
	found.wal = header[18] == 2 && header[19] == 2;
	found.change_counter = bytes_be32(header + 24);
	found.pages = bytes_be32(header + 28);
	/* The size in the header counts only as long as who wrote last kept it up to date. */
	by_size = file->size / found.page_size;
	if (found.pages == 0 || bytes_be32(header + 92) != found.change_counter)
		found.pages = by_size < UINT32_MAX ? (uint32_t)by_size : UINT32_MAX;
	*ret = found;
	return 0;
}

/* PERSIST leaves a journal whose header is zeroed, TRUNCATE an empty one. */
static int read_hot(const struct bytes_at *file, bool *ret, struct error *err)
{
	uint8_t header[JOURNAL_HEADER_BYTES];
	uint32_t sector, page;
	int r;

	*ret = false;
	if (file->size < sizeof(header))
		return 0;
	r = bytes_read(file, 0, header, sizeof(header), err);
	if (r < 0 || memcmp(header, journal_magic, sizeof(journal_magic)) != 0)
		return r;
	sector = bytes_be32(header + 20);
	page = bytes_be32(header + 24);
	*ret = sector >= SECTOR_MIN && sector <= PAGE_MAX && is_power_of_two(sector) &&
	       (page == 0 || (page >= PAGE_MIN && page <= PAGE_MAX && is_power_of_two(page)));
	return 0;
}

/* SQLite sums plain chars: which of both signs they have depends on the machine. */
static bool sum_matches(const char *name, size_t len, uint32_t sum)
{
	uint32_t with_sign = 0, without = 0;

	for (size_t i = 0; i < len; i++) {
		with_sign += (uint32_t)(int32_t)(signed char)name[i];
		without += (unsigned char)name[i];
	}
	return sum == with_sign || sum == without;
}

static int read_super(const struct bytes_at *file, char **ret, struct error *err)
{
	uint8_t trailer[SUPER_TRAILER_BYTES];
	AUTO_FREE char *name = NULL;
	uint32_t len;
	int r;

	if (file->size < sizeof(trailer))
		return 0;
	r = bytes_read(file, file->size - sizeof(trailer), trailer, sizeof(trailer), err);
	if (r < 0 || memcmp(trailer + 8, journal_magic, sizeof(journal_magic)) != 0)
		return r;
	len = bytes_be32(trailer);
	if (len == 0 || len > SUPER_NAME_MAX || len > file->size - sizeof(trailer))
		return 0;
	name = calloc(1, (size_t)len + 1);
	if (!name)
		return error_oom(err);
	r = bytes_read(file, file->size - sizeof(trailer) - len, name, len, err);
	if (r == 0 && strlen(name) == len && sum_matches(name, len, bytes_be32(trailer + 4)))
		*ret = TAKE(name);
	return r;
}

int sqlite_journal_read(const struct bytes_at *file, struct sqlite_journal *ret, struct error *err)
{
	struct sqlite_journal found = { 0 };
	int r = read_hot(file, &found.hot, err);

	if (r == 0 && found.hot)
		r = read_super(file, &found.super, err);
	if (r == 0)
		*ret = found;
	return r;
}

void sqlite_journal_done(struct sqlite_journal *journal)
{
	free(journal->super);
	*journal = (struct sqlite_journal){ 0 };
}
