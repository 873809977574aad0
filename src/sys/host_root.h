/* SPDX-License-Identifier: MIT */
/* Inside of struct host: for src/sys alone. */
#ifndef COLDSWAP_SYS_HOST_ROOT_H
#define COLDSWAP_SYS_HOST_ROOT_H

#include <fcntl.h>
#include <stdint.h>

#include "host.h"
#include "sys/io.h"

struct recording; /* sys/record.h */
struct told;

/* A path that could not be read when the capture was made, and all below it. */
struct unreadable {
	char *path;
	int code; /* negative errno */
};

struct host {
	char *root; /* as the operator gave it */
	bool live;
	int fd; /* the root directory, O_PATH */
	uint64_t deadline_us;
	struct unreadable *unreadable;
	size_t n_unreadable;
	struct recording *recording; /* NULL: nothing is noted */
};

/*
 * openat2(2) confined to the root.  Returns a descriptor, or a negative errno
 * without words.  The caller looks with O_PATH before it opens for reading.
 */
int host_openat(const struct host *host, const char *path, int flags);

/* A O_PATH descriptor of what `path` leads to, and its stat; errors with words. */
int host_look(struct host *host, const char *path, int flags, struct stat *ret, struct error *err);

/* Open what host_look() saw; anything else by now is -ESTALE. */
int host_reopen(struct host *host, const char *path, const struct stat *seen, int flags,
		struct error *err);

/* "cannot read PATH: ..." with the next action.  Returns `code`. */
int host_cannot(const struct host *host, const char *path, int code, struct error *err);

/* What is left until the deadline, `most_us` at most; -ETIMEDOUT when it is over. */
int host_time_left(const struct host *host, uint64_t most_us, uint64_t *ret, struct error *err);

/* Every link resolved by hand; no words.  Does not ask the list of unreadable paths. */
int host_walk(const struct host *host, const char *path, char **ret, struct stat *ret_stat);

/* Load coldswap/unreadable.tsv of a capture; its absence is no error. */
int host_load_unreadable(struct host *host, struct error *err);
void host_free_unreadable(struct host *host);
/* 0, or the errno that the list gives this path or one above it. */
int host_unreadable(const struct host *host, const char *path);

/* Note a path, or a fact and its answer, where the host is recorded. */
void host_note(struct host *host, const char *path, unsigned how);
void host_note_fact(struct host *host, const struct told *told);
void host_free_recording(struct host *host);

#endif
