/* SPDX-License-Identifier: MIT */
/* What the walk does with what is no directory. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/tree_internal.h"

/* Away with what an earlier attempt made of this name. */
static int clear(struct walk *walk, const struct node *node, const char *name, const char *path)
{
	int r = node->old ? copyfs_remove(node->dst, name) : 0;

	return r < 0 ? run_system(walk->make->run, r, path, "cannot make anew the copy of") : 0;
}

/* Another name of an earlier entry. */
static int visit_link(struct walk *walk, struct node *node, const char *name, struct slot *slot,
		      const char *first)
{
	int r = clear(walk, node, name, slot->entry.path);

	slot->entry.type = ENTRY_HARD_LINK;
	slot->entry.target = strdup(first);
	if (r < 0)
		return r;
	r = slot->entry.target ? copyfs_link(walk->make->data, first, node->dst, name) : -ENOMEM;
	return r < 0 ? run_system(walk->make->run, r, slot->entry.path, "cannot link the copy of")
		     : 0;
}

/* The first of several names: made at once, so that the others find it. */
static int make_first(struct walk *walk, struct node *node, const char *name, const char *path)
{
	int r = clear(walk, node, name, path);

	if (r < 0)
		return r;
	r = copyfs_create(node->dst, name);
	if (r >= 0 && close(r) < 0)
		r = -errno;
	return r < 0 ? run_system(walk->make->run, r, path, "cannot make the copy of") : 0;
}

/* Is there a file of an earlier attempt that may hold the same? */
static int look_at_old(struct walk *walk, struct node *node, const char *name,
		       const struct stat *st, const char *path, bool *ret)
{
	struct stat old;
	bool mounted;

	*ret = false;
	if (!node->old || copyfs_look(node->dst, name, &old, &mounted) == -ENOENT)
		return 0;
	/* Two names of an earlier attempt may be two files now. */
	*ret = S_ISREG(old.st_mode) && old.st_nlink == 1 && old.st_size == st->st_size;
	return *ret ? 0 : clear(walk, node, name, path);
}

static int put_job(struct walk *walk, struct node *node, const char *name, struct slot *slot,
		   bool taken_over)
{
	struct make *make = walk->make;
	struct file_job *job = calloc(1, sizeof(*job));

	if (job)
		job->name = strdup(name);
	if (!job || !job->name) {
		free(job);
		return run_system(make->run, -ENOMEM, slot->entry.path, "cannot copy");
	}
	job->make = make;
	job->node = node_ref(node);
	job->slot = slot;
	job->taken_over = taken_over;
	pool_put(slot->entry.size >= COPY_LARGE ? make->large : make->small, job);
	return 0;
}

int visit_file(struct walk *walk, struct node *node, const char *name, struct slot *slot,
	       const struct stat *st)
{
	const char *first = NULL, *path = slot->entry.path;
	bool taken_over = false;
	int r = 0;

	slot->entry.type = ENTRY_FILE;
	if (st->st_nlink > 1) {
		r = links_find(&walk->make->links, st->st_dev, st->st_ino, path, &first);
		if (r < 0)
			r = run_system(walk->make->run, r, path, "cannot copy");
	}
	if (r == 1) {
		r = visit_link(walk, node, name, slot, first);
		order_ready(walk->make->order, slot, r < 0);
		return r;
	}
	if (r == 0)
		r = st->st_nlink > 1 ? make_first(walk, node, name, path)
				     : look_at_old(walk, node, name, st, path, &taken_over);
	if (r == 0)
		r = put_job(walk, node, name, slot, taken_over);
	if (r < 0)
		order_ready(walk->make->order, slot, true);
	return r;
}

static int make_symlink(struct node *node, const char *name, struct slot *slot, int *ret_source)
{
	char target[PATH_MAX + 1];
	ssize_t n = readlinkat(node->src, name, target, sizeof(target) - 1);

	*ret_source = n < 0 ? -errno : 0;
	if (n < 0)
		return 0;
	target[n] = '\0';
	slot->entry.target = strdup(target);
	if (!slot->entry.target)
		return -ENOMEM;
	return symlinkat(target, node->dst, name) < 0 ? -errno : 0;
}

static int make_other(struct walk *walk, struct node *node, const char *name, struct slot *slot,
		      const struct stat *st)
{
	struct run *run = walk->make->run;
	struct copyfs_node from = { .fd = -1, .dir = node->src, .name = name };
	struct copyfs_node to = { .fd = -1, .dir = node->dst, .name = name };
	const char *path = slot->entry.path;
	int r = clear(walk, node, name, path), source = 0;

	if (r < 0)
		return r;
	if (S_ISLNK(st->st_mode))
		r = make_symlink(node, name, slot, &source);
	else if (mkfifoat(node->dst, name, 0600) < 0)
		r = -errno;
	if (r == 0 && source == 0)
		source = meta_read_xattrs(&from, &slot->entry);
	if (source < 0)
		return run_unreadable(run, source, path);
	if (r == 0)
		r = meta_apply(&to, &slot->entry, &st->st_atim);
	return r < 0 ? run_system(run, r, path, "cannot make the copy of") : 0;
}

int visit_other(struct walk *walk, struct node *node, const char *name, struct slot *slot,
		const struct stat *st)
{
	static const struct {
		mode_t mode;
		enum entry_type type;
		const char *told;
	} rows[] = {
		{ S_IFLNK, ENTRY_SYMLINK, NULL },
		{ S_IFIFO, ENTRY_FIFO, NULL },
		{ S_IFSOCK, ENTRY_SOCKET, N_("a socket: its server makes it anew") },
		{ S_IFBLK, ENTRY_DEVICE, N_("a block device") },
		{ S_IFCHR, ENTRY_DEVICE, N_("a character device") },
	};
	size_t i;

	for (i = 0; i < ELEMENTS(rows); i++) {
		if ((st->st_mode & S_IFMT) != rows[i].mode)
			continue;
		slot->entry.type = rows[i].type;
		if (!rows[i].told)
			return make_other(walk, node, name, slot, st);
		run_tell(walk->make->run, slot->entry.path, _(rows[i].told));
		return 0;
	}
	return run_trouble(walk->make->run, COPY_UNREADABLE, slot->entry.path, "%s",
			   _("it is of no known type"));
}
