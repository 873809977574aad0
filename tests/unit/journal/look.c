/* SPDX-License-Identifier: MIT */
/* To look changes nothing, and sees what was acknowledged. */
#include "state.h"

#include <dirent.h>
#include <fcntl.h>

static void copy(const struct tree *from, const struct tree *to, const char *name)
{
	char command[512];

	snprintf(command, sizeof(command), "cp -p '%s/%s' '%s/%s'", from->root, name, to->root,
		 name);
	cr_assert_eq(system(command), 0);
}

/* Names, sizes and hashes of all that lies in a directory. */
static void listing(const struct tree *state, char ret[4096])
{
	char command[512];
	FILE *stream;

	snprintf(command, sizeof(command),
		 "cd '%s' && stat -c '%%n %%a %%s %%i %%y %%z' . * && cat * | sha256sum",
		 state->root);
	stream = popen(command, "r");
	cr_assert_not_null(stream);
	ret[fread(ret, 1, 4095, stream)] = '\0';
	cr_assert_eq(pclose(stream), 0);
}

/* A database in the middle of a commit, as a crash leaves it: pages written, not acknowledged. */
static void half_written(const struct tree *to)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	sqlite3 *db = NULL;
	char file[512], body[2048];
	int64_t session = state_fill(journal);

	/* On many pages, so that a cache of one page spills some that stood before. */
	snprintf(body, sizeof(body), "{\"a\":\"%02000d\"}", 0);
	for (int i = 0; i < 60; i++)
		cr_assert_eq(journal_append(journal, session, "x", NULL, body, NULL), 0);
	journal_free(TAKE(journal));
	state_file(&state, file);
	cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
	cr_assert_eq(
		sqlite3_exec(
			db,
			"PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;"
			"DROP TRIGGER event_update;"
			"UPDATE event SET body = '{\"lost\":\"' || hex(zeroblob(50000)) || '\"}';"
			"SELECT count(*) FROM event WHERE body LIKE '%x%'",
			NULL, NULL, NULL),
		SQLITE_OK);
	copy(&state, to, "journal.db");
	copy(&state, to, "journal.db-journal");
	sqlite3_close(db);
}

Test(look, nothing_there_is_no_session)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = NULL;
	char file[512];

	cr_expect_eq(state_refused(&state, JOURNAL_LOOK), -ENOENT);
	cr_expect_eq(journal_open("/nowhere/at/all", JOURNAL_LOOK, &journal, NULL), -ENOENT);
	cr_expect_eq(journal_open("/nowhere/at/all", JOURNAL_WRITE, &journal, NULL), -ENOENT);
	tree_file(&state, "journal.db", "");
	state_file(&state, file);
	chmod(file, 0600);
	cr_expect_eq(state_refused(&state, JOURNAL_LOOK), -ENOENT);
	journal_free(state_open(&state, JOURNAL_WRITE));
	cr_expect_eq(state_refused(&state, JOURNAL_LOOK), -ENOENT);
}

Test(look, sees_through_what_a_crash_left_and_leaves_it)
{
	AUTO_TREE state = tree_new();
	AUTO_EVENTS events = { 0 };
	char before[4096], after[4096];

	half_written(&state);
	listing(&state, before);
	cr_assert_not_null(strstr(before, "journal.db-journal"));
	for (int i = 0; i < 2; i++) {
		AUTO_JOURNAL *journal = state_open(&state, JOURNAL_LOOK);

		cr_expect_eq(journal_check(journal, NULL, NULL), 0);
		cr_assert_eq(journal_read(journal, 0, &events, NULL), 0);
		cr_expect_eq(events.n, 64, "%zu", events.n);
		cr_expect_str_eq(events.items[0].body, "{\"tool\":\"1\"}");
		journal_events_done(&events);
		listing(&state, after);
		cr_expect_str_eq(after, before);
	}
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);

	cr_assert_eq(journal_read(journal, 0, &events, NULL), 0);
	cr_expect_eq(events.n, 64, "%zu", events.n);
	listing(&state, after);
	cr_expect_null(strstr(after, "journal.db-journal"), "rolled back for good");
}

Test(look, without_its_rollback_what_was_half_written_is_found_out)
{
	AUTO_TREE state = tree_new();
	char file[512];

	half_written(&state);
	snprintf(file, sizeof(file), "%s/journal.db-journal", state.root);
	cr_assert_eq(unlink(file), 0);
	cr_expect_eq(state_refused(&state, JOURNAL_WRITE), -EUCLEAN);
}

Test(look, a_rollback_that_is_a_link_is_refused)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);

	state_fill(journal);
	journal_free(TAKE(journal));
	tree_link(&state, "journal.db-journal", "/etc/passwd");
	cr_expect_eq(state_refused(&state, JOURNAL_LOOK), -EPERM);
}

Test(look, a_writer_in_the_middle_of_it_is_no_obstacle)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	sqlite3 *db = NULL;
	char file[512];

	state_fill(journal);
	journal_free(TAKE(journal));
	state_file(&state, file);
	cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db,
				  "BEGIN IMMEDIATE; INSERT INTO event SELECT 5, 1, at, 'x', step, "
				  "key, body, hash FROM event WHERE seq = 2",
				  NULL, NULL, NULL),
		     SQLITE_OK);
	journal = state_open(&state, JOURNAL_LOOK);
	cr_expect_eq(journal_check(journal, NULL, NULL), 0);
	sqlite3_close(db);
}

Test(look, a_writer_that_never_lets_go_is_told, .timeout = 30)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	sqlite3 *db = NULL;
	char file[512];

	state_fill(journal);
	journal_free(TAKE(journal));
	state_file(&state, file);
	cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	cr_expect_eq(state_refused(&state, JOURNAL_LOOK), -EAGAIN);
	sqlite3_close(db);
}
