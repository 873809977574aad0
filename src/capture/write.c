/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "capture/collect.h"
#include "sys/newtree.h"

static int write_entry(struct newtree *tree, const struct entry *entry, struct error *err)
{
	switch (entry->type) {
	case ENTRY_DIRECTORY:
		return newtree_directory(tree, entry->path, err);
	case ENTRY_FILE:
		return newtree_file(tree, entry->path, entry->data, entry->len, err);
	case ENTRY_LINK:
		return newtree_link(tree, entry->path, entry->data, err);
	}
	return 0;
}

static int write_all(struct capture *capture, struct newtree *tree, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < capture->entries.n; i++)
		r = write_entry(tree, &capture->entries.items[i], err);
	return r == 0 ? newtree_commit(tree, err) : r;
}

static void count(const struct capture *capture, struct capture_written *ret)
{
	*ret = (struct capture_written){ .unreadable = capture->n_unread };
	for (size_t i = 0; i < capture->entries.n; i++) {
		ret->files += capture->entries.items[i].type == ENTRY_FILE;
		ret->bytes += capture->entries.items[i].len;
	}
}

int capture_write(struct capture *capture, const char *dir, struct capture_written *ret,
		  char **ret_partial, struct error *err)
{
	CLEANUP(cleanup_newtree) struct newtree *tree = NULL;
	const char *partial;
	int r = newtree_create(dir, &tree, err);

	if (r < 0)
		return r;
	entries_sort(&capture->entries);
	r = write_all(capture, tree, err);
	partial = newtree_partial(tree);
	if (r < 0 && partial && ret_partial)
		*ret_partial = strdup(partial);
	if (r == 0)
		count(capture, ret);
	return r;
}
