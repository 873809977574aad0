/* SPDX-License-Identifier: MIT */
/* Room on a filesystem, from the numbers of statvfs(3). */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "probe/facts.h"

void space_done(struct space *space)
{
	free(space->fstype);
	free(space->device);
	free(space->source);
	*space = (struct space){ 0 };
}

/* -1 = absent or no count. */
static int64_t number(const json_t *row, const char *key)
{
	const json_t *value = json_object_get(row, key);

	return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
									: -1;
}

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -ENOMEM : 0;
}

static int fill(const json_t *row, struct space *ret)
{
	int64_t unit = number(row, "f_frsize"), blocks = number(row, "f_blocks");
	int64_t available = number(row, "f_bavail"), inodes = number(row, "f_files");
	int64_t free_inodes = number(row, "f_favail"), all_free = number(row, "f_bfree");

	if (unit < 0)
		unit = number(row, "f_bsize");
	if (free_inodes < 0)
		free_inodes = number(row, "f_ffree");
	if (unit <= 0 || blocks < 0 || available < 0)
		return -EBADMSG;
	if (all_free < available)
		all_free = available;
	if (__builtin_mul_overflow((uint64_t)unit, (uint64_t)blocks, &ret->total) ||
	    __builtin_mul_overflow((uint64_t)unit, (uint64_t)available, &ret->available) ||
	    __builtin_mul_overflow((uint64_t)unit, (uint64_t)all_free, &ret->free))
		return -EBADMSG;
	/* btrfs, vfat and ZFS on some versions count no inodes: all zero. */
	if (inodes > 0 && free_inodes >= 0) {
		ret->inodes = (uint64_t)inodes;
		ret->inodes_available = (uint64_t)free_inodes;
	}
	if (copy_text(&ret->fstype, json_text(row, "fstype")) < 0)
		return -ENOMEM;
	return copy_text(&ret->device, json_text(row, "device"));
}

int facts_space(struct facts *facts, const char *mount_point, struct space *ret, struct error *err)
{
	struct space space = { 0 };
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON table = NULL;
	int r;

	r = host_fact(facts_host(facts), HOST_FACT_STATVFS, mount_point, &text, &space.source, err);
	if (r == 0)
		r = json_parse(buf_text(&text), text.len, space.source, &table, err);
	if (r == 0) {
		r = fill(json_object_get(table, mount_point), &space);
		if (r == -EBADMSG)
			error_set(err, r, "%s does not say how much room %s has", space.source,
				  mount_point);
		else if (r < 0)
			error_oom(err);
	}
	if (r < 0) {
		space_done(&space);
		return r;
	}
	*ret = space;
	return 0;
}
