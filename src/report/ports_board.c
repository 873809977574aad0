/* SPDX-License-Identifier: MIT */
#include "report/ports_board.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "base/text.h"
#include "report/ports_words.h"

#define GUTTER 4
#define SPEED_COLUMNS 8
/* Boxes need this much, else beside them no name would have room. */
#define BOXES_FROM 60

/* Lines of the drawing without their gutter, and where the arrow ends. */
struct canvas {
	const struct screen *screen;
	char **lines;
	size_t ends[2]; /* line numbers from 1; 0 = none */
	bool heads[2];  /* is there an arrow head at this end? */
	unsigned label; /* columns of the first box */
};

struct glyphs {
	const char *horizontal, *vertical;
	const char *corners[3][3]; /* top, middle, bottom: left, between, right */
	const char *turns[2][2];   /* upper and lower end of the arrow: tail, head */
};

static const struct glyphs unicode = {
	"\u2500",
	"\u2502",
	{ { "\u250c", "\u252c", "\u2510" },
	  { "\u251c", "\u253c", "\u2524" },
	  { "\u2514", "\u2534", "\u2518" } },
	{ { " \u250c\u2500\u2500", " \u250c\u2500>" },
	  { " \u2514\u2500\u2500", " \u2514\u2500>" } },
};

static const struct glyphs ascii = {
	"-",
	"|",
	{ { "+", "+", "+" }, { "+", "+", "+" }, { "+", "+", "+" } },
	{ { " +--", " +->" }, { " +--", " +->" } },
};

static const struct glyphs *glyphs_of(const struct screen *screen)
{
	return screen->utf8 ? &unicode : &ascii;
}

static int take_line(struct canvas *canvas, struct buf *line, struct error *err)
{
	char *text = buf_take(line);

	return text == NULL || strv_take(&canvas->lines, text) < 0 ? error_oom(err) : 0;
}

enum rule { RULE_TOP, RULE_MIDDLE, RULE_BOTTOM };

static int add_rule(struct canvas *canvas, enum rule rule, struct error *err)
{
	const struct glyphs *glyphs = glyphs_of(canvas->screen);
	AUTO_BUF line = BUF_INIT;

	buf_adds(&line, glyphs->corners[rule][0]);
	for (unsigned i = 0; i < canvas->label + 2; i++)
		buf_adds(&line, glyphs->horizontal);
	buf_adds(&line, glyphs->corners[rule][1]);
	for (unsigned i = 0; i < SPEED_COLUMNS + 2; i++)
		buf_adds(&line, glyphs->horizontal);
	buf_adds(&line, glyphs->corners[rule][2]);
	return take_line(canvas, &line, err);
}

static int add_row(struct canvas *canvas, const char *label, const char *speed, const char *beside,
		   struct error *err)
{
	const char *bar = glyphs_of(canvas->screen)->vertical;
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line, "%s ", bar);
	text_pad(label, canvas->label, &line);
	buf_addf(&line, " %s ", bar);
	text_pad(speed, SPEED_COLUMNS, &line);
	buf_addf(&line, " %s", bar);
	if (beside[0] != '\0')
		buf_addf(&line, " %s", beside);
	return take_line(canvas, &line, err);
}

/* Any text, made inert, wrapped to `width` and split into lines. */
static int add_wrapped(char ***lines, const char *text, unsigned width, struct error *err)
{
	AUTO_BUF inert = BUF_INIT;
	AUTO_BUF wrapped = BUF_INIT;

	text_inert(text, &inert);
	text_wrap(buf_text(&inert), width, 0, 2, &wrapped);
	if (buf_error(&inert) < 0 || buf_error(&wrapped) < 0)
		return error_oom(err);
	char *rest = wrapped.data;
	for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
		AUTO_BUF cut = BUF_INIT;

		/* A word longer than the column, a path, is cut, not wrapped. */
		if (text_columns(line) > width)
			text_pad(line, width, &cut);
		if (strv_add(lines, cut.len > 0 ? buf_text(&cut) : line) < 0)
			return error_oom(err);
	}
	return 0;
}

/* What stands beside the boxes of a port. */
static int wrap_words(const struct canvas *canvas, char *const *words, char ***ret,
		      struct error *err)
{
	unsigned width = canvas->screen->width - GUTTER - canvas->label - SPEED_COLUMNS - 8;
	int r = 0;

