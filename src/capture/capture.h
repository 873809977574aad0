/* SPDX-License-Identifier: MIT */
/*
 * A capture of a host: a tree for `--root` that gives the same verdicts.
 *
 *	capture_begin(host)	note what is asked from here on
 *	(every check is run)
 *	capture_collect()	what was asked, and what the table adds, in memory,
 *				without secrets
 *	capture_redact()	on demand: other names for everything that names the host
 *	capture_write()		the tree, whole or called partial
 *
 * What the probes asked is recorded, so that no list has to be kept beside
 * them; the table (rows.c) says how each path is held and adds what other
 * work, or a later version, may ask.  A path that could not be read is listed
 * in coldswap/unreadable.tsv, and asking for it there fails in the same way.
 */
#ifndef COLDSWAP_CAPTURE_CAPTURE_H
#define COLDSWAP_CAPTURE_CAPTURE_H

#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "probe/facts.h"

struct capture;

int capture_begin(struct host *host, struct error *err);
int capture_collect(struct facts *facts, struct capture **ret, struct error *err);
int capture_redact(struct capture *capture, struct error *err);

struct capture_written {
	size_t files, bytes;
	size_t unreadable; /* paths listed as such */
};

/*
 * On an error after the first byte `ret_partial` (may be NULL) receives the
 * name of what was left behind; the caller frees it.
 */
int capture_write(struct capture *capture, const char *dir, struct capture_written *ret,
		  char **ret_partial, struct error *err);

void capture_free(struct capture *capture);
DEFINE_CLEANUP(capture, capture_free)

#endif
