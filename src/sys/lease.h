/* SPDX-License-Identifier: MIT */
/*
 * Proof that nobody else has a file open: a write lease of the kernel
 * (fcntl(2), F_SETLEASE with F_WRLCK).
 *
 * The kernel grants it only when the caller's is the one open description of
 * the inode: neither namespaces nor hard links nor a mapping whose descriptor
 * is closed hide a holder.  A grant is true at its instant; it stays true for
 * as long as the lease stands, because a conflicting open breaks it first.
 *
 * 1. A grant counts only on a filesystem that is known to keep the promise
 *    (LEASE_GRANTED); FUSE grants leases while a writer has the real file
 *    open, overlayfs does not see a mapping.  There the answer is unknown.
 * 2. All reading goes through `fd`: a second open by this very process breaks
 *    the lease.  So does SQLite's.
 * 3. The signal of a break is taken by leases_broken(), never by a handler:
 *    its default action would end the process.
 * 4. A broken lease is dropped at once, or the opener stalls for
 *    fs.lease-break-time seconds.
 */
#ifndef COLDSWAP_SYS_LEASE_H
#define COLDSWAP_SYS_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "attr.h"
#include "error.h"
#include "host.h"

enum lease_answer {
	LEASE_UNKNOWN, /* no answer that counts; the code says why */
	LEASE_HELD,    /* somebody else has the file open or mapped */
	LEASE_GRANTED, /* nobody else has */
};

struct leases; /* those of one purpose, and the signal that tells of their breaks */

struct lease {
	int fd; /* of the file, read-only, whatever the answer; -1 = could not be opened */
	struct stat stat; /* of `fd`, when the lease was asked for */
	enum lease_answer answer;
	int code; /* of LEASE_UNKNOWN: -EINVAL, -EACCES, -EOPNOTSUPP (foreign filesystem) */
	const char *fstype; /* as the kernel names it ("ext4"); NULL = not known */
	bool broken;        /* was granted, and is no longer */
};

/*
 * Blocks the signal in the calling thread (call it before threads are made)
 * and raises the limit of open files as far as may be.  -EPERM for a capture.
 */
int leases_open(struct host *host, struct leases **ret, struct error *err);
void leases_free(struct leases *leases); /* every lease that still stands is dropped */
DEFINE_CLEANUP(leases, leases_free)

/*
 * Open `path` (absolute, every link resolved; a link is -ELOOP) and ask.  0
 * and an answer; a negative errno when the file could not even be opened:
 * -ENOENT, -EINVAL (no regular file; FIFOs and devices are never opened),
 * -EWOULDBLOCK (another's lease is in the way), -EMFILE.  The lease is the
 * set's, at an address of its own, until lease_drop().
 */
int lease_take(struct leases *leases, const char *path, struct lease **ret, struct error *err);
/* The same below an open directory; `name` is one component. */
int lease_take_at(struct leases *leases, int dir, const char *name, struct lease **ret,
		  struct error *err);
/* 1: granted and standing (F_GETLEASE); 0: it never was, or is broken. */
int lease_stands(struct leases *leases, struct lease *lease);
void lease_drop(struct leases *leases, struct lease *lease); /* and close */

/*
 * Look for breaks: each lease that was broken is marked and dropped (its fd
 * stays open).  The number of leases of the set that are broken.
 */
size_t leases_broken(struct leases *leases);
/* A descriptor that polls readable when a lease may have been broken. */
int leases_poll_fd(const struct leases *leases);

/* The descriptors of the set, for the scan that must not count them. */
size_t leases_fds(const struct leases *leases, const int **ret);

#endif
