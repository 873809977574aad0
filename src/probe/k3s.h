/* SPDX-License-Identifier: MIT */
/* Where k3s was told to keep its data. */
#ifndef COLDSWAP_PROBE_K3S_H
#define COLDSWAP_PROBE_K3S_H

#include "error.h"
#include "host.h"

/*
 * The directories named by --data-dir in the unit's command line, by its
 * environment, and by k3s' own configuration file.  None is no error: then
 * it is the usual one.  0 or -ENOMEM.
 */
int k3s_data_dirs(struct host *host, char ***ret);

#endif
