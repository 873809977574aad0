/* SPDX-License-Identifier: MIT */
/*
 * One entry of udev's database: the links that a device claims (S: lines)
 * and its properties (E: lines).  Also reads bare "NAME=value" lines, the
 * form in which a device's own signature is told.
 *
 * Bytes are kept as they stand: a label may hold anything that a disk can
 * hold.  More than UDEV_MAX_LINES lines is -EFBIG; what is no S: or E: line
 * is passed over, as udev itself does.
 */
#ifndef COLDSWAP_PROBE_UDEV_H
#define COLDSWAP_PROBE_UDEV_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

#define UDEV_MAX_LINES 4096

struct udev_entry {
	char **links;      /* below /dev: "disk/by-id/..." */
	char **properties; /* "NAME=value" */
};

/* The entry of a block device; -ENOENT where udev has none. */
int udev_load(struct host *host, unsigned major, unsigned minor, struct udev_entry **ret,
	      struct error *err);
/* The parser alone; `bare` reads "NAME=value" lines instead of the database's form. */
int udev_parse(const char *text, size_t len, bool bare, struct udev_entry **ret, struct error *err);
void udev_free(struct udev_entry *entry);
DEFINE_CLEANUP(udev_entry, udev_free)

/* The value of a property, borrowed, or NULL; of two the later one counts. */
const char *udev_get(const struct udev_entry *entry, const char *name);

/*
 * A copy with \xNN escapes decoded and blanks at both ends removed; NULL for
 * one that is empty then.  An escaped NUL stays an escape.
 */
int udev_decode(const char *value, char **ret);

#endif
