/* SPDX-License-Identifier: MIT */
/* Files that SQLite itself writes here, caught in the middle of its work, and damaged. */
#include "probe/sqlite_state.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "bytes.h"
#include "sys/file.h"
#include "tree.h"

#define PAGE 4096u

/* A file as it is now. */
struct caught {
	struct buf bytes;
	struct bytes_buffer buffer;
	struct bytes_at at;
};

static void caught_done(struct caught *caught)
{
	buf_done(&caught->bytes);
}
#define AUTO_CAUGHT CLEANUP(caught_done) struct caught

static void catch_file(struct caught *caught, const struct tree *tree, const char *name)
{
	char path[512];

	buf_done(&caught->bytes);
	tree_path(tree, name, path);
	cr_assert_eq(file_read(path, 1 << 24, &caught->bytes, NULL), 0, "%s", path);
	caught->buffer =
		(struct bytes_buffer){ (uint8_t *)caught->bytes.data, caught->bytes.len, 0 };
	caught->at = bytes_of_buffer(&caught->buffer);
}

static void run(sqlite3 *db, const char *sql)
{
	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql,
		     sqlite3_errmsg(db));
}

/* A database with one table of ten rows; `mode` as PRAGMA journal_mode takes it. */
static sqlite3 *make(const struct tree *tree, const char *mode)
{
	AUTO_BUF sql = BUF_INIT;
	char path[512];
	sqlite3 *db;

	tree_path(tree, "d", path);
	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	buf_addf(&sql, "PRAGMA page_size=4096; PRAGMA journal_mode=%s; PRAGMA cache_size=2;", mode);
	run(db, buf_text(&sql));
	run(db, "PRAGMA wal_autocheckpoint=0; CREATE TABLE t(a, b);");
	for (int i = 0; i < 10; i++)
		run(db, "INSERT INTO t VALUES(1, randomblob(3000))");
	return db;
}

/* More than its cache holds, so that pages are written before the commit. */
static void begin_and_spill(sqlite3 *db)
{
	run(db, "BEGIN");
	for (int i = 0; i < 100; i++)
		run(db, "INSERT INTO t VALUES(2, randomblob(3000))");
}

static struct sqlite_wal wal_of(const struct caught *caught)
{
	struct sqlite_wal wal = { 0 };

	cr_assert_eq(sqlite_wal_read(&caught->at, &wal, NULL), 0);
	return wal;
}

Test(sqlite_header, of_a_database)
{
	AUTO_TREE tree = tree_new();
	AUTO_CAUGHT file = { 0 };
	struct sqlite_header header = { 0 };
	sqlite3 *db = make(&tree, "DELETE");

	catch_file(&file, &tree, "d");
	cr_assert_eq(sqlite_header_read(&file.at, &header, NULL), 0);
	cr_expect_eq(header.page_size, PAGE);
	cr_expect_not(header.wal);
	cr_expect_not(header.empty);
	cr_expect_eq(header.pages, file.at.size / PAGE);
	cr_expect_geq(header.change_counter, 10);
	run(db, "PRAGMA journal_mode=WAL");
	catch_file(&file, &tree, "d");
	cr_assert_eq(sqlite_header_read(&file.at, &header, NULL), 0);
	cr_expect(header.wal);
	file.buffer.bytes[92] ^= 1; /* who wrote last did not keep the size in the header */
	file.buffer.bytes[31] ^= 1;
	cr_assert_eq(sqlite_header_read(&file.at, &header, NULL), 0);
	cr_expect_eq(header.pages, file.at.size / PAGE);
	sqlite3_close(db);
}

