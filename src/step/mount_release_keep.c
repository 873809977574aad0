/* SPDX-License-Identifier: MIT */
/* What is kept before the first umount, and what it means after another boot. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/json.h"
#include "probe/identity.h"
#include "probe/paths.h"
#include "step/mount_release.h"

#define KEY "filesystems"

/* ---- written ------------------------------------------------------------------------ */

static json_t *member_json(const struct release_member *member)
{
	return json_pack("{s:s,s:I,s:I}", "name", member->name, "major", (json_int_t)member->major,
			 "minor", (json_int_t)member->minor);
}

static int mount_json(const struct release_mount *mount, json_t *list)
{
	AUTO_JSON object = json_object();

	if (!object || json_set_text(object, "target", mount->target) < 0 ||
	    json_set_text(object, "root", mount->root) < 0 ||
	    json_set_text(object, "options", mount->options) < 0 ||
	    json_set_text(object, "source", mount->source) < 0 ||
	    json_object_set_new(object, "depth", json_integer(mount->depth)) < 0 ||
	    json_object_set_new(object, "dev", json_integer((json_int_t)mount->dev)) < 0)
		return -ENOMEM;
	return json_array_append(list, object) < 0 ? -ENOMEM : 0;
}

static int fs_json(const struct release_fs *fs, json_t *list)
{
	AUTO_JSON object = json_object();
	AUTO_JSON members = json_array();
	AUTO_JSON mounts = json_array();
	int r = object && members && mounts ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < fs->n_members; i++)
		if (json_array_append_new(members, member_json(&fs->members[i])) < 0)
			r = -ENOMEM;
	for (size_t i = 0; r == 0 && i < fs->n_mounts; i++)
		r = mount_json(&fs->mounts[i], mounts);
	if (r < 0 || json_set_text(object, "fstype", fs->fstype) < 0 ||
	    json_set_text(object, "uuid", fs->uuid) < 0 ||
	    json_set_text(object, "sysfs", fs->sysfs) < 0 ||
	    json_object_set_new(object, "major", json_integer(fs->major)) < 0 ||
	    json_object_set_new(object, "minor", json_integer(fs->minor)) < 0 ||
	    json_object_set(object, "members", members) < 0 ||
	    json_object_set(object, "mounts", mounts) < 0)
		return -ENOMEM;
	return json_array_append(list, object) < 0 ? -ENOMEM : 0;
}

/* For the executor: an empty mount point is then no surprise. */
static int save_taken_down(const struct step *step, const struct release *release,
			   struct error *err)
{
	AUTO_JSON targets = json_array();
	AUTO_BUF text = BUF_INIT;
	int r = targets ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < release->n; i++)
		for (size_t k = 0; r == 0 && k < release->items[i].n_mounts; k++)
			r = json_array_append_new(targets,
						  json_string(release->items[i].mounts[k].target));
	if (r != 0)
		return error_oom(err);
	r = json_print(targets, &text, err);
	return r < 0 ? r : step_save_original(step, ORIGINAL_TAKEN_DOWN, buf_text(&text), err);
}

int release_save(const struct step *step, const struct release *release, struct error *err)
{
	AUTO_JSON object = json_object();
	AUTO_JSON list = json_array();
	AUTO_BUF text = BUF_INIT;
	int r = object && list ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < release->n; i++)
		r = fs_json(&release->items[i], list);
	if (r < 0 || json_set_text(object, "boot_id", release->boot_id) < 0 ||
	    json_object_set(object, KEY, list) < 0)
		return error_oom(err);
	r = json_print(object, &text, err);
	if (r == 0)
		r = save_taken_down(step, release, err);
	return r < 0 ? r : step_save_original(step, KEY, buf_text(&text), err);
}

/* ---- read ------------------------------------------------------------------------------ */

static int copy_text(const json_t *object, const char *key, char **ret)
{
	const char *text = json_text(object, key);

	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static int load_member(const json_t *object, struct release_fs *fs)
{
	struct release_member *member = &fs->members[fs->n_members++];

	member->major = (unsigned)number(object, "major");
	member->minor = (unsigned)number(object, "minor");
	return copy_text(object, "name", &member->name);
}

static int load_mount(const json_t *object, struct release_fs *fs)
{
	struct release_mount *mount = &fs->mounts[fs->n_mounts++];

	mount->depth = (unsigned)number(object, "depth");
	mount->dev = (dev_t)number(object, "dev");
	return copy_text(object, "target", &mount->target) < 0 ||
			       copy_text(object, "root", &mount->root) < 0 ||
			       copy_text(object, "options", &mount->options) < 0 ||
			       copy_text(object, "source", &mount->source) < 0
		       ? -ENOMEM
		       : 0;
}

static int load_fs(const json_t *object, struct release_fs *fs)
{
	const json_t *members = json_object_get(object, "members");
	const json_t *mounts = json_object_get(object, "mounts");
	int r = copy_text(object, "fstype", &fs->fstype);

	if (r == 0)
		r = copy_text(object, "uuid", &fs->uuid);
	if (r == 0)
		r = copy_text(object, "sysfs", &fs->sysfs);
	fs->major = (unsigned)number(object, "major");
	fs->minor = (unsigned)number(object, "minor");
	fs->members = calloc(json_array_size(members) + 1, sizeof(*fs->members));
	fs->mounts = calloc(json_array_size(mounts) + 1, sizeof(*fs->mounts));
	if (!fs->members || !fs->mounts)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < json_array_size(members); i++)
		r = load_member(json_array_get(members, i), fs);
	for (size_t i = 0; r == 0 && i < json_array_size(mounts); i++)
		r = load_mount(json_array_get(mounts, i), fs);
	return r;
}

