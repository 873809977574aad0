/* SPDX-License-Identifier: MIT */
/*
 * The journal: what every session on this host meant to do, did, and found.
 *
 * One SQLite database, STATE/journal.db, journal_mode=DELETE,
 * synchronous=EXTRA, one connection.  It holds one table of events, which are
 * only ever appended: a trigger refuses every UPDATE and DELETE.  The state of
 * a session is a fold over its events (src/exec/fold.h); nothing is kept
 * twice.
 *
 * Invariants:
 *   1. journal_append() returns 0 only when the event is on the disk.
 *   2. Events are chained: `hash` is the SHA-256 of the previous event's hash
 *      and of this event's own fields, over all sessions of the journal.  The
 *      hash of the last one is the head; it stands on cards and reports.
 *   3. An event of type "original" is unique by (session, step, key): the
 *      first one stays.
 *   4. At most one session is open.
 *   5. A journal of a newer version is refused (-EPROTONOSUPPORT), as is a
 *      damaged one (-EUCLEAN): nothing is ever repaired in silence.
 */
#ifndef COLDSWAP_JOURNAL_H
#define COLDSWAP_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "buf.h"
#include "error.h"

struct journal;

enum journal_access {
	/*
	 * Changes nothing, not even after a crash: a copy in memory is read, as
	 * it stood at one moment, and rolled back there where that is due.  Not
	 * while this process has the same journal open to write.
	 */
	JOURNAL_LOOK,
	/*
	 * Made when it is missing.  Structure, schema and the whole chain are
	 * checked: a journal that does not hold together is not appended to.
	 */
	JOURNAL_WRITE,
};

/*
 * `state`: the state directory, checked by its owner (sys/statedir.h).
 * JOURNAL_LOOK: -ENOENT where no session was ever opened.
 * -EROFS, -EACCES, -ENOSPC: the state directory cannot be written.  -EPERM:
 * another user has a hand in the file.  -EAGAIN: another process has kept it
 * locked for five seconds.
 *
 * After an error of the disk nothing more is appended by this connection: the
 * same error is given again.  After -ENOSPC and -EAGAIN nothing was written,
 * and it may be tried again.
 */
int journal_open(const char *state, enum journal_access access, struct journal **ret,
		 struct error *err);
void journal_free(struct journal *journal);
DEFINE_CLEANUP(journal, journal_free)

struct journal_event {
	int64_t seq;     /* from 1, over all sessions, without gaps */
	int64_t session; /* from 1 */
	char *at;        /* RFC 3339, UTC, microseconds; for reading, no decision hangs on it */
	char *type;      /* "opened", "intent", "outcome", ...: src/exec/fold.h lists them */
	char *step;      /* the step's id, or NULL */
	char *body;      /* one JSON object */
	char hash[65];
};

struct journal_events {
	struct journal_event *items;
	size_t n;
};

/* `session` 0 = all.  In the order of `seq`. */
int journal_read(struct journal *journal, int64_t session, struct journal_events *ret,
		 struct error *err);
void journal_events_done(struct journal_events *events);

/* Open the next session with its event "opened".  -EBUSY: one is open. */
int journal_begin(struct journal *journal, const char *body, int64_t *ret_session,
		  struct error *err);
/* The session that is open, or 0. */
int journal_current(struct journal *journal, int64_t *ret_session, struct error *err);
/* How many sessions there are; they are numbered from 1. */
int journal_count(struct journal *journal, int64_t *ret, struct error *err);

/* `body` is a JSON object; `step` may be NULL. */
int journal_append(struct journal *journal, int64_t session, const char *type, const char *step,
		   const char *body, struct error *err);
/* The event that ends a session; `body` says how. */
int journal_end(struct journal *journal, int64_t session, const char *body, struct error *err);

/* Originals of a step (invariant 3).  Saving a key again keeps the first value. */
int journal_save_original(struct journal *journal, int64_t session, const char *step,
			  const char *key, const char *value, struct error *err);
/* 1 and a text to free, 0 when none was kept, or a negative errno. */
int journal_original(struct journal *journal, int64_t session, const char *step, const char *key,
		     char **ret, struct error *err);

/* The hash of the last event, 64 hex digits; of an empty journal 64 zeros. */
int journal_head(struct journal *journal, char ret[65], struct error *err);
/*
 * Compute the whole chain anew.  -EUCLEAN names the first event that does not
 * fit; *ret_seq (may be NULL) is its number.
 */
int journal_check(struct journal *journal, int64_t *ret_seq, struct error *err);

#endif
