/* SPDX-License-Identifier: MIT */
/* The walk over the sources, by open directories alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intl.h"
#include "base/strv.h"
#include "copy/tree_internal.h"
#include "sys/io.h"

static bool is_left_out(const struct make *make, const char *path)
{
	const char *const *left_out = make->job->left_out;

	for (; left_out && *left_out; left_out++)
		if (strcmp(*left_out, path) == 0)
			return true;
	return false;
}

/* Names that an earlier attempt made, and that are no part of the copy any more. */
static int remove_stale_once(struct make *make, struct node *node, bool *ret_removed)
{
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(node->dst, &list);

	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		AUTO_FREE char *path = node_path(node, name);
		struct stat st;
		bool mounted = false;
		int there = copyfs_look(node->src, name, &st, &mounted);

		if (!path)
			return -ENOMEM;
		if (there == 0 && !mounted && !S_ISSOCK(st.st_mode) && !S_ISBLK(st.st_mode) &&
		    !S_ISCHR(st.st_mode) && !is_left_out(make, path))
			continue;
		r = copyfs_remove(node->dst, name);
		*ret_removed = true;
	}
	return r;
}

static int remove_stale(struct make *make, struct node *node)
{
	bool removed;
	int r;

	/* A listing may skip names while others go. */
	do {
		removed = false;
		r = remove_stale_once(make, node, &removed);
	} while (r == 0 && removed);
	if (r == 0)
		return 0;
	{
		AUTO_FREE char *path = node_path(node, NULL);

		return run_system(make->run, r, path,
				  "cannot take away what an earlier attempt left in the copy of");
	}
}

static int push(struct walk *walk, struct node *node)
{
	struct frame *frame = malloc(sizeof(*frame));
	int r = frame ? copyfs_list_open(node->src, &frame->list) : -ENOMEM;

	if (r < 0) {
		AUTO_FREE char *path = node_path(node, NULL);

		free(frame);
		node_unref(walk->make, node);
		return run_unreadable(walk->make->run, r, path);
	}
	frame->node = node;
	frame->up = walk->top;
	walk->top = frame;
	return 0;
}

static void pop(struct walk *walk)
{
	struct frame *frame = walk->top;

	walk->top = frame->up;
	node_unref(walk->make, frame->node);
	free(frame);
}

/* Made, or taken over from an earlier attempt. */
static int make_directory(struct node *parent, const char *name, bool *ret_old)
{
	struct stat st;
	bool mounted;

	*ret_old = false;
	if (mkdirat(parent->dst, name, 0700) < 0) {
		int r;

		if (errno != EEXIST)
			return -errno;
		r = copyfs_look(parent->dst, name, &st, &mounted);
		if (r == 0 && S_ISDIR(st.st_mode)) {
			*ret_old = true;
		} else {
			r = r < 0 ? r : copyfs_remove(parent->dst, name);
			if (r < 0)
				return r;
			if (mkdirat(parent->dst, name, 0700) < 0)
				return -errno;
		}
	}
	return copyfs_open_dir(parent->dst, name);
}

static int enter(struct walk *walk, struct node *parent, const char *name, struct slot *slot,
		 int src)
{
	struct run *run = walk->make->run;
	struct copyfs_node place = { .fd = src };
	struct node *node = node_new(parent, name, src, -1);
	int r;

	if (!node) {
		close(src);
		return run_system(run, -ENOMEM, slot->entry.path, "cannot copy");
	}
	node->real = true;
	node->database = walk->database;
	if (fstat(src, &node->st) < 0)
		r = run_unreadable(run, -errno, slot->entry.path);
	else if (node->st.st_dev == walk->make->dir_stat.st_dev &&
		 node->st.st_ino == walk->make->dir_stat.st_ino)
		r = run_system(run, -ELOOP, slot->entry.path, "the copy would lie in its source");
	else
		r = meta_read_xattrs(&place, &slot->entry);
	if (r < 0 && r != -ECANCELED)
		r = run_unreadable(run, r, slot->entry.path);
	if (r == 0) {
		entry_from_stat(&slot->entry, &node->st);
		r = node->dst = make_directory(parent, name, &node->old);
		if (r < 0)
			r = run_system(run, r, slot->entry.path, "cannot make the copy of");
	}
	if (r < 0) {
		node->real = false;
		node_unref(walk->make, node);
		return r;
	}
	return push(walk, node);
}