/* A text of our own, from the journal: a member that lacks is a broken journal. */
static bool is_whole(const struct release *release)
{
	for (size_t i = 0; i < release->n; i++) {
		const struct release_fs *fs = &release->items[i];

		if (!fs->fstype || !fs->n_members)
			return false;
		for (size_t k = 0; k < fs->n_members; k++)
			if (!fs->members[k].name)
				return false;
		for (size_t k = 0; k < fs->n_mounts; k++)
			if (!fs->mounts[k].target || !fs->mounts[k].root || !fs->mounts[k].options)
				return false;
	}
	return true;
}

int release_load(const struct step *step, struct release *ret, struct error *err)
{
	AUTO_RELEASE release = { 0 };
	AUTO_JSON object = NULL;
	const json_t *list;
	const char *text;
	int r = step_original(step, KEY, &text, err);

	if (r <= 0)
		return r;
	r = json_parse(text, strlen(text), "the originals of mount.release", &object, err);
	if (r < 0)
		return r;
	list = json_object_get(object, KEY);
	release.items = calloc(json_array_size(list) + 1, sizeof(*release.items));
	if (!release.items || copy_text(object, "boot_id", &release.boot_id) < 0)
		return error_oom(err);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (load_fs(json_array_get(list, i), &release.items[release.n++]) < 0)
			return error_oom(err);
	if (!is_whole(&release))
		return error_set(err, -EBADMSG, "%s",
				 "the originals of mount.release are not whole");
	*ret = release;
	release = (struct release){ 0 };
	return 1;
}

/* ---- after another boot ------------------------------------------------------------------ */

static void forget(struct release_fs *fs)
{
	for (size_t i = 0; i < fs->n_members; i++)
		free(fs->members[i].name);
	fs->n_members = 0;
	free(fs->sysfs);
	fs->sysfs = NULL;
	for (size_t i = 0; i < fs->n_mounts; i++)
		fs->mounts[i].dev = 0;
	fs->major = fs->minor = 0;
}

static bool is_it(const struct block *block, const struct release_fs *fs)
{
	return block && block->fs_uuid && fs->uuid && strcmp(block->fs_uuid, fs->uuid) == 0 &&
	       block->fs_type && strcmp(block->fs_type, "linux_raid_member") != 0;
}

static int find_again(const struct blocks *blocks, const struct mounts *mounts,
		      struct release_fs *fs)
{
	struct release_member *members = calloc(blocks->n + 1, sizeof(*members));

	if (!members)
		return -ENOMEM;
	forget(fs);
	free(fs->members);
	fs->members = members;
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		if (!is_it(block, fs))
			continue;
		members[fs->n_members] =
			(struct release_member){ strdup(block->name), block->major, block->minor };
		if (!members[fs->n_members].name)
			return -ENOMEM;
		fs->n_members++;
	}
	for (size_t i = 0; i < mounts->n; i++)
		if (is_it(blocks_of_mount(blocks, &mounts->items[i]), fs)) {
			fs->major = mounts->items[i].major;
			fs->minor = mounts->items[i].minor;
		}
	/* The number of a filesystem on one device is that device's, mounted or not. */
	if (!fs->major && fs->n_members && strcmp(fs->fstype, "btrfs") != 0) {
		fs->major = fs->members[0].major;
		fs->minor = fs->members[0].minor;
	}
	return fs->n_members ? 1 : 0;
}

static void say_lost(const struct release_fs *fs, struct result *result)
{
	const char *name = fs->n_mounts ? release_name(fs) : fs->fstype;
	struct finding *finding = result_find(result, "not-told", VERDICT_UNKNOWN, "%s", name);

	result_say(result, finding,
		   _("The filesystem that was at %s before the machine was restarted is not "
		     "found."),
		   name);
	result_remedy(result, finding, "%s",
		      _("See which filesystems there are: lsblk -f; is its disk plugged in?"));
	result_evidence(result, finding, PATH_CLASS_BLOCK, fs->uuid ? fs->uuid : _("no UUID"), NULL,
			NULL);
}

int release_renew(const struct step *step, struct release *release, struct result *result,
		  struct error *err)
{
	CLEANUP(identity_done) struct identity identity = IDENTITY_INIT;
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	const struct blocks *blocks;
	int r, all = 1;

	if (identity_load(step->host, &identity, NULL) == 0 && identity.boot_id &&
	    release->boot_id && strcmp(identity.boot_id, release->boot_id) == 0)
		return 1;
	if ((r = facts_blocks(step->facts, &blocks, err)) < 0 ||
	    (r = mounts_load(step->host, &mounts, err)) < 0)
		return r;
	for (size_t i = 0; i < release->n; i++) {
		r = find_again(blocks, mounts, &release->items[i]);
		if (r < 0)
			return error_oom(err);
		if (r == 0) {
			say_lost(&release->items[i], result);
			all = 0;
		}
	}
	return all;
}
