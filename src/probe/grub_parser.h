/* SPDX-License-Identifier: MIT */
/* Shared by src/probe/grub.c and grub_root.c alone: the state of one grub.cfg being read. */
#ifndef COLDSWAP_PROBE_GRUB_PARSER_H
#define COLDSWAP_PROBE_GRUB_PARSER_H

#include <errno.h>

#include "probe/grub.h"

#define DEPTH_MAX 16
#define ITEMS_MAX 4096u

enum block { BLOCK_OTHER, BLOCK_ENTRY, BLOCK_SUBMENU };

struct parser {
	struct grub *grub;
	enum block blocks[DEPTH_MAX];
	unsigned counts[DEPTH_MAX]; /* entries so far in each submenu */
	char *prefixes[DEPTH_MAX];  /* "1>" */
	size_t depth, menus;
	size_t ignored;    /* blocks below DEPTH_MAX */
	enum block coming; /* what the next "{" opens */
	char *title, *id;  /* of it */
	unsigned line;     /* of it */
	int entry;         /* the one that is open; -1 none */
	bool own_root;     /* the open entry has set its root itself */
	struct grub_root global, local;
};

/* Room for one more in an array: 0, -EFBIG over ITEMS_MAX, -ENOMEM. */
int grub_grow(void **items, size_t n, size_t size, struct error *err);
#define GROW(items, n, err)                                                                        \
	({                                                                                         \
		void *items_ = (items);                                                            \
		int r_ = grub_grow(&items_, n, sizeof(*(items)), err);                             \
		(items) = items_;                                                                  \
		r_;                                                                                \
	})

/* The line of a statement without the blanks around it. */
char *grub_text(const struct grub_statement *statement);
/* The first word that is neither the command nor an option. */
char *const *grub_operand(char *const *words);

/* grub_root.c: by what a file's disk is found */
int grub_set_root(struct parser *parser, const struct grub_statement *statement, const char *value,
		  struct error *err);
int grub_add_use(struct parser *parser, const struct grub_statement *statement, const char *path,
		 struct error *err);
int grub_on_search(struct parser *parser, const struct grub_statement *statement,
		   struct error *err);
/* What inherits the root of the whole file, once that is known. */
int grub_settle_uses(struct grub *grub, const struct grub_root *global, struct error *err);
void grub_root_done(struct grub_root *root);
void grub_use_done(struct grub_use *use);

#endif
