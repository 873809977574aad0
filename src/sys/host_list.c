/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "sys/host_root.h"
#include "sys/hostdata.h"
#include "sys/record.h"

#define NAMES_MAX 65536
#define DATA_NAMES_MAX 1000000

struct names {
	char **items;
	size_t n, capacity, max;
};

static void names_done(struct names *names)
{
	strv_free(names->items);
}

/* The array stays NULL-terminated. */
static int names_add(struct names *names, const char *name)
{
	char **more;

	if (names->n == names->max)
		return -EFBIG;
	if (names->n + 2 > names->capacity) {
		names->capacity = names->capacity ? names->capacity * 2 : 32;
		more = reallocarray(names->items, names->capacity, sizeof(*more));
		if (!more)
			return -ENOMEM;
		names->items = more;
	}
	names->items[names->n] = strdup(name);
	if (!names->items[names->n])
		return -ENOMEM;
	names->items[++names->n] = NULL;
	return 0;
}

static int read_names(DIR *dir, struct names *names)
{
	const struct dirent *entry;
	int r;

	names->items = calloc(1, sizeof(char *));
	if (!names->items)
		return -ENOMEM;
	names->capacity = 1;
	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return -errno;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		r = names_add(names, entry->d_name);
		if (r < 0)
			return r;
	}
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int open_directory(struct host *host, const char *path, DIR **ret, struct error *err)
{
	struct stat st;
	AUTO_FD place = host_look(host, path, 0, &st, err);
	int fd;

	if (place < 0)
		return place;
	if (!S_ISDIR(st.st_mode))
		return host_cannot(host, path, -ENOTDIR, err);
	fd = host_reopen(host, path, &st, O_DIRECTORY, err);
	if (fd < 0)
		return fd;
	*ret = fdopendir(fd);
	if (*ret)
		return 0;
	close(fd);
	return error_oom(err);
}

static int list(struct host *host, const char *path, size_t max, char ***ret, struct error *err)
{
	CLEANUP(names_done) struct names names = { .max = max };
	DIR *dir;
	int r = open_directory(host, path, &dir, err);

	host_note(host, path, TOUCH_LIST);
	if (r < 0)
		return r;
	r = read_names(dir, &names);
	closedir(dir);
	if (r == -EFBIG)
		return error_set(err, r, "%s holds more than %zu names", path, max);
	if (r < 0)
		return host_cannot(host, path, r, err);
	qsort(names.items, names.n, sizeof(*names.items), compare);
	*ret = TAKE(names.items);
	return 0;
}

int host_list(struct host *host, const char *path, char ***ret, struct error *err)
{
	return list(host, path, NAMES_MAX, ret, err);
}

int host_list_data(struct host *host, const char *path, char ***ret, struct error *err)
{
	return list(host, path, DATA_NAMES_MAX, ret, err);
}