static int visit_directory(struct walk *walk, struct node *parent, const char *name,
			   const char *root, struct slot *slot)
{
	/* The root itself may well be a mount point. */
	int src = root ? copyfs_open_path(root) : copyfs_open_dir(parent->src, name);

	slot->entry.type = ENTRY_DIRECTORY;
	if (src < 0)
		return run_unreadable(walk->make->run, src, slot->entry.path);
	return enter(walk, parent, name, slot, src);
}

static int visit(struct walk *walk, struct node *node, const char *name, const char *root)
{
	struct make *make = walk->make;
	char *path = node_path(node, name);
	struct slot *slot;
	struct stat st;
	bool mounted;
	int r;

	if (!path)
		return run_system(make->run, -ENOMEM, NULL, "cannot copy");
	r = is_left_out(make, path) ? 1 : copyfs_look(node->src, name, &st, &mounted);
	if (r < 0)
		r = run_unreadable(make->run, r, path);
	if (r == 0 && mounted && !root) {
		run_tell(make->run, path, _("another filesystem is mounted there"));
		r = 1;
	}
	if (r != 0) {
		free(path);
		return r < 0 ? r : 0;
	}
	slot = order_take(make->order, path);
	entry_from_stat(&slot->entry, &st);
	if (S_ISREG(st.st_mode))
		return visit_file(walk, node, name, slot, &st);
	r = S_ISDIR(st.st_mode) ? visit_directory(walk, node, name, root, slot)
				: visit_other(walk, node, name, slot, &st);
	order_ready(make->order, slot, r < 0);
	return r;
}

static int run_stack(struct walk *walk)
{
	int r = 0;

	while (walk->top) {
		struct frame *frame = walk->top;
		const char *name;

		if (run_is_over(walk->make->run))
			r = -ECANCELED;
		if (r >= 0)
			r = copyfs_list_next(&frame->list, &name);
		if (r > 0) {
			r = visit(walk, frame->node, name, NULL);
			continue;
		}
		if (r < 0 && r != -ECANCELED) {
			AUTO_FREE char *path = node_path(frame->node, NULL);

			r = run_unreadable(walk->make->run, r, path);
		}
		if (r == 0 && frame->node->old)
			r = remove_stale(walk->make, frame->node);
		pop(walk);
	}
	return r;
}

/* The directories above a root: in the copy they are plain, and no part of it. */
static int open_above(struct make *make, const char *path)
{
	int fd = dup(make->data);

	while (fd >= 0 && *path) {
		AUTO_FREE char *name = NULL;
		int next = 0;

		path += strspn(path, "/");
		if (!*path)
			break;
		name = strndup(path, strcspn(path, "/"));
		if (!name)
			next = -ENOMEM;
		else if (mkdirat(fd, name, 0755) < 0 ? errno != EEXIST : fsync(fd) < 0)
			next = -errno;
		if (next == 0)
			next = copyfs_open_dir(fd, name);
		close(fd);
		fd = next;
		path += strcspn(path, "/");
	}
	return fd;
}

int tree_visit_root(struct make *make, const struct copy_root *root)
{
	struct walk walk = { .make = make, .database = root->database };
	AUTO_FREE char *above = strdup(root->path);
	char *slash = above ? strrchr(above, '/') : NULL;
	struct node *node;
	int r, src;

	if (!slash || !slash[1])
		return run_system(make->run, above ? -EINVAL : -ENOMEM, root->path,
				  "cannot take as a source");
	*slash = '\0';
	src = copyfs_open_path(*above ? above : "/");
	if (src < 0)
		return run_unreadable(make->run, src, root->path);
	node = node_new(NULL, above, src, -1);
	if (!node) {
		close(src);
		return run_system(make->run, -ENOMEM, root->path, "cannot copy");
	}
	node->database = root->database;
	node->old = true;
	r = node->dst = open_above(make, above);
	if (r < 0)
		r = run_system(make->run, r, root->path, "cannot make the directories above");
	else
		r = visit(&walk, node, slash + 1, root->path);
	r = run_stack(&walk) < 0 ? -ECANCELED : r;
	node_unref(make, node);
	return r;
}
