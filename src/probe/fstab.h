/* SPDX-License-Identifier: MIT */
/* /etc/fstab, by libmount; lines that it refuses are kept, not skipped. */
#ifndef COLDSWAP_PROBE_FSTAB_H
#define COLDSWAP_PROBE_FSTAB_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct fstab_entry {
	unsigned line; /* from 1 */
	char *text;    /* the line as it stands, without the line end */
	char *spec;    /* first field, octal escapes decoded: "UUID=...", "/dev/sdb1" */
	char *target;  /* mount point, decoded; "none" for swap */
	char *fstype;
	char *options;  /* "defaults" when the field is missing */
	bool malformed; /* libmount refused the line: only `line` and `text` are set */
	char *why;      /* of a malformed line: what is wrong, one clause */
};

struct fstab {
	struct fstab_entry *items; /* comments and blank lines left out */
	size_t n;
	size_t n_lines;
};

int fstab_load(struct host *host, struct fstab **ret, struct error *err);
void fstab_free(struct fstab *fstab);
DEFINE_CLEANUP(fstab, fstab_free)

/* The first entry for a mount point, as the file spells it, or NULL; `fstab` may be NULL. */
const struct fstab_entry *fstab_at(const struct fstab *fstab, const char *target);

/* Is option `name` in a comma-separated list?  Quotes are respected. */
bool option_has(const char *options, const char *name);
/*
 * The `index`th value of option `name` ("device=..." may stand more than
 * once): 1 found and *ret is a copy, 0 not there, -ENOMEM.
 */
int option_value(const char *options, const char *name, size_t index, char **ret);

#endif
