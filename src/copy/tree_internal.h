/* SPDX-License-Identifier: MIT */
#ifndef COLDSWAP_COPY_TREE_INTERNAL_H
#define COLDSWAP_COPY_TREE_INTERNAL_H

#include "copy/make.h"

/* A directory that is being listed, and those above it. */
struct frame {
	struct node *node;
	struct frame *up;
	struct copyfs_list list;
};

struct walk {
	struct make *make;
	struct frame *top;
	bool database;
};

/* Each sees to it that the slot becomes ready: visit_file() by itself or by its job. */
int visit_file(struct walk *walk, struct node *node, const char *name, struct slot *slot,
	       const struct stat *st);
int visit_other(struct walk *walk, struct node *node, const char *name, struct slot *slot,
		const struct stat *st);

#endif
