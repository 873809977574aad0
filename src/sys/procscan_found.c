/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "sys/procscan_internal.h"

void scan_gap(struct scan_thread *thread, int code, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list args;

	if (code == -ENOMEM || code == -ECANCELED) {
		thread->failed = code;
		return;
	}
	thread->found.n_gaps++;
	if (strv_length(thread->found.gaps) == GAPS_TOLD)
		return;
	va_start(args, fmt);
	buf_vaddf(&text, fmt, args);
	va_end(args);
	if (code)
		buf_addf(&text, ": %s", strerror(-code));
	if (buf_error(&text) < 0 || strv_take(&thread->found.gaps, buf_take(&text)) < 0)
		thread->failed = -ENOMEM;
}

int scan_add(struct scan_thread *thread, struct holding *holding)
{
	struct scan *found = &thread->found;

	if (found->n == thread->capacity) {
		size_t capacity = thread->capacity ? thread->capacity * 2 : 64;
		struct holding *more = reallocarray(found->holdings, capacity, sizeof(*more));

		if (!more) {
			free(holding->text);
			free(holding->where);
			return -ENOMEM;
		}
		found->holdings = more;
		thread->capacity = capacity;
	}
	found->holdings[found->n++] = *holding;
	return 0;
}

int scan_where(const struct scan_task *task, enum holding_type type, const char *name, char **ret)
{
	static const char *const below[] = {
		[HOLDING_FD] = "fd/", [HOLDING_MAP] = "map_files/", [HOLDING_EXE] = "",
		[HOLDING_CWD] = "",   [HOLDING_ROOT] = "",          [HOLDING_MOUNT] = "",
	};
	int r;

	if (task->tid == task->pid)
		r = asprintf(ret, "/proc/%d/%s%s", (int)task->pid, below[type], name);
	else if (type == HOLDING_MAP) /* tasks have no such directory but by their own number */
		r = asprintf(ret, "/proc/%d/%s%s", (int)task->tid, below[type], name);
	else
		r = asprintf(ret, "/proc/%d/task/%d/%s%s", (int)task->pid, (int)task->tid,
			     below[type], name);
	if (r >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}

static int add_gaps(struct scan *into, struct scan *from)
{
	into->n_gaps += from->n_gaps;
	for (size_t i = 0; from->gaps && from->gaps[i]; i++)
		if (strv_length(into->gaps) < GAPS_TOLD && strv_add(&into->gaps, from->gaps[i]) < 0)
			return -ENOMEM;
	return 0;
}

int scan_unite(struct scan *into, struct scan *from)
{
	into->processes += from->processes;
	into->descriptors += from->descriptors;
	if (add_gaps(into, from) < 0)
		return -ENOMEM;
	if (from->n) {
		struct holding *more =
			reallocarray(into->holdings, into->n + from->n, sizeof(*more));

		if (!more)
			return -ENOMEM;
		memcpy(more + into->n, from->holdings, from->n * sizeof(*more));
		into->holdings = more;
		into->n += from->n;
		from->n = 0;
	}
	return 0;
}

static int by_process(const void *a, const void *b)
{
	const struct holding *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->tid != other->tid)
		return one->tid < other->tid ? -1 : 1;
	if (one->type != other->type)
		return one->type < other->type ? -1 : 1;
	if (one->fd != other->fd)
		return one->fd < other->fd ? -1 : 1;
	if (one->of != other->of)
		return one->of < other->of ? -1 : 1;
	if (one->index != other->index)
		return one->index < other->index ? -1 : 1;
	return strverscmp(one->where, other->where);
}

void scan_sort(struct scan *scan)
{
	if (scan->n)
		qsort(scan->holdings, scan->n, sizeof(*scan->holdings), by_process);
}

void scan_done(struct scan *scan)
{
	for (size_t i = 0; i < scan->n; i++) {
		free(scan->holdings[i].text);
		free(scan->holdings[i].where);
	}
	free(scan->holdings);
	strv_free(scan->gaps);
	*scan = (struct scan){ 0 };
}
