/* SPDX-License-Identifier: MIT */
/* Names below /dev: udev's links, those it does not tell of, and what they mean. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/block_load.h"

static const char *const link_directories[] = {
	PATH_DEV_BY_ID,       PATH_DEV_BY_PATH,      PATH_DEV_BY_UUID, PATH_DEV_BY_LABEL,
	PATH_DEV_BY_PARTUUID, PATH_DEV_BY_PARTLABEL, PATH_DEV_MAPPER,  PATH_DEV_MD,
};

/* The part of a path after "/dev/", or NULL. */
static const char *below_dev(const char *path)
{
	size_t len = strlen(PATH_DEV "/");

	if (strncmp(path, PATH_DEV "/", len) != 0)
		return NULL;
	path += len;
	while (*path == '/')
		path++;
	return *path ? path : NULL;
}

/* All links that udev's data tells of, sorted; borrowed. */
struct claims {
	const char **items;
	size_t n;
};

static int compare_links(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int find_claims(const struct blocks *blocks, struct claims *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < blocks->n; i++)
		n += strv_length(blocks->items[i]->links);
	ret->items = calloc(n + 1, sizeof(*ret->items));
	if (!ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < blocks->n; i++)
		for (char **link = blocks->items[i]->links; link && *link; link++)
			ret->items[ret->n++] = *link;
	qsort(ret->items, ret->n, sizeof(*ret->items), compare_links);
	return 0;
}

/* A link that no device claims belongs to the device that it leads to. */
static int add_link(struct host *host, const struct blocks *blocks, const struct claims *claims,
		    const char *path)
{
	AUTO_FREE char *target = NULL;
	const char *link = below_dev(path), *name;
	const struct block *block;
	int r;

	if (!link || bsearch(&link, claims->items, claims->n, sizeof(link), compare_links))
		return 0;
	r = host_readlink(host, path, &target, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	name = strrchr(target, '/');
	block = blocks_by_name(blocks, name ? name + 1 : target);
	if (!block || strv_length(block->links) >= UDEV_MAX_LINES)
		return 0;
	for (size_t i = 0; i < blocks->n; i++)
		if (blocks->items[i] == block)
			return strv_add(&blocks->items[i]->links, link);
	return 0;
}

static int add_directory(struct host *host, const struct blocks *blocks,
			 const struct claims *claims, const char *directory)
{
	AUTO_STRV char **names = NULL;
	int r = host_list(host, directory, &names, NULL);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (char **name = names; name && *name; name++) {
		AUTO_BUF path = BUF_INIT;

		r = buf_addf(&path, "%s/%s", directory, *name);
		if (r == 0)
			r = add_link(host, blocks, claims, buf_text(&path));
		if (r < 0)
			return r;
	}
	return 0;
}

int blocks_links(struct host *host, struct blocks *blocks, struct error *err)
{
	struct claims claims = { NULL, 0 };
	int r = find_claims(blocks, &claims);

	for (size_t i = 0; r == 0 && i < ELEMENTS(link_directories); i++)
		r = add_directory(host, blocks, &claims, link_directories[i]);
	free(claims.items);
	return r < 0 ? error_oom(err) : 0;
}

/* sysfs writes "!" where a device node lies in a directory: cciss!c0d0. */
static bool is_kernel_name(const struct block *block, const char *name)
{
	const char *own = block->name;

	for (; *own && *name; own++, name++)
		if (*own != *name && !(*own == '!' && *name == '/'))
			return false;
	return *own == *name;
}

/*
 * Device mapper joins a group and a volume by one hyphen and doubles the
 * hyphens of each: group "a-b", volume "c" is a--b-c.
 */
static bool is_volume(const char *dm_name, const char *name)
{
	bool group = true;

	if (strchr(name, '/') != strrchr(name, '/') || !strchr(name, '/'))
		return false;
	for (; *name; name++) {
		char expect = *name == '/' && group ? '-' : *name;

		if (*name == '/')
			group = false;
		if (*dm_name++ != expect)
			return false;
		if (*name == '-' && *dm_name++ != '-')
			return false;
	}
	return *dm_name == '\0';
}

/* "disk/by-path/ID_PATH[-partN]": udev lets only one of several claimants have the link. */
static bool is_by_path(const struct block *block, const char *name)
{
	const char *prefix = "disk/by-path/";
	size_t len = block->id_path ? strlen(block->id_path) : 0;
	char part[32] = "";

	if (len == 0 || strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	name += strlen(prefix);
	if (block->partition)
		snprintf(part, sizeof(part), "-part%u", block->partition);
	return strncmp(name, block->id_path, len) == 0 && strcmp(name + len, part) == 0;
}

static bool means(const struct block *block, const char *name)
{
	if (strv_has(block->links, name) || is_by_path(block, name))
		return true;
	if (block->dm_name && strncmp(name, "mapper/", 7) == 0)
		return strcmp(name + 7, block->dm_name) == 0;
	if (block->md_name && strncmp(name, "md/", 3) == 0)
		return strcmp(name + 3, block->md_name) == 0;
	return block->dm_name && block->dm_uuid && strncmp(block->dm_uuid, "LVM-", 4) == 0 &&
	       is_volume(block->dm_name, name);
}

size_t blocks_by_path(const struct blocks *blocks, const char *path, const struct block **ret,
		      size_t max)
{
	const char *name = below_dev(path);
	size_t count = 0;

	if (!name)
		return 0;
	for (size_t i = 0; i < blocks->n; i++)
		if (is_kernel_name(blocks->items[i], name)) {
			if (max > 0)
				ret[0] = blocks->items[i];
			return 1;
		}
	for (size_t i = 0; i < blocks->n; i++) {
		if (!means(blocks->items[i], name))
			continue;
		if (count < max)
			ret[count] = blocks->items[i];
		count++;
	}
	return count;
}
