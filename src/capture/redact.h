/* SPDX-License-Identifier: MIT */
/* How names of a host are found in a capture, and what needs more than a replacement of bytes. */
#ifndef COLDSWAP_CAPTURE_REDACT_H
#define COLDSWAP_CAPTURE_REDACT_H

#include "capture/collect.h"
#include "capture/renames.h"

enum id_type {
	ID_UUID,   /* of a filesystem, partition, array: any form of one */
	ID_SERIAL, /* of a disk */
	ID_WWN,
	ID_LABEL,
	ID_CONSTANT, /* the type of a partition: the same on all hosts */
};

/* A name in its place: what stands there, escapes and all. */
typedef int found_function(void *data, enum id_type type, const char *at, size_t len);

/* Names that what stands before them gives away: "UUID=", "by-label/". */
int contexts_scan(const char *text, size_t len, found_function *found, void *data);
/* Names that their form gives away: UUIDs, machine ids, MAC and IP addresses. */
int patterns_scan(struct renames *renames, const char *text, size_t len);
/* Mail addresses, as smartd.conf and mdadm.conf have them. */
int mail_scan(struct renames *renames, const char *text, size_t len);

/* Register every name that the capture holds, and seal the table. */
int redact_find(struct capture *capture, struct renames *renames);
int redact_add_uuid(struct renames *renames, const char *text, size_t len);
int redact_add_wwn(struct renames *renames, const char *text, size_t len);
/*
 * A name that may be replaced wherever it stands as a word.  One that is a
 * common word too ("data", "root"), or very short, is replaced only where its
 * place says what it is.
 */
bool redact_is_distinct(const char *text, size_t len);
/* The host's own name is one from three letters on. */
bool redact_is_distinct_host(const char *text, size_t len);

/* Files whose form hides names from a search: EFI boot entries, IDENTIFY data, numbers in JSON. */
int special_find(struct renames *renames, const struct entry *entry);
/* Replace these; 1 when `ret` holds the new bytes, 0 when there is nothing special. */
int special_replace(const struct renames *renames, const struct entry *entry, struct buf *ret);

#endif
