/* SPDX-License-Identifier: MIT */
/* `coldswap ports` on a console: the board, what is held back, what to do. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/shell.h"
#include "base/strv.h"
#include "probe/identity.h"
#include "report.h"
#include "report/fill.h"
#include "report/page.h"
#include "report/ports_board.h"
#include "report/ports_disk.h"
#include "report/ports_words.h"
#include "work/advice.h"

struct view {
	struct page *page;
	struct facts *facts;
	const struct portmap *map;
	const struct advice *advice;
	struct error *err;
};

static const struct advice_option *advised(const struct advice *advice)
{
	for (size_t i = 0; i < advice->n_options; i++)
		if (advice->options[i].advised)
			return &advice->options[i];
	return NULL;
}

/* ---- drawn -------------------------------------------------------------------- */

static int title(struct view *view)
{
	struct host *host = facts_host(view->facts);
	struct identity identity = IDENTITY_INIT;
	AUTO_BUF text = BUF_INIT;

	int r = identity_load(host, &identity, view->err);
	if (r < 0)
		return r;
	fill_sentence(host_is_live(host) ? _("coldswap ports of {host}")
					 : _("coldswap ports of {host}, captured in {root}"),
		      (const struct fill[]){
			      { "host", identity.name != NULL ? identity.name : _("this host") },
			      { "root", host_root(host) },
			      { NULL, NULL } },
		      &text);
	page_line(view->page, &(struct page_line){ .tone = TONE_STRONG, .hang = 2 },
		  buf_text(&text));
	page_blank(view->page);
	identity_done(&identity);
	return 0;
}

static int board(struct view *view)
{
	const struct advice_option *option = advised(view->advice);
	struct board_arrow arrow = { 0 };

	if (option != NULL) {
		arrow.from = portmap_port_of(view->map, option->disk, NULL);
		arrow.to = option->port;
		arrow.both = option->other != NULL;
	}
	return ports_board(view->page, view->facts, view->map, option != NULL ? &arrow : NULL,
			   view->err);
}

static void heading(struct view *view, const char *text)
{
	page_blank(view->page);
	page_line(view->page, &(struct page_line){ .tone = TONE_STRONG }, text);
}

static int held(struct view *view)
{
	const struct advice *advice = view->advice;

	if (advice->n_held == 0)
		return 0;
	heading(view, _("Held back"));
	for (size_t i = 0; i < advice->n_held; i++) {
		const struct held_back *each = &advice->held[i];
		AUTO_FREE char *name = NULL;

		if (block_describe(each->disk, &name) < 0)
			return error_oom(view->err);
		page_linef(view->page,
			   &(struct page_line){ .indent = 2, .hang = 4, .tone = TONE_WARN },
			   _("%s, port %u: %.1f Gb/s where %.1f is possible; cause: %s"), name,
			   each->port->index, generation_gbps(each->port->link),
			   generation_gbps(each->could_be),
			   each->deliberate ? _("a limit on every port, asked for")
					    : held_cause_name(each->cause));
		page_line(view->page, &(struct page_line){ .indent = 4, .tone = TONE_FAINT },
			  each->formula);
	}
	return 0;
}

static int option_lines(struct view *view, const struct advice_option *option, size_t index)
{
	AUTO_FREE char *disk = NULL, *other = NULL;
	char lead[8];
	struct page_line line = { .indent = 2, .lead = lead };

	snprintf(lead, sizeof(lead), "%c ", (char)('A' + index % 26));
	if (block_describe(option->disk, &disk) < 0 ||
	    (option->other != NULL && block_describe(option->other, &other) < 0))
		return error_oom(view->err);
	if (option->other != NULL)
		page_linef(view->page, &line, _("swap %s (port %u) and %s (port %u)"), disk,
			   portmap_port_of(view->map, option->disk, NULL)->index, other,
			   option->port->index);
	else
		page_linef(view->page, &line, _("move %s to port %u of %s"), disk,
			   option->port->index, option->controller->address);
	page_linef(view->page, &(struct page_line){ .indent = 4 }, "%s: %s",
		   option->advised    ? _("advised")
		   : option->rejected ? _("rejected")
				      : _("possible"),
		   option->why);
	page_linef(view->page, &(struct page_line){ .indent = 4, .tone = TONE_FAINT }, "%s: %s",
		   option->formula, option->derived);
	return 0;
}

