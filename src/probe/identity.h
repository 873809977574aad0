/* SPDX-License-Identifier: MIT */
/* Who a host is: its name, machine-id and the id of its present boot. */
#ifndef COLDSWAP_PROBE_IDENTITY_H
#define COLDSWAP_PROBE_IDENTITY_H

#include "error.h"
#include "host.h"

/* NULL = the host does not tell. */
struct identity {
	char *name, *machine_id, *boot_id;
	char *source; /* where it was read, as evidence says it */
};

#define IDENTITY_INIT                                                                              \
	{                                                                                          \
		NULL, NULL, NULL, NULL                                                             \
	}

/*
 * A host that tells nothing (-ENOENT, no right to read) is no error: every
 * member stays NULL.  -EINVAL: what it tells is no JSON object.
 */
int identity_load(struct host *host, struct identity *ret, struct error *err);
void identity_done(struct identity *identity);

#endif
