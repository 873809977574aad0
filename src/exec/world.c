/* SPDX-License-Identifier: MIT */
#include "exec/world.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"

#define FILE_MAX ((size_t)1 << 20)

/* ---- ports ------------------------------------------------------------------- */

static bool is_built_in(const struct block *block)
{
	return block_is_disk(block) && block->key && !block->key_shared && !block->removable &&
	       block->bus != BUS_USB && block->bus != BUS_MMC && block->bus != BUS_UNKNOWN;
}

static int take_ports(struct facts *facts, json_t *world, struct error *err)
{
	const struct blocks *blocks;
	json_t *ports = json_object();
	int r = facts_blocks(facts, &blocks, err);

	for (size_t i = 0; !r && i < blocks->n; i++) {
		AUTO_FREE char *place = NULL;

		if (!is_built_in(blocks->items[i]))
			continue;
		if (place_describe(blocks->items[i], &place) ||
		    json_set_text(ports, blocks->items[i]->key, place))
			r = error_oom(err);
	}
	json_object_set_new(world, "ports", ports);
	return r;
}

/* ---- mounts ------------------------------------------------------------------ */

static bool is_wanted(const struct fstab *fstab, const char *target)
{
	const struct fstab_entry *entry = fstab_at(fstab, target);

	if (strcmp(target, "/") == 0)
		return true;
	return entry && !option_has(entry->options, "noauto") &&
	       !option_has(entry->options, "x-systemd.automount");
}

static int take_mounts(struct facts *facts, json_t *world, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct blocks *blocks;
	const struct mounts *mounts;
	const struct fstab *fstab = NULL;
	json_t *points = json_object();
	int r = facts_blocks(facts, &blocks, err);

	json_object_set_new(world, "mounts", points);
	if (!r)
		r = facts_mounts(facts, &mounts, err);
	/* Without one nothing is wanted of it; names.fstab says more. */
	if (!r && facts_fstab(facts, &fstab, &why))
		fstab = NULL;
	for (size_t i = 0; !r && i < mounts->n; i++) {
		const struct mount *mount = &mounts->items[i];
		const struct block *block = blocks_of_mount(blocks, mount);

		if (mount->hidden || !block || !block->fs_uuid || !is_wanted(fstab, mount->target))
			continue;
		if (json_set_text(points, mount->target, block->fs_uuid))
			r = error_oom(err);
	}
	return r;
}

/* ---- files ------------------------------------------------------------------- */

static int take_file(struct host *host, json_t *files, const char *path, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	char sha256[65];
	int r = host_read(host, path, FILE_MAX, &text, &why);

	if (r == -ENOENT || r == -ENOTDIR || r == -EINVAL)
		return 0;
	if (r)
		return error_copy(err, &why);
	r = sha256_hex(buf_text(&text), text.len, sha256, err);
	return r ? r : json_set_text(files, path, sha256);
}

static int take_unit(struct host *host, json_t *files, const char *unit, struct error *err)
{
	static const char *const dirs[] = { PATH_SYSTEMD_ETC, PATH_SYSTEMD_USR, PATH_SYSTEMD_LIB };
	int r = 0;

	for (size_t i = 0; !r && i < ELEMENTS(dirs); i++) {
		AUTO_FREE char *path = NULL;

		if (strchr(unit, '/') || asprintf(&path, "%s/%s", dirs[i], unit) < 0) {
			path = NULL;
			return 0;
		}
		r = take_file(host, files, path, err);
	}
	return r;
}

static int take_units_of(struct host *host, json_t *files, const struct plan_step *step,
			 struct error *err)
{
	int r = 0;

	for (const struct param_row *row = step->kind->params; !r && row && row->name; row++) {
		const char *at = (const char *)step->params + row->offset;

		if (row->type == PARAM_STRING && strcmp(row->name, "unit") == 0 &&
		    *(char *const *)(const void *)at)
			r = take_unit(host, files, *(char *const *)(const void *)at, err);
	}
	return r;
}

