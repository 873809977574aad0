/* SPDX-License-Identifier: MIT */
#include "journal/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/intl.h"

/* What SQLite says | what it means | what to do */
static const struct failure {
	int code; /* primary */
	int means;
	bool ask_system; /* the errno of the failed call is better, where there is one */
	bool again;      /* rolled back; nothing is in doubt */
	const char *hint;
} failures[] = {
	{ SQLITE_FULL, -ENOSPC, false, true, N_("make room on the disk that holds it") },
	{ SQLITE_IOERR, -EIO, true, false, N_("look for errors of its disk in: dmesg") },
	{ SQLITE_READONLY, -EROFS, true, false, N_("make it and its directory writable") },
	{ SQLITE_CANTOPEN, -EIO, true, false, N_("look at it and its directory with: ls -la") },
	{ SQLITE_BUSY, -EAGAIN, false, true, N_("see who has it open, with: fuser -v") },
	{ SQLITE_LOCKED, -EAGAIN, false, true, N_("see who has it open, with: fuser -v") },
	{ SQLITE_PROTOCOL, -EAGAIN, false, true, N_("see who has it open, with: fuser -v") },
	{ SQLITE_CORRUPT, -EUCLEAN, false, false, NULL },
	{ SQLITE_NOTADB, -EUCLEAN, false, false, NULL },
	{ SQLITE_SCHEMA, -EUCLEAN, false, false, NULL },
	{ SQLITE_ERROR, -EUCLEAN, false, false, NULL },
	{ SQLITE_FORMAT, -EUCLEAN, false, false, NULL },
	{ SQLITE_MISMATCH, -EUCLEAN, false, false, NULL },
	{ SQLITE_CONSTRAINT, -EPERM, false, true, N_("it keeps what it has: report this") },
	{ SQLITE_PERM, -EACCES, false, false, N_("look at it and its directory with: ls -la") },
	{ SQLITE_AUTH, -EACCES, false, false, N_("look at it and its directory with: ls -la") },
	{ SQLITE_TOOBIG, -EFBIG, false, true, N_("an event is too large for it: report this") },
	{ SQLITE_NOMEM, -ENOMEM, false, true, N_("free some memory, then try again") },
};

static const struct failure unforeseen = { SQLITE_INTERNAL, -EIO, true, false,
					   N_("look at it and its directory with: ls -la") };

static const struct failure *find_failure(int code)
{
	for (size_t i = 0; i < ELEMENTS(failures); i++)
		if (failures[i].code == (code & 0xff))
			return &failures[i];
	return &unforeseen;
}

/* What a failed system call may have said that matters to an operator. */
static int system_errno(sqlite3 *db)
{
	static const int telling[] = {
		ENOSPC, EDQUOT, EROFS, EACCES, EPERM, EMFILE, ENFILE, ELOOP
	};
	int code = sqlite3_system_errno(db);

	for (size_t i = 0; i < ELEMENTS(telling); i++)
		if (telling[i] == code)
			return -code;
	return 0;
}

static void hint_damaged(const struct journal *journal, struct error *err)
{
	error_hint(err,
		   _("keep %s as it is: it tells what was changed; work on a copy, and move it "
		     "away before another session"),
		   journal->file);
}

int sql_damaged(const struct journal *journal, struct error *err, const char *what, ...)
{
	AUTO_BUF words = BUF_INIT;
	va_list args;

	va_start(args, what);
	(void)buf_vaddf(&words, what, args);
	va_end(args);
	error_set(err, -EUCLEAN, _("the journal %s is damaged: %s"), journal->file,
		  buf_text(&words));
	hint_damaged(journal, err);
	return -EUCLEAN;
}

