/* SPDX-License-Identifier: MIT */
#include "sys/images.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strv.h"
#include "buf.h"
#include "sys/file.h"

#define MAPS_MAX ((size_t)4 << 20)
#define DELETED " (deleted)"

/* The kernel marks a file that was replaced under a running program, as an upgrade does. */
static void drop_mark(char *path)
{
	size_t len = strlen(path), mark = strlen(DELETED);

	if (len > mark && strcmp(path + len - mark, DELETED) == 0)
		path[len - mark] = '\0';
}

static int add(char ***images, const char *path, size_t len)
{
	AUTO_FREE char *copy = strndup(path, len);

	if (!copy)
		return -ENOMEM;
	drop_mark(copy);
	return strv_has(*images, copy) ? 0 : strv_add(images, copy);
}

static int add_program(char ***images)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	/* One that was cut short is no path. */
	return len > 0 && (size_t)len < sizeof(path) && path[0] == '/'
		       ? add(images, path, (size_t)len)
		       : 0;
}

/* "START-END PERM OFFSET DEV INODE   PATH": the first slash of a line begins the path. */
static int add_mapped(char ***images, const char *maps)
{
	int r = 0;

	while (r == 0 && *maps) {
		size_t len = strcspn(maps, "\n");
		const char *slash = memchr(maps, '/', len);

		if (slash)
			r = add(images, slash, len - (size_t)(slash - maps));
		maps += len + (maps[len] == '\n');
	}
	return r;
}

int process_images(char ***ret, struct error *err)
{
	AUTO_STRV char **images = NULL;
	AUTO_BUF maps = BUF_INIT;
	int r = file_read("/proc/self/maps", MAPS_MAX, &maps, err);

	if (r < 0)
		return r;
	r = add_program(&images);
	if (r == 0)
		r = add_mapped(&images, buf_text(&maps));
	if (r < 0)
		return error_oom(err);
	*ret = TAKE(images);
	return 0;
}
