/* SPDX-License-Identifier: MIT */
/*
 * One session at a time on a host: a flock(2) on /run/coldswap/lock.
 *
 * The kernel drops the lock with the process, so that a file that a crash left
 * behind is no obstacle; what stands in it only names the holder, and counts
 * only for a process that lives and was started when the file says.  The file
 * is never unlinked: two processes could then hold two locks of one name.
 *
 * The directory is made 0700; one that is another user's, that others may
 * write to, or that is a symbolic link is refused (-EPERM).
 */
#ifndef COLDSWAP_SYS_LOCK_H
#define COLDSWAP_SYS_LOCK_H

#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct lock;

struct lock_holder {
	pid_t pid;      /* 0: not told */
	char *text;     /* what it said of itself ("run, session 3"), inert; or NULL */
	char *since;    /* RFC 3339; or NULL */
	uint64_t start; /* when the process started, in ticks since the boot */
};

/*
 * Take it, without waiting; `text` is one line that tells the next one who
 * holds it.  -EBUSY names the holder; -EPERM for a capture.
 */
int lock_take(struct host *host, const char *text, struct lock **ret, struct error *err);
void lock_free(struct lock *lock);
DEFINE_CLEANUP(lock, lock_free)

/* 1 held, and by whom; 0 free.  Takes nothing and makes nothing. */
int lock_look(struct host *host, struct lock_holder *ret, struct error *err);
void lock_holder_done(struct lock_holder *holder);
#define AUTO_LOCK_HOLDER CLEANUP(lock_holder_done) struct lock_holder

#endif
