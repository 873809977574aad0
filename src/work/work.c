/* SPDX-License-Identifier: MIT */
#include "work/work.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/datadirs.h"
#include "probe/paths.h"
#include "work/work_internal.h"

void work_request_done(struct work_request *request)
{
	free(request->disk);
	free(request->other);
	free(request->to);
	free(request->position);
	*request = (struct work_request){ 0 };
}

void work_free(struct work *work)
{
	if (!work)
		return;
	for (size_t i = 0; i < work->n; i++) {
		free(work->ops[i].controller);
		free(work->ops[i].new_text);
	}
	free(work->ops);
	strv_free(work->warnings);
	free(work);
}

static int work_new(struct facts *facts, size_t n, struct work **ret, struct error *err)
{
	CLEANUP(cleanup_work) struct work *work = calloc(1, sizeof(*work));
	int r;

	if (!work)
		return error_oom(err);
	work->ops = calloc(n ? n : 1, sizeof(*work->ops));
	if (!work->ops)
		return error_oom(err);
	work->origin = WORK_POWER_CYCLE;
	r = facts_blocks(facts, &work->blocks, err);
	if (r < 0)
		return r;
	*ret = TAKE(work);
	return 0;
}

static int warn(struct work *work, struct buf *text)
{
	int r = buf_error(text);

	return r < 0 ? r : strv_add(&work->warnings, buf_text(text));
}

static bool is_kernel_name(const struct block *disk, const char *text)
{
	static const char dev[] = PATH_DEV "/";

	if (strncmp(text, dev, strlen(dev)) == 0)
		text += strlen(dev);
	return strcmp(text, disk->name) == 0;
}

/* A disk is bound to its key at once: by the next boot its name is another's. */
static int warn_about_name(struct work *work, const struct block *disk, const char *text)
{
	const struct block *alike[1];
	AUTO_BUF line = BUF_INIT;

	if (!disk->key && blocks_alike(work->blocks, disk, alike, 1) == 0) {
		buf_addf(&line,
			 _("%s tells no serial number; it is taken as the only disk here (%s) that "
			   "tells none"),
			 disk->name, bus_name(disk->bus));
		return warn(work, &line);
	}
	if (!disk->key || disk->key_shared) {
		buf_addf(&line,
			 _("%s tells no serial number of its own: make sure by the label on "
			   "the disk that it is the one you mean"),
			 disk->name);
		return warn(work, &line);
	}
	if (!is_kernel_name(disk, text))
		return 0;
	buf_addf(&line, _("%s is a name of today; it is taken as the disk with the key %s"), text,
		 disk->key);
	return warn(work, &line);
}

static size_t disks_on_port(const struct work *work, const struct place *place)
{
	size_t n = 0;

	for (size_t i = 0; i < work->blocks->n; i++) {
		const struct block *block = work->blocks->items[i];

		if (block_is_disk(block) && block->bus == BUS_ATA && block->place.controller &&
		    place->controller && block->place.port == place->port &&
		    strcmp(block->place.controller, place->controller) == 0)
			n++;
	}
	return n;
}

/* A cable into a multiplier carries all its disks; one disk goes alone only by its own. */
static int warn_about_multiplier(struct work *work, const struct work_op *op)
{
	const struct block *disk = op->disk->place.pmp >= 0 || !op->other ? op->disk : op->other;
	AUTO_BUF line = BUF_INIT;
	size_t n = disks_on_port(work, &disk->place);

	if ((op->type != WORK_MOVE && op->type != WORK_EXCHANGE) || op->whole ||
	    disk->place.pmp < 0 || n < 2)
		return 0;
	buf_addf(&line,
		 _("%s shares port %d of %s with %zu others behind a port multiplier; it is "
		   "taken to move alone, by its own cable"),
		 disk->name, disk->place.port, disk->place.controller, n - 1);
	return warn(work, &line);
}

static int bind_disk(struct facts *facts, struct work *work, const char *text,
		     const struct block **ret, struct error *err)
{
	const struct block *disk = NULL;
	int r;

	if (!text || !*text)
		return error_set(err, -EINVAL, "no disk is named");
	r = facts_find_disk(facts, text, &disk, err);
	if (r < 0)
		return r;
	if (!block_is_disk(disk))
		disk = disk->disk;
	if (!disk || !block_is_disk(disk))
		return error_set(err, -EINVAL, "%s is no disk that has a cable", text);
	if (warn_about_name(work, disk, text) < 0)
		return error_oom(err);
	*ret = disk;
	return 0;
}

/* The disk that replaces another may be in the machine already, or still in its box. */
static int bind_new(struct facts *facts, struct work *work, const char *text, struct work_op *op,
		    struct error *err)
{
	const struct block *disk = NULL;
	int r;

