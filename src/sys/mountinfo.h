/* SPDX-License-Identifier: MIT */
/* Lines of /proc/self/mountinfo, as far as this layer needs them. */
#ifndef COLDSWAP_SYS_MOUNTINFO_H
#define COLDSWAP_SYS_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct mountinfo {
	struct mountinfo_line {
		/* Decoded, inside of `text`; `super` are the filesystem's own options. */
		char *root, *target, *fstype, *source, *super;
		unsigned major, minor;
	} * lines;
	size_t n;
	char *text;
};

/* Takes `text` over. */
int mountinfo_parse(char *text, struct mountinfo *ret, struct error *err);
void mountinfo_done(struct mountinfo *mounts);

/*
 * May line `index` be asked for its room without waiting for a server or a
 * program of somebody's?  Not when the filesystem is remote or FUSE, nor
 * when such a one was mounted over its place or above it.
 */
bool mountinfo_is_local(const struct mountinfo *mounts, size_t index);

/* Does a later line hide this one, at its own place? */
bool mountinfo_is_hidden(const struct mountinfo *mounts, size_t index);

#endif
