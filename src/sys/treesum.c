/* SPDX-License-Identifier: MIT */
#include "sys/treesum.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/strv.h"
#include "sys/copyfs.h"
#include "sys/io.h"

#define FILE_MAX ((size_t)256 << 20)
#define DEPTH_MAX 128

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int names_of(int dir, char ***ret)
{
	struct copyfs_list list;
	const char *name;
	size_t n = 0;
	int r = copyfs_list_open(dir, &list);

	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		r = strv_add(ret, name);
		n++;
	}
	if (r >= 0 && n)
		qsort(*ret, n, sizeof(**ret), by_bytes);
	return r;
}

/* Each part with its length before it, so that no two trees give the same bytes. */
static int add(struct buf *sum, char type, const char *bytes, size_t len)
{
	int r = buf_addf(sum, "%c%zu:", type, len);

	return r < 0 ? r : buf_add(sum, bytes, len);
}

static int add_link(int dir, const char *name, struct buf *sum)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));

	return n < 0 ? -errno : add(sum, 'l', target, (size_t)n);
}

static int add_file(int dir, const char *name, struct buf *sum)
{
	AUTO_FD fd = copyfs_open_file(dir, name);
	AUTO_BUF bytes = BUF_INIT;
	char sha256[65];
	int r = fd < 0 ? fd : io_read_all(fd, FILE_MAX, &bytes);

	if (r >= 0)
		r = sha256_hex(buf_text(&bytes), bytes.len, sha256, NULL);
	return r < 0 ? r : add(sum, 'f', sha256, strlen(sha256));
}

static int add_directory(int dir, unsigned depth, struct buf *sum);

static int add_name(int dir, const char *name, unsigned depth, struct buf *sum)
{
	AUTO_FD below = -1;
	struct stat st;
	bool mounted;
	int r = copyfs_look(dir, name, &st, &mounted);

	if (r >= 0)
		r = add(sum, 'n', name, strlen(name));
	if (r < 0)
		return r;
	if (S_ISLNK(st.st_mode))
		return add_link(dir, name, sum);
	if (S_ISREG(st.st_mode))
		return add_file(dir, name, sum);
	if (!S_ISDIR(st.st_mode))
		return buf_addf(sum, "o%o", (unsigned)st.st_mode & S_IFMT);
	below = copyfs_open_dir(dir, name);
	return below < 0 ? below : add_directory(below, depth + 1, sum);
}

static int add_directory(int dir, unsigned depth, struct buf *sum)
{
	AUTO_STRV char **names = NULL;
	int r = depth > DEPTH_MAX ? -ELOOP : names_of(dir, &names);

	if (r >= 0)
		r = buf_adds(sum, "d{");
	for (char **name = names; r >= 0 && name && *name; name++)
		r = add_name(dir, *name, depth, sum);
	return r < 0 ? r : buf_adds(sum, "}");
}

int treesum(const char *path, char ret[65], struct error *err)
{
	AUTO_FD fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	AUTO_BUF sum = BUF_INIT;
	int r = fd < 0 ? -errno : add_directory(fd, 0, &sum);

	if (r >= 0)
		return sha256_hex(buf_text(&sum), sum.len, ret, err);
	if (r == -ENOMEM)
		return error_oom(err);
	error_set(err, r, "cannot read all of %s: %s", path, strerror(-r));
	error_hint(err, "look at it: ls -l %s", path);
	return r;
}
