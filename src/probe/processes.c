/* SPDX-License-Identifier: MIT */
#include "probe/processes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strv.h"
#include "probe/holders_internal.h"
#include "probe/mounts.h"
#include "probe/paths.h"

#define STAT_MAX 4096
#define CMDLINE_MAX ((size_t)128 << 10)
#define SHIM "containerd-shim"

static int read_of(struct host *host, pid_t pid, const char *name, size_t max, struct buf *ret)
{
	AUTO_FREE char *path = NULL;

	if (asprintf(&path, PATH_PROCESS_FMT "/%s", (int)pid, name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	return host_read(host, path, max, ret, NULL);
}

/* "8000 (a) b) S 1 ...": from the last ')' on, since the command may hold anything. */
static pid_t parent_in(const char *stat)
{
	const char *end = strrchr(stat, ')');
	int parent;

	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/* The arguments stand one behind the other, each with its NUL. */
static const char *next_word(const char *word, const char *end)
{
	const char *next = word + strlen(word) + 1;

	return next < end ? next : NULL;
}

static int read_shim(const struct buf *cmdline, struct process *ret)
{
	const char *end = cmdline->data + cmdline->len, *word = cmdline->data;
	const char *slash = strrchr(word, '/'), *program = slash ? slash + 1 : word;
	const char *words[2] = { "", "" }, *last = "";

	if (strncmp(program, SHIM, strlen(SHIM)) != 0)
		return 0;
	for (size_t i = 0; (word = next_word(word, end)); i++) {
		if (i < ELEMENTS(words))
			words[i] = word;
		/* RKE2's containerd answers there, too. */
		if (strcmp(last, "-address") == 0 && path_is_below(word, PATH_K3S_RUN))
			ret->of_k3s = true;
		last = word;
	}
	if (asprintf(&ret->shim, "%s %s %s", program, words[0], words[1]) >= 0)
		return 0;
	ret->shim = NULL;
	return -ENOMEM;
}

static int read_process(struct host *host, pid_t pid, struct process *ret)
{
	struct holder holder = { .pid = pid, .fd = -1, .age_s = -1 };
	AUTO_BUF stat = BUF_INIT, cmdline = BUF_INIT;
	int r = holder_attribute(host, &holder);

	*ret = (struct process){ .pid = pid,
				 .comm = holder.comm,
				 .cgroup = holder.cgroup,
				 .unit = holder.unit,
				 .pod = holder.pod,
				 .container = holder.container };
	free(holder.program);
	if (r == 0)
		r = read_of(host, pid, "stat", STAT_MAX, &stat);
	if (r < 0) /* it ended meanwhile */
		return r == -ENOMEM || r == -ECANCELED ? r : 0;
	ret->parent = parent_in(buf_text(&stat));
	if (!ret->comm || strncmp(ret->comm, SHIM, strlen(SHIM)) != 0)
		return 0;
	r = read_of(host, pid, "cmdline", CMDLINE_MAX, &cmdline);
	if (r < 0 || !cmdline.len)
		return r == -ENOMEM || r == -ECANCELED ? r : 0;
	return read_shim(&cmdline, ret);
}

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

int processes_load(struct host *host, struct processes *ret, struct error *err)
{
	AUTO_PROCESSES list = { 0 };
	AUTO_STRV char **names = NULL;
	unsigned pid;
	int r = host_list(host, PATH_PROC, &names, err);

	if (r < 0)
		return r;
	list.items = calloc(strv_length(names) + 1, sizeof(*list.items));
	if (!list.items)
		return error_oom(err);
	for (size_t i = 0; r == 0 && names && names[i]; i++)
		if (parse_unsigned(names[i], &pid) == 0 && pid > 0 && pid <= INT32_MAX)
			r = read_process(host, (pid_t)pid, &list.items[list.n++]);
	if (r < 0)
		return r == -ENOMEM
			       ? error_oom(err)
			       : error_set(err, r, "cannot read the processes: %s", strerror(-r));
	qsort(list.items, list.n, sizeof(*list.items), by_pid);
	*ret = list;
	list = (struct processes){ 0 };
	return 0;
}

const struct process *processes_find(const struct processes *processes, pid_t pid)
{
	const struct process key = { .pid = pid };

	return processes->n ? bsearch(&key, processes->items, processes->n,
				      sizeof(*processes->items), by_pid)
			    : NULL;
}

void processes_done(struct processes *processes)
{
	for (size_t i = 0; i < processes->n; i++) {
		free(processes->items[i].comm);
		free(processes->items[i].cgroup);
		free(processes->items[i].unit);
		free(processes->items[i].pod);
		free(processes->items[i].container);
		free(processes->items[i].shim);
	}
	free(processes->items);
	*processes = (struct processes){ 0 };
}
