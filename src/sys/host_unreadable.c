/* SPDX-License-Identifier: MIT */
/*
 * coldswap/unreadable.tsv: what the machine itself refused to give when the
 * capture was made, as lines of "PATH<TAB>ERRNO" ("EIO").
 */
#include <errno.h>
#include <string.h>

#include "sys/host_root.h"
#include "sys/record.h"

#define LIST "/coldswap/unreadable.tsv"
#define LIST_MAX ((size_t)1 << 20)
#define ERRNO_LAST 133

static int errno_by_name(const char *name)
{
	const char *known;
	int i;

	for (i = 1; i <= ERRNO_LAST; i++) {
		known = strerrorname_np(i);
		if (known && strcmp(known, name) == 0)
			return -i;
	}
	return 0;
}

static int add_line(struct host *host, const char *line, unsigned number, struct error *err)
{
	const char *tab = strchr(line, '\t');
	int code = tab ? errno_by_name(tab + 1) : 0;
	struct unreadable *more;
	char *path;

	if (!code || line[0] != '/') {
		error_set(err, -EINVAL, "%s:%u: not a path, a tab and the name of an errno",
			  &LIST[1], number);
		error_hint(err, "write lines like: /etc/shadow<TAB>EACCES");
		return -EINVAL;
	}
	path = strndup(line, (size_t)(tab - line));
	more = reallocarray(host->unreadable, host->n_unreadable + 1, sizeof(*more));
	if (more)
		host->unreadable = more;
	if (!path || !more) {
		free(path);
		return error_oom(err);
	}
	more[host->n_unreadable++] = (struct unreadable){ path, code };
	return 0;
}

static int add_lines(struct host *host, char *text, struct error *err)
{
	unsigned number = 1;
	char *line;
	int r;

	for (; (line = strsep(&text, "\n")); number++) {
		size_t len = strlen(line);

		if (len && line[len - 1] == '\r')
			line[len - 1] = '\0';
		if (!*line)
			continue;
		r = add_line(host, line, number, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int host_load_unreadable(struct host *host, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	int r = host_exists(host, LIST, err);

	if (r <= 0)
		return r;
	r = host_read(host, LIST, LIST_MAX, &text, err);
	if (r < 0 || !text.len)
		return r;
	return add_lines(host, text.data, err);
}

void host_free_unreadable(struct host *host)
{
	size_t i;

	for (i = 0; i < host->n_unreadable; i++)
		free(host->unreadable[i].path);
	free(host->unreadable);
}

int host_unreadable(const struct host *host, const char *path)
{
	size_t i;

	for (i = 0; i < host->n_unreadable; i++) {
		size_t len = strlen(host->unreadable[i].path);

		if (strncmp(path, host->unreadable[i].path, len) == 0 &&
		    (path[len] == '\0' || path[len] == '/'))
			return host->unreadable[i].code;
	}
	return 0;
}

bool host_unreadable_at(const struct host *host, size_t index, const char **ret_path, int *ret_code)
{
	if (index >= host->n_unreadable)
		return false;
	*ret_path = host->unreadable[index].path;
	*ret_code = host->unreadable[index].code;
	return true;
}
