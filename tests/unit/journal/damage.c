/* SPDX-License-Identifier: MIT */
/* What was done to a journal behind coldswap's back. */
#include "state.h"

#include <stdlib.h>

static void fill(const struct tree *state)
{
	AUTO_JOURNAL *journal = state_open(state, JOURNAL_WRITE);

	state_fill(journal);
}

static void expect_both(const struct tree *state, int code)
{
	cr_expect_eq(state_refused(state, JOURNAL_LOOK), code);
	cr_expect_eq(state_refused(state, JOURNAL_WRITE), code);
}

Test(damage, triggers_refuse_every_change)
{
	static const char *const changes[] = {
		"UPDATE event SET body = '{}' WHERE seq = 1",
		"DELETE FROM event WHERE seq = 4",
		"DELETE FROM event",
		"INSERT OR REPLACE INTO event SELECT seq, session, at, type, step, key, '{}', hash "
		"FROM event WHERE seq = 2",
		"INSERT INTO event SELECT 9, session, at, 'x', step, key, body, hash FROM event "
		"WHERE seq = 2",
		"INSERT INTO event SELECT 5, session, at, type, step, key, body, hash FROM event "
		"WHERE seq = 3",
		"INSERT INTO event SELECT 5, session, at, type, step, key, body, hash FROM event "
		"WHERE seq = 1",
	};
	AUTO_TREE state = tree_new();

	fill(&state);
	for (size_t i = 0; i < ELEMENTS(changes); i++)
		cr_expect_eq(state_sql(&state, changes[i]), SQLITE_CONSTRAINT, "%s", changes[i]);
	cr_expect_eq(state_refused(&state, JOURNAL_WRITE), 0);
}

Test(damage, a_changed_schema_is_refused)
{
	static const char *const changes[] = {
		"DROP TRIGGER event_update",
		"DROP TRIGGER event_delete",
		"DROP TRIGGER event_append",
		"DROP INDEX event_original",
		"DROP INDEX event_opened",
		"DROP TABLE event",
		"CREATE TABLE other (a)",
		"CREATE VIEW other AS SELECT 1",
		"ALTER TABLE event ADD COLUMN more",
		("DROP TRIGGER event_update; CREATE TRIGGER event_update BEFORE UPDATE ON event "
		 "BEGIN SELECT 1; END"),
		"PRAGMA application_id = 1",
		"PRAGMA user_version = 0",
		"PRAGMA user_version = -1",
	};

	for (size_t i = 0; i < ELEMENTS(changes); i++) {
		AUTO_TREE state = tree_new();

		fill(&state);
		cr_assert_eq(state_sql(&state, changes[i]), SQLITE_OK, "%s", changes[i]);
		expect_both(&state, -EUCLEAN);
	}
}

Test(damage, a_newer_version_is_refused_as_such)
{
	AUTO_TREE state = tree_new();

	fill(&state);
	cr_assert_eq(state_sql(&state, "PRAGMA user_version = 2; CREATE TABLE more (a)"),
		     SQLITE_OK);
	expect_both(&state, -EPROTONOSUPPORT);
}

Test(damage, another_journal_mode_is_refused)
{
	AUTO_TREE state = tree_new();

	fill(&state);
	cr_assert_eq(state_sql(&state, "PRAGMA journal_mode = WAL"), SQLITE_OK);
	expect_both(&state, -EUCLEAN);
}

