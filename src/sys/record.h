/* SPDX-License-Identifier: MIT */
/*
 * What is asked of a host, noted while it is recorded: every path that is
 * read, listed, followed or looked at, and every fact with its answer.
 *
 * A capture is written from such a recording, so that what the probes read is
 * in it whatever they come to read.  Paths stand as they were asked for; what
 * they hold is read again by whoever writes.  Facts keep their bytes: asking
 * a disk twice takes time.
 */
#ifndef COLDSWAP_SYS_RECORD_H
#define COLDSWAP_SYS_RECORD_H

#include "base/strmap.h"
#include "host.h"

enum touch {
	TOUCH_READ = 1 << 0,
	TOUCH_LIST = 1 << 1,
	TOUCH_LINK = 1 << 2, /* the link itself */
	TOUCH_STAT = 1 << 3,
	TOUCH_REAL = 1 << 4, /* its real path */
};

struct touched {
	char *path;
	unsigned how; /* of enum touch */
};

struct told {
	enum host_fact fact;
	char *name; /* or NULL */
	int code;   /* 0, or the negative errno that was given */
	char *text;
	size_t len;
};

struct recording {
	struct touched *paths;
	size_t n_paths, paths_capacity;
	struct strmap places; /* path -> index */
	struct told *facts;
	size_t n_facts;
	bool on;
	int failed; /* sticky: -ENOMEM */
};

/* Note from here on.  The recording is the host's and ends with it. */
int host_record(struct host *host, struct error *err);
/* Note no more; -ENOMEM when something could not be noted. */
int host_record_stop(struct host *host, const struct recording **ret, struct error *err);

/* A path of a capture that its machine could not read, by number; false past the end. */
bool host_unreadable_at(const struct host *host, size_t index, const char **ret_path,
			int *ret_code);

#endif
