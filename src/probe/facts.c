/* SPDX-License-Identifier: MIT */
#include "probe/facts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/paths.h"

/* A probe that ran: its error, or none. */
struct outcome {
	bool done;
	struct error error;
};

/* A drive that smartctl was asked about. */
struct asked {
	char *name;
	struct smart *smart;
};

struct facts {
	struct host *host;
	struct blocks *blocks;
	struct mounts *mounts;
	struct swaps *swaps;
	struct fstab *fstab;
	struct klog *klog;
	struct portmap *portmap;
	struct asked *asked; /* of the drives that the port map does not hold */
	size_t n_asked;
	struct outcome blocks_outcome, mounts_outcome, swaps_outcome;
	struct outcome fstab_outcome, klog_outcome, portmap_outcome;
};

int facts_new(struct host *host, struct facts **ret, struct error *err)
{
	struct facts *facts = calloc(1, sizeof(*facts));

	if (!facts)
		return error_oom(err);
	facts->host = host;
	*ret = facts;
	return 0;
}

void facts_free(struct facts *facts)
{
	if (!facts)
		return;
	/* The port map borrows from the log and the devices. */
	portmap_free(facts->portmap);
	for (size_t i = 0; i < facts->n_asked; i++) {
		free(facts->asked[i].name);
		smart_free(facts->asked[i].smart);
	}
	free(facts->asked);
	klog_free(facts->klog);
	fstab_free(facts->fstab);
	swaps_free(facts->swaps);
	mounts_free(facts->mounts);
	blocks_free(facts->blocks);
	error_done(&facts->blocks_outcome.error);
	error_done(&facts->mounts_outcome.error);
	error_done(&facts->swaps_outcome.error);
	error_done(&facts->fstab_outcome.error);
	error_done(&facts->klog_outcome.error);
	error_done(&facts->portmap_outcome.error);
	free(facts);
}

struct host *facts_host(struct facts *facts)
{
	return facts->host;
}

/* Does the probe have to run still?  Out of memory is worth another try. */
static bool must_run(const struct outcome *outcome)
{
	return !outcome->done || outcome->error.code == -ENOMEM;
}

static int remember(struct outcome *outcome, int r)
{
	outcome->done = true;
	/* A probe that failed without a word still failed. */
	if (r < 0 && outcome->error.code >= 0)
		error_set(&outcome->error, r, "%s", strerror(-r));
	return r;
}

/* The caller may want no words. */
static int answer(const struct outcome *outcome, struct error *err)
{
	if (err && outcome->error.code < 0)
		error_copy(err, &outcome->error);
	return outcome->error.code;
}