int sql_failed(struct journal *journal, const char *doing, struct error *err)
{
	int code = sqlite3_extended_errcode(journal->db), means;
	const struct failure *failure = find_failure(code);

	/* Memory cannot fail to open: what the copy asks for is not there. */
	if (journal->image && failure->code == SQLITE_CANTOPEN)
		failure = find_failure(SQLITE_CORRUPT);
	means = failure->ask_system ? system_errno(journal->db) : 0;
	if (means == 0)
		means = failure->means;
	error_set(err, means, "%s %s: %s", doing, journal->file, sqlite3_errmsg(journal->db));
	if (failure->hint)
		error_hint(err, "%s", _(failure->hint));
	else
		hint_damaged(journal, err);
	if (!failure->again && journal->may_write && journal->shut.code == 0) {
		error_set(&journal->shut, means, _("nothing more is written to %s: %s"),
			  journal->file, sqlite3_errmsg(journal->db));
		if (err && err->hint)
			error_hint(&journal->shut, "%s", err->hint);
	}
	return means;
}

int sql_prepare(struct journal *journal, const char *text, sqlite3_stmt **ret, struct error *err)
{
	if (sqlite3_prepare_v2(journal->db, text, -1, ret, NULL) == SQLITE_OK)
		return 0;
	return sql_failed(journal, _("cannot use"), err);
}

int sql_step(struct journal *journal, sqlite3_stmt *statement, struct error *err)
{
	switch (sqlite3_step(statement)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return sql_failed(journal,
				  sqlite3_stmt_readonly(statement) ? _("cannot read")
								   : _("cannot write to"),
				  err);
	}
}

int sql_run(struct journal *journal, const char *text, struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	int r = sql_prepare(journal, text, &statement, err);

	while (r == 0 && (r = sql_step(journal, statement, err)) == 1)
		r = 0;
	return r;
}

int sql_int(struct journal *journal, const char *text, int64_t *ret, struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	int r = sql_prepare(journal, text, &statement, err);

	if (r < 0 || (r = sql_step(journal, statement, err)) < 0)
		return r;
	*ret = r ? sqlite3_column_int64(statement, 0) : 0;
	return 0;
}

int sql_bind_int(struct journal *journal, sqlite3_stmt *statement, int n, int64_t value,
		 struct error *err)
{
	if (sqlite3_bind_int64(statement, n, value) == SQLITE_OK)
		return 0;
	return sql_failed(journal, _("cannot use"), err);
}

int sql_bind_text(struct journal *journal, sqlite3_stmt *statement, int n, const char *value,
		  struct error *err)
{
	if (sqlite3_bind_text(statement, n, value, -1, SQLITE_TRANSIENT) == SQLITE_OK)
		return 0;
	return sql_failed(journal, _("cannot use"), err);
}

int sql_text(struct journal *journal, sqlite3_stmt *statement, int column, const char **ret,
	     struct error *err)
{
	int type = sqlite3_column_type(statement, column);
	const char *text;

	*ret = NULL;
	if (type == SQLITE_NULL)
		return 0;
	if (type != SQLITE_TEXT)
		return sql_damaged(journal, err, _("a text has become something else"));
	text = (const char *)sqlite3_column_text(statement, column);
	if (!text)
		return error_oom(err);
	if (strlen(text) != (size_t)sqlite3_column_bytes(statement, column))
		return sql_damaged(journal, err, _("a text holds a NUL byte"));
	*ret = text;
	return 0;
}

int sql_begin(struct journal *journal, struct error *err)
{
	if (!journal->may_write) {
		error_set(err, -EPERM, _("the journal %s was opened to be read"), journal->file);
		error_hint(err, _("this is an error of coldswap; report it"));
		return -EPERM;
	}
	if (journal->shut.code)
		return error_copy(err, &journal->shut);
	return sql_run(journal, "BEGIN IMMEDIATE", err);
}

int sql_end(struct journal *journal, int r, struct error *err)
{
	if (r == 0)
		r = sql_run(journal, "COMMIT", err);
	/* Some failures have rolled back by themselves. */
	if (r < 0 && !sqlite3_get_autocommit(journal->db))
		(void)sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}
