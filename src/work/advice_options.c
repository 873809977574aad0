/* SPDX-License-Identifier: MIT */
/*
 * Where a disk that is held back by its port could go: every free port that
 * may be faster, and every disk that holds a faster one.
 *
 * What a trade costs the other disk: it keeps what it was measured to write,
 * up to the ceiling of the port that it gets.  An empty port has shown no
 * link; only the controller's limit speaks for it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "work/advice_internal.h"

/* PRINTF_LIKE strings that are owned; NULL on -ENOMEM. */
static char *text_of(const char *fmt, ...) PRINTF_LIKE(1, 2);

static char *text_of(const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	int len = vasprintf(&text, fmt, args);
	va_end(args);
	return len < 0 ? NULL : text;
}

static void option_done(struct advice_option *option)
{
	free(option->why);
	free(option->formula);
	free(option->derived);
	free(option->source);
}

static int add_option(struct advice *advice, struct advice_option *option, struct error *err)
{
	struct advice_option *grown =
		reallocarray(advice->options, advice->n_options + 1, sizeof(*advice->options));

	if (grown != NULL)
		advice->options = grown;
	if (grown == NULL || option->why == NULL || option->formula == NULL ||
	    option->derived == NULL) {
		option_done(option);
		return error_oom(err);
	}
	advice->options[advice->n_options++] = *option;
	return 0;
}

/* A yes of one disk stands, whatever is not known of the other. */
static int look_for_boot(struct advice_option *option, struct facts *facts,
			 const struct block *disk, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	bool boot;
	int r = disk_is_boot(facts, disk, &boot, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r == 0)
		option->touches_boot |= boot;
	else
		option->boot_unknown = true;
	return 0;
}

static bool spares_boot(const struct advice_option *option)
{
	return !option->touches_boot && !option->boot_unknown;
}

/* ---- a free port ---------------------------------------------------------- */

static bool is_free(const struct port *port)
{
	return port->implemented == TRI_YES && port->state == PORT_EMPTY && !port->phantom &&
	       !port->multiplier && port->n_disks == 0 && port->optical == NULL && !port->atapi;
}

static unsigned capability(const struct controller *controller, const struct port *port)
{
	unsigned best = controller_capability(controller);
	unsigned limit = port_limit(port);

	return limit != 0 && limit < best ? limit : best;
}

static bool has_identity(const struct block *disk)
{
	return disk->key != NULL && !disk->key_shared;
}

/*
 * Chipsets give their first ports the higher speed: behind a port of the
 * slower generation of the same controller no faster one is expected.
 */
static bool is_behind(const struct held_back *held, const struct controller *controller,
		      const struct port *port)
{
	return controller == held->controller && port->index > held->port->index;
}

static int add_free_port(struct advice *advice, struct facts *facts, const struct held_back *held,
			 const struct controller *controller, const struct port *port,
			 struct error *err)
{
	unsigned best = capability(controller, port);
	bool behind = is_behind(held, controller, port);
	struct advice_option option = {
		.disk = held->disk,
		.controller = controller,
		.port = port,
		.loses_known = true,
	};

	if (!is_free(port) || best <= held->port->link)
		return 0;
	int r = look_for_boot(&option, facts, held->disk, err);
	if (r < 0)
		return r;
	option.advised = spares_boot(&option) && !behind && has_identity(held->disk);
	const char *but = option.touches_boot ? _("but the disk is the boot disk")
			  : option.boot_unknown
				  ? _("but whether the disk is the boot disk could not be read")
			  : behind ? _("but ports behind a slow one of the same controller are "
				       "mostly slow too: see the board's manual")
				   : _("and no other disk is touched");
	option.why =
		text_of(_("port %u of %s is free and may reach %.1f Gb/s, by the controller's word "
			  "alone until a link shows it; %s"),
			port->index, controller->address, generation_gbps(best), but);
	option.formula = text_of("link <= %.1f Gb/s (limit of the controller); now %.1f Gb/s",
				 generation_gbps(best), generation_gbps(held->port->link));
	option.derived = text_of("loses 0 MB/s");
	return add_option(advice, &option, err);
}

/* ---- a trade -------------------------------------------------------------- */

struct trade {
	unsigned before, after; /* generations of the other disk's link */
	double measured;        /* MB/s */
	bool known;
	bool busier;    /* the other disk writes more than the one held back */
	bool ambiguous; /* one of the two has no key of its own */
};

static char *loss_in_words(const struct trade *trade, double loss)
{
	unsigned before = generation_ceiling_mb_s(trade->before);
	unsigned after = generation_ceiling_mb_s(trade->after);

	if (!trade->known)
		return text_of(
			_("what the other disk writes was not measured; the ceiling falls from "
			  "%u to %u"),
			before, after);
	if (loss > 0)
		return text_of(
			_("the other disk loses at least %.0f MB/s (%.0f measured, the ceiling "
			  "falls to %u)"),
			loss, trade->measured, after);
	return text_of(
		_("the other disk loses nothing (%.0f MB/s measured, the ceiling falls to %u)"),
		trade->measured, after);
}

