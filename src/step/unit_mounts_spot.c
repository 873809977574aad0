/* SPDX-License-Identifier: MIT */
/* Which filesystems lie on disks of the work and may be missing afterwards. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/paths.h"
#include "step/unit_mounts.h"
#include "work/names.h"

#define MAX_DISKS 64

/* Options with which the boot goes on where the filesystem is missing. */
static const char *const optional[] = { "nofail", "noauto", "_netdev" };
static const char *const automounts[] = { "x-systemd.automount", "comment=systemd.automount" };

static bool has_any(const char *options, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (option_has(options, names[i]))
			return true;
	return false;
}

void spots_done(struct spots *spots)
{
	for (size_t i = 0; i < spots->n; i++) {
		free(spots->items[i].target);
		free(spots->items[i].options);
		free(spots->items[i].source);
		free(spots->items[i].text);
	}
	free(spots->items);
	*spots = (struct spots){ 0 };
}

static const struct spot *spot_at(const struct spots *spots, const char *target)
{
	for (size_t i = 0; i < spots->n; i++)
		if (strcmp(spots->items[i].target, target) == 0)
			return &spots->items[i];
	return NULL;
}

static int add_spot(struct spots *spots, const char *target, const char *options, const char *file,
		    unsigned line, const char *text, struct error *err)
{
	struct spot spot = { .target = strdup(target),
			     .options = strdup(options),
			     .text = strdup(text) };
	struct spot *grown = reallocarray(spots->items, spots->n + 1, sizeof(*grown));

	if (grown)
		spots->items = grown;
	if (asprintf(&spot.source, "%s:%u", file, line) < 0)
		spot.source = NULL;
	if (!grown || !spot.target || !spot.options || !spot.text || !spot.source) {
		free(spot.target);
		free(spot.options);
		free(spot.text);
		free(spot.source);
		return error_oom(err);
	}
	spots->items[spots->n++] = spot;
	return 0;
}

/* Does every disk below a device that the work touches carry the root too? */
static bool goes_with_root(const struct blocks *blocks, const struct mounts *mounts,
			   const struct work *work, const struct block *device)
{
	const struct block *disks[MAX_DISKS], *roots[MAX_DISKS];
	const struct mount *root = mounts_at(mounts, "/");
	const struct block *root_device = root ? blocks_of_mount(blocks, root) : NULL;
	size_t n = blocks_disks_of(blocks, device, disks, MAX_DISKS), n_roots;

	if (!root_device)
		return false;
	n_roots = blocks_disks_of(blocks, root_device, roots, MAX_DISKS);
	for (size_t i = 0; i < n && i < MAX_DISKS; i++) {
		bool shared = !work_touches(work, disks[i]);

		for (size_t k = 0; k < n_roots && k < MAX_DISKS; k++)
			shared |= disks[i] == roots[k];
		if (!shared)
			return false;
	}
	return true;
}

struct search {
	struct facts *facts;
	const struct work *work;
	const struct blocks *blocks;
	const struct mounts *mounts;
	struct spots *spots;
};

static int add_entry(struct search *search, const struct fstab_entry *entry, struct error *err)
{
	struct ref ref = { 0 };
	bool lost;
	int r;

	if (entry->malformed || strcmp(entry->fstype, "swap") == 0 || entry->target[0] != '/' ||
	    strcmp(entry->target, "/") == 0 || spot_at(search->spots, entry->target))
		return 0;
	r = ref_resolve(search->facts, search->work, entry->spec, &ref, err);
	if (r < 0)
		return r;
	lost = ref_at_stake(search->work, &ref) &&
	       !goes_with_root(search->blocks, search->mounts, search->work, ref.before[0]);
	ref_done(&ref);
	if (!lost)
		return 0;
	r = add_spot(search->spots, entry->target, entry->options, PATH_FSTAB, entry->line,
		     entry->text, err);
	if (r == 0) {
		struct spot *spot = &search->spots->items[search->spots->n - 1];

		spot->known_to_boot = TRI_YES;
		spot->automount = has_any(entry->options, automounts, ELEMENTS(automounts));
		spot->required =
			!spot->automount && !has_any(entry->options, optional, ELEMENTS(optional));
	}
	return r;
}