#define DEFINE_FACT(noun)                                                                          \
	int facts_##noun(struct facts *facts, const struct noun **ret, struct error *err)          \
	{                                                                                          \
		struct outcome *outcome = &facts->noun##_outcome;                                  \
		int r;                                                                             \
                                                                                                   \
		if (must_run(outcome))                                                             \
			remember(outcome,                                                          \
				 noun##_load(facts->host, &facts->noun, &outcome->error));         \
		r = answer(outcome, err);                                                          \
		if (r == 0)                                                                        \
			*ret = facts->noun;                                                        \
		return r;                                                                          \
	}

DEFINE_FACT(blocks)
DEFINE_FACT(mounts)
DEFINE_FACT(swaps)
DEFINE_FACT(fstab)
DEFINE_FACT(klog)

/* A lost log costs the map its states, not the map. */
static int load_portmap(struct facts *facts, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct blocks *blocks;
	const struct klog *klog = NULL;
	int r = facts_blocks(facts, &blocks, err);

	if (r < 0)
		return r;
	r = facts_klog(facts, &klog, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	return portmap_load(facts->host, blocks, r < 0 ? NULL : klog,
			    r < 0 ? error_text(&why) : NULL, &facts->portmap, err);
}

int facts_portmap(struct facts *facts, const struct portmap **ret, struct error *err)
{
	struct outcome *outcome = &facts->portmap_outcome;
	int r;

	if (must_run(outcome))
		remember(outcome, load_portmap(facts, &outcome->error));
	r = answer(outcome, err);
	if (r == 0)
		*ret = facts->portmap;
	return r;
}

static const struct smart *smart_of_map(struct facts *facts, const char *name)
{
	const struct portmap *map = NULL;

	/* A lost port map loses its drives' answers; they are asked again then. */
	if (facts_portmap(facts, &map, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < map->n_drives; i++)
		if (strcmp(map->drives[i].disk->name, name) == 0)
			return map->drives[i].smart;
	return NULL;
}

static int ask_drive(struct facts *facts, const char *name, struct error *err)
{
	struct asked *grown = reallocarray(facts->asked, facts->n_asked + 1, sizeof(*facts->asked));
	struct asked asked = { 0 };
	int r;

	if (!grown)
		return error_oom(err);
	facts->asked = grown;
	r = smart_load(facts->host, name, &asked.smart, err);
	if (r < 0)
		return r;
	asked.name = strdup(name);
	if (!asked.name) {
		smart_free(asked.smart);
		return error_oom(err);
	}
	grown[facts->n_asked++] = asked;
	return 0;
}

int facts_smart(struct facts *facts, const char *name, const struct smart **ret, struct error *err)
{
	const struct smart *smart = smart_of_map(facts, name);
	int r = 0;

	for (size_t i = 0; !smart && i < facts->n_asked; i++)
		if (strcmp(facts->asked[i].name, name) == 0)
			smart = facts->asked[i].smart;
	if (!smart) {
		r = ask_drive(facts, name, err);
		if (r == 0)
			smart = facts->asked[facts->n_asked - 1].smart;
	}
	if (r == 0)
		*ret = smart;
	return r;
}

/* A dataset "tank/data" lies on the members of the pool "tank". */
static const struct block *member_of_pool(const struct blocks *blocks, const char *dataset)
{
	size_t len = strcspn(dataset, "/");

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		if (block->fs_type && strcmp(block->fs_type, "zfs_member") == 0 &&
		    block->fs_label && strlen(block->fs_label) == len &&
		    memcmp(block->fs_label, dataset, len) == 0)
			return block;
	}
	return NULL;
}

const struct block *blocks_of_mount(const struct blocks *blocks, const struct mount *mount)
{
	const struct block *device[1] = { NULL };

	if (mount->source && strcmp(mount->fstype, "zfs") == 0)
		return member_of_pool(blocks, mount->source);
	if (mount->major)
		return blocks_by_devno(blocks, mount->major, mount->minor);
	if (mount->source && blocks_by_path(blocks, mount->source, device, 1) == 1)
		return device[0];
	return NULL;
}

bool facts_is_mounted(struct facts *facts, const struct block *block)
{
	const struct mounts *mounts = NULL;

	if (facts_mounts(facts, &mounts, NULL) < 0)
		return false;
	for (size_t i = 0; i < mounts->n; i++)
		if (mounts->items[i].major == block->major &&
		    mounts->items[i].minor == block->minor)
			return true;
	return false;
}

static int no_mount_point(const struct mounts *mounts, const char *text, struct error *err)
{
	const struct mount *over = mounts_over(mounts, text);
	int r = error_set(err, -ENOENT, "'%s' is neither a device nor a mount point", text);

	if (over)
		error_hint(err, "it lies on %s: name that", over->target);
	return r;
}

/* The one disk of a mount point; a list of candidates where it has several. */
static int only_disk(const struct block *device, const char *text, const struct block **ret,
		     struct error *err)
{
	AUTO_BUF list = BUF_INIT;
	int r;

	if (device->n_disks == 1) {
		*ret = device->disks[0];
		return 0;
	}
	if (device->n_disks == 0)
		return error_set(err, -ENOENT, "it is not known on which disk '%s' lies", text);
	for (size_t i = 0; i < device->n_disks; i++) {
		const struct block *disk = device->disks[i];

		buf_addf(&list, "%s%s (%s)", i > 0 ? "; " : "",
			 disk->serial ? disk->serial : disk->name, disk->name);
	}
	r = error_set(err, -ENOTUNIQ, "'%s' lies on %zu disks: %s", text, device->n_disks,
		      buf_text(&list));
	error_hint(err, "name the disk itself");
	return r;
}

static int disk_of_mount(struct facts *facts, const struct blocks *blocks, const char *text,
			 const struct block **ret, struct error *err)
{
	const struct mounts *mounts;
	const struct mount *mount;
	const struct block *device;
	int r = facts_mounts(facts, &mounts, err);

	if (r < 0)
		return r;
	mount = mounts_at(mounts, text);
	if (!mount)
		return no_mount_point(mounts, text, err);
	device = blocks_of_mount(blocks, mount);
	if (!device)
		return error_set(err, -ENOENT, "'%s' is mounted from '%s', which is no disk", text,
				 mount->source ? mount->source : "nothing");
	return only_disk(device, text, ret, err);
}

int facts_find_disk(struct facts *facts, const char *text, const struct block **ret,
		    struct error *err)
{
	const struct blocks *blocks;
	int r = facts_blocks(facts, &blocks, err);

	if (r < 0)
		return r;
	if (*text != '/' || path_is_below(text, PATH_DEV))
		return blocks_find_disk(blocks, text, ret, err);
	return disk_of_mount(facts, blocks, text, ret, err);
}
