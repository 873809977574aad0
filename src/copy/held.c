/* SPDX-License-Identifier: MIT */
/* The leases of databases: all are taken before the first byte is copied, and stand to the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "copy/run.h"
#include "sys/io.h"

static size_t place(const struct run *run, dev_t dev, ino_t ino)
{
	uint64_t hash = ((uint64_t)ino ^ (uint64_t)dev << 32) * 0x9e3779b97f4a7c15ULL;
	size_t at = (size_t)(hash >> 20) & (run->db_capacity - 1);

	while (run->db[at].lease && (run->db[at].dev != dev || run->db[at].ino != ino))
		at = (at + 1) & (run->db_capacity - 1);
	return at;
}

struct lease *run_held(struct run *run, dev_t dev, ino_t ino)
{
	return run->db_capacity ? run->db[place(run, dev, ino)].lease : NULL;
}

static int grow(struct run *run)
{
	struct db_lease *old = run->db;
	size_t i, before = run->db_capacity;

	if (run->n_db * 2 < before)
		return 0;
	run->db = calloc(before ? before * 2 : 64, sizeof(*run->db));
	if (!run->db) {
		run->db = old;
		return run_system(run, -ENOMEM, NULL, "cannot hold");
	}
	run->db_capacity = before ? before * 2 : 64;
	for (i = 0; i < before; i++)
		if (old[i].lease)
			run->db[place(run, old[i].dev, old[i].ino)] = old[i];
	free(old);
	return 0;
}

static int hold_file(struct run *run, int dir, const char *name, const char *path)
{
	struct source source;
	struct db_lease *slot;
	struct stat st;
	bool mounted;
	int r = copyfs_look(dir, name, &st, &mounted);

	if (r < 0)
		return run_unreadable(run, r, path);
	/* A second name of a file that is held would break its lease. */
	if (run_held(run, st.st_dev, st.st_ino))
		return 0;
	r = grow(run);
	if (r == 0)
		r = source_open(run, run->held, dir, name, path, true, &source);
	if (r < 0)
		return r;
	slot = &run->db[place(run, source.lease->stat.st_dev, source.lease->stat.st_ino)];
	*slot = (struct db_lease){ .lease = source.lease,
				   .dev = source.lease->stat.st_dev,
				   .ino = source.lease->stat.st_ino,
				   .path = strdup(path) };
	run->n_db++;
	return slot->path ? 0 : run_system(run, -ENOMEM, path, "cannot hold");
}

static int hold_below(struct run *run, int fd, const char *path);

static int hold(struct run *run, int dir, const char *name, const char *path)
{
	struct stat st;
	bool mounted;
	int r = copyfs_look(dir, name, &st, &mounted);
	AUTO_FD fd = -1;

	if (run_is_over(run))
		return -ECANCELED;
	if (r < 0)
		return run_unreadable(run, r, path);
	if (mounted || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return 0;
	if (S_ISREG(st.st_mode))
		return hold_file(run, dir, name, path);
	fd = copyfs_open_dir(dir, name);
	return fd < 0 ? run_unreadable(run, fd, path) : hold_below(run, fd, path);
}

static int hold_below(struct run *run, int fd, const char *path)
{
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(fd, &list);

	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		AUTO_FREE char *below = NULL;

		if (asprintf(&below, "%s/%s", path, name) < 0) {
			below = NULL;
			return run_system(run, -ENOMEM, path, "cannot hold");
		}
		r = hold(run, fd, name, below);
	}
	return r < 0 && r != -ECANCELED ? run_unreadable(run, r, path) : r;
}

static int hold_root(struct run *run, const char *path)
{
	AUTO_FD dir = copyfs_open_path(path);
	AUTO_FREE char *parent = NULL;
	AUTO_FD above = -1;
	char *slash;

	if (dir >= 0)
		return hold_below(run, dir, path);
	if (dir != -ENOTDIR)
		return run_unreadable(run, dir, path);
	parent = strdup(path);
	slash = parent ? strrchr(parent, '/') : NULL;
	if (!slash)
		return run_system(run, -ENOMEM, path, "cannot hold");
	*slash = '\0';
	above = copyfs_open_path(*parent ? parent : "/");
	if (above < 0)
		return run_unreadable(run, above, path);
	return hold_file(run, above, slash + 1, path);
}

int run_hold(struct run *run, const struct copy_root *roots, size_t n)
{
	size_t i;
	int r = leases_open(run->host, &run->held, &run->err);

	if (r < 0) {
		run->trouble = COPY_SYSTEM;
		run->code = r;
		return r;
	}
	for (i = 0; r == 0 && i < n; i++)
		if (roots[i].database)
			r = hold_root(run, roots[i].path);
	return r;
}

int run_check_held(struct run *run)
{
	AUTO_FREE char *path = NULL;
	bool broken = false;
	size_t i;

	pthread_mutex_lock(&run->lock);
	for (i = 0; i < run->db_capacity && !broken; i++) {
		struct lease *lease = run->db[i].lease;

		broken = lease && lease->answer == LEASE_GRANTED && !lease_stands(run->held, lease);
		if (broken)
			path = strdup(run->db[i].path);
	}
	pthread_mutex_unlock(&run->lock);
	if (!broken)
		return 0;
	return run_trouble(run, COPY_INTRUDED, path, "%s",
			   _("somebody opened it while it was copied"));
}
