/* SPDX-License-Identifier: MIT */
/* What stands beside a port in text: the words of its board and of its plain form. */
#ifndef COLDSWAP_REPORT_PORTS_WORDS_H
#define COLDSWAP_REPORT_PORTS_WORDS_H

#include "probe/facts.h"

/* Lines about what is on the port, or why nothing is; `ret` is a new strv. */
int port_words(struct facts *facts, const struct portmap *map, const struct controller *controller,
	       const struct port *port, char ***ret, struct error *err);
/* "6.0 Gb/s", or "-" without a link. */
void port_speed(const struct port *port, char *ret, size_t size);
/* "27.1 GB": decimal, as disks are sold. */
void bytes_words(int64_t bytes, char *ret, size_t size);
/* Nothing on both ports, and for the same reason. */
bool ports_are_alike(const struct port *a, const struct port *b);

#endif
