/* SPDX-License-Identifier: MIT */
#include "probe/net.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strv.h"
#include "probe/paths.h"

/* One attribute; *ret stays NULL where the kernel does not tell it. */
static int read_attribute(struct host *host, const struct nic *nic, const char *name, char **ret,
			  struct error *err)
{
	AUTO_FREE char *path = NULL;
	int r;

	if (asprintf(&path, "%s/%s", nic->path, name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = host_read_line(host, path, ret, err);
	if (r == -EACCES || r == -EPERM || r == -ENOMEM)
		return r;
	error_done(err);
	if (r == 0 && !**ret) {
		free(*ret);
		*ret = NULL;
	}
	return 0;
}

static int has_entry(struct host *host, const struct nic *nic, const char *name, bool *ret,
		     struct error *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_FREE char *target = NULL;
	int r;

	if (asprintf(&path, "%s/%s", nic->path, name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	/* A capture may keep the link and not the directory that it points to. */
	r = host_readlink(host, path, &target, NULL);
	if (r < 0)
		r = host_exists(host, path, err);
	else
		r = 1;
	if (r < 0)
		return r;
	*ret = r;
	return 0;
}

static int read_numbers(struct host *host, struct nic *nic, struct error *err)
{
	AUTO_FREE char *carrier = NULL;
	AUTO_FREE char *flags = NULL;
	AUTO_FREE char *speed = NULL;
	uint64_t bits;
	int r;

	r = read_attribute(host, nic, "carrier", &carrier, err);
	if (r == 0)
		r = read_attribute(host, nic, "flags", &flags, err);
	if (r == 0)
		r = read_attribute(host, nic, "speed", &speed, err);
	if (r < 0)
		return r;
	nic->carrier = !carrier ? -1 : !strcmp(carrier, "1") ? 1 : !strcmp(carrier, "0") ? 0 : -1;
	nic->enabled = flags && parse_hex_u64(flags, &bits) == 0 ? !!(bits & IFF_UP) : -1;
	if (!speed || parse_i64(speed, &nic->mbit_s) < 0 || nic->mbit_s < 0 ||
	    nic->mbit_s >= INT32_MAX)
		nic->mbit_s = 0;
	return 0;
}

static int read_link(struct host *host, struct nic *nic, struct error *err)
{
	bool phy = false;
	int r;

	r = has_entry(host, nic, "device", &nic->physical, err);
	if (r == 0)
		r = has_entry(host, nic, "wireless", &nic->wireless, err);
	if (r == 0)
		r = has_entry(host, nic, "phy80211", &phy, err);
	if (r == 0)
		r = read_attribute(host, nic, "operstate", &nic->operstate, err);
	if (r == 0)
		r = read_attribute(host, nic, "duplex", &nic->duplex, err);
	if (r == 0)
		r = read_numbers(host, nic, err);
	if (r < 0)
		return r;
	nic->wireless |= phy;
	if (nic->duplex && strcmp(nic->duplex, "full") && strcmp(nic->duplex, "half")) {
		free(nic->duplex);
		nic->duplex = NULL;
	}
	return 0;
}

static int load(struct host *host, char *const *names, struct nics *nics, struct error *err)
{
	size_t n = strv_length(names);

	nics->items = calloc(n + 1, sizeof(*nics->items));
	if (!nics->items)
		return error_oom(err);
	for (size_t i = 0; i < n; i++) {
		struct nic *nic = &nics->items[nics->n];
		struct stat st;
		int r;

		nic->name = strdup(names[i]);
		if (asprintf(&nic->path, "%s/%s", PATH_CLASS_NET, names[i]) < 0)
			nic->path = NULL;
		nics->n++;
		if (!nic->name || !nic->path)
			return error_oom(err);
		/* bonding_masters is a plain file among the interfaces. */
		if (host_stat(host, nic->path, &st, NULL) == 0 && !S_ISDIR(st.st_mode)) {
			free(nic->name);
			free(nic->path);
			nics->n--;
			continue;
		}
		r = read_link(host, nic, err);
		if (r < 0)
			return error_wrap(err, "cannot read %s", nic->path);
	}
	return 0;
}

int nics_load(struct host *host, struct nics **ret, struct error *err)
{
	CLEANUP(cleanup_nics) struct nics *nics = NULL;
	AUTO_STRV char **names = NULL;
	int r;

	r = host_list(host, PATH_CLASS_NET, &names, err);
	if (r < 0)
		return r;
	nics = calloc(1, sizeof(*nics));
	if (!nics)
		return error_oom(err);
	r = load(host, names, nics, err);
	if (r < 0)
		return r;
	*ret = TAKE(nics);
	return 0;
}

void nics_free(struct nics *nics)
{
	if (!nics)
		return;
	for (size_t i = 0; i < nics->n; i++) {
		free(nics->items[i].name);
		free(nics->items[i].path);
		free(nics->items[i].operstate);
		free(nics->items[i].duplex);
	}
	free(nics->items);
	free(nics);
}

const struct nic *nics_find(const struct nics *nics, const char *name)
{
	for (size_t i = 0; i < nics->n; i++)
		if (!strcmp(nics->items[i].name, name))
			return &nics->items[i];
	return NULL;
}

bool nic_has_link(const struct nic *nic)
{
	if (nic->carrier >= 0)
		return nic->carrier == 1;
	return nic->operstate && !strcmp(nic->operstate, "up");
}

bool nic_state_known(const struct nic *nic)
{
	return nic->carrier >= 0 || nic->operstate;
}
