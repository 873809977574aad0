/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "sys/host_root.h"
#include "sys/kind_of_file.h"
#include "sys/record.h"

#define LINE_MAX_BYTES 4096
/* The st_size of every text attribute of sysfs, whatever it holds. */
#define SYSFS_SIZE 4096

static int too_large(const char *path, size_t max, struct error *err)
{
	return error_set(err, -EFBIG, "%s is larger than %zu bytes", path, max);
}

/* A descriptor to read from; never of anything but a regular file. */
static int open_content(struct host *host, const char *path, size_t max, struct error *err)
{
	struct stat st;
	AUTO_FD place = host_look(host, path, 0, &st, err);

	if (place < 0)
		return place;
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "%s is %s, not a regular file", path,
				 kind_of_file(st.st_mode));
	if (st.st_size > SYSFS_SIZE && (size_t)st.st_size > max)
		return too_large(path, max, err);
	return host_reopen(host, path, &st, 0, err);
}

int host_read(struct host *host, const char *path, size_t max, struct buf *ret, struct error *err)
{
	AUTO_FD fd = open_content(host, path, max, err);
	int r;

	host_note(host, path, TOUCH_READ);
	if (fd < 0)
		return fd;
	r = io_read_all(fd, max, ret);
	if (r == -EFBIG)
		return too_large(path, max, err);
	return r < 0 ? host_cannot(host, path, r, err) : 0;
}

/* White space and the NULs that end texts of the device tree. */
static void trim(const char **text, size_t *len)
{
	while (*len && (isspace((unsigned char)(*text)[*len - 1]) || !(*text)[*len - 1]))
		(*len)--;
	while (*len && isspace((unsigned char)**text)) {
		(*text)++;
		(*len)--;
	}
}

int host_read_line(struct host *host, const char *path, char **ret, struct error *err)
{
	AUTO_BUF content = BUF_INIT;
	const char *text;
	char *line;
	size_t len;
	int r = host_read(host, path, LINE_MAX_BYTES, &content, err);

	if (r < 0)
		return r;
	text = buf_text(&content);
	len = content.len;
	trim(&text, &len);
	if (memchr(text, '\0', len))
		return error_set(err, -EBADMSG, "%s holds binary data, not a line", path);
	line = strndup(text, len);
	if (!line)
		return error_oom(err);
	*ret = line;
	return 0;
}

int host_readlink(struct host *host, const char *path, char **ret, struct error *err)
{
	char target[PATH_MAX];
	struct stat st;
	AUTO_FD fd = host_look(host, path, O_NOFOLLOW, &st, err);
	ssize_t len;

	host_note(host, path, TOUCH_LINK);
	if (fd < 0)
		return fd;
	if (!S_ISLNK(st.st_mode))
		return error_set(err, -EINVAL, "%s is %s, not a symbolic link", path,
				 kind_of_file(st.st_mode));
	len = readlinkat(fd, "", target, sizeof(target));
	if (len < 0)
		return host_cannot(host, path, -errno, err);
	if (len == (ssize_t)sizeof(target))
		return host_cannot(host, path, -ENAMETOOLONG, err);
	*ret = strndup(target, (size_t)len);
	return *ret ? 0 : error_oom(err);
}
