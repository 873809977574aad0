/* SPDX-License-Identifier: MIT */
/*
 * A database is opened for writing, because SQLite applies a -wal, or rolls a
 * -journal back, only then; and with locking_mode=EXCLUSIVE, so that it needs
 * no shared memory.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"
#include "copy/validate_internal.h"

#define SHOWN 3 /* complaints that are passed on */
#define ASKED 100
#define OPCODES 1000 /* between two looks at the operator's wish to stop */

/* What one PRAGMA said. */
struct complaints {
	struct buf text;
	unsigned n;
};

static void cleanup_db(sqlite3 **db)
{
	sqlite3_close_v2(*db);
}

static int is_cancelled(void *cancelled)
{
	return *(const volatile sig_atomic_t *)cancelled != 0;
}

static int note(void *data, int columns, char **texts, char **names)
{
	struct complaints *found = data;

	(void)names;
	if (columns < 1 || !texts[0] || strcmp(texts[0], "ok") == 0)
		return 0;
	if (found->n++ < SHOWN)
		buf_addf(&found->text, "%s%s", found->n > 1 ? "; " : "", texts[0]);
	return 0;
}

/* Something is wrong with the database, as opposed to with asking. */
static bool is_damage(int code)
{
	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT;
}

static int errno_of(int code)
{
	switch (code) {
	case SQLITE_INTERRUPT:
		return -ECANCELED;
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_ERROR:
		return -ENOTSUP; /* a collation or module of the program that it belongs to */
	default:
		return -EIO;
	}
}

static int cannot_ask(sqlite3 *db, int code, struct error *err)
{
	int r = errno_of(code & 0xff);

	error_set(err, r, "SQLite says: %s", db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
	if (r == -ENOSPC)
		error_hint(err, "make room for a second copy of the database");
	return r;
}

static int open_view(const char *path, const volatile sig_atomic_t *cancelled, sqlite3 **ret)
{
	int code = sqlite3_open_v2(path, ret, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

	if (code != SQLITE_OK)
		return code;
	sqlite3_db_config(*ret, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(*ret, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	if (cancelled)
		sqlite3_progress_handler(*ret, OPCODES, is_cancelled, (void *)(uintptr_t)cancelled);
	return sqlite3_exec(*ret, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cell_size_check=ON", NULL,
			    NULL, NULL);
}

static int ask_pragma(sqlite3 *db, const char *pragma, struct complaints *found)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "PRAGMA %s(%d)", pragma, ASKED);
	return sqlite3_exec(db, sql, note, found, NULL);
}

static int compare_bytes(void *data, int a_len, const void *a, int b_len, const void *b)
{
	int order = memcmp(a, b, (size_t)(a_len < b_len ? a_len : b_len));

	(void)data;
	return order ? order : a_len - b_len;
}

static void stand_in(void *data, sqlite3 *db, int encoding, const char *name)
{
	(void)data;
	sqlite3_create_collation(db, name, encoding, NULL, compare_bytes);
}

/*
 * A collation that only the database's own program knows: any order will do
 * for quick_check, which does not look at the order of an index.
 */
static int ask_quickly(sqlite3 *db, struct complaints *found)
{
	buf_clear(&found->text);
	found->n = 0;
	sqlite3_collation_needed(db, NULL, stand_in);
	return ask_pragma(db, "quick_check", found);
}

/* What was applied on opening, in words. */
static int describe(sqlite3 *db, const struct sqlite_view *view, struct buf *ret)
{
	int frames = -1, moved;

	if (view->wal)
		sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, &frames, &moved);
	if (frames == 1)
		buf_adds(ret, "; 1 frame of the -wal applied");
	else if (view->wal)
		buf_addf(ret, "; %d frames of the -wal applied", frames < 0 ? 0 : frames);
	if (view->super_gone)
		buf_addf(ret, "; its -journal names %s, which is gone: that transaction is done",
			 view->super);
	else if (view->hot)
		buf_addf(ret, "; its -journal%s rolled back",
			 view->super ? " with its super-journal" : "");
	return buf_error(ret);
}

static int judge(const struct validation *ask, const struct sqlite_view *view, sqlite3 *db,
		 struct error *err)
{
	struct complaints found = { .text = BUF_INIT };
	AUTO_BUF more = BUF_INIT;
	const char *what = "ok";
	int r, code = ask_pragma(db, "integrity_check", &found);

	if (code == SQLITE_ERROR) {
		code = ask_quickly(db, &found);
		what = "ok by quick_check alone: it has a collation of its own program";
	}
	if (ask->cancelled && *ask->cancelled)
		r = error_set(err, -ECANCELED, "it was stopped");
	else if (is_damage(code & 0xff))
		r = validate_answer(ask, false, err, "%s", sqlite3_errmsg(db));
	else if (code != SQLITE_OK)
		r = cannot_ask(db, code, err);
	else if (found.n > 0)
		r = validate_answer(ask, false, err, "%s%s", buf_text(&found.text),
				    found.n > SHOWN ? "; and more" : "");
	else if (describe(db, view, &more) < 0)
		r = error_oom(err);
	else
		r = validate_answer(ask, true, err, "%s%s", what, buf_text(&more));
	buf_done(&found.text);
	return r;
}

int validate_sqlite(const struct validation *ask, struct error *err)
{
	CLEANUP(sqlite_view_done) struct sqlite_view view = { 0 };
	CLEANUP(cleanup_db) sqlite3 *db = NULL;
	int code, r = sqlite_view_make(ask, &view, err);

	if (r < 0)
		return r;
	if (view.super_lost)
		return validate_answer(ask, false, err,
				       "its -journal names the super-journal %s, which is not in "
				       "the copy",
				       view.super);
	code = open_view(view.path, ask->cancelled, &db);
	if (is_damage(code & 0xff))
		return validate_answer(ask, false, err, "%s", sqlite3_errmsg(db));
	if (code != SQLITE_OK)
		return cannot_ask(db, code, err);
	return judge(ask, &view, db, err);
}
