/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/run.h"

void entry_from_stat(struct copy_entry *entry, const struct stat *st)
{
	entry->size = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
	entry->mode = st->st_mode;
	entry->uid = st->st_uid;
	entry->gid = st->st_gid;
	entry->mtime = st->st_mtim;
	entry->ctime = st->st_ctim;
	entry->ino = st->st_ino;
	entry->dev = st->st_dev;
}

void entry_to_stat(const struct copy_entry *entry, struct stat *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->st_size = (off_t)entry->size;
	ret->st_mode = entry->mode;
	ret->st_uid = entry->uid;
	ret->st_gid = entry->gid;
	ret->st_mtim = entry->mtime;
	ret->st_ctim = entry->ctime;
	ret->st_ino = entry->ino;
	ret->st_dev = entry->dev;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static char *say(const char *fmt, ...) PRINTF_LIKE(1, 2);
static char *say(const char *fmt, ...)
{
	char *ret = NULL;
	va_list args;

	/* Never NULL: that would say that nothing differs. */
	do {
		va_start(args, fmt);
		if (vasprintf(&ret, fmt, args) < 0)
			ret = strdup("");
		va_end(args);
	} while (!ret);
	return ret;
}

char *stat_difference(const struct stat *then, const struct stat *now)
{
	if (then->st_dev != now->st_dev || then->st_ino != now->st_ino)
		return say(_("another file has its name: its inode was %llu, is %llu"),
			   (unsigned long long)then->st_ino, (unsigned long long)now->st_ino);
	if (S_ISREG(then->st_mode) && then->st_size != now->st_size)
		return say(_("its size was %llu, is %llu"), (unsigned long long)then->st_size,
			   (unsigned long long)now->st_size);
	if (!same_time(&then->st_mtim, &now->st_mtim))
		return say(_("it was written: its mtime was %lld.%09ld, is %lld.%09ld"),
			   (long long)then->st_mtim.tv_sec, then->st_mtim.tv_nsec,
			   (long long)now->st_mtim.tv_sec, now->st_mtim.tv_nsec);
	if (then->st_mode != now->st_mode || then->st_uid != now->st_uid ||
	    then->st_gid != now->st_gid)
		return say(_("its owner or mode was changed: its mode was %o, is %o"),
			   then->st_mode & 07777, now->st_mode & 07777);
	if (!same_time(&then->st_ctim, &now->st_ctim))
		return say(_("it was changed: its ctime was %lld.%09ld, is %lld.%09ld"),
			   (long long)then->st_ctim.tv_sec, then->st_ctim.tv_nsec,
			   (long long)now->st_ctim.tv_sec, now->st_ctim.tv_nsec);
	return NULL;
}

/* What the answer of the kernel means for a copy. */
static int judge(const struct source *source, bool database)
{
	const struct lease *lease = source->lease;

	if (lease->answer == LEASE_HELD)
		return run_trouble(source->run, COPY_INTRUDED, source->path, "%s",
				   _("somebody has it open or mapped"));
	/* A FUSE filesystem may answer from its own memory while the real file is written. */
	if (lease->answer != LEASE_GRANTED && database && lease->code == -EOPNOTSUPP)
		return run_trouble(source->run, COPY_UNPROVED, source->path, "%s",
				   _("its filesystem keeps no promise about who has it open"));
	return 0;
}

int source_open(struct run *run, struct leases *leases, int dir, const char *name, const char *path,
		bool database, struct source *ret)
{
	struct error err = ERROR_INIT;
	int r;

	*ret = (struct source){ .run = run, .leases = leases, .path = path };
	r = lease_take_at(leases, dir, name, &ret->lease, &err);
	error_done(&err);
	if (r < 0)
		return run_unreadable(run, r, path);
	r = judge(ret, database);
	if (r < 0)
		source_close(ret);
	return r;
}

bool source_is_held(struct run *run, const struct stat *st, const char *path, struct source *ret)
{
	struct lease *lease = run_held(run, st->st_dev, st->st_ino);

	*ret = (struct source){
		.run = run, .leases = run->held, .lease = lease, .path = path, .held = true
	};
	return lease;
}

int source_stands(const struct source *source)
{
	struct run *run = source->run;
	int stands;

	if (source->lease->answer != LEASE_GRANTED)
		return 0;
	if (source->held)
		pthread_mutex_lock(&run->lock);
	stands = lease_stands(source->leases, source->lease);
	if (source->held)
		pthread_mutex_unlock(&run->lock);
	if (stands)
		return 0;
	return run_trouble(run, COPY_INTRUDED, source->path, "%s",
			   _("somebody opened it while it was copied"));
}

int source_check(const struct source *source)
{
	AUTO_FREE char *what = NULL;
	struct stat now;

	if (fstat(source->lease->fd, &now) < 0)
		return run_unreadable(source->run, -errno, source->path);
	what = stat_difference(&source->lease->stat, &now);
	if (what)
		return run_trouble(source->run, COPY_CHANGED, source->path, "%s", what);
	return source_stands(source);
}

void source_close(struct source *source)
{
	if (source->lease && !source->held)
		lease_drop(source->leases, source->lease);
	source->lease = NULL;
}
