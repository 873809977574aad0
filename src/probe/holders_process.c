/* SPDX-License-Identifier: MIT */
/* What a process is a part of, from its own directory in /proc. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "probe/holders_internal.h"
#include "probe/paths.h"
#include "sys/cgroup.h"

#define STAT_MAX 4096
#define CGROUP_MAX 65536
/* The 22nd field of /proc/PID/stat is the 20th behind the command. */
#define START_FIELD 20

/* Units that a process lives in; slices only group them. */
static const char *const suffixes[] = { ".service", ".scope", ".socket", ".mount", ".swap" };

static int process_path(const char *name, pid_t pid, char **ret)
{
	if (asprintf(ret, PATH_PROCESS_FMT "/%s", (int)pid, name) >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}

/* Not there is not told: only memory and the operator's stop are errors here. */
static int forgive(int code)
{
	return code == -ENOMEM || code == -ECANCELED ? code : 0;
}

static int read_of(struct host *host, pid_t pid, const char *name, size_t max, struct buf *ret)
{
	AUTO_FREE char *path = NULL;

	return process_path(name, pid, &path) < 0 ? -ENOMEM : host_read(host, path, max, ret, NULL);
}

/* Any bytes but NUL; the newline at the end is the kernel's. */
static int read_comm(struct host *host, struct holder *holder)
{
	AUTO_BUF text = BUF_INIT;
	int r = read_of(host, holder->pid, "comm", STAT_MAX, &text);

	if (r < 0)
		return forgive(r);
	if (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	holder->comm = buf_take(&text);
	return holder->comm ? 0 : -ENOMEM;
}

static int read_program(struct host *host, struct holder *holder)
{
	AUTO_FREE char *path = NULL;

	if (process_path("exe", holder->pid, &path) < 0)
		return -ENOMEM;
	return forgive(host_readlink(host, path, &holder->program, NULL));
}

static bool is_unit(const char *name, size_t len)
{
	for (size_t i = 0; i < ELEMENTS(suffixes); i++) {
		size_t end = strlen(suffixes[i]);

		if (len > end && memcmp(name + len - end, suffixes[i], end) == 0)
			return true;
	}
	return false;
}

/* The outermost: what lies below is delegated to it. */
static int find_unit(const char *cgroup, char **ret)
{
	for (size_t len; *cgroup; cgroup += len) {
		cgroup += strspn(cgroup, "/");
		len = strcspn(cgroup, "/");
		if (!is_unit(cgroup, len))
			continue;
		*ret = strndup(cgroup, len);
		return *ret ? 0 : -ENOMEM;
	}
	return 0;
}

/* "pod UID, container ID", either of them alone. */
static int find_owner(const char *cgroup, struct holder *holder)
{
	AUTO_FREE char *owner = NULL;
	const char *container;
	int r = cgroup_owner(cgroup, &owner);

	if (r < 0 || !owner)
		return r;
	container = strstr(owner, "container ");
	if (container) {
		holder->container = strdup(container + strlen("container "));
		if (!holder->container)
			return -ENOMEM;
	}
	if (strncmp(owner, "pod ", 4) != 0)
		return 0;
	holder->pod = strndup(owner + 4, strcspn(owner + 4, ","));
	return holder->pod ? 0 : -ENOMEM;
}

int holder_place(struct holder *holder, const char *cgroup)
{
	int r;

	holder->cgroup = strdup(cgroup);
	if (!holder->cgroup)
		return -ENOMEM;
	r = find_unit(cgroup, &holder->unit);
	return r < 0 ? r : find_owner(cgroup, holder);
}

/* "0::/PATH" of v2, or "1:name=systemd:/PATH" of v1; the latter where both are and it says more. */
static const char *systemd_path(char *lines)
{
	const char *found = NULL;
	char *line;

	while ((line = strsep(&lines, "\n"))) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (strcmp(controllers + 1, "name=systemd") == 0 ||
		    (!controllers[1] && (!found || strcmp(found, "/") == 0)))
			found = path;
	}
	return found;
}

static int read_cgroup(struct host *host, struct holder *holder)
{
	AUTO_BUF text = BUF_INIT;
	const char *path;
	int r = read_of(host, holder->pid, "cgroup", CGROUP_MAX, &text);

	if (r < 0 || !text.data)
		return forgive(r);
	path = systemd_path(text.data);
	return path ? holder_place(holder, path) : 0;
}

/* From the last ')' on: the command may hold anything. */
static bool read_start(char *stat, uint64_t *ret)
{
	char *field = strrchr(stat, ')');
	char *rest = field ? field + 1 : NULL;

	for (int i = 0; i <= START_FIELD && rest; i++)
		field = strsep(&rest, " ");
	return field && rest && parse_u64(field, ret) == 0;
}

static int read_age(struct host *host, struct holder *holder)
{
	AUTO_BUF stat = BUF_INIT;
	AUTO_FREE char *uptime = NULL;
	long ticks = sysconf(_SC_CLK_TCK);
	uint64_t start, up;
	int r = read_of(host, holder->pid, "stat", STAT_MAX, &stat);

	if (r == 0)
		r = host_read_line(host, PATH_UPTIME, &uptime, NULL);
	if (r < 0 || ticks <= 0)
		return forgive(r);
	uptime[strcspn(uptime, ". ")] = '\0';
	if (!stat.data || !read_start(stat.data, &start) || parse_u64(uptime, &up) < 0)
		return 0;
	start /= (uint64_t)ticks;
	holder->age_s = up > start ? (int64_t)(up - start) : 0;
	return 0;
}

int holder_attribute(struct host *host, struct holder *holder)
{
	int (*const read[])(struct host *, struct holder *) = { read_comm, read_program,
								read_cgroup, read_age };
	int r = 0;

	for (size_t i = 0; i < ELEMENTS(read) && r == 0; i++)
		r = read[i](host, holder);
	return r;
}