Test(sqlite_header, of_what_is_none)
{
	uint8_t bytes[200] = "SQLite format 3";
	struct bytes_buffer buffer = { bytes, sizeof(bytes), 0 };
	struct bytes_at at = bytes_of_buffer(&buffer);
	struct sqlite_header header = { 0 };
	struct error err = ERROR_INIT;

	cr_expect_eq(sqlite_header_read(&at, &header, &err), -EBADMSG);
	cr_expect(strstr(error_text(&err), "its page size is none"));
	bytes[16] = 16, bytes[17] = 1;
	cr_expect_eq(sqlite_header_read(&at, &header, NULL), -EBADMSG);
	bytes[16] = 0, bytes[17] = 1;
	cr_assert_eq(sqlite_header_read(&at, &header, NULL), 0);
	cr_expect_eq(header.page_size, 65536);
	bytes[15] = ' '; /* "SQLite format 3", and no NUL */
	cr_expect_eq(sqlite_header_read(&at, &header, &err), -EBADMSG);
	cr_expect(strstr(error_text(&err), "its first bytes are not those of one"));
	cr_expect(err.hint && strstr(err.hint, "encrypted"));
	at.size = 99;
	cr_expect_eq(sqlite_header_read(&at, &header, &err), -EBADMSG);
	at.size = 0;
	cr_assert_eq(sqlite_header_read(&at, &header, NULL), 0);
	cr_expect(header.empty);
	error_done(&err);
}

Test(sqlite_wal, committed_frames_and_a_transaction_that_is_open)
{
	AUTO_TREE tree = tree_new();
	AUTO_CAUGHT file = { 0 };
	sqlite3 *db = make(&tree, "WAL");
	struct sqlite_wal before, during;

	catch_file(&file, &tree, "d-wal");
	before = wal_of(&file);
	cr_expect_not(before.empty);
	cr_expect_eq(before.page_size, PAGE);
	cr_expect_geq(before.frames, 11);
	cr_expect_eq(before.frames * (PAGE + 24) + 32, file.at.size);
	cr_expect_eq(before.at_most, before.frames * PAGE);
	cr_expect_eq(before.uncommitted, 0);
	cr_expect_eq(before.torn, 0);
	begin_and_spill(db);
	catch_file(&file, &tree, "d-wal");
	during = wal_of(&file);
	cr_expect_eq(during.frames, before.frames);
	cr_expect_gt(during.uncommitted, 10);
	cr_expect_eq(during.db_pages, before.db_pages);
	run(db, "COMMIT");
	catch_file(&file, &tree, "d-wal");
	cr_expect_gt(wal_of(&file).frames, before.frames + during.uncommitted);
	cr_expect_gt(wal_of(&file).db_pages, before.db_pages);
	sqlite3_close(db);
}

Test(sqlite_wal, checkpoints)
{
	AUTO_TREE tree = tree_new();
	AUTO_CAUGHT file = { 0 };
	sqlite3 *db = make(&tree, "WAL");
	struct sqlite_wal before, after;

	catch_file(&file, &tree, "d-wal");
	before = wal_of(&file);
	run(db, "PRAGMA wal_checkpoint(PASSIVE)");
	catch_file(&file, &tree, "d-wal");
	cr_expect_eq(wal_of(&file).frames, before.frames, "all of them stand there still");
	run(db, "INSERT INTO t VALUES(3, 'x')"); /* from the beginning again, with other salts */
	catch_file(&file, &tree, "d-wal");
	after = wal_of(&file);
	cr_expect_leq(after.frames, 2);
	cr_expect_eq(after.torn, file.at.size - 32 - after.frames * (PAGE + 24));
	run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
	catch_file(&file, &tree, "d-wal");
	cr_expect(wal_of(&file).empty);
	cr_expect_eq(wal_of(&file).at_most, 0);
	sqlite3_close(db);
}

