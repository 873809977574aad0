/* SPDX-License-Identifier: MIT */
#include "sys/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strv.h"
#include "base/text.h"
#include "sys/mountinfo.h"
#include "sys/process.h"

#define MOUNTINFO "/proc/self/mountinfo"
#define MOUNTINFO_MAX ((size_t)16 << 20)
#define PROCS_MAX ((size_t)16 << 20)
#define DEPTH_MAX 64
/* How often a list may disagree with the kernel's count before it is given up. */
#define TRIES 8

struct tree {
	char *dir; /* the group's directory in this mount */
	bool v2;
};

struct walk {
	struct host *host;
	struct cgroup_list list;
	size_t capacity;
	size_t skip; /* length of the tree's directory, before the group's own path */
	const char *group;
};

void cgroup_list_done(struct cgroup_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		free(list->processes[i].comm);
		free(list->processes[i].path);
		free(list->processes[i].of);
	}
	free(list->processes);
	*list = (struct cgroup_list){ 0 };
}

/* What is gone by now: a group that was removed says ENODEV to a reader. */
static bool is_gone(int code)
{
	return code == -ENOENT || code == -ENODEV || code == -ESRCH || code == -ENOTDIR;
}

/* The command's name, inert; -ESRCH when the process is gone. */
static int read_comm(struct host *host, pid_t pid, char **ret)
{
	AUTO_FREE char *line = NULL;
	AUTO_BUF inert = BUF_INIT;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	r = host_read_line(host, path, &line, NULL);
	if (is_gone(r))
		return -ESRCH;
	if (r < 0)
		return r == -ENOMEM || r == -ECANCELED ? r : 0;
	if (text_inert(line, &inert) < 0)
		return -ENOMEM;
	*ret = buf_take(&inert);
	return *ret ? 0 : -ENOMEM;
}

static int add(struct walk *walk, pid_t pid, const char *dir)
{
	struct cgroup_process process = { .pid = pid };
	const char *below = dir + walk->skip;
	const char *group = strcmp(walk->group, "/") == 0 && *below ? "" : walk->group;
	int r = pid ? read_comm(walk->host, pid, &process.comm) : 0;

	if (r < 0)
		return r == -ESRCH ? 0 : r;
	if (walk->list.n == walk->capacity) {
		size_t capacity = walk->capacity ? walk->capacity * 2 : 16;
		struct cgroup_process *more =
			reallocarray(walk->list.processes, capacity, sizeof(*more));

		if (!more) {
			free(process.comm);
			return -ENOMEM;
		}
		walk->list.processes = more;
		walk->capacity = capacity;
	}
	if (asprintf(&process.path, "%s%s", group, below) < 0)
		process.path = NULL;
	r = process.path ? cgroup_owner(process.path, &process.of) : -ENOMEM;
	walk->list.processes[walk->list.n++] = process;
	return r;
}

static int add_lines(struct walk *walk, char *lines, const char *dir)
{
	unsigned pid;
	char *line;
	int r = 0;

	while (r == 0 && (line = strsep(&lines, "\n"))) {
		if (!*line)
			continue;
		r = parse_unsigned(line, &pid) < 0 || pid > INT32_MAX ? -EBADMSG : 0;
		if (r == 0)
			r = add(walk, (pid_t)pid, dir);
	}
	return r;
}

/* A threaded group of v2 has no list of processes, only of threads. */
static int read_group(struct walk *walk, const char *dir, struct error *err)
{
	static const char *const names[] = { "cgroup.procs", "cgroup.threads" };
	AUTO_BUF text = BUF_INIT;
	int r = -EOPNOTSUPP;
	size_t i;

	for (i = 0; i < ELEMENTS(names) && r == -EOPNOTSUPP; i++) {
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s/%s", dir, names[i]) < 0) {
			path = NULL;
			return error_oom(err);
		}
		r = host_read(walk->host, path, PROCS_MAX, &text, err);
	}
	if (r < 0 || !text.data)
		return r;
	r = add_lines(walk, text.data, dir);
	return r < 0 ? error_set(err, r, "cannot read the processes of %s: %s", dir, strerror(-r))
		     : 0;
}

static int walk_group(struct walk *walk, const char *dir, unsigned depth, struct error *err);

static int walk_below(struct walk *walk, const char *dir, unsigned depth, struct error *err)
{
	AUTO_STRV char **names = NULL;
	struct stat st;
	size_t i;
	int r = host_list(walk->host, dir, &names, err);

	for (i = 0; r == 0 && names && names[i]; i++) {
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s/%s", dir, names[i]) < 0) {
			path = NULL;
			return error_oom(err);
		}
		r = host_stat(walk->host, path, &st, err);
		if (r == 0 && S_ISDIR(st.st_mode))
			r = walk_group(walk, path, depth + 1, err);
		r = is_gone(r) ? 0 : r;
	}
	return r;
}

static int walk_group(struct walk *walk, const char *dir, unsigned depth, struct error *err)
{
	int r = depth > DEPTH_MAX ? error_set(err, -ELOOP, "%s is nested too deep", dir)
				  : read_group(walk, dir, err);

	return r < 0 ? r : walk_below(walk, dir, depth, err);
}

