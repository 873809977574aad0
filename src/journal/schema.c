/* SPDX-License-Identifier: MIT */
#include "journal/schema.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"

#define STRING(text) STRING_(text)
#define STRING_(text) #text

/* "cold", where file(1) and SQLite look for whose database it is. */
#define APPLICATION_ID 1668246628

/* In the order of their names, as they are read back. */
static const struct object {
	const char *name;
	const char *sql;
} objects[] = {
	{ "event", "CREATE TABLE event (\n"
		   "\tseq INTEGER PRIMARY KEY,\n"
		   "\tsession INTEGER NOT NULL CHECK (session > 0),\n"
		   "\tat TEXT NOT NULL,\n"
		   "\ttype TEXT NOT NULL,\n"
		   "\tstep TEXT,\n"
		   "\tkey TEXT CHECK ((key IS NULL) = (type <> 'original')),\n"
		   "\tbody TEXT NOT NULL,\n"
		   "\thash TEXT NOT NULL CHECK (length(hash) = 64)\n"
		   ")" },
	/* INSERT OR REPLACE would get round the two triggers below. */
	{ "event_append", "CREATE TRIGGER event_append BEFORE INSERT ON event\n"
			  "WHEN NEW.seq IS NOT (SELECT ifnull(max(seq), 0) + 1 FROM event)\n"
			  "BEGIN SELECT raise(ABORT, 'an event is only ever appended'); END" },
	{ "event_closed",
	  "CREATE UNIQUE INDEX event_closed ON event (session) WHERE type = 'closed'" },
	{ "event_delete", "CREATE TRIGGER event_delete BEFORE DELETE ON event\n"
			  "BEGIN SELECT raise(ABORT, 'an event is never deleted'); END" },
	{ "event_opened",
	  "CREATE UNIQUE INDEX event_opened ON event (session) WHERE type = 'opened'" },
	{ "event_original", "CREATE UNIQUE INDEX event_original ON event (session, step, key) "
			    "WHERE type = 'original'" },
	{ "event_update", "CREATE TRIGGER event_update BEFORE UPDATE ON event\n"
			  "BEGIN SELECT raise(ABORT, 'an event is never changed'); END" },
};

/* An empty one that says that it is a journal was emptied. */
int schema_absent(struct journal *journal, bool *ret, struct error *err)
{
	int64_t n = 0, id = 0;
	int r = sql_int(journal, "SELECT count(*) FROM sqlite_master", &n, err);

	if (r == 0)
		r = sql_int(journal, "PRAGMA application_id", &id, err);
	*ret = n == 0 && id == 0;
	return r;
}

static int make_objects(struct journal *journal, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(objects); i++)
		r = sql_run(journal, objects[i].sql, err);
	if (r == 0)
		r = sql_run(journal, "PRAGMA application_id = " STRING(APPLICATION_ID), err);
	if (r == 0)
		r = sql_run(journal, "PRAGMA user_version = " STRING(SCHEMA_VERSION), err);
	return r;
}

int schema_make(struct journal *journal, struct error *err)
{
	bool absent = true;
	int r = sql_begin(journal, err);

	if (r < 0)
		return r;
	/* Another process may have been faster. */
	r = schema_absent(journal, &absent, err);
	if (r == 0 && absent)
		r = make_objects(journal, err);
	return sql_end(journal, r, err);
}

static int check_version(struct journal *journal, struct error *err)
{
	int64_t id = 0, version = 0;
	int r;

	if ((r = sql_int(journal, "PRAGMA application_id", &id, err)) < 0 ||
	    (r = sql_int(journal, "PRAGMA user_version", &version, err)) < 0)
		return r;
	if (id != APPLICATION_ID)
		return sql_damaged(journal, err, "%s",
				   _("it does not say that it is a journal of coldswap"));
	if (version == SCHEMA_VERSION)
		return 0;
	if (version < SCHEMA_VERSION)
		return sql_damaged(journal, err, _("there is no version %lld of it"),
				   (long long)version);
	error_set(err, -EPROTONOSUPPORT,
		  _("the journal %s is of version %lld, and this coldswap knows version %d"),
		  journal->file, (long long)version, SCHEMA_VERSION);
	error_hint(err, "%s", _("use the coldswap that wrote it, or a newer one"));
	return -EPROTONOSUPPORT;
}

static int check_object(struct journal *journal, sqlite3_stmt *statement, size_t i,
			struct error *err)
{
	const char *name, *sql;
	int r;

	if ((r = sql_text(journal, statement, 0, &name, err)) < 0 ||
	    (r = sql_text(journal, statement, 1, &sql, err)) < 0)
		return r;
	if (i < ELEMENTS(objects) && name && sql && strcmp(name, objects[i].name) == 0 &&
	    strcmp(sql, objects[i].sql) == 0)
		return 0;
	return sql_damaged(journal, err, _("its schema was changed at '%s'"),
			   i < ELEMENTS(objects) ? objects[i].name
			   : name                ? name
						 : "?");
}

int schema_check(struct journal *journal, struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	size_t i = 0;
	int r = check_version(journal, err);

	if (r < 0 || (r = sql_prepare(journal, "SELECT name, sql FROM sqlite_master ORDER BY name",
				      &statement, err)) < 0)
		return r;
	for (; (r = sql_step(journal, statement, err)) == 1; i++)
		if ((r = check_object(journal, statement, i, err)) < 0)
			return r;
	if (r == 0 && i < ELEMENTS(objects))
		return sql_damaged(journal, err, _("its schema lacks '%s'"), objects[i].name);
	return r;
}
