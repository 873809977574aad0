/* SPDX-License-Identifier: MIT */
/*
 * A capture before it is written: directories, files and links by their path
 * on the host.  It is small by intent, so it is held in memory, where secrets
 * are taken out and, on demand, names renamed before anything reaches a disk.
 */
#ifndef COLDSWAP_CAPTURE_ENTRIES_H
#define COLDSWAP_CAPTURE_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strmap.h"
#include "error.h"

#define ENTRIES_MAX_BYTES ((size_t)256 << 20)

enum entry_type { ENTRY_DIRECTORY, ENTRY_FILE, ENTRY_LINK };

struct entry {
	char *path;
	enum entry_type type;
	char *data; /* of a file; of a link its text, NUL-terminated too */
	size_t len;
};

struct entries {
	struct entry *items;
	size_t n, capacity, bytes;
	struct strmap places; /* path -> index */
};

/* NULL when there is none. */
struct entry *entries_find(const struct entries *entries, const char *path);
/* What is there already stays: 0, -ENOMEM, or -EFBIG. */
int entries_add(struct entries *entries, const char *path, enum entry_type type, const char *data,
		size_t len);
/* Other bytes for an entry; takes over `data`. */
void entry_replace(struct entry *entry, char *data, size_t len);
/* By path, so that directories come before what they hold. */
void entries_sort(struct entries *entries);
void entries_done(struct entries *entries);

#endif
