/* SPDX-License-Identifier: MIT */
#include "copy/validate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy/validate_internal.h"
#include "probe/dbstate.h"
#include "sys/bytes_file.h"

#define PG_CONTROL_TAIL "/global/pg_control"

char *validate_place(const struct validation *ask, const char *path)
{
	char *place;

	return asprintf(&place, "%s/" COPY_DATA "%s", ask->dir, path) < 0 ? NULL : place;
}

int validate_answer(const struct validation *ask, bool passed, struct error *err, const char *fmt,
		    ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&ask->check->text, fmt, args);
	va_end(args);
	if (n < 0) {
		ask->check->text = NULL;
		return error_oom(err);
	}
	ask->check->passed = passed;
	return 0;
}

/* What is damaged is an answer; what could not be read is none. */
static int damaged(const struct validation *ask, int code, const struct error *why,
		   struct error *err)
{
	if (code == -EBADMSG || code == -ENODATA)
		return validate_answer(ask, false, err, "%s", error_text(why));
	return error_copy(err, why);
}

static int validate_bbolt(const struct validation *ask, const struct bytes_at *file,
			  struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct bbolt_walk walk;
	int r = bbolt_check(file, &walk, &why);

	if (r < 0)
		return damaged(ask, r, &why, err);
	return validate_answer(ask, true, err,
			       "ok; %" PRIu64 " pages and %" PRIu64 " keys, transaction %" PRIu64,
			       walk.pages, walk.keys, walk.meta.txid);
}

/* 1: the log of the cluster is in the copy, as a directory or where a link leads. */
static int has_log(const struct validation *ask, struct error *err)
{
	AUTO_FREE char *log = NULL, *place = NULL, *led = NULL;
	char target[4096];
	struct stat st;
	ssize_t n;

	if (asprintf(&log, "%.*s/pg_wal", (int)(strlen(ask->path) - strlen(PG_CONTROL_TAIL)),
		     ask->path) < 0) {
		log = NULL;
		return error_oom(err);
	}
	place = validate_place(ask, log);
	if (!place)
		return error_oom(err);
	if (lstat(place, &st) < 0)
		return errno == ENOENT ? 0
				       : error_set(err, -errno, "cannot look at %s: %s", place,
						   strerror(errno));
	if (!S_ISLNK(st.st_mode))
		return S_ISDIR(st.st_mode);
	n = readlink(place, target, sizeof(target) - 1);
	if (n <= 0 || target[0] != '/')
		return 0;
	target[n] = '\0';
	led = validate_place(ask, target);
	if (!led)
		return error_oom(err);
	return stat(led, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * A cluster that was stopped hard is whole all the same: the server replays
 * pg_wal at its next start.  Without pg_wal it is lost.
 */
static int validate_postgres(const struct validation *ask, const struct bytes_at *file,
			     struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	size_t len = strlen(ask->path), tail = strlen(PG_CONTROL_TAIL);
	struct pg_control control;
	int r = pg_control_read(file, &control, &why);

	if (r < 0)
		return damaged(ask, r, &why, err);
	if (control.clean)
		return validate_answer(ask, true, err, "ok; CRC right, state '%s'",
				       pg_state_name(control.state));
	if (len <= tail || strcmp(ask->path + len - tail, PG_CONTROL_TAIL) != 0)
		return error_set(err, -EINVAL, "%s is not the pg_control of a cluster", ask->path);
	r = has_log(ask, err);
	if (r < 0)
		return r;
	if (r == 0)
		return validate_answer(ask, false, err,
				       "state '%s', and the copy holds no pg_wal to replay",
				       pg_state_name(control.state));
	return validate_answer(
		ask, true, err,
		"ok; CRC right, state '%s': not shut down, PostgreSQL replays pg_wal "
		"at its start",
		pg_state_name(control.state));
}

/* A validator that reads a single file by its place. */
static int validate_file(const struct validation *ask, enum validator validator, struct error *err)
{
	CLEANUP(cleanup_bytes_file) struct bytes_file *file = NULL;
	AUTO_FREE char *place = validate_place(ask, ask->path);
	int r = place ? bytes_file_open(place, &file, err) : error_oom(err);

	if (r < 0)
		return r;
	return validator == VALIDATE_BBOLT ? validate_bbolt(ask, bytes_file_at(file), err)
					   : validate_postgres(ask, bytes_file_at(file), err);
}

int copy_validate(const char *dir, const char *path, enum validator validator, const char *scratch,
		  const volatile sig_atomic_t *cancelled, struct copy_check *ret, struct error *err)
{
	static const char *const names[] = {
		[VALIDATE_SQLITE] = "SQLite integrity_check",
		[VALIDATE_BBOLT] = "bbolt page walk",
		[VALIDATE_POSTGRES] = "PostgreSQL pg_control",
	};
	struct copy_check check = { .what = strdup(names[validator]), .path = strdup(path) };
	const struct validation ask = { dir, path, scratch, cancelled, &check };
	int r;

	if (!check.what || !check.path)
		r = error_oom(err);
	else if (validator == VALIDATE_SQLITE)
		r = validate_sqlite(&ask, err);
	else
		r = validate_file(&ask, validator, err);
	if (r < 0) {
		copy_check_done(&check);
		error_wrap(err, "cannot check the copy of %s", path);
		return r;
	}
	*ret = check;
	return 0;
}

void copy_check_done(struct copy_check *check)
{
	free(check->what);
	free(check->path);
	free(check->text);
	*check = (struct copy_check){ 0 };
}
