/* SPDX-License-Identifier: MIT */
#include "work/advice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intl.h"
#include "base/strv.h"
#include "work/advice_internal.h"

void advice_free(struct advice *advice)
{
	if (advice == NULL)
		return;
	for (size_t i = 0; i < advice->n_held; i++) {
		free(advice->held[i].formula);
		free(advice->held[i].derived);
	}
	for (size_t i = 0; i < advice->n_options; i++) {
		free(advice->options[i].why);
		free(advice->options[i].formula);
		free(advice->options[i].derived);
		free(advice->options[i].source);
	}
	free(advice->held);
	free(advice->options);
	strv_free(advice->reasons);
	free(advice);
}

static int say(struct advice *advice, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

static int say(struct advice *advice, struct error *err, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	int len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0 || strv_take(&advice->reasons, text) < 0)
		return error_oom(err);
	return 0;
}

/* One row a cause: what to do about a disk that is held back so. */
static const char *const cause_sentences[] = {
	[HELD_PORT] = N_("%s is held back by port %u of %s: its link is %.1f Gb/s where drive and "
			 "controller could do %.1f."),
	[HELD_CABLE] = N_("%s on port %u of %s is held back by its cable or plugs: its link is "
			  "%.1f Gb/s where %.1f is possible; change the cable before any swap."),
	[HELD_SOFTWARE] = N_("%s on port %u of %s is held to %.1f Gb/s by a limit in force, not by "
			     "the port; without it %.1f is possible."),
	[HELD_UNKNOWN] =
		N_("%s on port %u of %s runs at %.1f Gb/s where %.1f is possible, and "
		   "whether port or cable is at fault is not known without its CRC count."),
};

static int explain_held(struct advice *advice, const struct held_back *held, struct error *err)
{
	AUTO_FREE char *name = NULL;
	const char *sentence = held->cause == HELD_DRIVE ? NULL : cause_sentences[held->cause];

	if (sentence == NULL)
		return 0;
	if (held->deliberate)
		sentence =
			N_("%s on port %u of %s is held to %.1f Gb/s on purpose: libata.force on "
			   "the kernel's command line limits every port; without it %.1f is "
			   "possible.");
	if (block_describe(held->disk, &name) < 0)
		return error_oom(err);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return say(advice, err, _(sentence), name, held->port->index, held->controller->address,
		   generation_gbps(held->port->link), generation_gbps(held->could_be));
#pragma GCC diagnostic pop
}

static int explain_option(struct advice *advice, const struct advice_option *option,
			  struct error *err)
{
	AUTO_FREE char *disk = NULL, *other = NULL;

	if (block_describe(option->disk, &disk) < 0 ||
	    (option->other != NULL && block_describe(option->other, &other) < 0))
		return error_oom(err);
	if (option->other == NULL && option->advised)
		return say(advice, err, _("Move %s to port %u of %s: %s."), disk,
			   option->port->index, option->controller->address, option->why);
	if (option->other != NULL && option->advised)
		return say(advice, err, _("Swap %s and %s: %s."), disk, other, option->why);
	if (option->other != NULL && option->rejected)
		return say(advice, err, _("Swapping %s and %s is not advised: %s."), disk, other,
			   option->why);
	return 0;
}

static int explain(struct advice *advice, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < advice->n_held; i++)
		r = explain_held(advice, &advice->held[i], err);
	for (size_t i = 0; r == 0 && i < advice->n_options; i++)
		r = explain_option(advice, &advice->options[i], err);
	if (r == 0 && advice->n_held == 0)
		r = say(advice, err, _("No disk is held back by its port."));
	return r;
}

int advice_make(struct facts *facts, struct advice **ret, struct error *err)
{
	CLEANUP(cleanup_advice) struct advice *advice = calloc(1, sizeof(*advice));
	const struct portmap *map;

	if (advice == NULL)
		return error_oom(err);
	int r = facts_portmap(facts, &map, err);
	if (r < 0)
		return r;
	r = advice_find_held(advice, facts, map, err);
	for (size_t i = 0; r == 0 && i < advice->n_held; i++)
		if (advice->held[i].cause == HELD_PORT)
			r = advice_find_options(advice, facts, map, &advice->held[i], err);
	if (r == 0)
		r = explain(advice, err);
	if (r < 0)
		return r;
	*ret = TAKE(advice);
	return 0;
}