	if (!text || !*text)
		return 0;
	op->new_text = strdup(text);
	if (!op->new_text)
		return error_oom(err);
	r = facts_find_disk(facts, text, &disk, err);
	if (r == -ENOENT) {
		error_done(err);
		return 0;
	}
	if (r < 0)
		return r;
	op->other = block_is_disk(disk) ? disk : NULL;
	return op->other && warn_about_name(work, disk, text) < 0 ? error_oom(err) : 0;
}

static int bind_request(struct facts *facts, struct work *work, const struct work_request *request,
			struct error *err)
{
	struct work_op *op = &work->ops[work->n];
	int r;

	op->type = request->type;
	work->n++;
	r = bind_disk(facts, work, request->disk, &op->disk, err);
	if (r < 0)
		return r;
	if (op->type == WORK_EXCHANGE)
		return bind_disk(facts, work, request->other, &op->other, err);
	if (op->type == WORK_REPLACE)
		return bind_new(facts, work, request->other, op, err);
	if (op->type == WORK_MOVE)
		return target_parse(facts, request->to ? request->to : "", op, err);
	return 0;
}

int work_resolve(struct facts *facts, const struct work_request *requests, size_t n,
		 struct work **ret, struct error *err)
{
	CLEANUP(cleanup_work) struct work *work = NULL;
	int r = work_new(facts, n, &work, err);

	if (r < 0)
		return r;
	work->origin = n ? WORK_GIVEN : WORK_POWER_CYCLE;
	for (size_t i = 0; i < n; i++) {
		r = bind_request(facts, work, &requests[i], err);
		if (r < 0)
			return requests[i].position ? error_wrap(err, "%s", requests[i].position)
						    : r;
	}
	r = work_conflicts(work, requests, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		if (warn_about_multiplier(work, &work->ops[i]) < 0)
			return error_oom(err);
	*ret = TAKE(work);
	return 0;
}

int work_advised(struct facts *facts, const struct block *a, const struct block *b,
		 struct work **ret, struct error *err)
{
	CLEANUP(cleanup_work) struct work *work = NULL;
	int r = work_new(facts, 1, &work, err);

	if (r < 0)
		return r;
	work->origin = WORK_ADVISED;
	work->ops[work->n++] = (struct work_op){ .type = WORK_EXCHANGE, .disk = a, .other = b };
	r = work_conflicts(work, NULL, err);
	if (r < 0)
		return r;
	*ret = TAKE(work);
	return 0;
}

static int copy_op(const struct work_op *from, struct work_op *ret)
{
	*ret = *from;
	ret->controller = from->controller ? strdup(from->controller) : NULL;
	ret->new_text = from->new_text ? strdup(from->new_text) : NULL;
	return (from->controller && !ret->controller) || (from->new_text && !ret->new_text)
		       ? -ENOMEM
		       : 0;
}

int work_and_disks(const struct work *work, const struct block *const *disks, size_t n,
		   struct work **ret, struct error *err)
{
	CLEANUP(cleanup_work) struct work *more = calloc(1, sizeof(*more));

	if (!more || !(more->ops = calloc(work->n + n + 1, sizeof(*more->ops))))
		return error_oom(err);
	more->origin = work->origin;
	more->blocks = work->blocks;
	for (size_t i = 0; i < work->n; i++)
		if (copy_op(&work->ops[i], &more->ops[more->n++]) < 0)
			return error_oom(err);
	for (size_t i = 0; i < n; i++)
		if (!work_touches(more, disks[i]))
			more->ops[more->n++] =
				(struct work_op){ .type = WORK_RECABLE, .disk = disks[i] };
	*ret = TAKE(more);
	return 0;
}

bool work_touches(const struct work *work, const struct block *disk)
{
	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].disk == disk || work->ops[i].other == disk)
			return true;
	return false;
}

bool work_touches_device(const struct work *work, const struct block *block)
{
	const struct block *disks[64];
	size_t n = blocks_disks_of(work->blocks, block, disks, ELEMENTS(disks));

	for (size_t i = 0; i < n && i < ELEMENTS(disks); i++)
		if (work_touches(work, disks[i]))
			return true;
	return false;
}

int work_mount_points(const struct work *work, const struct mounts *mounts, char ***ret)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const struct mount *mount = &mounts->items[i];
		const struct block *device = blocks_of_mount(work->blocks, mount);
		/* A device that sysfs does not show may lie on any disk. */
		bool touched = device ? work_touches_device(work, device)
				      : mount->major != 0 && work->n > 0;

		if (!touched || mount->hidden || strv_has(*ret, mount->target))
			continue;
		if (strv_add(ret, mount->target) < 0)
			return -ENOMEM;
	}
	return 0;
}

int work_search_places(const struct work *work, const struct mounts *mounts, char ***ret)
{
	return work->n > 0 ? work_mount_points(work, mounts, ret) : datadirs_places(mounts, ret);
}
