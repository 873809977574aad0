/* SPDX-License-Identifier: MIT */
/*
 * Command lines of the kernel: the one that runs, those that a boot loader
 * will start next, and what tools build the next ones from.
 *
 * Each is kept with the file and line that it stands on and its literal
 * text.  Loaders add theirs (grub.h, loader.h); this file reads the rest.
 */
#ifndef COLDSWAP_PROBE_CMDLINE_H
#define COLDSWAP_PROBE_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

enum line_when {
	LINE_RUNNING,   /* /proc/cmdline */
	LINE_NEXT,      /* a boot loader's entry */
	LINE_TEMPLATE,  /* a file from which entries will be written */
	LINE_INITRAMFS, /* a file that was copied into the initramfs */
};

struct kernel_line {
	enum line_when when;
	bool boots;   /* LINE_NEXT: the entry that is started unless somebody chooses */
	char *source; /* "/boot/grub/grub.cfg:12" */
	char *text;   /* the line as it stands, without the blanks around it */
	char *args;   /* the parameters in it */
	char *title;  /* of the entry; NULL where it has none */
};

struct kernel_lines {
	struct kernel_line *items;
	size_t n;
	char **unreadable; /* "PATH: why" of what is there and may not be read */
};

/* All that this file knows, appended.  What is not there is no error. */
int cmdline_load(struct host *host, struct kernel_lines *ret, struct error *err);
void kernel_lines_done(struct kernel_lines *lines);

/* Everything is copied.  `text` is trimmed; number 0: the source has no lines. */
int kernel_lines_add(struct kernel_lines *lines, const struct kernel_line *line, const char *path,
		     unsigned number, struct error *err);
/*
 * Read a whole file of at most 1 MiB: 1 read, 0 not there or (noted in
 * `unreadable`) not readable, -ENOMEM.
 */
int kernel_lines_read(struct kernel_lines *lines, struct host *host, const char *path,
		      struct buf *ret, struct error *err);

/* The names in a directory likewise: 1 listed, 0 not there or noted, -ENOMEM. */
int kernel_lines_list(struct kernel_lines *lines, struct host *host, const char *path, char ***ret,
		      struct error *err);

/*
 * The next line of a text: its start, its length without the line end.
 * False at the end.  `*at` starts as 0.
 */
bool text_line(const struct buf *text, size_t *at, const char **ret, size_t *ret_len);

struct kernel_param {
	char *name;
	char *value; /* NULL: no "=" */
};

struct kernel_params {
	struct kernel_param *items; /* in the order of the line */
	size_t n;
};

/* Split as the kernel does: at blanks outside double quotes. */
int kernel_params_parse(const char *args, struct kernel_params *ret, struct error *err);
void kernel_params_done(struct kernel_params *params);

#endif