static int take_mount_units(struct host *host, json_t *files, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_STRV char **names = NULL;
	int r = host_list(host, PATH_SYSTEMD_ETC, &names, &why);

	if (r)
		return r == -ENOENT || r == -ENOTDIR ? 0 : error_copy(err, &why);
	for (char **name = names; !r && *name; name++)
		if (fnmatch("*.mount", *name, 0) == 0 || fnmatch("*.swap", *name, 0) == 0)
			r = take_unit(host, files, *name, err);
	return r;
}

static int take_files(struct facts *facts, const struct plan *plan, json_t *world,
		      struct error *err)
{
	struct host *host = facts_host(facts);
	json_t *files = json_object();
	int r = take_file(host, files, PATH_FSTAB, err);

	json_object_set_new(world, "files", files);
	if (!r)
		r = take_mount_units(host, files, err);
	for (size_t i = 0; !r && i < plan->n_steps; i++)
		if (plan->steps[i].params)
			r = take_units_of(host, files, &plan->steps[i], err);
	return r;
}

int world_take(struct facts *facts, const struct plan *plan, json_t **ret, struct error *err)
{
	AUTO_JSON world = json_object();
	int r = world ? take_ports(facts, world, err) : error_oom(err);

	if (!r)
		r = take_mounts(facts, world, err);
	if (!r)
		r = take_files(facts, plan, world, err);
	if (!r)
		*ret = TAKE(world);
	return r;
}

/* ---- compared ----------------------------------------------------------------- */

/* How one part of it is told, by what came of a name. */
static const struct part {
	const char *name;
	const char *changed, *gone, *come; /* NAME, was, is; NAME, was; NAME, is */
} parts[] = {
	{ "ports", N_("the disk %s was at %s and is at %s"),
	  N_("the disk %s was at %s and is gone"), N_("the disk %s is new, at %s") },
	{ "mounts", N_("on %s the filesystem %s was mounted, and now it is %s"),
	  N_("on %s the filesystem %s was mounted, and now nothing is"),
	  N_("on %s the filesystem %s is mounted, and nothing was") },
	{ "files", N_("the file %s changed (SHA-256 was %.12s, is %.12s)"),
	  N_("the file %s (SHA-256 %.12s) is gone"), N_("the file %s (SHA-256 %.12s) is new") },
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int add(char ***list, const char *fmt, const char *name, const char *a, const char *b)
{
	char *text;

	if (asprintf(&text, fmt, name, a, b) < 0)
		return -ENOMEM;
	return strv_take(list, text);
}
#pragma GCC diagnostic pop

static int compare_part(const struct part *part, const json_t *sealed, const json_t *now,
			char *const *may_go, char ***list)
{
	AUTO_JSON was = json_deep_copy(json_object_get(sealed, part->name));
	AUTO_JSON is = json_deep_copy(json_object_get(now, part->name));
	const char *name;
	const json_t *value;
	int r = 0;

	json_object_foreach (was, name, value) {
		const char *a = json_string_value(value), *b = json_text(is, name);

		if (!r && a && !b && !strv_has(may_go, name))
			r = add(list, _(part->gone), name, a, NULL);
		else if (!r && a && b && strcmp(a, b) != 0)
			r = add(list, _(part->changed), name, a, b);
	}
	json_object_foreach (is, name, value) {
		const char *b = json_string_value(value);

		if (!r && b && !json_text(was, name))
			r = add(list, _(part->come), name, b, NULL);
	}
	return r;
}

int world_compare(const json_t *sealed, struct facts *facts, const struct plan *plan,
		  char *const *taken_down, char ***ret, struct error *err)
{
	AUTO_JSON now = NULL;
	AUTO_STRV char **list = NULL;
	int r = world_take(facts, plan, &now, err);

	for (size_t i = 0; !r && i < ELEMENTS(parts); i++)
		if (compare_part(&parts[i], sealed, now,
				 strcmp(parts[i].name, "mounts") == 0 ? taken_down : NULL, &list))
			r = error_oom(err);
	if (!r)
		*ret = TAKE(list);
	return r;
}
