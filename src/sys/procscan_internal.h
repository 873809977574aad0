/* SPDX-License-Identifier: MIT */
/* Inside of the walk over processes: what its threads share, and what each has. */
#ifndef COLDSWAP_SYS_PROCSCAN_INTERNAL_H
#define COLDSWAP_SYS_PROCSCAN_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "sys/idmap.h"
#include "sys/procscan.h"

#define GAPS_TOLD 16
#define NAMES_BYTES 32768

/* Which parts of a process the question asks to be looked at. */
struct scan_needs {
	bool fds, maps, program, places, mounts;
};

struct scan_shared {
	const struct scan_question *question;
	struct scan_needs needs;
	const volatile sig_atomic_t *cancelled;
	int proc;   /* the directory */
	pid_t self; /* this process */
	struct idmap files, filesystems, devices, former, mounted, own;
	struct idmap asked; /* every device on which something is asked about */
	pid_t *pids;        /* sorted */
	size_t n_pids;
	atomic_size_t next;
	pthread_mutex_t lock;           /* of the two below */
	struct idmap namespaces, views; /* whose mounts were read: by namespace and root */
};

/* One thread's share. */
struct scan_thread {
	struct scan_shared *shared;
	struct scan found;
	size_t capacity;
	int failed;  /* -ENOMEM, -ECANCELED */
	char *names; /* NAMES_BYTES, for getdents64(2) */
};

/* A task whose tables are read, and how its place in /proc is told. */
struct scan_task {
	pid_t pid, tid;
	int dir; /* /proc/TID */
};

/* procscan_dir.c */
/* Below a directory of /proc, never across a mount on it; -errno. */
int scan_open(int dir, const char *name, int flags);
/* Call `each` for every name but those with a dot; stops at a negative value. */
int scan_names(struct scan_thread *thread, int dir,
	       int (*each)(struct scan_thread *thread, const char *name, void *data), void *data);
/* It ended meanwhile, or was closed. */
bool scan_is_gone(int code);

/* procscan_process.c */
void scan_process(struct scan_thread *thread, pid_t pid);

/* procscan_match.c: what a name below a directory of /proc leads to; -errno: not told */
int scan_match(struct scan_thread *thread, const struct scan_task *task, enum holding_type type,
	       int dir, const char *name);

/* procscan_mounts.c */
int scan_mounts(struct scan_thread *thread, const struct scan_task *task);

/* procscan_found.c */
void scan_gap(struct scan_thread *thread, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Takes what `holding` owns. */
int scan_add(struct scan_thread *thread, struct holding *holding);
/* "/proc/812/task/815/fd" */
int scan_where(const struct scan_task *task, enum holding_type type, const char *name, char **ret);
int scan_unite(struct scan *into, struct scan *from);
void scan_sort(struct scan *scan);

/* procscan_view.c: gaps of the whole view */
void scan_view(struct scan_thread *thread, struct host *host);

#endif
