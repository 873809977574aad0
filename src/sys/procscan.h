/* SPDX-License-Identifier: MIT */
/*
 * Who has something open: one walk over every process of this host.
 *
 * What is compared is what stat(2) tells *through* /proc/PID/fd/N and
 * /proc/PID/map_files, never the text of a path (paths lie across mount
 * namespaces) nor the device numbers of maps and mountinfo (btrfs gives
 * others there).  Text only adds holders: the former generation of a file is
 * one that was deleted while somebody held it, has another inode, and is
 * known by its name alone.
 *
 * A process whose leader has ended shows no descriptors; its other threads
 * do, and are read.  One that ends during the walk held nothing for good: it
 * is left out.  One that could not be read is a gap, and with a gap the walk
 * proves no absence.  So does a pid namespace that is not the first one, and
 * a /proc that hides processes.
 *
 * The walk is shared by threads; it costs what stat'ing everything costs.
 */
#ifndef COLDSWAP_SYS_PROCSCAN_H
#define COLDSWAP_SYS_PROCSCAN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct file_id {
	dev_t dev;
	ino_t ino;
};

/* A file by its name, of whose former generations the walk tells. */
struct former_name {
	dev_t dev;
	const char *name; /* the last component: "state.db-wal" */
};

struct scan_question {
	const struct file_id *files; /* each once */
	size_t n_files;
	const struct former_name *former;
	size_t n_former;
	const dev_t
		*filesystems; /* st_dev: anything there that is open, mapped, run, or a directory */
	size_t n_filesystems;
	const dev_t *devices; /* st_rdev of block devices that are open */
	size_t n_devices;
	const dev_t *mounted; /* MAJ:MIN in the mountinfo of any mount namespace */
	size_t n_mounted;
	const int *own; /* descriptors of this process that do not count */
	size_t n_own;
};

enum holding_type {
	HOLDING_FD,
	HOLDING_MAP,   /* map_files */
	HOLDING_EXE,   /* the program itself */
	HOLDING_CWD,   /* working directory */
	HOLDING_ROOT,  /* chroot(2) */
	HOLDING_MOUNT, /* in its mount namespace */
};
enum holding_of { OF_FILE, OF_FORMER, OF_FILESYSTEM, OF_DEVICE, OF_MOUNTED };

struct holding {
	pid_t pid, tid;
	enum holding_type type;
	enum holding_of of;
	size_t index;       /* into that array of the question */
	int fd;             /* HOLDING_FD */
	bool reads, writes; /* of a descriptor or a mapping */
	bool deleted;       /* st_nlink 0 */
	char *text;         /* the link's text or the mount point, as the kernel gives it */
	char *where;        /* "/proc/812/fd/12": for evidence */
	ino_t mount_ns;     /* HOLDING_MOUNT: one process of each namespace is enough */
	struct file_id id;  /* of what is held */
};

struct scan {
	struct holding *holdings; /* by pid, type, fd */
	size_t n;
	char **gaps; /* "/proc/812/fd: Permission denied"; NULL-terminated, at most 16; or NULL */
	size_t n_gaps, processes, descriptors;
};

/*
 * Live alone (-EPERM for a capture).  What no part of the question asks for is
 * not looked at: no descriptors or mappings for mounts alone.
 * -ECANCELED when `*cancelled` (may be NULL).
 */
int procscan(struct host *host, const struct scan_question *question,
	     const volatile sig_atomic_t *cancelled, struct scan *ret, struct error *err);
void scan_done(struct scan *scan);
#define AUTO_SCAN CLEANUP(scan_done) struct scan

#endif
