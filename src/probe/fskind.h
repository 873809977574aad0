/* SPDX-License-Identifier: MIT */
/* What a filesystem lies on, by its type. */
#ifndef COLDSWAP_PROBE_FSKIND_H
#define COLDSWAP_PROBE_FSKIND_H

enum fskind {
	FSKIND_DEVICE, /* a disk, or something that its mount must tell */
	FSKIND_MEMORY, /* gone when the power is */
	FSKIND_NETWORK,
	FSKIND_STACKED, /* on another filesystem, or a program: what is below is not told */
};

enum fskind fskind_of(const char *fstype);

#endif