Test(damage, an_event_that_was_changed_is_named)
{
	static const struct {
		const char *sql;
		int64_t seq;
	} changes[] = {
		{ "UPDATE event SET body = '{\"tool\":\"2\"}' WHERE seq = 1", 1 },
		{ "UPDATE event SET at = 'x' WHERE seq = 2", 2 },
		{ "UPDATE event SET step = NULL WHERE seq = 2", 2 },
		{ "UPDATE event SET step = '' WHERE seq = 1", 1 },
		{ "UPDATE event SET type = 'intenu' WHERE seq = 2", 2 },
		{ "UPDATE event SET session = 2 WHERE seq = 4", 4 },
		{ "UPDATE event SET key = 'stats' WHERE seq = 3", 3 },
		{ "UPDATE event SET hash = replace(hash, 'a', 'b') || '' WHERE seq = 4", 4 },
		{ "UPDATE event SET body = CAST(body AS BLOB) WHERE seq = 2", 2 },
		{ "UPDATE event SET body = body || char(0) WHERE seq = 2", 2 },
		{ "DELETE FROM event WHERE seq = 2", 2 },
		{ "DELETE FROM event WHERE seq = 1", 1 },
		{ "UPDATE event SET seq = 9 WHERE seq = 4", 4 },
	};
	static const char trigger[] = "CREATE TRIGGER event_update BEFORE UPDATE ON event\n"
				      "BEGIN SELECT raise(ABORT, 'an event is never changed'); END;"
				      "CREATE TRIGGER event_delete BEFORE DELETE ON event\n"
				      "BEGIN SELECT raise(ABORT, 'an event is never deleted'); END";
	char sql[1024];
	int64_t seq;

	for (size_t i = 0; i < ELEMENTS(changes); i++) {
		AUTO_TREE state = tree_new();
		AUTO_JOURNAL *journal = NULL;

		fill(&state);
		snprintf(sql, sizeof(sql),
			 "DROP TRIGGER event_update; DROP TRIGGER event_delete; %s; %s",
			 changes[i].sql, trigger);
		cr_assert_eq(state_sql(&state, sql), SQLITE_OK, "%s", sql);
		cr_expect_eq(state_refused(&state, JOURNAL_WRITE), -EUCLEAN, "%s", changes[i].sql);
		journal = state_open(&state, JOURNAL_LOOK);
		seq = 0;
		cr_expect_eq(journal_check(journal, &seq, NULL), -EUCLEAN, "%s", changes[i].sql);
		cr_expect_eq(seq, changes[i].seq, "%s", changes[i].sql);
	}
}

/* Cutting off the end leaves a chain that is right: that is what heads on cards are for. */
Test(damage, a_last_event_that_is_gone_shows_by_the_head)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	char before[65], after[65];

	state_fill(journal);
	cr_assert_eq(journal_head(journal, before, NULL), 0);
	journal_free(TAKE(journal));
	cr_assert_eq(state_sql(&state,
			       "DROP TRIGGER event_delete; DELETE FROM event WHERE seq = 4;"
			       "CREATE TRIGGER event_delete BEFORE DELETE ON event\n"
			       "BEGIN SELECT raise(ABORT, 'an event is never deleted'); END"),
		     SQLITE_OK);
	journal = state_open(&state, JOURNAL_LOOK);
	cr_assert_eq(journal_head(journal, after, NULL), 0);
	cr_expect_str_neq(after, before);
}

Test(damage, what_is_no_database_is_refused)
{
	AUTO_TREE state = tree_new();
	char file[512];

	tree_file(&state, "journal.db", "This was a journal, it says.\n");
	state_file(&state, file);
	chmod(file, 0600);
	expect_both(&state, -EUCLEAN);
}

Test(damage, a_file_that_others_have_a_hand_in_is_refused)
{
	AUTO_TREE state = tree_new();
	char file[512], other[512];

	fill(&state);
	state_file(&state, file);
	snprintf(other, sizeof(other), "%s/other", state.root);
	chmod(file, 0640);
	expect_both(&state, -EPERM);
	chmod(file, 0600);
	cr_assert_eq(link(file, other), 0);
	expect_both(&state, -EPERM);
	cr_assert_eq(unlink(file), 0);
	cr_assert_eq(symlink("other", file), 0);
	expect_both(&state, -EPERM);
	cr_assert_eq(unlink(file), 0);
	cr_assert_eq(mkdir(file, 0700), 0);
	expect_both(&state, -EPERM);
}

/* SQLite would wait for a FIFO without an end, and play back what anybody could have put there. */
Test(damage, what_others_put_beside_it_is_refused, .timeout = 20)
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	AUTO_TREE state = tree_new();
	char name[512], path[64];

	fill(&state);
	for (size_t i = 0; i < ELEMENTS(suffixes); i++) {
		snprintf(name, sizeof(name), "%s/journal.db%s", state.root, suffixes[i]);
		cr_assert_eq(mkfifo(name, 0600), 0);
		expect_both(&state, -EPERM);
		cr_assert_eq(unlink(name), 0);
		cr_assert_eq(symlink("/etc/passwd", name), 0);
		expect_both(&state, -EPERM);
		cr_assert_eq(unlink(name), 0);
		cr_assert_eq(mkdir(name, 0700), 0);
		expect_both(&state, -EPERM);
		cr_assert_eq(rmdir(name), 0);
		snprintf(path, sizeof(path), "journal.db%s", suffixes[i]);
		tree_file(&state, path, "anything");
		expect_both(&state, -EPERM);
		cr_assert_eq(unlink(name), 0);
	}
	journal_free(state_open(&state, JOURNAL_WRITE));
}