Test(sqlite_wal, the_first_frame_that_does_not_fit_ends_it)
{
	AUTO_TREE tree = tree_new();
	AUTO_CAUGHT file = { 0 };
	sqlite3 *db = make(&tree, "WAL");
	const uint64_t frame = PAGE + 24;
	uint8_t *third;
	uint64_t all;

	catch_file(&file, &tree, "d-wal");
	all = wal_of(&file).frames;
	for (unsigned cut = 1; cut < 24 + PAGE; cut += 500) {
		file.at.size = file.buffer.size = 32 + all * frame - cut;
		/* The last transaction is not whole, so none of it counts. */
		cr_expect_lt(wal_of(&file).frames, all);
		cr_expect_eq(wal_of(&file).frames + wal_of(&file).uncommitted, all - 1);
		cr_expect_eq(wal_of(&file).torn, frame - cut);
	}
	file.at.size = file.buffer.size = 32 + all * frame;
	third = file.buffer.bytes + 32 + 2 * frame;
	for (unsigned at = 0; at < 24 + PAGE; at += 1 + at % 7 * 100) {
		third[at] ^= 0x10; /* page number, size, salts, sums, page: all are summed */
		cr_expect_leq(wal_of(&file).frames + wal_of(&file).uncommitted, 2, "%u", at);
		cr_expect_eq(wal_of(&file).torn, (all - 2) * frame);
		third[at] ^= 0x10;
	}
	cr_expect_eq(wal_of(&file).frames, all);
	sqlite3_close(db);
}

Test(sqlite_wal, headers_that_do_not_count)
{
	AUTO_TREE tree = tree_new();
	AUTO_CAUGHT file = { 0 };
	sqlite3 *db = make(&tree, "WAL");
	struct sqlite_wal wal = { 0 };
	struct error err = ERROR_INIT;

	catch_file(&file, &tree, "d-wal");
	for (unsigned at = 0; at < 32; at++) {
		file.buffer.bytes[at] ^= 0x40;
		cr_expect(wal_of(&file).empty, "%u", at);
		cr_expect_eq(wal_of(&file).torn, file.at.size);
		cr_expect_eq(wal_of(&file).at_most, 0);
		file.buffer.bytes[at] ^= 0x40;
	}
	file.at.size = 31;
	cr_expect(wal_of(&file).empty);
	file.at.size = 32;
	cr_expect_not(wal_of(&file).empty);
	cr_expect_eq(wal_of(&file).frames, 0);
	file.buffer.bad = 5;
	cr_expect_eq(sqlite_wal_read(&file.at, &wal, &err), -EIO);
	cr_expect_str_eq(error_text(&err), "cannot read /srv/file: Input/output error");
	file.at.size = file.buffer.size;
	file.buffer.bad = 32 + PAGE;
	cr_expect_eq(sqlite_wal_read(&file.at, &wal, &err), -EIO);
	error_done(&err);
	sqlite3_close(db);
}

/* A header of another version whose sum is right; the machine's order of words both ways. */
Test(sqlite_wal, versions_and_byte_orders)
{
	uint8_t bytes[32] = { 0x37, 0x7f, 0x06, 0x83, 0x00, 0x2d, 0xe2, 0x18, 0, 0, 0x10, 0 };
	struct bytes_buffer buffer = { bytes, sizeof(bytes), 0 };
	struct bytes_at at = bytes_of_buffer(&buffer);
	struct sqlite_wal wal = { 0 };
	uint32_t s0 = 0, s1 = 0;

	for (unsigned twice = 0; twice < 2; twice++) {
		bytes[7] = twice ? 0x19 : 0x18;
		s0 = s1 = 0;
		for (unsigned i = 0; i < 24; i += 8) {
			s0 += ((uint32_t)bytes[i] << 24 | (uint32_t)bytes[i + 1] << 16 |
			       (uint32_t)bytes[i + 2] << 8 | bytes[i + 3]) +
			      s1;
			s1 += ((uint32_t)bytes[i + 4] << 24 | (uint32_t)bytes[i + 5] << 16 |
			       (uint32_t)bytes[i + 6] << 8 | bytes[i + 7]) +
			      s0;
		}
		for (unsigned i = 0; i < 4; i++) {
			bytes[24 + i] = (uint8_t)(s0 >> (24 - 8 * i));
			bytes[28 + i] = (uint8_t)(s1 >> (24 - 8 * i));
		}
		cr_expect_eq(sqlite_wal_read(&at, &wal, NULL), twice ? -ENOTSUP : 0);
	}
	cr_expect_eq(wal.empty, true, "what could not be read is not taken for a log");
}

