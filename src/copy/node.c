/* SPDX-License-Identifier: MIT */
/* A directory while something of it is copied; its times are set when nothing more will be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy/make.h"

struct node *node_new(struct node *parent, const char *name, int src, int dst)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->name = strdup(name);
	node->src = src;
	node->dst = dst;
	atomic_init(&node->refs, 1);
	if (!node->name) {
		free(node);
		return NULL;
	}
	node->parent = parent ? node_ref(parent) : NULL;
	return node;
}

struct node *node_ref(struct node *node)
{
	atomic_fetch_add(&node->refs, 1);
	return node;
}

static int finish(struct node *node)
{
	struct copyfs_node from = { .fd = node->src }, to = { .fd = node->dst };
	struct copy_entry entry;
	int r;

	memset(&entry, 0, sizeof(entry));
	entry_from_stat(&entry, &node->st);
	r = meta_read_xattrs(&from, &entry);
	if (r == 0)
		r = meta_apply(&to, &entry, &node->st.st_atim);
	copy_entry_done(&entry);
	return r;
}

void node_unref(struct make *make, struct node *node)
{
	while (node && atomic_fetch_sub(&node->refs, 1) == 1) {
		struct node *parent = node->parent;
		int r = node->real && !run_is_over(make->run) ? finish(node) : 0;

		if (r < 0) {
			AUTO_FREE char *path = node_path(node, NULL);

			run_system(make->run, r, path, "cannot give owner, mode and times to");
		}
		if (node->src >= 0)
			close(node->src);
		if (node->dst >= 0)
			close(node->dst);
		free(node->name);
		free(node);
		node = parent;
	}
}

/* The outermost node is called by its absolute path ("" is the root), the others by their names. */
char *node_path(const struct node *node, const char *name)
{
	size_t at = name ? strlen(name) + 1 : 0;
	const struct node *up;
	char *path;

	for (up = node; up; up = up->parent)
		at += strlen(up->name) + (up->parent ? 1 : 0);
	path = malloc(at + 1);
	if (!path)
		return NULL;
	path[at] = '\0';
	if (name) {
		at -= strlen(name);
		memcpy(path + at, name, strlen(name));
		path[--at] = '/';
	}
	for (up = node; up; up = up->parent) {
		at -= strlen(up->name);
		memcpy(path + at, up->name, strlen(up->name));
		if (up->parent)
			path[--at] = '/';
	}
	return path;
}