	for (size_t i = 0; r == 0 && words != NULL && words[i] != NULL; i++)
		r = add_wrapped(ret, words[i], width, err);
	return r;
}

static void port_label(const struct port *first, const struct port *last, char *ret, size_t size)
{
	if (first == last)
		snprintf(ret, size, _("port %u"), first->index);
	else
		snprintf(ret, size, _("ports %u-%u"), first->index, last->index);
}

/* ---- ports together ---------------------------------------------------------- */

static bool is_end(const struct board_arrow *arrow, const struct port *port)
{
	return arrow != NULL && (port == arrow->from || port == arrow->to);
}

/* The last port of a run that shares one box; the arrow's ends stand alone. */
static size_t run_end(const struct controller *controller, size_t first,
		      const struct board_arrow *arrow)
{
	size_t last = first;

	while (last + 1 < controller->n_ports &&
	       controller->ports[last + 1].index == controller->ports[last].index + 1 &&
	       ports_are_alike(&controller->ports[first], &controller->ports[last + 1]) &&
	       !is_end(arrow, &controller->ports[first]) &&
	       !is_end(arrow, &controller->ports[last + 1]))
		last++;
	return last;
}

static void note_end(struct canvas *canvas, const struct board_arrow *arrow,
		     const struct port *port)
{
	if (!is_end(arrow, port))
		return;
	size_t end = canvas->ends[0] == 0 ? 0 : 1;
	canvas->ends[end] = strv_length(canvas->lines) + 1;
	canvas->heads[end] = arrow->both || port == arrow->to;
}

static int draw_ports(struct canvas *canvas, struct facts *facts, const struct portmap *map,
		      const struct controller *controller, size_t first, size_t last,
		      struct error *err)
{
	const struct port *port = &controller->ports[first];
	AUTO_STRV char **words = NULL;
	AUTO_STRV char **beside = NULL;
	char label[32], ata[16] = "", speed[16], ceiling[16] = "";

	int r = port_words(facts, map, controller, port, &words, err);
	if (r == 0)
		r = wrap_words(canvas, words, &beside, err);
	if (r < 0)
		return r;
	port_label(port, &controller->ports[last], label, sizeof(label));
	port_speed(port, speed, sizeof(speed));
	if (first == last && port->ata != 0)
		snprintf(ata, sizeof(ata), "ata%u", port->ata);
	if (port->link != 0)
		snprintf(ceiling, sizeof(ceiling), "%u MB/s", generation_ceiling_mb_s(port->link));
	size_t n = strv_length(beside);
	if (n < 2 && port->link != 0)
		n = 2;
	for (size_t i = 0; r == 0 && (i < n || i == 0); i++)
		r = add_row(canvas,
			    i == 0   ? label
			    : i == 1 ? ata
				     : "",
			    i == 0   ? speed
			    : i == 1 ? ceiling
				     : "",
			    i < strv_length(beside) ? beside[i] : "", err);
	return r;
}

static int head_line(const struct controller *controller, struct buf *line)
{
	buf_addf(line, "%s", controller->address);
	if (controller->driver != NULL)
		buf_addf(line, ", %s", controller->driver);
	if (controller->generation != 0)
		buf_addf(line, _(", up to %.1f Gb/s"), generation_gbps(controller->generation));
	if (controller->mask_known)
		buf_addf(line, _(", implemented ports 0x%x"), controller->mask);
	if (controller->mask_phantom)
		buf_addf(line, _(", %u sockets"), controller->sockets);
	return buf_error(line);
}

static int draw_controller(struct canvas *canvas, struct facts *facts, const struct portmap *map,
			   const struct controller *controller, const struct board_arrow *arrow,
			   struct error *err)
{
	AUTO_BUF head = BUF_INIT;

	head_line(controller, &head);
	int r = add_wrapped(&canvas->lines, buf_text(&head), canvas->screen->width - GUTTER, err);
	for (size_t i = 0; r == 0 && i < controller->n_ports; i++) {
		size_t last = run_end(controller, i, arrow);

		r = add_rule(canvas, i == 0 ? RULE_TOP : RULE_MIDDLE, err);
		note_end(canvas, arrow, &controller->ports[i]);
		if (r == 0)
			r = draw_ports(canvas, facts, map, controller, i, last, err);
		i = last;
	}
	return r == 0 ? add_rule(canvas, RULE_BOTTOM, err) : r;
}

