/* SPDX-License-Identifier: MIT */
/*
 * The mounts of each mount namespace, once.  A process sees those below its
 * own root directory alone, so another root is another view.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "sys/io.h"
#include "sys/mountinfo.h"
#include "sys/procscan_internal.h"

#define MOUNTINFO_MAX ((size_t)64 << 20)

static int match_line(struct scan_thread *thread, const struct scan_task *task, ino_t namespace,
		      const struct mountinfo_line *line)
{
	struct holding holding = {
		.pid = task->pid,
		.tid = task->tid,
		.type = HOLDING_MOUNT,
		.of = OF_MOUNTED,
		.fd = -1,
		.mount_ns = namespace,
		.id = { .dev = makedev(line->major, line->minor) },
	};

	holding.index = idmap_find(&thread->shared->mounted, holding.id.dev, 0);
	if (holding.index == IDMAP_NONE)
		return 0;
	holding.text = strdup(line->target);
	if (!holding.text || scan_where(task, HOLDING_MOUNT, "mountinfo", &holding.where) < 0) {
		free(holding.text);
		return -ENOMEM;
	}
	return scan_add(thread, &holding);
}

static int read_mounts(struct scan_thread *thread, const struct scan_task *task, ino_t namespace)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };
	AUTO_FD fd = scan_open(task->dir, "mountinfo", O_RDONLY);
	AUTO_BUF text = BUF_INIT_MAX(MOUNTINFO_MAX);
	int r = fd < 0 ? fd : io_read_all(fd, MOUNTINFO_MAX, &text);

	if (r == 0)
		r = mountinfo_parse(buf_take(&text), &mounts, NULL);
	for (size_t i = 0; i < mounts.n && r == 0; i++)
		r = match_line(thread, task, namespace, &mounts.lines[i]);
	return r;
}

/* A view: 1 where it was not known, 0 where it was. */
static int find_view(struct scan_shared *shared, ino_t namespace, const struct statx *root,
		     bool add)
{
	uint64_t dev = makedev(root->stx_dev_major, root->stx_dev_minor);
	struct idmap *devices = &shared->namespaces;
	size_t of = idmap_find(devices, namespace, dev);

	if (!add)
		return of == IDMAP_NONE ||
		       idmap_find(&shared->views, of, root->stx_ino) == IDMAP_NONE;
	if (of == IDMAP_NONE) {
		of = devices->n;
		if (idmap_add(devices, namespace, dev, of) < 0)
			return -ENOMEM;
	}
	return idmap_add(&shared->views, of, root->stx_ino, 0);
}

static int find_view_locked(struct scan_shared *shared, ino_t namespace, const struct statx *root,
			    bool add)
{
	int r;

	pthread_mutex_lock(&shared->lock);
	r = find_view(shared, namespace, root, add);
	pthread_mutex_unlock(&shared->lock);
	return r;
}

static void take_back(struct scan_thread *thread, size_t n)
{
	while (thread->found.n > n) {
		thread->found.n--;
		free(thread->found.holdings[thread->found.n].text);
		free(thread->found.holdings[thread->found.n].where);
	}
}

/*
 * Known only once it was read: the process that is asked may end meanwhile,
 * and another of the same view must be asked then.  Two threads may read the
 * same; the one that is done first is heard.
 */
static int read_view(struct scan_thread *thread, const struct scan_task *task, ino_t namespace,
		     const struct statx *root)
{
	size_t before = thread->found.n;
	int r = find_view_locked(thread->shared, namespace, root, false);

	if (r <= 0)
		return r;
	r = read_mounts(thread, task, namespace);
	if (r == 0)
		r = find_view_locked(thread->shared, namespace, root, true);
	if (r <= 0)
		take_back(thread, before);
	return r;
}

int scan_mounts(struct scan_thread *thread, const struct scan_task *task)
{
	struct statx root = { 0 };
	struct stat namespace;
	int r = 0;

	if (fstatat(task->dir, "ns/mnt", &namespace, 0) < 0 ||
	    statx(task->dir, "root", AT_STATX_DONT_SYNC, STATX_INO, &root) < 0)
		r = -errno;
	else
		r = read_view(thread, task, namespace.st_ino, &root);
	if (r < 0 && !scan_is_gone(r))
		scan_gap(thread, r, "/proc/%d/mountinfo", (int)task->tid);
	return thread->failed;
}
