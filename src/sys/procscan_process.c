/* SPDX-License-Identifier: MIT */
/*
 * One process.  Its tasks mostly share one table of descriptors, one address
 * space and one set of directories; where the kernel (kcmp(2)) does not say
 * so, each is read for itself.  That is also how the threads behind a leader
 * that has ended are found: the leader shows nothing, and shares nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/parse.h"
#include "sys/io.h"
#include "sys/procscan_internal.h"

/* A thread's number is also that of a directory that /proc does not list. */
static int open_task(const struct scan_thread *thread, pid_t tid)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", (int)tid);
	return scan_open(thread->shared->proc, name, O_PATH | O_DIRECTORY);
}

struct table {
	const struct scan_task *task;
	enum holding_type type;
	int dir;
};

static bool is_own(const struct scan_thread *thread, const struct table *table, const char *name)
{
	return table->type == HOLDING_FD && table->task->pid == thread->shared->self &&
	       idmap_find(&thread->shared->own, (uint64_t)strtol(name, NULL, 10), 0) != IDMAP_NONE;
}

/* What cannot be told is a gap; so is where it stands. */
static int tell(struct scan_thread *thread, const struct scan_task *task, enum holding_type type,
		const char *name, int code)
{
	AUTO_FREE char *where = NULL;

	if (code == -ENOMEM || code == -ECANCELED || scan_where(task, type, name, &where) < 0)
		thread->failed = code == -ECANCELED ? code : -ENOMEM;
	else
		scan_gap(thread, code, "%s", where);
	return thread->failed;
}

static bool is_denied(int code)
{
	return code == -EACCES || code == -EPERM;
}

/* One that may not be looked at ends the table: so it is with all of them. */
static int look_at(struct scan_thread *thread, const char *name, void *data)
{
	const struct table *table = data;
	int r;

	if (table->type == HOLDING_FD)
		thread->found.descriptors++;
	if (is_own(thread, table, name))
		return 0;
	r = scan_match(thread, table->task, table->type, table->dir, name);
	return r == 0 || is_denied(r) ? r : tell(thread, table->task, table->type, name, r);
}

/* 0, or a negative errno that was told of: the rest of the process needs no look then. */
static int scan_table(struct scan_thread *thread, const struct scan_task *task,
		      enum holding_type type, const char *name)
{
	AUTO_FD dir = scan_open(task->dir, name, O_RDONLY | O_DIRECTORY);
	struct table table = { .task = task, .type = type, .dir = dir };
	int r = dir < 0 ? dir : scan_names(thread, dir, look_at, &table);

	/* A kernel that has no such directory says the same as a process that has gone. */
	if (r == 0 || (scan_is_gone(r) && faccessat(task->dir, "stat", F_OK, 0) < 0))
		return 0;
	if (!thread->failed)
		tell(thread, task, HOLDING_EXE, name, r);
	return r;
}

static int scan_link(struct scan_thread *thread, const struct scan_task *task,
		     enum holding_type type, const char *name)
{
	int r = scan_match(thread, task, type, task->dir, name);

	if (r < 0)
		tell(thread, task, type, name, r);
	return r;
}

/* 0, or why not all of it could be looked at. */
static int scan_task(struct scan_thread *thread, const struct scan_task *task,
		     const struct scan_needs *needs)
{
	int r = 0;

	if (needs->fds)
		r = scan_table(thread, task, HOLDING_FD, "fd");
	if (needs->maps && r == 0)
		r = scan_table(thread, task, HOLDING_MAP, "map_files");
	if (needs->program && r == 0)
		r = scan_link(thread, task, HOLDING_EXE, "exe");
	if (needs->places && r == 0)
		r = scan_link(thread, task, HOLDING_CWD, "cwd");
	if (needs->places && r == 0)
		r = scan_link(thread, task, HOLDING_ROOT, "root");
	if (needs->mounts && !thread->failed)
		scan_mounts(thread, task);
	return r;
}

#define KNOWN_MAX 16

/* The tasks of one process that were read: what a later one shares with them is not read again. */
struct known {
	pid_t pid;
	pid_t tids[KNOWN_MAX];
	size_t n;
};

static bool is_shared(const struct known *known, pid_t tid, int type)
{
	for (size_t i = 0; i < known->n; i++)
		if (syscall(SYS_kcmp, known->tids[i], tid, type, 0, 0) == 0)
			return true;
	return false;
}

static int scan_thread_of(struct scan_thread *thread, const char *name, void *data)
{
	const struct scan_needs *all = &thread->shared->needs;
	struct known *known = data;
	struct scan_needs needs;
	struct scan_task task = { .pid = known->pid, .dir = -1 };
	uint64_t tid;

	if (parse_u64(name, &tid) < 0 || tid > INT32_MAX || (pid_t)tid == known->pid)
		return 0;
	task.tid = (pid_t)tid;
	needs = (struct scan_needs){
		.fds = all->fds && !is_shared(known, task.tid, KCMP_FILES),
		.maps = all->maps && !is_shared(known, task.tid, KCMP_VM),
		.places = all->places && !is_shared(known, task.tid, KCMP_FS),
		.mounts = all->mounts,
	};
	needs.program = all->program && needs.maps;
	if (!needs.fds && !needs.maps && !needs.places && !needs.mounts)
		return 0;
	task.dir = open_task(thread, task.tid);
	if (task.dir < 0) {
		if (!scan_is_gone(task.dir))
			scan_gap(thread, task.dir, "/proc/%d", (int)task.tid);
		return thread->failed;
	}
	scan_task(thread, &task, &needs);
	close(task.dir);
	if ((needs.fds || needs.maps || needs.places) && known->n < KNOWN_MAX)
		known->tids[known->n++] = task.tid;
	return thread->failed;
}

/* Names of threads are few beside descriptors, but the buffer is taken by the table below. */
static void scan_threads(struct scan_thread *thread, const struct scan_task *leader)
{
	struct known known = { .pid = leader->pid, .tids = { leader->pid }, .n = 1 };
	AUTO_FD dir = scan_open(leader->dir, "task", O_RDONLY | O_DIRECTORY);
	char *names = thread->names;
	int r;

	thread->names = thread->names + NAMES_BYTES;
	r = dir < 0 ? dir : scan_names(thread, dir, scan_thread_of, &known);
	thread->names = names;
	if (r < 0 && !scan_is_gone(r) && !thread->failed)
		tell(thread, leader, HOLDING_EXE, "task", r);
}

/* /proc/PID/task has a link for each thread, and two of its own. */
static bool has_threads(const struct scan_task *leader)
{
	struct stat st;

	return fstatat(leader->dir, "task", &st, 0) < 0 || st.st_nlink != 3;
}

void scan_process(struct scan_thread *thread, pid_t pid)
{
	struct scan_task leader = { .pid = pid, .tid = pid, .dir = open_task(thread, pid) };
	int r;

	if (leader.dir < 0) {
		if (!scan_is_gone(leader.dir))
			scan_gap(thread, leader.dir, "/proc/%d", (int)pid);
		return;
	}
	thread->found.processes++;
	r = scan_task(thread, &leader, &thread->shared->needs);
	/* What may not be seen of one thread may not of the others: told once. */
	if (!thread->failed && r == 0 && has_threads(&leader))
		scan_threads(thread, &leader);
	close(leader.dir);
}