/* ---- on the page ---------------------------------------------------------------- */

/* What stands left of a line: the arrow, or blanks before a line that is not empty. */
static const char *gutter(const struct canvas *canvas, size_t line)
{
	const struct glyphs *glyphs = glyphs_of(canvas->screen);

	if (canvas->ends[1] == 0 || line < canvas->ends[0] || line > canvas->ends[1])
		return canvas->lines[line - 1][0] != '\0' ? "    " : "";
	if (line == canvas->ends[0])
		return glyphs->turns[0][canvas->heads[0]];
	if (line == canvas->ends[1])
		return glyphs->turns[1][canvas->heads[1]];
	if (canvas->lines[line - 1][0] == '\0')
		return canvas->screen->utf8 ? " \u2502" : " |";
	return canvas->screen->utf8 ? " \u2502  " : " |  ";
}

static void print(struct page *page, const struct canvas *canvas)
{
	for (size_t i = 0; canvas->lines != NULL && canvas->lines[i] != NULL; i++)
		buf_addf(page->out, "%s%s\n", gutter(canvas, i + 1), canvas->lines[i]);
}

static unsigned label_columns(const struct portmap *map, const struct board_arrow *arrow)
{
	unsigned widest = 0;

	for (size_t i = 0; i < map->n; i++)
		for (size_t j = 0; j < map->controllers[i].n_ports; j++) {
			size_t last = run_end(&map->controllers[i], j, arrow);
			char label[32];

			port_label(&map->controllers[i].ports[j], &map->controllers[i].ports[last],
				   label, sizeof(label));
			if (text_columns(label) > widest)
				widest = text_columns(label);
			j = last;
		}
	return widest;
}

static int draw_all(struct canvas *canvas, struct facts *facts, const struct portmap *map,
		    const struct board_arrow *arrow, struct error *err)
{
	int r = 0;

	canvas->label = label_columns(map, arrow);
	for (size_t i = 0; r == 0 && i < map->n; i++) {
		if (i > 0 && strv_add(&canvas->lines, "") < 0)
			return error_oom(err);
		r = draw_controller(canvas, facts, map, &map->controllers[i], arrow, err);
	}
	return r;
}

static int list_port(struct page *page, struct facts *facts, const struct portmap *map,
		     const struct controller *controller, size_t first, size_t last,
		     struct error *err)
{
	const struct port *port = &controller->ports[first];
	AUTO_STRV char **words = NULL;
	char label[32], lead[40], speed[16];

	int r = port_words(facts, map, controller, port, &words, err);
	if (r < 0)
		return r;
	port_label(port, &controller->ports[last], label, sizeof(label));
	port_speed(port, speed, sizeof(speed));
	snprintf(lead, sizeof(lead), "%s: ", label);
	page_line(page, &(struct page_line){ .indent = 2, .lead = lead, .hang = 4 }, speed);
	for (size_t i = 0; words != NULL && words[i] != NULL; i++)
		page_line(page, &(struct page_line){ .indent = 4, .hang = 6 }, words[i]);
	return 0;
}

static int list_all(struct page *page, struct facts *facts, const struct portmap *map,
		    struct error *err)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct controller *controller = &map->controllers[i];
		AUTO_BUF head = BUF_INIT;

		head_line(controller, &head);
		page_line(page, &(struct page_line){ .hang = 2 }, buf_text(&head));
		for (size_t j = 0; j < controller->n_ports; j++) {
			size_t last = run_end(controller, j, NULL);

			int r = list_port(page, facts, map, controller, j, last, err);
			if (r < 0)
				return r;
			j = last;
		}
	}
	return 0;
}

int ports_board(struct page *page, struct facts *facts, const struct portmap *map,
		const struct board_arrow *arrow, struct error *err)
{
	struct canvas canvas = { .screen = page->screen };

	if (page->screen->width < BOXES_FROM)
		return list_all(page, facts, map, err);
	int r = draw_all(&canvas, facts, map, arrow, err);
	if (r == 0)
		print(page, &canvas);
	strv_free(canvas.lines);
	return r;
}
