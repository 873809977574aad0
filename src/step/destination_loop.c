/* SPDX-License-Identifier: MIT */
/*
 * What a loop device lies on: the disks below its backing file.  The kernel
 * tells that file as a text, a path of whoever set it up; only when the file
 * of that path is the very one that the kernel holds is it believed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/paths.h"
#include "step/destination.h"
#include "sys/loopdev.h"

#define LOOPS_MAX 8

/* A capture tells the text alone, which proves nothing. */
static bool is_that_file(struct host *host, const char *name, const char *path)
{
	struct stat st;
	dev_t dev;
	ino_t ino;

	if (!host_is_live(host))
		return false;
	if (host_stat(host, path, &st, NULL) < 0 || loopdev_backing(host, name, &dev, &ino) < 0)
		return false;
	return st.st_dev == dev && st.st_ino == ino;
}

/* NULL: it is not told, or not surely. */
static int step_down(struct destination *to, struct filetree *tree, const struct block **device)
{
	AUTO_FREE char *row = NULL, *text = NULL, *path = NULL;
	struct host *host = to->step->host;
	const char *name = (*device)->disk->name;
	const struct mount *mount;
	int r;

	*device = NULL;
	if (asprintf(&row, PATH_LOOP_BACKING_FMT, name) < 0) {
		row = NULL;
		return -ENOMEM;
	}
	r = host_read_line(host, row, &text, NULL);
	if (r < 0 || text[0] != '/')
		return r == -ENOMEM ? r : 0;
	r = filetree_resolve(tree, text, &path, NULL);
	if (r < 0 || !is_that_file(host, name, path))
		return r == -ENOMEM ? r : 0;
	mount = mounts_over(to->mounts, path);
	if (mount)
		*device = blocks_of_mount(to->blocks, mount);
	return 0;
}

static bool is_loop(const struct block *device)
{
	return device->n_disks == 0 && strncmp(device->disk->name, "loop", 4) == 0;
}

int destination_below(struct destination *to, struct filetree *tree)
{
	const struct block *device = to->device;
	int r = 0;

	for (int i = 0; r == 0 && device && is_loop(device); i++) {
		if (i == LOOPS_MAX)
			device = NULL;
		else
			r = step_down(to, tree, &device);
	}
	to->below = device;
	return r;
}
