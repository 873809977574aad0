/* SPDX-License-Identifier: MIT */
#include "journal/image.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"

#define ROLLBACK_NAME IMAGE_NAME "-journal"
#define NAME_MAX_LEN 64
/* A forged rollback may ask for any size. */
#define SIZE_MAX_BYTES ((size_t)256 << 20)

struct image_file {
	struct buf bytes;
	bool exists;
};

struct image {
	sqlite3_vfs vfs;
	char name[32];
	struct image_file database, rollback;
};

/* An open file of SQLite; it gives the memory. */
struct image_handle {
	sqlite3_file base;
	struct image_file *file;
};

static struct image_file *file_of(sqlite3_file *handle)
{
	return ((struct image_handle *)handle)->file;
}

static int image_close(sqlite3_file *handle)
{
	(void)handle;
	return SQLITE_OK;
}

static int image_read(sqlite3_file *handle, void *ret, int len, sqlite3_int64 at)
{
	const struct buf *bytes = &file_of(handle)->bytes;
	size_t there = (uint64_t)at < bytes->len ? bytes->len - (size_t)at : 0;

	if (there >= (size_t)len) {
		memcpy(ret, bytes->data + at, (size_t)len);
		return SQLITE_OK;
	}
	/* SQLite asks for the rest to be zero. */
	memset(ret, 0, (size_t)len);
	if (there)
		memcpy(ret, bytes->data + at, there);
	return SQLITE_IOERR_SHORT_READ;
}

static int image_write(sqlite3_file *handle, const void *bytes, int len, sqlite3_int64 at)
{
	struct buf *to = &file_of(handle)->bytes;
	size_t end = (size_t)at + (size_t)len;

	if (end > SIZE_MAX_BYTES)
		return SQLITE_FULL;
	while (to->len < end) {
		static const char zeros[512];
		size_t more = end - to->len;

		if (buf_add(to, zeros, more < sizeof(zeros) ? more : sizeof(zeros)) < 0)
			return buf_error(to) == -EFBIG ? SQLITE_FULL : SQLITE_NOMEM;
	}
	memcpy(to->data + at, bytes, (size_t)len);
	return SQLITE_OK;
}

static int image_truncate(sqlite3_file *handle, sqlite3_int64 size)
{
	struct buf *bytes = &file_of(handle)->bytes;

	if ((uint64_t)size < bytes->len)
		bytes->len = (size_t)size;
	return SQLITE_OK;
}

static int image_sync(sqlite3_file *handle, int flags)
{
	(void)handle;
	(void)flags;
	return SQLITE_OK;
}

static int image_size(sqlite3_file *handle, sqlite3_int64 *ret)
{
	*ret = (sqlite3_int64)file_of(handle)->bytes.len;
	return SQLITE_OK;
}

static int image_lock(sqlite3_file *handle, int level)
{
	(void)handle;
	(void)level;
	return SQLITE_OK;
}

/* Nobody else has it: what has to be rolled back is rolled back. */
static int image_reserved(sqlite3_file *handle, int *ret)
{
	(void)handle;
	*ret = 0;
	return SQLITE_OK;
}

static int image_control(sqlite3_file *handle, int what, void *data)
{
	(void)handle;
	(void)what;
	(void)data;
	return SQLITE_NOTFOUND;
}

static int image_sector(sqlite3_file *handle)
{
	(void)handle;
	return 512;
}

static int image_device(sqlite3_file *handle)
{
	(void)handle;
	return 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = image_close,
	.xRead = image_read,
	.xWrite = image_write,
	.xTruncate = image_truncate,
	.xSync = image_sync,
	.xFileSize = image_size,
	.xLock = image_lock,
	.xUnlock = image_lock,
	.xCheckReservedLock = image_reserved,
	.xFileControl = image_control,
	.xSectorSize = image_sector,
	.xDeviceCharacteristics = image_device,
};

static struct image_file *named(sqlite3_vfs *vfs, const char *name)
{
	struct image *image = vfs->pAppData;

	if (name && strcmp(name, IMAGE_NAME) == 0)
		return &image->database;
	return name && strcmp(name, ROLLBACK_NAME) == 0 ? &image->rollback : NULL;
}

static int image_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *handle, int flags,
		      int *ret_flags)
{
	struct image_file *file = named(vfs, name);

	handle->pMethods = NULL;
	if (!file || (!file->exists && !(flags & SQLITE_OPEN_CREATE)))
		return SQLITE_CANTOPEN;
	file->exists = true;
	((struct image_handle *)handle)->file = file;
	handle->pMethods = &methods;
	if (ret_flags)
		*ret_flags = flags;
	return SQLITE_OK;
}

static int image_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	struct image_file *file = named(vfs, name);

	(void)sync;
	if (!file || !file->exists)
		return SQLITE_IOERR_DELETE_NOENT;
	file->exists = false;
	file->bytes.len = 0;
	return SQLITE_OK;
}

static int image_access(sqlite3_vfs *vfs, const char *name, int flags, int *ret)
{
	const struct image_file *file = named(vfs, name);

	(void)flags;
	*ret = file && file->exists;
	return SQLITE_OK;
}

static int image_full(sqlite3_vfs *vfs, const char *name, int size, char *ret)
{
	(void)vfs;
	if (snprintf(ret, (size_t)size, "%s", name) >= size)
		return SQLITE_CANTOPEN;
	return SQLITE_OK;
}

static int image_random(sqlite3_vfs *vfs, int len, char *ret)
{
	(void)vfs;
	memset(ret, 0, (size_t)len);
	return len;
}

static int image_sleep(sqlite3_vfs *vfs, int us)
{
	(void)vfs;
	return us;
}

/* No statement of the journal asks for the time. */
static int image_time(sqlite3_vfs *vfs, double *ret)
{
	(void)vfs;
	*ret = 0;
	return SQLITE_OK;
}

static int image_error(sqlite3_vfs *vfs, int len, char *ret)
{
	(void)vfs;
	if (len > 0)
		*ret = '\0';
	return 0;
}

static void take(struct buf *from, bool exists, struct image_file *to)
{
	to->bytes = *from;
	to->bytes.max = SIZE_MAX_BYTES;
	to->exists = exists;
	*from = (struct buf)BUF_INIT;
}

int image_new(struct dbfile_copy *copy, struct image **ret, struct error *err)
{
	struct image *image = calloc(1, sizeof(*image));

	if (!image)
		return error_oom(err);
	(void)snprintf(image->name, sizeof(image->name), "image-%lx",
		       (unsigned long)(uintptr_t)image);
	image->vfs = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = sizeof(struct image_handle),
		.mxPathname = NAME_MAX_LEN,
		.zName = image->name,
		.pAppData = image,
		.xOpen = image_open,
		.xDelete = image_delete,
		.xAccess = image_access,
		.xFullPathname = image_full,
		.xRandomness = image_random,
		.xSleep = image_sleep,
		.xCurrentTime = image_time,
		.xGetLastError = image_error,
	};
	take(&copy->database, true, &image->database);
	take(&copy->rollback, copy->has_rollback, &image->rollback);
	if (sqlite3_vfs_register(&image->vfs, 0) != SQLITE_OK) {
		image_free(image);
		return error_oom(err);
	}
	*ret = image;
	return 0;
}

void image_free(struct image *image)
{
	if (!image)
		return;
	(void)sqlite3_vfs_unregister(&image->vfs);
	buf_done(&image->database.bytes);
	buf_done(&image->rollback.bytes);
	free(image);
}

const char *image_vfs(const struct image *image)
{
	return image->name;
}
