/* SPDX-License-Identifier: MIT */
/*
 * The sketch: ports with what is plugged in, before and after.
 *
 *	BEFORE                                 AFTER
 *	port 3 ===[ B ..7362F ]                port 3 ===[ A ..0748W ]  <
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "report/card_parts.h"

#define TAIL 5
#define BOX_COLUMNS 14
#define HALF (CARD_COLUMNS / 2)
#define LABEL_MAX (HALF - BOX_COLUMNS - 4)

struct row {
	struct spot spot;
	const struct card_disk *before, *after;
	bool comes; /* a drive that is not in the machine yet */
	bool touched;
};

struct sketch {
	struct card *card;
	struct row *rows;
	size_t n;
};

static struct row *row_at(struct sketch *sketch, const struct spot *spot)
{
	for (size_t i = 0; i < sketch->n; i++)
		if (card_same_spot(&sketch->rows[i].spot, spot))
			return &sketch->rows[i];
	sketch->rows[sketch->n] = (struct row){ .spot = *spot };
	return &sketch->rows[sketch->n++];
}

static void add_disk(struct sketch *sketch, const struct card_disk *each)
{
	struct row *row;

	/* A drive without a cable of its own stands here only when it moves. */
	if (each->now.port < 0 && !each->touched)
		return;
	row = row_at(sketch, &each->now);
	row->before = each;
	row->touched |= each->touched;
	if (each->after.gone)
		return;
	row = row_at(sketch, &each->after);
	row->after = each;
	row->touched |= each->touched;
}

static void add_newcomers(struct sketch *sketch)
{
	const struct work *work = sketch->card->work;

	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].type == WORK_REPLACE && !work->ops[i].other)
			row_at(sketch, &card_disk_of(sketch->card, work->ops[i].disk)->now)->comes =
				true;
}

static const char *controller_of(const struct row *row)
{
	return row->spot.port >= 0 && row->spot.controller ? row->spot.controller : "";
}

static int by_place(const void *a, const void *b)
{
	const struct spot *x = &((const struct row *)a)->spot, *y = &((const struct row *)b)->spot;
	int order = strcmp(controller_of(a), controller_of(b));

	if (order)
		return order;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	if (x->pmp != y->pmp)
		return x->pmp < y->pmp ? -1 : 1;
	return (x->device > y->device) - (x->device < y->device);
}

/* "A ..0748W": the end of a serial tells more than its beginning. */
static void box_words(const struct row *row, const struct card_disk *each, bool after, char *ret,
		      size_t size)
{
	size_t len;

	if (!each) {
		snprintf(ret, size, "%s", after && row->comes ? _("new") : "");
		return;
	}
	len = strlen(each->serial);
	if (!each->disk->serial)
		snprintf(ret, size, "%s", each->mark);
	else if (len <= TAIL + 2)
		snprintf(ret, size, "%s %s", each->mark, each->serial);
	else
		snprintf(ret, size, "%s ..%s", each->mark, each->serial + len - TAIL);
}

static void add_half(const struct row *row, const char *label, int columns, bool after,
		     struct buf *ret)
{
	const struct card_disk *each = after ? row->after : row->before;
	char words[32];

	box_words(row, each, after, words, sizeof(words));
	if (!*words)
		buf_addf(ret, "%-*s ===", columns, label);
	else
		buf_addf(ret, "%-*s ===[ %s ]", columns, label, words);
}

static int write_row(struct sketch *sketch, const struct row *row, const char *label, int columns)
{
	AUTO_BUF left = BUF_INIT, right = BUF_INIT, line = BUF_INIT;

	add_half(row, label, columns, false, &left);
	add_half(row, label, columns, true, &right);
	if (sketch->card->work->n)
		buf_addf(&line, "%-*s%s%s", HALF - 2, buf_text(&left), buf_text(&right),
			 row->touched && (row->before != row->after || row->comes) ? " <" : "");
	else
		buf_adds(&line, buf_text(&left));
	if (buf_error(&left) < 0 || buf_error(&right) < 0 || buf_error(&line) < 0)
		return error_oom(sketch->card->err);
	card_line(sketch->card, "", buf_text(&line));
	return 0;
}

