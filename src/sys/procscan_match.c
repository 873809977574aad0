/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys/procscan_internal.h"

#define DELETED " (deleted)"

/* What a link of /proc says of itself, asked for only where it leads to something asked about. */
struct link_facts {
	bool told;
	bool reads, writes;
	char text[PATH_MAX];
};

/*
 * The permission bits of these links are the access mode of the descriptor.
 * One that may neither read nor write is O_PATH: it holds no contents.
 */
static int read_link(int dir, const char *name, struct link_facts *facts)
{
	struct stat st;
	ssize_t len;

	if (facts->told)
		return 0;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	len = readlinkat(dir, name, facts->text, sizeof(facts->text) - 1);
	if (len < 0)
		return -errno;
	facts->text[len] = '\0';
	facts->reads = st.st_mode & S_IRUSR;
	facts->writes = st.st_mode & S_IWUSR;
	facts->told = true;
	return 0;
}

static int add(struct scan_thread *thread, const struct scan_task *task, enum holding_type type,
	       const char *name, const struct statx *stx, const struct link_facts *facts,
	       enum holding_of of, size_t index)
{
	bool described = type == HOLDING_FD || type == HOLDING_MAP;
	struct holding holding = {
		.pid = task->pid,
		.tid = task->tid,
		.type = type,
		.of = of,
		.index = index,
		.fd = -1,
		.reads = described ? facts->reads : type == HOLDING_EXE,
		.writes = described && facts->writes,
		.deleted = stx->stx_nlink == 0,
		.id = { makedev(stx->stx_dev_major, stx->stx_dev_minor), stx->stx_ino },
	};

	if (type == HOLDING_FD)
		holding.fd = (int)strtol(name, NULL, 10);
	holding.text = strdup(facts->text);
	if (!holding.text || scan_where(task, type, name, &holding.where) < 0) {
		free(holding.text);
		return -ENOMEM;
	}
	return scan_add(thread, &holding);
}

/* "/data/state.db-wal (deleted)" is a former generation of "state.db-wal". */
static bool is_called(const char *text, const char *name)
{
	size_t len = strlen(text), cut = strlen(DELETED), name_len = strlen(name);

	if (len >= cut && strcmp(text + len - cut, DELETED) == 0)
		len -= cut;
	if (len < name_len || memcmp(text + len - name_len, name, name_len) != 0)
		return false;
	return len == name_len || text[len - name_len - 1] == '/';
}

/* O_PATH keeps a filesystem busy, and holds no file. */
static bool holds_contents(enum holding_type type, const struct link_facts *facts)
{
	return (type != HOLDING_FD && type != HOLDING_MAP) || facts->reads || facts->writes;
}

static int add_former(struct scan_thread *thread, const struct scan_task *task,
		      enum holding_type type, const char *name, const struct statx *stx,
		      const struct link_facts *facts)
{
	const struct scan_question *question = thread->shared->question;
	dev_t dev = makedev(stx->stx_dev_major, stx->stx_dev_minor);
	int r = 0;

	for (size_t i = 0; i < question->n_former && r == 0; i++)
		if (question->former[i].dev == dev &&
		    is_called(facts->text, question->former[i].name))
			r = add(thread, task, type, name, stx, facts, OF_FORMER, i);
	return r;
}

struct matches {
	size_t file, filesystem, device;
	bool former;
};

static bool look_up(const struct scan_shared *shared, const struct statx *stx, struct matches *ret)
{
	uint64_t dev = makedev(stx->stx_dev_major, stx->stx_dev_minor);

	ret->file = idmap_find(&shared->files, dev, stx->stx_ino);
	ret->filesystem = idmap_find(&shared->filesystems, dev, 0);
	ret->device = IDMAP_NONE;
	if (S_ISBLK(stx->stx_mode))
		ret->device = idmap_find(&shared->devices,
					 makedev(stx->stx_rdev_major, stx->stx_rdev_minor), 0);
	ret->former = ret->file == IDMAP_NONE && stx->stx_nlink == 0 && S_ISREG(stx->stx_mode) &&
		      idmap_find(&shared->former, dev, 0) != IDMAP_NONE;
	return ret->file != IDMAP_NONE || ret->filesystem != IDMAP_NONE ||
	       ret->device != IDMAP_NONE || ret->former;
}

static int add_matches(struct scan_thread *thread, const struct scan_task *task,
		       enum holding_type type, int dir, const char *name, const struct statx *stx,
		       const struct matches *matches)
{
	struct link_facts facts = { .told = false };
	int r = read_link(dir, name, &facts);
	bool contents;

	if (r < 0)
		return r;
	contents = holds_contents(type, &facts);
	if (matches->file != IDMAP_NONE && contents)
		r = add(thread, task, type, name, stx, &facts, OF_FILE, matches->file);
	if (r == 0 && matches->former && contents)
		r = add_former(thread, task, type, name, stx, &facts);
	if (r == 0 && matches->filesystem != IDMAP_NONE)
		r = add(thread, task, type, name, stx, &facts, OF_FILESYSTEM, matches->filesystem);
	if (r == 0 && matches->device != IDMAP_NONE)
		r = add(thread, task, type, name, stx, &facts, OF_DEVICE, matches->device);
	return r;
}

/*
 * FUSE answers nobody but its owner, root neither; yet who asks for nothing
 * is told the device.  On one that nobody asked about it is of no interest.
 */
static int look_at_device(struct scan_thread *thread, int dir, const char *name)
{
	struct statx stx;

	if (statx(dir, name, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, 0, &stx) < 0)
		return -errno;
	return idmap_find(&thread->shared->asked, makedev(stx.stx_dev_major, stx.stx_dev_minor),
			  0) == IDMAP_NONE
		       ? 0
		       : -EACCES;
}

int scan_match(struct scan_thread *thread, const struct scan_task *task, enum holding_type type,
	       int dir, const char *name)
{
	struct matches matches;
	struct statx stx;
	int r = 0;

	/* A server that is gone would never answer; the inode's identity is known without it. */
	if (statx(dir, name, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
		  STATX_TYPE | STATX_MODE | STATX_INO | STATX_NLINK, &stx) < 0)
		r = errno == EACCES ? look_at_device(thread, dir, name) : -errno;
	else if (look_up(thread->shared, &stx, &matches))
		r = add_matches(thread, task, type, dir, name, &stx, &matches);
	return scan_is_gone(r) ? 0 : r;
}
