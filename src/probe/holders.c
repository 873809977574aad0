/* SPDX-License-Identifier: MIT */
#include "probe/holders.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/strv.h"
#include "probe/holders_internal.h"

struct holder *holders_add(struct holders_made *made)
{
	struct holders *holders = &made->holders;

	if (holders->n == made->capacity) {
		size_t capacity = made->capacity ? made->capacity * 2 : 16;
		struct holder *more = reallocarray(holders->items, capacity, sizeof(*more));

		if (!more)
			return NULL;
		holders->items = more;
		made->capacity = capacity;
	}
	holders->items[holders->n] = (struct holder){ .fd = -1, .age_s = -1 };
	return &holders->items[holders->n++];
}

int holders_gap(struct holders_made *made, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list args;

	va_start(args, fmt);
	buf_vaddf(&text, fmt, args);
	va_end(args);
	return buf_error(&text) < 0 ? -ENOMEM : strv_take(&made->holders.gaps, buf_take(&text));
}

const char *holders_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int by_asked(const void *a, const void *b)
{
	const struct holder *one = a, *other = b;

	if (one->of != other->of)
		return one->of < other->of ? -1 : 1;
	if (one->asked != other->asked)
		return one->asked < other->asked ? -1 : 1;
	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->type != other->type)
		return one->type < other->type ? -1 : 1;
	if (one->fd != other->fd)
		return one->fd < other->fd ? -1 : 1;
	return strverscmp(one->source, other->source);
}

static void holder_done(struct holder *holder)
{
	free(holder->comm);
	free(holder->program);
	free(holder->text);
	free(holder->source);
	free(holder->observed);
	free(holder->cgroup);
	free(holder->unit);
	free(holder->pod);
	free(holder->container);
}

/* A program is mapped in many pieces: one holder, that writes if one of them does. */
static bool is_same_mapping(const struct holder *one, const struct holder *other)
{
	return one->of == other->of && one->asked == other->asked && one->pid == other->pid &&
	       one->type == HOLDER_MAPPED && other->type == HOLDER_MAPPED &&
	       strcmp(one->text, other->text) == 0;
}

static void unite(struct holders *holders)
{
	size_t n = 0;

	for (size_t i = 0; i < holders->n; i++) {
		struct holder *last = n ? &holders->items[n - 1] : NULL;

		if (last && is_same_mapping(last, &holders->items[i])) {
			last->writes |= holders->items[i].writes;
			holder_done(&holders->items[i]);
		} else {
			holders->items[n++] = holders->items[i];
		}
	}
	holders->n = n;
}

int holders_find(struct host *host, const struct holders_asked *asked,
		 const volatile sig_atomic_t *cancelled, struct holders *ret, struct error *err)
{
	struct holders_made made = { .host = host, .asked = asked };
	int r = host_is_live(host) ? holders_find_live(&made, cancelled, err)
				   : holders_find_captured(&made, err);

	if (r == 0)
		r = holders_find_kernel(&made, err);
	if (r < 0) {
		holders_done(&made.holders);
		return r;
	}
	if (made.holders.n)
		qsort(made.holders.items, made.holders.n, sizeof(*made.holders.items), by_asked);
	unite(&made.holders);
	*ret = made.holders;
	return 0;
}

void holders_done(struct holders *holders)
{
	for (size_t i = 0; i < holders->n; i++)
		holder_done(&holders->items[i]);
	free(holders->items);
	strv_free(holders->gaps);
	*holders = (struct holders){ 0 };
}
