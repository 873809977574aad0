/* SPDX-License-Identifier: MIT */
#include "sys/copydir.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"
#include "base/intl.h"
#include "sys/durable.h"
#include "sys/io.h"

#define PIECE ((size_t)1 << 16)

static int failed(int code, const char *path, struct error *err)
{
	return error_set(err, code, "%s: %s", path, strerror(-code));
}

static int open_directory(const char *path)
{
	int fd = open(path, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return fd < 0 ? -errno : fd;
}

int copydir_open(const char *path, struct error *err)
{
	int fd = open_directory(path);

	return fd < 0 ? failed(fd, path, err) : fd;
}

/* The directory above, and the last component inside `path`. */
static int open_parent(const char *path, const char **ret_name)
{
	AUTO_FREE char *parent = strdup(path);
	char *slash;

	if (!parent)
		return -ENOMEM;
	slash = strrchr(parent, '/');
	if (!slash || !slash[1])
		return -EINVAL;
	*ret_name = path + (slash - parent) + 1;
	slash[slash == parent] = '\0';
	return open_directory(parent);
}

/* One component; its parent is there. */
static int make_one(const char *path)
{
	const char *name = NULL;
	bool made;
	AUTO_FD fd = open_parent(path, &name);

	return fd < 0 ? fd : durable_mkdir(fd, name, 0700, &made);
}

int copydir_make(const char *path, struct error *err)
{
	AUTO_FREE char *part = strdup(path);
	int r = 0;

	if (!part)
		return error_oom(err);
	for (char *c = part + 1; !r && *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (access(part, F_OK) < 0)
			r = make_one(part);
		*c = '/';
	}
	if (!r)
		r = make_one(part);
	if (r) {
		failed(r, path, err);
		error_hint(err, "%s", _("name a directory that can be made, and be root"));
	}
	return r;
}

int copydir_writable(const char *path, struct error *err)
{
	AUTO_FD fd = open(path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	int r = fd < 0 ? -errno : 0;
	char probe[64];

	/* A filesystem without files that have no name: one with a name, for an instant. */
	if (r == -EOPNOTSUPP || r == -EISDIR || r == -ENOENT) {
		AUTO_FD dir = open_directory(path);

		snprintf(probe, sizeof(probe), ".coldswap-%ld", (long)getpid());
		r = dir < 0 ? dir : durable_write(dir, probe, "", 0, 0600, false);
		if (!r)
			r = durable_unlink(dir, probe, 0);
	}
	if (!r)
		return 0;
	failed(r, path, err);
	error_hint(err, "%s",
		   r == -ENOSPC || r == -EDQUOT
			   ? _("free room there, or name another directory")
			   : _("be root, and name a directory on a disk that can be written"));
	return r;
}

int copydir_exists(const char *path, struct error *err)
{
	struct stat st;

	if (lstat(path, &st) == 0)
		return 1;
	return errno == ENOENT || errno == ENOTDIR ? 0 : failed(-errno, path, err);
}

int copydir_size(const char *path, uint64_t *ret, struct error *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? -ENOENT : failed(-errno, path, err);
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	*ret = (uint64_t)st.st_size;
	return 0;
}

/* In pieces: the manifest of a large copy is large, and this program is not. */
static int digest_fd(int fd, EVP_MD_CTX *context, unsigned char ret[32])
{
	AUTO_FREE char *bytes = malloc(PIECE);
	unsigned size = 0;
	ssize_t n;

	if (!bytes)
		return -ENOMEM;
	if (EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
		return -EIO;
	while ((n = read(fd, bytes, PIECE)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (EVP_DigestUpdate(context, bytes, (size_t)n) != 1)
			return -EIO;
	}
	return EVP_DigestFinal_ex(context, ret, &size) == 1 && size == 32 ? 0 : -EIO;
}

int copydir_sha256(const char *path, char ret[65], struct error *err)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	EVP_MD_CTX *context;
	unsigned char digest[32];
	int r;

	if (fd < 0)
		return failed(-errno, path, err);
	context = EVP_MD_CTX_new();
	r = context ? digest_fd(fd, context, digest) : -ENOMEM;
	EVP_MD_CTX_free(context);
	if (r)
		return failed(r, path, err);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
	return 0;
}

int copydir_rename(const char *from, const char *to, struct error *err)
{
	const char *name = NULL, *new_name = NULL;
	AUTO_FD fd = open_parent(from, &name);
	AUTO_FD other = open_parent(to, &new_name);
	int r = fd < 0 ? fd : other < 0 ? other : 0;

	if (!r && renameat2(fd, name, other, new_name, RENAME_NOREPLACE) < 0)
		r = -errno;
	if (!r)
		r = durable_sync(fd);
	return r ? failed(r, from, err) : 0;
}