static int add_entries(struct search *search, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct fstab *fstab;
	int r = facts_fstab(search->facts, &fstab, &why);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return error_copy(err, &why);
	for (size_t i = 0; i < fstab->n && r == 0; i++)
		r = add_entry(search, &fstab->items[i], err);
	return r;
}

/* A bind mount shows a part of a filesystem that has a mount point of its own. */
static bool is_own(const struct mount *mount)
{
	bool pool = strcmp(mount->fstype, "btrfs") == 0 || strcmp(mount->fstype, "zfs") == 0;

	return !mount->hidden && strcmp(mount->target, "/") != 0 &&
	       (pool || strcmp(mount->root, "/") == 0) && !path_is_below(mount->target, PATH_RUN) &&
	       !path_is_below(mount->target, PATH_KUBELET "/pods");
}

/* At the next boot, that is: what lies below /run/systemd/system is gone by then. */
static int has_mount_unit(struct search *search, const char *target, enum tristate *ret,
			  struct error *err)
{
	static const char *const dirs[] = { PATH_SYSTEMD_ETC, PATH_SYSTEMD_GENERATED,
					    PATH_SYSTEMD_LOCAL, PATH_SYSTEMD_USR,
					    PATH_SYSTEMD_LIB };
	AUTO_FREE char *unit = NULL;

	*ret = TRI_NO;
	if (unit_name_of_mount(target, &unit) < 0)
		return error_oom(err);
	for (size_t i = 0; i < ELEMENTS(dirs) && *ret != TRI_YES; i++) {
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s/%s", dirs[i], unit) < 0) {
			path = NULL;
			return error_oom(err);
		}
		int r = host_exists(facts_host(search->facts), path, NULL);
		if (r == -ENOMEM)
			return error_oom(err);
		if (r != 0)
			*ret = r == 1 ? TRI_YES : TRI_UNKNOWN;
	}
	return 0;
}

/* What is mounted now by something else than fstab: a mount unit, a pool, a script. */
static int add_mount(struct search *search, const struct mount *mount, struct error *err)
{
	const struct block *device = blocks_of_mount(search->blocks, mount);
	struct ref ref = { .before = { device }, .n_before = 1 };
	AUTO_FREE char *text = NULL;
	int r;

	if (!device || !is_own(mount) || spot_at(search->spots, mount->target))
		return 0;
	ref.touched = work_touches_device(search->work, device);
	if (!ref_at_stake(search->work, &ref) ||
	    goes_with_root(search->blocks, search->mounts, search->work, device))
		return 0;
	if (asprintf(&text, "%s %s %s", mount->source ? mount->source : "", mount->target,
		     mount->fstype) < 0) {
		text = NULL;
		return error_oom(err);
	}
	r = add_spot(search->spots, mount->target, "", PATH_MOUNTINFO, mount->line, text, err);
	if (r < 0)
		return r;
	return has_mount_unit(search, mount->target,
			      &search->spots->items[search->spots->n - 1].known_to_boot, err);
}

int spots_find(struct facts *facts, const struct work *work, struct spots *ret, struct error *err)
{
	struct spots spots = { 0 };
	struct search search = { .facts = facts, .work = work, .spots = &spots };
	int r = facts_blocks(facts, &search.blocks, err);

	if (r == 0)
		r = facts_mounts(facts, &search.mounts, err);
	if (r == 0)
		r = add_entries(&search, err);
	for (size_t i = 0; r == 0 && i < search.mounts->n; i++)
		r = add_mount(&search, &search.mounts->items[i], err);
	if (r < 0) {
		spots_done(&spots);
		return r;
	}
	*ret = spots;
	return 0;
}