/* 1 processes live below it, 0 none, or not told: the root and v1 have no such count. */
static int is_populated(struct host *host, const struct tree *tree)
{
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;
	const char *at;

	if (!tree->v2)
		return 0;
	if (asprintf(&path, "%s/cgroup.events", tree->dir) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (host_read(host, path, 4096, &text, NULL) < 0)
		return *process_cancelled() ? -ECANCELED : 0;
	at = strstr(buf_text(&text), "populated ");
	return at && at[strlen("populated ")] == '1';
}

/* The processes of one tree are appended; again where a fork slipped through. */
static int walk_tree(struct walk *walk, const struct tree *tree, struct error *err)
{
	struct error why = ERROR_INIT;
	size_t before = walk->list.n;
	unsigned i;
	int r;

	walk->skip = strlen(tree->dir);
	for (i = 0; i < TRIES; i++) {
		r = walk_group(walk, tree->dir, 0, &why);
		if (is_gone(r))
			r = 0;
		else if (r < 0)
			error_copy(err, &why);
		error_done(&why);
		if (r < 0)
			return r;
		r = walk->list.n > before ? 0 : is_populated(walk->host, tree);
		if (r <= 0)
			return r;
	}
	error_set(err, -EAGAIN, "processes of %s come and go faster than they can be listed",
		  walk->group);
	error_hint(err, "look at: systemd-cgls %s", walk->group);
	return -EAGAIN;
}

static bool has_option(const char *options, const char *wanted)
{
	size_t len = strlen(wanted);
	const char *at = options;

	while (at && (at = strstr(at, wanted))) {
		if ((at == options || at[-1] == ',') && (at[len] == ',' || !at[len]))
			return true;
		at += len;
	}
	return false;
}

/* 1 and the group's directory in this mount; 0 it is no tree of systemd's. */
static int tree_of(const struct mountinfo_line *line, const char *group, struct tree *ret)
{
	bool v2 = strcmp(line->fstype, "cgroup2") == 0;
	size_t len = strcmp(line->root, "/") == 0 ? 0 : strlen(line->root);

	if (!v2 &&
	    !(strcmp(line->fstype, "cgroup") == 0 && has_option(line->super, "name=systemd")))
		return 0;
	/* A part of the tree, in a container: only what lies below it can be seen. */
	if (strncmp(group, line->root, len) != 0 || (len && group[len] && group[len] != '/'))
		return 0;
	if (asprintf(&ret->dir, "%s%s", line->target, strcmp(group, "/") == 0 ? "" : group + len) <
	    0) {
		ret->dir = NULL;
		return -ENOMEM;
	}
	ret->v2 = v2;
	return 1;
}

/* The mount itself must answer: else "not there" would say nothing about the group. */
static int check_mount(struct host *host, const char *target, struct error *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;

	if (asprintf(&path, "%s/cgroup.procs", target) < 0) {
		path = NULL;
		return error_oom(err);
	}
	return host_read(host, path, PROCS_MAX, &text, err);
}

static int walk_mounts(struct walk *walk, const struct mountinfo *mounts, struct error *err)
{
	unsigned trees = 0;
	size_t i;
	int r = 0;

	for (i = 0; i < mounts->n; i++) {
		struct tree tree = { 0 };

		if (mountinfo_is_hidden(mounts, i))
			continue;
		r = tree_of(&mounts->lines[i], walk->group, &tree);
		if (r < 0)
			return error_oom(err);
		if (r == 0)
			continue;
		trees++;
		r = check_mount(walk->host, mounts->lines[i].target, err);
		if (r == 0)
			r = walk_tree(walk, &tree, err);
		free(tree.dir);
		if (r < 0)
			return r;
	}
	if (trees)
		return 0;
	error_set(err, -ENODATA, "no tree of control groups can be read that holds %s",
		  walk->group);
	error_hint(err, "look on the machine itself, outside of containers: systemd-cgls");
	return -ENODATA;
}

static int by_pid(const void *a, const void *b)
{
	const struct cgroup_process *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

/* Each process once; those without a pid here cannot be told apart, and stay. */
static void unite(struct cgroup_list *list)
{
	size_t i, n = 0;

	if (!list->n)
		return;
	qsort(list->processes, list->n, sizeof(*list->processes), by_pid);
	for (i = 0; i < list->n; i++) {
		struct cgroup_process *process = &list->processes[i];

		if (n && process->pid && process->pid == list->processes[n - 1].pid) {
			free(process->comm);
			free(process->path);
			free(process->of);
		} else {
			list->processes[n++] = *process;
		}
	}
	list->n = n;
}

int cgroup_processes(struct host *host, const char *group, struct cgroup_list *ret,
		     struct error *err)
{
	struct walk walk = { .host = host, .group = group };
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };
	AUTO_BUF text = BUF_INIT;
	int r = group[0] == '/' && !strstr(group, "/..") ? 0 : -EINVAL;

	if (r < 0)
		return error_set(err, r, "\"%s\" is no control group", group);
	r = host_read(host, MOUNTINFO, MOUNTINFO_MAX, &text, err);
	if (r == 0)
		r = mountinfo_parse(buf_take(&text), &mounts, err);
	if (r == 0)
		r = walk_mounts(&walk, &mounts, err);
	if (r < 0) {
		cgroup_list_done(&walk.list);
		return r;
	}
	unite(&walk.list);
	*ret = walk.list;
	return 0;
}
