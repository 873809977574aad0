/* SPDX-License-Identifier: MIT */
/*
 * struct host: the one object through which anything of a host is read.
 *
 * A host is the running system, or a capture: a directory that holds another
 * machine's files under their own paths.  Paths given here are absolute, as
 * they are on that machine ("/etc/fstab").  Resolution never leaves the
 * root: symbolic links and ".." are confined to it by openat2(2) with
 * RESOLVE_IN_ROOT, so a capture that links /etc/fstab to /etc/shadow reads
 * the capture's own file or nothing.
 *
 * Only regular files are read as content (a FIFO, a device or a directory in
 * the place of a file is -EINVAL, said at once and never opened for reading);
 * sizes are bounded by the caller; a read is whole or an error.
 *
 * What has no file on a host (the kernel log, statvfs, SMART, units) is a
 * *fact*: host_fact() returns the same bytes from a capture's coldswap/
 * directory and from the live system, so that a capture is a dump of facts
 * and a probe cannot tell the two apart.
 *
 * Errors: -ENOENT not there; -EACCES/-EPERM may not be read (the hint says
 * to be root); -EFBIG over the bound; -EINVAL not a regular file; -ELOOP.
 * A path listed in a capture's coldswap/unreadable.tsv gives the errno that
 * is listed there.
 */
#ifndef COLDSWAP_HOST_H
#define COLDSWAP_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "buf.h"
#include "error.h"

struct host;

/* `root` NULL or "/" is the running system; else a capture's directory. */
int host_open(const char *root, struct host **ret, struct error *err);
void host_free(struct host *host);
DEFINE_CLEANUP(host, host_free)

bool host_is_live(const struct host *host);

/* The root as the operator gave it; "/" for the running system. */
const char *host_root(const struct host *host);

/*
 * Until when (CLOCK_MONOTONIC, microseconds; 0 = no limit) the running system
 * may be waited for: a program, the bus or a remote filesystem that has not
 * answered by then gives -ETIMEDOUT.  Plain reads are not bounded by it.
 */
void host_set_deadline(struct host *host, uint64_t deadline_us);

/* Append the whole file to `ret`; at most `max` bytes, else -EFBIG. */
int host_read(struct host *host, const char *path, size_t max, struct buf *ret, struct error *err);

/*
 * A one-line attribute (sysfs, machine-id): trimmed of white space at both
 * ends, at most 4096 bytes.  An empty file gives "".
 */
int host_read_line(struct host *host, const char *path, char **ret, struct error *err);

/* The text of a symbolic link. */
int host_readlink(struct host *host, const char *path, char **ret, struct error *err);

/* Absolute path inside the root with every link resolved; it must exist. */
int host_realpath(struct host *host, const char *path, char **ret, struct error *err);

/*
 * Names in a directory without "." and "..", sorted by strverscmp(3), as a
 * NULL-terminated array (strv_free()).  At most 65536 names, else -EFBIG.
 */
int host_list(struct host *host, const char *path, char ***ret, struct error *err);

/* stat(2) inside the root, links followed. */
int host_stat(struct host *host, const char *path, struct stat *ret, struct error *err);

/* 1 there, 0 proved absent (-ENOENT, -ENOTDIR), else a negative errno. */
int host_exists(struct host *host, const char *path, struct error *err);

/* Facts that have no file.  `name` is NULL where none is said. */
enum host_fact {
	HOST_FACT_IDENTITY,   /* JSON {name, machine_id, boot_id} */
	HOST_FACT_KERNEL_LOG, /* this boot's kernel log, one line a record,
	                         "[    1.234567] text" or a syslog prefix */
	HOST_FACT_STATVFS,    /* JSON {mount point: {f_*, device, fstype}};
	                         `name`: one mount point, or NULL for all */
	HOST_FACT_SMART,      /* `name`: kernel name of a disk; smartctl JSON */
	HOST_FACT_UNIT,       /* `name`: unit; JSON {D-Bus property: value} */
	HOST_FACT_MEASURES,   /* JSON figures of earlier measurements */
	HOST_FACT_TAGS,       /* `name`: kernel name of a device; its signature as udev
	                         property lines ("ID_FS_UUID=..."): live by libblkid */
	HOST_FACT_FILES,      /* JSON [{path, type, size, ino, dev, mtime}] of what a
	                         capture's tree does not hold; live: -ENOENT */
};

/*
 * Append a fact to `ret`.  `ret_source` (may be NULL) receives where it was
 * read, as evidence says it: "coldswap/kernel.log", "kernel log",
 * "smartctl /dev/sda"; the caller frees it.
 * -ENOENT: the host has no such thing (no unit of that name, smartctl not
 * installed: the hint says what to install).  -ENODATA: it exists but gave
 * nothing to rely on.
 */
int host_fact(struct host *host, enum host_fact fact, const char *name, struct buf *ret,
	      char **ret_source, struct error *err);

#endif
