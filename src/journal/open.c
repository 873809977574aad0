/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "journal/schema.h"
#include "sys/dbfile.h"

#define FILE_NAME "journal.db"
#define FILE_MAX ((size_t)128 << 20)
#define EVENT_MAX (32 << 20)
#define BUSY_MS 5000
#define OPEN_FLAGS (SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE)

/* Nothing of SQLite's environment, temporary files or mapped pages plays a part. */
static const char *const settings[] = {
	"PRAGMA temp_store = MEMORY",     "PRAGMA mmap_size = 0",
	"PRAGMA cell_size_check = ON",    "PRAGMA synchronous = EXTRA",
	"PRAGMA recursive_triggers = ON",
};

static int absent(const char *state, struct error *err)
{
	error_set(err, -ENOENT, _("no session was ever opened here: there is no journal in %s"),
		  state);
	error_hint(err, "%s", _("begin one with: coldswap run RUNBOOK"));
	return -ENOENT;
}

/* The library's own switches; they fail only where it was built without them. */
static int harden(struct journal *journal, struct error *err)
{
	static const struct {
		int what, value;
	} switches[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 1 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
	};
	int now;

	for (size_t i = 0; i < ELEMENTS(switches); i++)
		if (sqlite3_db_config(journal->db, switches[i].what, switches[i].value, &now) !=
			    SQLITE_OK ||
		    now != switches[i].value)
			return error_set(err, -ENOTSUP, "SQLite %s lacks a switch that %s needs",
					 sqlite3_libversion(), journal->file);
	(void)sqlite3_limit(journal->db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_limit(journal->db, SQLITE_LIMIT_LENGTH, EVENT_MAX);
	return 0;
}

static int expect_text(struct journal *journal, const char *pragma, const char *expected,
		       struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	const char *text = NULL;
	int r = sql_prepare(journal, pragma, &statement, err);

	if (r < 0 || (r = sql_step(journal, statement, err)) < 0 ||
	    (r = r ? sql_text(journal, statement, 0, &text, err) : 0) < 0)
		return r;
	if (text && strcmp(text, expected) == 0)
		return 0;
	return sql_damaged(journal, err, "%s", text ? text : pragma);
}

static int set_up(struct journal *journal, struct error *err)
{
	int r = harden(journal, err);

	for (size_t i = 0; r == 0 && i < ELEMENTS(settings); i++)
		r = sql_run(journal, settings[i], err);
	return r;
}

static int connect_to(struct journal *journal, const char *name, const char *vfs, struct error *err)
{
	int r = sqlite3_open_v2(name, &journal->db, OPEN_FLAGS | SQLITE_OPEN_NOFOLLOW, vfs);

	if (!journal->db)
		return error_oom(err);
	if (r != SQLITE_OK)
		return sql_failed(journal, _("cannot open"), err);
	(void)sqlite3_busy_timeout(journal->db, BUSY_MS);
	return set_up(journal, err);
}

static int open_look(struct journal *journal, struct error *err)
{
	AUTO_DBFILE_COPY copy = { 0 };
	bool nothing = true;
	int64_t n = 0;
	int r = dbfile_copy(journal->file, FILE_MAX, &copy, err);

	if (r == -ENOENT)
		return absent(journal->state, err);
	if (r < 0 || (r = dbfile_check_beside(journal->file, err)) < 0 ||
	    (r = image_new(&copy, &journal->image, err)) < 0 ||
	    (r = connect_to(journal, IMAGE_NAME, image_vfs(journal->image), err)) < 0 ||
	    (r = schema_absent(journal, &nothing, err)) < 0)
		return r;
	if (nothing)
		return absent(journal->state, err);
	if ((r = schema_check(journal, err)) < 0 ||
	    (r = sql_run(journal, "PRAGMA query_only = ON", err)) < 0 ||
	    (r = journal_count(journal, &n, err)) < 0)
		return r;
	return n == 0 ? absent(journal->state, err) : 0;
}

/* What is appended to must be sound: structure, indices, and every event. */
static int check_whole(struct journal *journal, struct error *err)
{
	int r;

	if ((r = expect_text(journal, "PRAGMA integrity_check(1)", "ok", err)) < 0 ||
	    (r = schema_check(journal, err)) < 0)
		return r;
	return journal_check(journal, NULL, err);
}

static int open_write(struct journal *journal, struct error *err)
{
	bool nothing = true;
	int r;

	if ((r = dbfile_make(journal->file, err)) < 0 ||
	    (r = dbfile_writable(journal->file, err)) < 0 ||
	    (r = dbfile_check_beside(journal->file, err)) < 0 ||
	    (r = connect_to(journal, journal->file, NULL, err)) < 0)
		return r;
	journal->may_write = true;
	/* The first statement that reads also rolls back what a crash left. */
	if ((r = expect_text(journal, "PRAGMA journal_mode", "delete", err)) < 0 ||
	    (r = schema_absent(journal, &nothing, err)) < 0)
		return r;
	if (nothing && (r = schema_make(journal, err)) < 0)
		return r;
	return check_whole(journal, err);
}

static int no_state(const char *state, enum journal_access access, struct error *err)
{
	int code = -errno;

	if (code == -ENOENT && access == JOURNAL_LOOK)
		return absent(state, err);
	error_set(err, code, _("cannot use the state directory %s: %s"), state, strerror(-code));
	error_hint(err, "%s", _("name another one: --state DIR"));
	return code;
}

int journal_open(const char *state, enum journal_access access, struct journal **ret,
		 struct error *err)
{
	CLEANUP(cleanup_journal) struct journal *journal = calloc(1, sizeof(*journal));
	int r;

	if (!journal)
		return error_oom(err);
	/* SQLite refuses links everywhere in a path; only the last component matters here. */
	journal->state = realpath(state, NULL);
	if (!journal->state)
		return no_state(state, access, err);
	if (asprintf(&journal->file, "%s/" FILE_NAME, journal->state) < 0) {
		journal->file = NULL;
		return error_oom(err);
	}
	r = access == JOURNAL_LOOK ? open_look(journal, err) : open_write(journal, err);
	if (r < 0)
		return r;
	*ret = TAKE(journal);
	return 0;
}

void journal_free(struct journal *journal)
{
	if (!journal)
		return;
	(void)sqlite3_close(journal->db);
	image_free(journal->image);
	error_done(&journal->shut);
	free(journal->file);
	free(journal->state);
	free(journal);
}
