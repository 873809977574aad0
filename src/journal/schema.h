/* SPDX-License-Identifier: MIT */
/*
 * What stands in the database: its tables, indices and triggers, word by word.
 *
 * Version 1:
 *	event(seq, session, at, type, step, key, body, hash)
 * `key` is that of an original and NULL in all other events.
 */
#ifndef COLDSWAP_JOURNAL_SCHEMA_H
#define COLDSWAP_JOURNAL_SCHEMA_H

#include "journal/sql.h"

#define SCHEMA_VERSION 1

/* Is nothing in it yet? */
int schema_absent(struct journal *journal, bool *ret, struct error *err);
int schema_make(struct journal *journal, struct error *err);
/*
 * -EPROTONOSUPPORT: of a newer version.  -EUCLEAN: no journal of coldswap, or
 * something was added to, taken from or changed in it: a trigger that is gone
 * would let events be changed.
 */
int schema_check(struct journal *journal, struct error *err);

#endif