static bool is_hot(const struct caught *caught)
{
	struct sqlite_journal journal = { 0 };
	bool hot;

	cr_assert_eq(sqlite_journal_read(&caught->at, &journal, NULL), 0);
	cr_expect_null(journal.super);
	hot = journal.hot;
	sqlite_journal_done(&journal);
	return hot;
}

Test(sqlite_journal, of_a_transaction_that_is_open_and_one_that_is_not)
{
	static const char *const modes[] = { "DELETE", "TRUNCATE", "PERSIST" };

	for (size_t i = 0; i < ELEMENTS(modes); i++) {
		AUTO_TREE tree = tree_new();
		AUTO_CAUGHT file = { 0 };
		sqlite3 *db = make(&tree, modes[i]);

		begin_and_spill(db);
		catch_file(&file, &tree, "d-journal");
		cr_expect(is_hot(&file), "%s", modes[i]);
		run(db, "COMMIT");
		if (i > 0) {
			catch_file(&file, &tree, "d-journal");
			cr_expect_not(is_hot(&file), "%s", modes[i]);
		}
		sqlite3_close(db);
	}
}

Test(sqlite_journal, headers_that_do_not_count)
{
	AUTO_TREE tree = tree_new();
	AUTO_CAUGHT file = { 0 };
	sqlite3 *db = make(&tree, "DELETE");

	begin_and_spill(db);
	catch_file(&file, &tree, "d-journal");
	for (unsigned at = 0; at < 28; at += at == 7 ? 13 : 1) { /* magic, sector and page size */
		file.buffer.bytes[at] ^= 1;
		cr_expect_not(is_hot(&file), "%u", at);
		file.buffer.bytes[at] ^= 1;
	}
	file.at.size = 27;
	cr_expect_not(is_hot(&file));
	file.at.size = 0;
	cr_expect_not(is_hot(&file));
	run(db, "ROLLBACK");
	sqlite3_close(db);
}

/* The name at the end of a journal, as SQLite writes it: page, name, length, sum, magic. */
Test(sqlite_journal, names_a_super_journal)
{
	static const uint8_t magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
	static const char name[] = "/srv/\xc3\xa4-mj1";
	enum { LEN = sizeof(name) - 1, SIZE = 512 + 4 + LEN + 16 };
	uint8_t bytes[SIZE] = { 0 }, *trailer = bytes + SIZE - 16;
	struct bytes_buffer buffer = { bytes, SIZE, 0 };
	struct bytes_at at = bytes_of_buffer(&buffer);
	struct sqlite_journal journal = { 0 };
	uint32_t sum = 0;

	memcpy(bytes, magic, 8);
	bytes[22] = 2, bytes[26] = 16; /* sectors of 512, pages of 4096 */
	memcpy(bytes + 512 + 4, name, LEN);
	for (unsigned i = 0; i < LEN; i++)
		sum += (uint32_t)(int32_t)(signed char)name[i];
	trailer[3] = LEN;
	for (unsigned i = 0; i < 4; i++)
		trailer[4 + i] = (uint8_t)(sum >> (24 - 8 * i));
	memcpy(trailer + 8, magic, 8);
	cr_assert_eq(sqlite_journal_read(&at, &journal, NULL), 0);
	cr_expect(journal.hot);
	cr_assert_not_null(journal.super);
	cr_expect_str_eq(journal.super, name);
	sqlite_journal_done(&journal);
	for (unsigned i = 0; i < 16; i++) { /* its length, its sum, its end */
		trailer[i] ^= 0x80;
		cr_assert_eq(sqlite_journal_read(&at, &journal, NULL), 0);
		cr_expect_null(journal.super, "%u", i);
		sqlite_journal_done(&journal);
		trailer[i] ^= 0x80;
	}
	bytes[0] = 0; /* PERSIST: nobody asks what stands behind */
	cr_assert_eq(sqlite_journal_read(&at, &journal, NULL), 0);
	cr_expect_null(journal.super);
	cr_expect_not(journal.hot);
}
