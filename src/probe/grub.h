/* SPDX-License-Identifier: MIT */
/*
 * grub.cfg: its entries, their command lines, and by what GRUB finds the
 * disk that it reads each file from.
 *
 * GRUB's `root` is set by the firmware's number of a disk (hd0,gpt1), or by
 * a search for a UUID, label or file.  The last before a file is read counts;
 * hints of a search are no more than that.  Bodies of entries run after the
 * whole file, so that they start from the `root` that it leaves behind.
 * Conditions are not evaluated: both branches count, in order.
 */
#ifndef COLDSWAP_PROBE_GRUB_H
#define COLDSWAP_PROBE_GRUB_H

#include "probe/cmdline.h"

/* Where `root` comes from at one place. */
struct grub_root {
	bool by_number; /* a disk by the firmware's number, and nothing searched after it */
	unsigned line;  /* of the `set root`; 0 = never set */
	char *text;
};

/* A file that is read from a disk by its number. */
struct grub_use {
	int entry;     /* index, -1 = by no entry: while the file itself is run */
	unsigned line; /* of the command */
	char *text;
	unsigned root_line;
	char *root_text;
};

struct grub_entry {
	unsigned line;
	char *title, *id;
	char *path; /* "0", "1>2": as `default` counts them */
	bool boots; /* started unless somebody chooses */
	/* its `linux` command; 0, NULL where it has none */
	unsigned linux_line;
	char *linux_text, *linux_args;
};

/* What a search looks for. */
struct grub_search {
	int entry;
	unsigned line;
	char *text, *tag; /* "UUID=...", "LABEL=..." */
};

struct grub {
	char *path;
	struct grub_entry *entries;
	size_t n;
	struct grub_use *uses;
	size_t n_uses;
	struct grub_search *searches;
	size_t n_searches;
	char *fallback; /* what `set default` says last, unless it is for one boot */
	bool blscfg;    /* entries come from boot/loader/entries */
};

/* `saved` is saved_entry of grubenv, `next` its next_entry; NULL not told. */
int grub_parse(const char *path, const struct buf *text, const char *saved, const char *next,
	       struct grub **ret, struct error *err);
void grub_free(struct grub *grub);
DEFINE_CLEANUP(grub, grub_free)

/* GRUB's statements one by one: words without quotes, the line they begin on. */
struct grub_statement {
	unsigned line;
	const char *start; /* literal text of its line */
	size_t len;
	char **words; /* "{" and "}" are statements of their own */
};
int grub_statements(const struct buf *text,
		    int (*each)(const struct grub_statement *statement, void *data,
				struct error *err),
		    void *data, struct error *err);

/* The value of a variable in grubenv; NULL when it is not there. */
char *grubenv_value(const struct buf *text, const char *name);

#endif
