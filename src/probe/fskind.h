/* SPDX-License-Identifier: MIT */
/* What a filesystem lies on, by its type. */
#ifndef COLDSWAP_PROBE_FSKIND_H
#define COLDSWAP_PROBE_FSKIND_H

#include <stdbool.h>

enum fskind {
	FSKIND_DEVICE, /* a disk, or something that its mount must tell */
	FSKIND_MEMORY, /* gone when the power is */
	FSKIND_NETWORK,
	FSKIND_STACKED, /* on another filesystem, or a program: what is below is not told */
};

enum fskind fskind_of(const char *fstype);
/* Does nothing of it outlast a power-off: in memory, or made up by the kernel? */
bool fskind_is_fleeting(const char *fstype);

#endif