static int options(struct view *view)
{
	int r = 0;

	if (view->advice->n_options > 0)
		heading(view, _("Options"));
	for (size_t i = 0; r == 0 && i < view->advice->n_options; i++)
		r = option_lines(view, &view->advice->options[i], i);
	return r;
}

/* The command whose page is taken to the machine. */
static int card_command(const struct view *view, struct buf *ret)
{
	struct host *host = facts_host(view->facts);

	buf_adds(ret, "coldswap card");
	if (!host_is_live(host)) {
		buf_adds(ret, " --root ");
		shell_word(host_root(host), ret);
	}
	return buf_error(ret) < 0 ? error_oom(view->err) : 0;
}

static int card_line(struct view *view)
{
	AUTO_BUF command = BUF_INIT;

	if (advised(view->advice) == NULL)
		return 0;
	if (card_command(view, &command) < 0)
		return error_oom(view->err);
	page_line(view->page,
		  &(struct page_line){ .indent = 2, .lead = _("Swap card: "), .whole = true },
		  buf_text(&command));
	return 0;
}

static bool has_dummies(const struct portmap *map)
{
	for (size_t i = 0; i < map->n; i++)
		for (size_t j = 0; j < map->controllers[i].n_ports; j++)
			if (map->controllers[i].ports[j].implemented == TRI_NO &&
			    !map->controllers[i].mask_phantom)
				return true;
	return false;
}

/* It comes before the swap: it may save one. */
static void look_into_firmware(struct view *view)
{
	if (view->advice->action == ADVICE_SWAP && has_dummies(view->map))
		page_line(view->page,
			  &(struct page_line){ .indent = 2, .lead = "! ", .lead_tone = TONE_WARN },
			  _("Look into the firmware's SATA settings first: a port that is only "
			    "switched off there would need one cable instead of two."));
}

static int advice_lines(struct view *view)
{
	const struct advice_option *option = advised(view->advice);
	struct page_line line = { .indent = 2,
				  .lead = page_arrow(view->page),
				  .lead_tone = TONE_STRONG };
	AUTO_FREE char *disk = NULL, *other = NULL;

	heading(view, _("Advice"));
	if (option == NULL) {
		page_line(view->page, &line,
			  view->advice->n_held == 0
				  ? _("Leave the cables: no disk is held back.")
				  : _("Leave the cables: no move or swap is advised."));
		for (char **reason = view->advice->reasons;
		     view->advice->n_held > 0 && reason != NULL && *reason != NULL; reason++)
			page_line(view->page, &(struct page_line){ .indent = 4 }, *reason);
		return 0;
	}
	if (block_describe(option->disk, &disk) < 0 ||
	    (option->other != NULL && block_describe(option->other, &other) < 0))
		return error_oom(view->err);
	look_into_firmware(view);
	if (option->other != NULL)
		page_linef(view->page, &line,
			   _("Run coldswap audit, then swap the cables of %s and %s."), disk,
			   other);
	else
		page_linef(view->page, &line,
			   _("Run coldswap audit, then move the cable of %s to port %u of %s."),
			   disk, option->port->index, option->controller->address);
	return 0;
}

/* Disks that no SATA port holds, so that nobody looks for them on the board. */
static int elsewhere(struct view *view)
{
	const struct blocks *blocks;
	bool first = true;

	if (facts_blocks(view->facts, &blocks, NULL) < 0)
		return 0;
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *disk = blocks->items[i];
		AUTO_FREE char *name = NULL, *place = NULL;

		if (!block_is_disk(disk) || portmap_port_of(view->map, disk, NULL) != NULL)
			continue;
		if (block_describe(disk, &name) < 0 || place_describe(disk, &place) < 0)
			return error_oom(view->err);
		if (first)
			heading(view, _("Not on a SATA port"));
		first = false;
		page_linef(view->page, &(struct page_line){ .indent = 2, .hang = 4 }, "%s: %s, %s",
			   disk->name, name, place);
	}
	return 0;
}

