/* SPDX-License-Identifier: MIT */
/*
 * Before the copy gets its name: each database of it is opened on a scratch
 * view, and RESTORE.md is written.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "copy/validate.h"
#include "step/files_copy.h"
#include "sys/copydir.h"
#include "sys/durable.h"
#include "sys/io.h"

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

/* Of a file that is no database: false. */
static bool validator_of(const struct datafile *file, enum validator *ret)
{
	static const struct {
		enum datafile_role role;
		enum validator validator;
	} rows[] = {
		{ DATAFILE_SQLITE, VALIDATE_SQLITE },
		{ DATAFILE_BBOLT, VALIDATE_BBOLT },
		{ DATAFILE_PG_CONTROL, VALIDATE_POSTGRES },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (rows[i].role == file->role) {
			*ret = rows[i].validator;
			return true;
		}
	return false;
}

static int add_check(struct copy_head *head, const struct copy_check *check)
{
	struct copy_check *grown =
		reallocarray(head->checks, head->n_checks + 1, sizeof(*head->checks));

	if (!grown)
		return -ENOMEM;
	head->checks = grown;
	grown[head->n_checks++] = *check;
	return 0;
}

static int check_file(struct copying *copying, const struct datafile *file, const char *dir,
		      struct copy_head *head, struct error *err)
{
	struct copy_check check = { 0 };
	enum validator validator;
	const char *scratch = NULL;
	int r;

	if (!validator_of(file, &validator))
		return 0;
	r = step_scratch_dir(copying->step, &scratch, err);
	if (!r)
		r = copy_validate(dir, file->path, validator, scratch, copying->step->cancelled,
				  &check, err);
	if (r)
		return r;
	if (add_check(head, &check)) {
		copy_check_done(&check);
		return error_oom(err);
	}
	if (check.passed)
		return 0;
	return error_set(err, -EBADMSG, "%s: %s: %s", file->path, check.what,
			 check.text ? check.text : "");
}

static int write_restore(const char *dir, const struct copy_head *head, struct error *err)
{
	AUTO_FREE char *final = strdup(dir);
	AUTO_BUF text = BUF_INIT;
	AUTO_FD fd = -1;
	int r;

	if (!final)
		return error_oom(err);
	if (ends_with(final, COPY_PARTIAL))
		final[strlen(final) - strlen(COPY_PARTIAL)] = '\0';
	r = copy_restore_text(final, head, &text, err);
	if (r)
		return r;
	fd = copydir_open(dir, err);
	if (fd < 0)
		return fd;
	r = durable_write(fd, COPY_RESTORE, buf_text(&text), text.len, 0600, true);
	return r ? error_set(err, r, "%s/" COPY_RESTORE ": %s", dir, strerror(-r)) : 0;
}

/* A database that does not open is no error of this program: the copy is rejected. */
int copying_finish(void *data, const char *dir, struct copy_head *head, struct error *err)
{
	struct copying *copying = data;
	int r = 0;

	for (size_t i = 0; r == 0 && i < copying->n; i++) {
		const struct copy_item *item = &copying->items[i];

		for (size_t k = 0; r == 0 && item->set && k < item->set->n_files; k++)
			if (copying_owner(copying, item->set->files[k].path) == item)
				r = check_file(copying, &item->set->files[k], dir, head, err);
	}
	return r ? r : write_restore(dir, head, err);
}