static bool is_shown(const struct sketch *sketch, const struct row *row)
{
	return row->touched || !sketch->card->level.touched_ports;
}

/* The controller stands above its ports. */
static int label_of(const struct sketch *sketch, const struct row *row, char **ret)
{
	const struct spot *spot = &row->spot;
	AUTO_FREE char *place = spot->port < 0 ? card_spot(sketch->card, spot) : NULL;
	AUTO_BUF text = BUF_INIT;

	if (spot->port < 0)
		buf_adds(&text, place ? place : "?");
	else
		buf_addf(&text, _("port %d"), spot->port);
	if (spot->port >= 0 && spot->pmp >= 0)
		buf_addf(&text, ".%d", spot->pmp);
	*ret = buf_error(&text) < 0 ? NULL : card_cut(buf_text(&text), LABEL_MAX, CUT_MIDDLE);
	return *ret ? 0 : error_oom(sketch->card->err);
}

static void write_controller(struct sketch *sketch, const struct row *row, const char **last)
{
	const char *controller = controller_of(row);

	if (!sketch->card->one_controller && strcmp(controller, *last) != 0)
		card_linef(sketch->card, "", "%s:", controller);
	*last = controller;
}

static int widest(const struct sketch *sketch, int *ret)
{
	*ret = 6;
	for (size_t i = 0; i < sketch->n; i++) {
		AUTO_FREE char *label = NULL;
		int r = label_of(sketch, &sketch->rows[i], &label);

		if (r < 0)
			return r;
		if (is_shown(sketch, &sketch->rows[i]) && (int)strlen(label) > *ret)
			*ret = (int)strlen(label);
	}
	return 0;
}

static int write_rows(struct sketch *sketch)
{
	const char *last = "";
	size_t hidden = 0;
	int columns, r = widest(sketch, &columns);

	for (size_t i = 0; r == 0 && i < sketch->n; i++) {
		AUTO_FREE char *label = NULL;

		if (!is_shown(sketch, &sketch->rows[i])) {
			hidden++;
			continue;
		}
		r = label_of(sketch, &sketch->rows[i], &label);
		write_controller(sketch, &sketch->rows[i], &last);
		if (r == 0)
			r = write_row(sketch, &sketch->rows[i], label, columns);
	}
	if (r == 0 && hidden)
		card_linef(sketch->card, "",
			   PLURAL("%zu more port in use stays as it is.",
				  "%zu more ports in use stay as they are.", hidden),
			   hidden);
	return r;
}

int card_write_sketch(struct card *card)
{
	AUTO_FREE struct row *rows = calloc(2 * card->n + 1, sizeof(*rows));
	struct sketch sketch = { .card = card, .rows = rows };
	AUTO_BUF head = BUF_INIT;

	if (!rows)
		return error_oom(card->err);
	for (size_t i = 0; i < card->n; i++)
		add_disk(&sketch, &card->disks[i]);
	if (!sketch.n)
		return 0;
	add_newcomers(&sketch);
	qsort(rows, sketch.n, sizeof(*rows), by_place);
	card_blank(card);
	if (card->work->n)
		buf_addf(&head, "%-*s%s", HALF - 2, _("BEFORE"), _("AFTER"));
	else
		buf_adds(&head, _("PORTS, as they are and stay"));
	if (buf_error(&head) < 0)
		return error_oom(card->err);
	card_line(card, "", buf_text(&head));
	if (write_rows(&sketch) < 0)
		return card->err ? card->err->code : -ENOMEM;
	card_line(card, "", _("Port numbers are the kernel's; the board's print may differ."));
	if (card->one_controller && card->map && card->map->n == 1)
		card_linef(card, "", _("All ports are those of %s."),
			   card->map->controllers[0].address);
	return 0;
}
