/* SPDX-License-Identifier: MIT */
/* A state directory that goes with the test, and shorter calls of a journal in it. */
#ifndef COLDSWAP_TESTS_UNIT_JOURNAL_STATE_H
#define COLDSWAP_TESTS_UNIT_JOURNAL_STATE_H

#include <criterion/criterion.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "journal.h"
#include "tree.h"

#define AUTO_JOURNAL CLEANUP(cleanup_journal) struct journal
#define AUTO_EVENTS CLEANUP(journal_events_done) struct journal_events
#define AUTO_ERROR CLEANUP(error_done) struct error

static inline struct journal *state_open(const struct tree *state, enum journal_access access)
{
	struct journal *journal = NULL;
	AUTO_ERROR err = ERROR_INIT;

	cr_assert_eq(journal_open(state->root, access, &journal, &err), 0, "%s", error_text(&err));
	return journal;
}

/* What opening it fails with; every failure owes words and a next action. */
static inline int state_refused(const struct tree *state, enum journal_access access)
{
	AUTO_JOURNAL *journal = NULL;
	AUTO_ERROR err = ERROR_INIT;
	int r = journal_open(state->root, access, &journal, &err);

	cr_expect_eq(r, err.code);
	cr_expect(r == 0 || (err.message && err.hint), "%d: %s", r, error_text(&err));
	return r;
}

/* A session with an intent, an original, an outcome: events 1 to 4. */
static inline int64_t state_fill(struct journal *journal)
{
	int64_t session = 0;

	cr_assert_eq(journal_begin(journal, "{\"tool\":\"1\"}", &session, NULL), 0);
	cr_assert_eq(journal_append(journal, session, "intent", "stop", "{}", NULL), 0);
	cr_assert_eq(journal_save_original(journal, session, "stop", "state", "active", NULL), 0);
	cr_assert_eq(journal_append(journal, session, "outcome", "stop", "{\"a\":[1]}", NULL), 0);
	return session;
}

static inline void state_file(const struct tree *state, char ret[512])
{
	snprintf(ret, 512, "%s/journal.db", state->root);
}

/* Do to the database what coldswap never does. */
static inline int state_sql(const struct tree *state, const char *sql)
{
	sqlite3 *db = NULL;
	char file[512];
	int r;

	state_file(state, file);
	cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
	r = sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_close(db);
	return r;
}

#endif
