/* SPDX-License-Identifier: MIT */
/*
 * What this host serves on the network: listening TCP sockets and bound UDP
 * sockets of /proc/net that others can reach, with the names of /etc/services.
 *
 * Source: Linux, Documentation/networking/proc_net_tcp.rst.
 */
#ifndef COLDSWAP_PROBE_LISTENERS_H
#define COLDSWAP_PROBE_LISTENERS_H

#include <stddef.h>

#include "error.h"
#include "host.h"

struct listener {
	unsigned port;
	const char *protocol; /* "tcp", "udp"; static */
	char *name;           /* "domain"; NULL = /etc/services has none */
};

struct listeners {
	struct listener *items; /* by port, each once */
	size_t n;
};

/* Sockets on the loopback address alone are left out.  -ENOENT: no /proc/net. */
int listeners_load(struct host *host, struct listeners *ret, struct error *err);
void listeners_done(struct listeners *listeners);

#endif
