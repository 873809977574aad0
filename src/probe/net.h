/* SPDX-License-Identifier: MIT */
/*
 * Network interfaces as sysfs shows them (/sys/class/net), not judged.
 *
 * The kernel refuses to read carrier, speed and duplex of an interface that
 * is switched off (EINVAL), and virtio and Wi-Fi have no speed (-1): such
 * values are "not told".  A permission that is missing is an error.
 */
#ifndef COLDSWAP_PROBE_NET_H
#define COLDSWAP_PROBE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct nic {
	char *name;      /* "enp3s0" */
	char *path;      /* "/sys/class/net/enp3s0" */
	bool physical;   /* a device stands behind it; not lo, a bridge, a bond, veth */
	bool wireless;   /* has no speed and no duplex in the sense of a cable */
	char *operstate; /* "up", "down", "dormant", "unknown"; NULL not told */
	int carrier;     /* 1, 0; -1 not told */
	int enabled;     /* IFF_UP: 1, 0; -1 not told */
	int64_t mbit_s;  /* 0 not told */
	char *duplex;    /* "full", "half"; NULL not told */
};

struct nics {
	struct nic *items; /* by name */
	size_t n;
};

/* -ENOENT: the host shows no /sys/class/net at all. */
int nics_load(struct host *host, struct nics **ret, struct error *err);
void nics_free(struct nics *nics);
DEFINE_CLEANUP(nics, nics_free)

/* By its carrier, or its state where that is not told; false where neither is. */
bool nic_has_link(const struct nic *nic);
bool nic_state_known(const struct nic *nic);

const struct nic *nics_find(const struct nics *nics, const char *name);

#endif
