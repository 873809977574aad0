/* SPDX-License-Identifier: MIT */
/*
 * Who holds files, filesystems or devices, and what he is a part of.
 *
 * On the running system by a walk over every process (sys/procscan.h), the
 * loop devices and the swaps; in a capture by coldswap/openfiles.json and the
 * /proc/PID that it holds, which can show a holder and never prove that there
 * is none.
 */
#ifndef COLDSWAP_PROBE_HOLDERS_H
#define COLDSWAP_PROBE_HOLDERS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

/* What is asked about.  All strings are borrowed for the call. */
struct holders_asked {
	struct holders_file {
		const char *path; /* links resolved; a capture is searched by it too */
		dev_t dev;
		ino_t ino; /* 0: not there, only its former generations are looked for */
	} * files;
	size_t n_files;
	struct holders_filesystem {
		dev_t dev;               /* st_dev of what lies on it; 0 = not known */
		unsigned major, minor;   /* as mountinfo says it */
		const char *mount_point; /* as captures are searched */
	} * filesystems;
	size_t n_filesystems;
	const dev_t *devices; /* block devices, partitions too */
	size_t n_devices;
	const int *own; /* descriptors that do not count: the leases */
	size_t n_own;
};

enum holder_type {
	HOLDER_OPEN,      /* a descriptor */
	HOLDER_MAPPED,    /* a mapping; its descriptor may be closed */
	HOLDER_FORMER,    /* a deleted generation of the file */
	HOLDER_PROGRAM,   /* runs from it */
	HOLDER_DIRECTORY, /* stands in it, or has it as its root */
	HOLDER_MOUNT,     /* has it mounted in its mount namespace */
	HOLDER_DEVICE,    /* has the raw device open */
	HOLDER_LOOP,      /* a loop device on it: the kernel */
	HOLDER_SWAP,      /* a swap file: the kernel */
};

enum holder_of { HOLDER_OF_FILE, HOLDER_OF_FILESYSTEM, HOLDER_OF_DEVICE };

struct holder {
	enum holder_type type;
	enum holder_of of;
	size_t asked;  /* index into files, filesystems or devices, as `of` says */
	pid_t pid;     /* 0 = the kernel */
	char *comm;    /* as the kernel tells it, any bytes; NULL = not told */
	char *program; /* its executable; or NULL */
	int fd;        /* -1 = none */
	bool writes;
	char *text;     /* what the holder calls it: "/data/state.db-wal (deleted)" */
	char *source;   /* evidence: "/proc/812/fd/12", "coldswap/openfiles.json" */
	char *observed; /* evidence: what stood there, with access mode, device and inode */
	char *cgroup, *unit, *pod, *container; /* NULL = not told */
	int64_t age_s;                         /* how long the process runs; -1 = not told */
};

struct holders {
	struct holder *items; /* by of, asked, pid, type, fd */
	size_t n;
	char **gaps; /* why an empty list proves nothing; NULL = it does */
	size_t processes;
};

int holders_find(struct host *host, const struct holders_asked *asked,
		 const volatile sig_atomic_t *cancelled, struct holders *ret, struct error *err);
void holders_done(struct holders *holders);
#define AUTO_HOLDERS CLEANUP(holders_done) struct holders

/*
 * "postgres (pid 812, of docker.service, pod UID, container ID, for 3 d), writing by descriptor
 * 12": one holder as a sentence's subject.  Inert.
 */
int holder_describe(const struct holder *holder, struct buf *ret);

#endif
