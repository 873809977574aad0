/* SPDX-License-Identifier: MIT */
#include "copy/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"

#define TOLD_MAX 1000

int run_init(struct run *run, struct host *host, const volatile sig_atomic_t *cancelled)
{
	memset(run, 0, sizeof(*run));
	run->host = host;
	run->cancelled = cancelled;
	return -pthread_mutex_init(&run->lock, NULL);
}

void run_done(struct run *run)
{
	size_t i;

	leases_free(run->held);
	for (i = 0; i < run->db_capacity; i++)
		free(run->db[i].path);
	free(run->db);
	free(run->path);
	free(run->what);
	error_done(&run->err);
	strv_free(run->told);
	pthread_mutex_destroy(&run->lock);
}

bool run_is_over(struct run *run)
{
	return atomic_load(&run->stopped) || (run->cancelled && *run->cancelled);
}

/* Is this the first? */
static bool first(struct run *run, enum copy_trouble trouble, const char *path)
{
	if (atomic_exchange(&run->stopped, true))
		return false;
	run->trouble = trouble;
	run->path = path ? strdup(path) : NULL;
	return true;
}

int run_trouble(struct run *run, enum copy_trouble trouble, const char *path, const char *fmt, ...)
{
	va_list args;

	pthread_mutex_lock(&run->lock);
	if (first(run, trouble, path)) {
		va_start(args, fmt);
		if (vasprintf(&run->what, fmt, args) < 0)
			run->what = NULL;
		va_end(args);
	}
	pthread_mutex_unlock(&run->lock);
	return -ECANCELED;
}

static const char *next_action(int code)
{
	if (code == -ENOSPC || code == -EDQUOT)
		return _("make room on the destination, and run the step again");
	if (code == -EOPNOTSUPP)
		return _("give a destination on ext4, xfs or btrfs: it must keep owners and "
			 "extended attributes");
	if (code == -EMFILE || code == -ENFILE)
		return _("raise the limit of open files: ulimit -n");
	if (code == -EIO)
		return _("look at the kernel's messages about the destination's disk, and give "
			 "another one");
	return _("check that root can write to the destination, and run the step again");
}

int run_system(struct run *run, int code, const char *path, const char *doing)
{
	pthread_mutex_lock(&run->lock);
	if (first(run, COPY_SYSTEM, path)) {
		run->code = code;
		if (code == -ENOMEM)
			error_oom(&run->err);
		else
			error_set(&run->err, code, "%s %s: %s", doing, path ? path : "",
				  strerror(-code));
		error_hint(&run->err, "%s", next_action(code));
	}
	pthread_mutex_unlock(&run->lock);
	return -ECANCELED;
}

int run_unreadable(struct run *run, int code, const char *path)
{
	switch (code) {
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
		return run_system(run, code, path, "cannot open");
	case -ENOENT:
		return run_trouble(run, COPY_CHANGED, path, "%s", _("it is gone"));
	case -ELOOP:
	case -ENOTDIR:
	case -EINVAL:
	case -EXDEV:
	case -ESTALE:
		return run_trouble(run, COPY_CHANGED, path, "%s",
				   _("something else stands in its place now"));
	case -EWOULDBLOCK:
		return run_trouble(run, COPY_INTRUDED, path, "%s",
				   _("another program holds a lease on it"));
	default:
		return run_trouble(run, COPY_UNREADABLE, path, "%s", strerror(-code));
	}
}

void run_tell(struct run *run, const char *path, const char *what)
{
	char *line = NULL;

	if (asprintf(&line, "%s: %s", path, what) < 0)
		return;
	pthread_mutex_lock(&run->lock);
	if (strv_length(run->told) < TOLD_MAX)
		(void)strv_take(&run->told, line);
	else
		free(line);
	pthread_mutex_unlock(&run->lock);
}
