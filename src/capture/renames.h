/* SPDX-License-Identifier: MIT */
/*
 * Other names for what names a host, the same wherever it stands.
 *
 * A new name is derived from the old one by HMAC-SHA-256 under a key that is
 * random in each run and kept nowhere: equal names stay equal, and nobody can
 * go back.  It has the form of the old one: hexadecimal digits for such, a
 * letter for a letter, a digit for a digit, everything else as it was.
 *
 * One name stands in a tree in many forms: with dashes, colons or without, in
 * either case, escaped by udev ("\x20") or in fstab ("\040"), in UCS-2 and as
 * the bytes of a GUID in EFI variables, as bytes in pages of SCSI.  All are
 * registered at once, and replaced in one pass over any bytes.
 */
#ifndef COLDSWAP_CAPTURE_RENAMES_H
#define COLDSWAP_CAPTURE_RENAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"
#include "buf.h"
#include "error.h"

#define RENAMES_KEY_LEN 32

struct rename {
	char *from; /* in lower case unless exact */
	char *to;
	size_t from_len, to_len;
	bool exact; /* bytes, not text */
	bool word;  /* only where no letter or digit stands beside it */
};

struct renames {
	uint8_t key[RENAMES_KEY_LEN];
	struct rename *items;
	size_t n, capacity;
	struct strmap known;  /* canonical names, registered or exempt */
	size_t *heads, *next; /* by the first two bytes, longest first; after renames_seal() */
};

int renames_init(struct renames *renames, struct error *err);
void renames_done(struct renames *renames);

/* A constant of all hosts: never renamed.  Hexadecimal digits, dashes. */
int renames_exempt(struct renames *renames, const char *hex);
/*
 * A number in hexadecimal: UUID, WWN, MAC address, serial of a filesystem.
 * `keep` digits in front stay as they are (the type of a WWN).
 */
int renames_add_hex(struct renames *renames, const char *text, size_t len, unsigned keep);
/* Letters and digits: serial, host name, label. */
int renames_add_text(struct renames *renames, const char *text, size_t len);
/* A name that must stay, though it is one. */
int renames_keep(struct renames *renames, const char *text, size_t len);
bool renames_keeps(const struct renames *renames, const char *text, size_t len);
/* One form alone, given with its new form. */
int renames_add_form(struct renames *renames, const void *from, size_t from_len, const void *to,
		     size_t to_len, bool exact, bool word);

/* The new digits of canonical (lower-case, bare) ones, of the same length. */
int renames_hex_of(const struct renames *renames, const char *digits, size_t len, unsigned keep,
		   char *ret);
/* The new text of an old one, of the same length. */
int renames_text_of(const struct renames *renames, const char *text, size_t len, char *ret);
/* The hexadecimal digits of a text in lower case, at most `max`; 0 if it is no such number. */
size_t renames_digits(const char *text, size_t len, char *ret, size_t max);

/* All is known: from here on names are replaced. */
int renames_seal(struct renames *renames);
/* Append `bytes` with every name replaced. */
int renames_apply(const struct renames *renames, const char *bytes, size_t len, struct buf *ret);

#endif
