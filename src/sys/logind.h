/* SPDX-License-Identifier: MIT */
/*
 * logind: holding a power-off back, and asking for one.
 *
 * Only on the running system: -EPERM for a capture.  -ENOENT, with what to do,
 * where no logind answers (a container, an emergency shell).  Each call waits
 * 5 s at most.
 */
#ifndef COLDSWAP_SYS_LOGIND_H
#define COLDSWAP_SYS_LOGIND_H

#include "error.h"
#include "host.h"

/*
 * Block `what` ("shutdown:sleep") for as long as *ret_fd is open; the caller
 * closes it, before its own power-off.  Until systemd 257 a root that asks
 * outside of systemctl passes over it.
 */
int logind_inhibit(struct host *host, const char *what, const char *who, const char *why,
		   int *ret_fd, struct error *err);

/*
 * Power the machine off, without asking anybody.  0: the shutdown has begun.
 * Any code after the call was sent (-ETIMEDOUT, -ECONNRESET) proves nothing:
 * the next boot's id does.  -EBUSY: somebody blocks it.
 */
int logind_power_off(struct host *host, struct error *err);

/* Would it? 0 yes; -EACCES not allowed; -EOPNOTSUPP this machine cannot; -EBUSY blocked. */
int logind_can_power_off(struct host *host, struct error *err);

#endif