Test(damage, another_users_file_is_refused)
{
	AUTO_TREE state = tree_new();
	char file[512];

	if (geteuid() != 0)
		cr_skip_test("only root can give a file away");
	fill(&state);
	state_file(&state, file);
	cr_assert_eq(chown(file, 1, 1), 0);
	expect_both(&state, -EPERM);
}

static char *slurp(const char *file, size_t *ret_len)
{
	FILE *stream = fopen(file, "r");
	char *bytes = malloc(1 << 20);

	cr_assert_not_null(stream);
	*ret_len = fread(bytes, 1, 1 << 20, stream);
	fclose(stream);
	return bytes;
}

static void spill(const char *file, const char *bytes, size_t len)
{
	FILE *stream = fopen(file, "w");

	cr_assert_not_null(stream);
	cr_assert_eq(fwrite(bytes, 1, len, stream), len);
	fclose(stream);
}

/* The journal as it reads now, all of it; NULL: refused, with words. */
static char *read_all(const struct tree *state, enum journal_access access)
{
	AUTO_JOURNAL *journal = NULL;
	AUTO_EVENTS events = { 0 };
	AUTO_ERROR err = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (journal_open(state->root, access, &journal, &err) < 0 ||
	    journal_check(journal, NULL, &err) < 0 || journal_read(journal, 0, &events, &err) < 0) {
		cr_expect(err.message && err.hint, "%s", error_text(&err));
		return NULL;
	}
	for (size_t i = 0; i < events.n; i++)
		buf_addf(&text, "%lld %lld %s %s %s %s\n", (long long)events.items[i].seq,
			 (long long)events.items[i].session, events.items[i].at,
			 events.items[i].type, events.items[i].step ? events.items[i].step : "-",
			 events.items[i].body);
	return buf_take(&text);
}

/* Every 7th byte, three ways: it is found out, or the events are as they were. */
Test(damage, a_flipped_byte_never_changes_what_is_read, .timeout = 300)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff };
	AUTO_TREE state = tree_new();
	AUTO_FREE char *good = NULL, *text = NULL;
	char file[512], *now;
	unsigned found = 0;
	size_t len;

	fill(&state);
	state_file(&state, file);
	good = slurp(file, &len);
	text = read_all(&state, JOURNAL_LOOK);
	for (size_t i = 0; i < 3 * (len / 7); i++) {
		AUTO_FREE char *bad = malloc(len);
		size_t at = i / 3 * 7;

		memcpy(bad, good, len);
		bad[at] = (char)(bad[at] ^ flips[i % 3]);
		spill(file, bad, len);
		now = read_all(&state, JOURNAL_LOOK);
		found += !now;
		cr_expect(!now || strcmp(now, text) == 0, "byte %zu", at);
		free(now);
		if (i % 50)
			continue;
		now = read_all(&state, JOURNAL_WRITE);
		cr_expect(!now || strcmp(now, text) == 0, "byte %zu", at);
		free(now);
	}
	cr_expect_gt(found, 100);
}

Test(damage, a_file_that_was_cut_off_is_found_out)
{
	AUTO_TREE state = tree_new();
	AUTO_FREE char *good = NULL, *text = NULL;
	char file[512], *now;
	unsigned found = 0;
	size_t len;

	fill(&state);
	state_file(&state, file);
	good = slurp(file, &len);
	text = read_all(&state, JOURNAL_LOOK);
	for (size_t cut = 512; cut < len; cut += 512) {
		spill(file, good, cut);
		now = read_all(&state, JOURNAL_LOOK);
		found += !now;
		/* The end of the last page may hold nothing at all. */
		cr_expect(!now || (len - cut < 4096 && strcmp(now, text) == 0), "at %zu", cut);
		free(now);
		now = read_all(&state, JOURNAL_WRITE);
		cr_expect(!now || (len - cut < 4096 && strcmp(now, text) == 0), "at %zu", cut);
		free(now);
	}
	cr_expect_geq(found, len / 512 - 8);
}
