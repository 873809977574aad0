/* SPDX-License-Identifier: MIT */
/*
 * How the shutdown before this boot went, as far as this boot's kernel log
 * tells: a filesystem or an array that was not closed is recovered when it is
 * next opened, and says so.
 *
 * FAT is left out: its "not properly unmounted" stands until somebody repairs
 * it, boot after boot.
 */
#ifndef COLDSWAP_PROBE_SHUTDOWN_H
#define COLDSWAP_PROBE_SHUTDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct shutdown_mark {
	unsigned line; /* of the log, from 1 */
	char *text;    /* the line as it stands */
};

struct shutdown {
	struct shutdown_mark *marks; /* the first 16 */
	size_t n;
	bool from_start; /* the log reaches back to the boot: no mark means a clean shutdown */
	char *source;    /* "coldswap/kernel.log", "kernel log" */
};

int shutdown_load(struct host *host, struct shutdown **ret, struct error *err);
/* The parser alone; `text` need not be terminated at `len`. */
int shutdown_parse(const char *text, size_t len, const char *source, struct shutdown **ret,
		   struct error *err);
void shutdown_free(struct shutdown *shutdown);
DEFINE_CLEANUP(shutdown, shutdown_free)

#endif