static void state_law(struct advice_option *option, const struct trade *trade)
{
	unsigned before = generation_ceiling_mb_s(trade->before);
	unsigned after = generation_ceiling_mb_s(trade->after);

	if (!trade->known) {
		option->formula =
			text_of("ceiling = Gb/s x 8/10 / 8: %.1f gives %u, %.1f gives %u MB/s",
				generation_gbps(trade->before), before,
				generation_gbps(trade->after), after);
		option->derived =
			text_of("not measured; the ceiling falls from %u to %u", before, after);
		return;
	}
	option->formula = text_of("loss >= max(0, measured %.0f - ceiling %u) MB/s, "
				  "ceiling = %.1f Gb/s x 8/10 / 8",
				  trade->measured, after, generation_gbps(trade->after));
	if (option->loses_mb_s > 0)
		option->derived =
			text_of("at least %.0f MB/s, %.0f %% of %.0f; protocol overhead comes "
				"on top",
				option->loses_mb_s, 100 * option->loses_mb_s / trade->measured,
				trade->measured);
	else
		option->derived = text_of("0 MB/s");
}

static int put_in_words(struct advice_option *option, const struct trade *trade, struct error *err)
{
	AUTO_FREE char *loss = loss_in_words(trade, option->loses_mb_s);
	const char *but = option->touches_boot ? _("but it touches the boot disk")
			  : option->boot_unknown
				  ? _("but whether it touches the boot disk could not be read")
			  : trade->ambiguous ? _("but the disks cannot be told apart")
			  : trade->busier    ? _("but it writes more than the one held back")
					     : _("no boot disk is touched");

	if (loss == NULL)
		return error_oom(err);
	option->why = text_of("%s; %s", loss, but);
	state_law(option, trade);
	return 0;
}

static bool writes_more(const struct portmap *map, const struct block *a, const struct block *b)
{
	const struct drive_link *x = portmap_drive(map, a), *y = portmap_drive(map, b);

	return x != NULL && y != NULL && y->written_bytes >= 0 &&
	       x->written_bytes > y->written_bytes;
}

static int add_trade(struct advice *advice, struct facts *facts, const struct portmap *map,
		     const struct held_back *held, const struct block *other, struct error *err)
{
	struct advice_option option = { .disk = held->disk, .other = other };

	option.port = portmap_port_of(map, other, &option.controller);
	if (other == held->disk || option.port == NULL || option.port->multiplier ||
	    option.port->link <= held->port->link)
		return 0;
	struct trade trade = {
		.before = option.port->link,
		.after = held->port->link,
		.busier = writes_more(map, other, held->disk),
		.ambiguous = !has_identity(held->disk) || !has_identity(other),
	};
	int r = look_for_boot(&option, facts, held->disk, err);
	if (r == 0)
		r = look_for_boot(&option, facts, other, err);
	if (r < 0)
		return r;
	r = facts_measured_write(facts, other, &trade.measured, &option.source, NULL);
	if (r == -ENOMEM)
		return error_oom(err);
	trade.known = option.loses_known = r == 1;
	double over = trade.measured - generation_ceiling_mb_s(trade.after);
	option.loses_mb_s = trade.known && over > 0 ? over : 0;
	option.advised = spares_boot(&option) && !trade.busier && !trade.ambiguous;
	r = put_in_words(&option, &trade, err);
	if (r < 0)
		option_done(&option);
	return r < 0 ? r : add_option(advice, &option, err);
}

/* ---- the best of them ------------------------------------------------------ */

static bool is_better(const struct held_back *held, const struct advice_option *a,
		      const struct advice_option *b)
{
	if ((a->other == NULL) != (b->other == NULL))
		return a->other == NULL;
	if (a->other == NULL &&
	    (a->controller == held->controller) != (b->controller == held->controller))
		return a->controller == held->controller;
	if (a->loses_known != b->loses_known)
		return a->loses_known;
	if (a->loses_known)
		return a->loses_mb_s < b->loses_mb_s;
	/* Not measured: a disk that turns hardly outruns the slower link. */
	return a->other != NULL && a->other->rotational == 1 && b->other->rotational != 1;
}

/* add_*() marks what may be advised; one is left. */
static void choose(struct advice *advice, const struct held_back *held, size_t first)
{
	struct advice_option *best = NULL;

	for (size_t i = first; i < advice->n_options; i++) {
		struct advice_option *option = &advice->options[i];

		if (option->advised && advice->action == ADVICE_NONE &&
		    (best == NULL || is_better(held, option, best)))
			best = option;
		option->rejected = !option->advised;
		option->advised = false;
	}
	if (best == NULL)
		return;
	best->advised = true;
	advice->action = best->other != NULL ? ADVICE_SWAP : ADVICE_MOVE;
	advice->disks[0] = best->disk;
	advice->disks[1] = best->other;
}

int advice_find_options(struct advice *advice, struct facts *facts, const struct portmap *map,
			const struct held_back *held, struct error *err)
{
	size_t first = advice->n_options;
	int r;

	for (size_t i = 0; i < map->n; i++)
		for (size_t j = 0; j < map->controllers[i].n_ports; j++) {
			r = add_free_port(advice, facts, held, &map->controllers[i],
					  &map->controllers[i].ports[j], err);
			if (r < 0)
				return r;
		}
	for (size_t i = 0; i < map->n; i++)
		for (size_t j = 0; j < map->controllers[i].n_ports; j++) {
			const struct port *port = &map->controllers[i].ports[j];

			if (port->n_disks != 1)
				continue;
			r = add_trade(advice, facts, map, held, port->disks[0], err);
			if (r < 0)
				return r;
		}
	choose(advice, held, first);
	return 0;
}
