/* SPDX-License-Identifier: MIT */
/* Inside of struct statedir: for src/sys/statedir*.c alone. */
#ifndef COLDSWAP_SYS_STATEDIR_FD_H
#define COLDSWAP_SYS_STATEDIR_FD_H

#include "sys/statedir.h"

struct statedir {
	char *path;
	int fd;
};

/* "cannot WHAT PATH: ..." with the next action.  Returns `code`. */
int statedir_cannot(const char *what, const char *path, int code, struct error *err);

#endif
