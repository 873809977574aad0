/* SPDX-License-Identifier: MIT */
#include "sys/trust.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

int trust_stat(const char *path, const struct stat *st, struct error *err)
{
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX);

	if (st->st_uid != 0 && st->st_uid != geteuid()) {
		error_set(err, -EPERM, "%s belongs to another user (uid %u)", path,
			  (unsigned)st->st_uid);
		error_hint(err, "look at it, then: chown %s %s", geteuid() ? "$USER" : "root",
			   path);
		return -EPERM;
	}
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) && !sticky) {
		error_set(err, -EPERM, "%s can be written to by others (mode %04o)", path,
			  (unsigned)st->st_mode & 07777);
		error_hint(err, "look at it, then: chmod go-w %s", path);
		return -EPERM;
	}
	return 0;
}

int trust_parents(const char *path, struct error *err)
{
	AUTO_FREE char *dir = strdup(path);
	struct stat st;
	char *slash;
	int r = 0;

	if (!dir)
		return error_oom(err);
	while (r == 0 && (slash = strrchr(dir, '/'))) {
		bool root = slash == dir;

		slash[root] = '\0';
		if (stat(dir, &st) < 0)
			return error_set(err, -errno, "cannot look at %s: %s", dir,
					 strerror(errno));
		r = trust_stat(dir, &st, err);
		if (root)
			break;
	}
	return r;
}
