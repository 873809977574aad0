/* SPDX-License-Identifier: MIT */
/*
 * The chain of events.  An event's hash is the SHA-256, in hexadecimal, of
 *
 *	HASH SEQ SESSION AT TYPE STEP KEY BODY
 *
 * where HASH is that of the event before (64 zeros for the first), numbers are
 * decimal, each is written "LENGTH:BYTES," and NULL is "-,": no two lists of
 * fields make the same text.
 */
#ifndef COLDSWAP_JOURNAL_CHAIN_H
#define COLDSWAP_JOURNAL_CHAIN_H

#include "journal/sql.h"

#define CHAIN_START "0000000000000000000000000000000000000000000000000000000000000000"

/* A row of the table; borrowed. */
struct chain_event {
	int64_t seq, session;
	const char *at, *type, *step, *key, *body, *hash;
};

#define CHAIN_COLUMNS "seq, session, at, type, step, key, body, hash"

/* The columns above of the statement's row, good until its next step. */
int chain_row(struct journal *journal, sqlite3_stmt *statement, struct chain_event *ret,
	      struct error *err);
int chain_hash(const char *before, const struct chain_event *event, char ret[65],
	       struct error *err);

#endif
