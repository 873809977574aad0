/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/intl.h"
#include "base/text.h"
#include "probe/holders_internal.h"

/* How long something runs, in its largest unit. */
static void add_age(int64_t seconds, struct buf *ret)
{
	static const struct {
		int64_t seconds;
		const char *unit;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };

	for (size_t i = 0; i < ELEMENTS(units); i++) {
		if (seconds < units[i].seconds && i + 1 < ELEMENTS(units))
			continue;
		buf_addf(ret, _(", for %lld %s"), (long long)(seconds / units[i].seconds),
			 units[i].unit);
		return;
	}
}

/* Names are foreign bytes; the words between them are ours. */
static void add_name(const char *fmt, const char *name, struct buf *ret)
{
	AUTO_BUF inert = BUF_INIT;

	if (!name || text_inert(name, &inert) < 0)
		return;
		/* The format is a constant of this file, marked for translation. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	buf_addf(ret, fmt, buf_text(&inert));
#pragma GCC diagnostic pop
}

static void add_process(const struct holder *holder, struct buf *ret)
{
	add_name("%s", holder->comm ? holder->comm : _("a process"), ret);
	buf_addf(ret, _(" (pid %d"), (int)holder->pid);
	add_name(_(", of %s"), holder->unit, ret);
	add_name(_(", pod %s"), holder->pod, ret);
	add_name(_(", container %s"), holder->container, ret);
	if (holder->age_s >= 0)
		add_age(holder->age_s, ret);
	buf_addc(ret, ')');
}

static const char *words_of(const struct holder *holder)
{
	static const char *const words[][2] = {
		[HOLDER_OPEN] = { N_("reading"), N_("writing") },
		[HOLDER_MAPPED] = { N_("has it mapped for reading"),
				    N_("has it mapped for writing") },
		[HOLDER_FORMER] = { N_("reading a former generation that was deleted"),
				    N_("writing to a former generation that was deleted") },
		[HOLDER_PROGRAM] = { N_("runs from it"), N_("runs from it") },
		[HOLDER_DIRECTORY] = { N_("stands in it"), N_("stands in it") },
		[HOLDER_MOUNT] = { N_("has it mounted"), N_("has it mounted") },
		[HOLDER_DEVICE] = { N_("reading the raw device"), N_("writing to the raw device") },
		[HOLDER_LOOP] = { N_("is a loop device on it"), N_("is a loop device on it") },
		[HOLDER_SWAP] = { N_("is in use on it"), N_("is in use on it") },
	};

	return _(words[holder->type][holder->writes]);
}

int holder_describe(const struct holder *holder, struct buf *ret)
{
	if (holder->pid)
		add_process(holder, ret);
	else
		add_name("%s", holder->comm ? holder->comm : _("the kernel"), ret);
	buf_addf(ret, ", %s", words_of(holder));
	if (holder->fd >= 0)
		buf_addf(ret, _(" by descriptor %d"), holder->fd);
	return buf_error(ret);
}
