/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "buf.h"
#include "copy/validate_internal.h"
#include "probe/dbstate.h"
#include "sys/bytes_file.h"
#include "sys/scratch.h"

/* The magic number that opens a rollback journal, and closes the name of its super-journal. */
static const unsigned char magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
#define SUPER_TAIL 16 /* length, checksum, magic */

void sqlite_view_done(struct sqlite_view *view)
{
	scratch_free(view->scratch);
	free(view->path);
	free(view->super);
	*view = (struct sqlite_view){ 0 };
}

/* 1 copied, 0 not there. */
static int take(const struct validation *ask, const struct sqlite_view *view, const char *suffix,
		struct error *err)
{
	AUTO_FREE char *path = NULL, *place = NULL, *name = NULL;
	int r;

	if (asprintf(&path, "%s%s", ask->path, suffix) < 0)
		path = NULL;
	if (asprintf(&name, "db%s", suffix) < 0)
		name = NULL;
	place = path ? validate_place(ask, path) : NULL;
	if (!place || !name)
		return error_oom(err);
	r = scratch_copy(view->scratch, place, name, ask->cancelled, err);
	if (r == -ENOENT && *suffix) {
		error_done(err);
		return 0;
	}
	return r < 0 ? r : 1;
}

static void add_u32(struct buf *buf, uint32_t n)
{
	const unsigned char bytes[4] = { (unsigned char)(n >> 24), (unsigned char)(n >> 16),
					 (unsigned char)(n >> 8), (unsigned char)n };

	buf_add(buf, bytes, sizeof(bytes));
}

/* The record behind the last page of a journal: SQLite adds up the bytes as plain chars. */
static int super_record(const char *name, struct buf *ret)
{
	uint32_t sum = 0;

	for (const char *at = name; *at; at++)
		sum += (uint32_t)*at;
	buf_adds(ret, name);
	add_u32(ret, (uint32_t)strlen(name));
	add_u32(ret, sum);
	return buf_add(ret, magic, sizeof(magic));
}

/* A super-journal of this view alone, which lists this journal alone. */
static int rename_super(const struct sqlite_view *view, uint64_t journal_size, struct error *err)
{
	uint64_t tail = strlen(view->super) + SUPER_TAIL;
	AUTO_FREE char *super = NULL, *journal = NULL;
	AUTO_BUF record = BUF_INIT;
	int r;

	if (asprintf(&super, "%s/super", scratch_path(view->scratch)) < 0)
		super = NULL;
	if (asprintf(&journal, "%s-journal", view->path) < 0)
		journal = NULL;
	if (!super || !journal || super_record(super, &record) < 0)
		return error_oom(err);
	r = scratch_write_tail(view->scratch, "super", 0, journal, strlen(journal) + 1, err);
	if (r < 0)
		return r;
	return scratch_write_tail(view->scratch, "db-journal", journal_size - tail, record.data,
				  record.len, err);
}

/*
 * While the super-journal is there the transaction is not done; once SQLite
 * removed it, it is.  So one that is gone on the host too is right, and one
 * that the copy alone lacks would turn half a transaction into a whole one.
 */
static int look_at_super(const struct validation *ask, struct sqlite_view *view, struct error *err)
{
	AUTO_FREE char *place = validate_place(ask, view->super);
	struct stat st;

	if (!place)
		return error_oom(err);
	if (lstat(place, &st) == 0)
		return 0;
	if (errno != ENOENT)
		return error_set(err, -errno, "cannot look at %s: %s", place, strerror(errno));
	view->super_lost = lstat(view->super, &st) == 0;
	view->super_gone = !view->super_lost;
	return 0;
}

static int look_at_journal(const struct validation *ask, struct sqlite_view *view,
			   struct error *err)
{
	CLEANUP(cleanup_bytes_file) struct bytes_file *file = NULL;
	AUTO_FREE char *path = NULL;
	struct sqlite_journal journal = { 0 };
	int r;

	if (asprintf(&path, "%s-journal", view->path) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = bytes_file_open(path, &file, err);
	if (r == 0)
		r = sqlite_journal_read(bytes_file_at(file), &journal, err);
	if (r < 0)
		return r;
	view->hot = journal.hot;
	view->super = TAKE(journal.super);
	sqlite_journal_done(&journal);
	if (!view->hot || !view->super)
		return 0;
	r = look_at_super(ask, view, err);
	if (r < 0 || view->super_gone || view->super_lost)
		return r;
	return rename_super(view, bytes_file_at(file)->size, err);
}

int sqlite_view_make(const struct validation *ask, struct sqlite_view *ret, struct error *err)
{
	CLEANUP(sqlite_view_done) struct sqlite_view view = { 0 };
	int r = scratch_open(ask->scratch, &view.scratch, err);

	if (r < 0)
		return r;
	if (asprintf(&view.path, "%s/db", scratch_path(view.scratch)) < 0) {
		view.path = NULL;
		return error_oom(err);
	}
	r = take(ask, &view, "", err);
	if (r > 0)
		r = take(ask, &view, "-wal", err);
	if (r < 0)
		return r;
	view.wal = r;
	r = take(ask, &view, "-journal", err);
	if (r > 0)
		r = look_at_journal(ask, &view, err);
	if (r < 0)
		return r;
	*ret = view;
	view = (struct sqlite_view){ 0 };
	return 0;
}