static void notes(struct view *view)
{
	const struct page_line line = { .indent = 2, .lead = "! ", .lead_tone = TONE_WARN };

	if (view->map->log_why_not != NULL)
		page_linef(view->page, &line, _("Which ports are wired is not known: %s."),
			   view->map->log_why_not);
}

/* ---- plain: one fact a line ------------------------------------------------------ */

static int plain_port(struct view *view, const struct controller *controller,
		      const struct port *port)
{
	AUTO_STRV char **words = NULL;
	AUTO_BUF text = BUF_INIT;
	char label[32], speed[16];

	int r = port_words(view->facts, view->map, controller, port, &words, view->err);
	if (r < 0)
		return r;
	port_speed(port, speed, sizeof(speed));
	snprintf(label, sizeof(label), "port %u", port->index);
	buf_addf(&text, "%s: ", port->link != 0 ? speed : _("no link"));
	for (size_t i = 0; words != NULL && words[i] != NULL; i++)
		buf_addf(&text, "%s%s", i > 0 ? "; " : "", words[i]);
	page_fact(view->page, label, buf_text(&text));
	return buf_error(&text) < 0 ? error_oom(view->err) : 0;
}

static int plain(struct view *view)
{
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(facts_host(view->facts), &identity, view->err);

	if (r < 0)
		return r;
	page_fact(view->page, "command", "ports");
	page_fact(view->page, "host", identity.name != NULL ? identity.name : _("this host"));
	page_fact(view->page, "root", host_root(facts_host(view->facts)));
	identity_done(&identity);
	for (size_t i = 0; i < view->map->n; i++) {
		const struct controller *controller = &view->map->controllers[i];

		page_fact(view->page, "controller", controller->address);
		for (size_t j = 0; r == 0 && j < controller->n_ports; j++)
			r = plain_port(view, controller, &controller->ports[j]);
	}
	page_fact(view->page, "advice",
		  view->advice->action == ADVICE_SWAP   ? "swap"
		  : view->advice->action == ADVICE_MOVE ? "move"
							: "none");
	for (char **reason = view->advice->reasons; reason != NULL && *reason != NULL; reason++)
		page_fact(view->page, "reason", *reason);
	if (view->map->log_why_not != NULL)
		page_fact(view->page, "log", view->map->log_why_not);
	if (view->map->n == 0)
		page_fact(view->page, "result",
			  _("No SATA port to exchange; a power cycle is safe."));
	return r;
}

/* ---- both ------------------------------------------------------------------------ */

static int drawn(struct view *view)
{
	int r = title(view);

	if (r < 0)
		return r;
	if (view->map->n == 0) {
		page_line(view->page, &(struct page_line){ 0 },
			  _("No SATA port to exchange; a power cycle is safe."));
		return elsewhere(view);
	}
	if ((r = board(view)) < 0 || (r = elsewhere(view)) < 0 || (r = held(view)) < 0 ||
	    (r = options(view)) < 0 || (r = advice_lines(view)) < 0)
		return r;
	notes(view);
	return card_line(view);
}

/* --quiet: what to do, alone. */
static int quiet(struct view *view)
{
	if (view->map->n == 0) {
		page_line(view->page, &(struct page_line){ 0 },
			  _("No SATA port to exchange; a power cycle is safe."));
		return 0;
	}
	int r = advice_lines(view);
	return r < 0 ? r : card_line(view);
}

int ports_text(struct facts *facts, const struct portmap *map, const struct advice *advice,
	       const struct screen *screen, struct buf *ret, struct error *err)
{
	struct page page = { .screen = screen, .out = ret };
	struct view view = { &page, facts, map, advice, err };

	int r = screen->plain ? plain(&view) : screen->quiet ? quiet(&view) : drawn(&view);
	if (r < 0)
		return r;
	return buf_error(ret) < 0 ? error_oom(err) : 0;
}
