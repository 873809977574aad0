/* SPDX-License-Identifier: MIT */
/* The drives of the swap card: by what is on their labels, those of the work first. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "report/card_parts.h"
#include "work/advice.h"

#define MODEL_COLUMNS 40 /* at most; a row has what the other columns leave */
#define SERIAL_COLUMNS 22
#define PLACE_COLUMNS 23
#define OTHER_COLUMNS 13 /* mark, size, and the blanks between */

/* ---- places ---------------------------------------------------------------------- */

static struct spot spot_of(const struct card *card, const struct block *disk)
{
	const struct controller *controller = NULL;
	const struct port *port = card->map ? portmap_port_of(card->map, disk, &controller) : NULL;
	bool sata = disk->bus == BUS_ATA;

	return (struct spot){ .bus = disk->bus,
			      .controller = port ? controller->address : disk->place.controller,
			      .port = port   ? (int)port->index
				      : sata ? disk->place.port
					     : -1,
			      .pmp = sata ? disk->place.pmp : -1,
			      .device = port || !sata ? 0 : disk->place.device,
			      .disk = disk };
}

static struct spot spot_of_move(const struct work_op *op)
{
	return (struct spot){ .bus = op->off_sata ? BUS_SCSI : BUS_ATA,
			      .controller = op->controller,
			      .port = (int)op->port,
			      .pmp = op->whole ? op->disk->place.pmp : -1,
			      .disk = op->disk };
}

static struct spot spot_after(const struct card *card, const struct block *disk)
{
	for (size_t i = 0; i < card->work->n; i++) {
		const struct work_op *op = &card->work->ops[i];

		if (op->disk != disk && op->other != disk)
			continue;
		if (op->type == WORK_EXCHANGE)
			return spot_of(card, op->disk == disk ? op->other : op->disk);
		if (op->type == WORK_MOVE)
			return spot_of_move(op);
		if (op->type == WORK_REPLACE && op->other == disk)
			return spot_of(card, op->disk);
		if (op->type == WORK_REMOVE || op->type == WORK_REPLACE)
			return (struct spot){ .gone = true, .port = -1, .pmp = -1 };
	}
	return spot_of(card, disk);
}

bool card_same_spot(const struct spot *a, const struct spot *b)
{
	if (a->gone || b->gone || a->bus != b->bus || a->port != b->port || a->pmp != b->pmp ||
	    a->device != b->device)
		return false;
	if (a->port < 0)
		return a->disk == b->disk;
	return a->controller && b->controller && strcmp(a->controller, b->controller) == 0;
}

static void say_port(const struct card *card, const struct spot *spot, struct buf *text)
{
	buf_addf(text, _("port %d"), spot->port);
	if (spot->pmp >= 0)
		buf_addf(text, ".%d", spot->pmp);
	if (!card->one_controller || spot->bus != BUS_ATA)
		buf_addf(text, _(" of %s"), spot->controller ? spot->controller : "?");
}

char *card_spot(const struct card *card, const struct spot *spot)
{
	AUTO_BUF text = BUF_INIT;
	char *place = NULL;

	if (spot->port >= 0) {
		say_port(card, spot, &text);
		return buf_take(&text);
	}
	return place_describe(spot->disk, &place) < 0 ? NULL : place;
}

/* ---- who is who ------------------------------------------------------------------- */

const struct card_disk *card_disk_of(const struct card *card, const struct block *disk)
{
	for (size_t i = 0; disk && i < card->n; i++)
		if (card->disks[i].disk == disk)
			return &card->disks[i];
	return NULL;
}

/* "A" to "Z", then "A1". */
static void set_mark(struct card_disk *each, size_t index)
{
	if (index < 26)
		snprintf(each->mark, sizeof(each->mark), "%c", (char)('A' + index));
	else
		snprintf(each->mark, sizeof(each->mark), "%c%u", (char)('A' + index % 26),
			 (unsigned)(index / 26 % 10));
}

static int add_disk(struct card *card, const struct block *disk, bool touched)
{
	struct card_disk *each = &card->disks[card->n];
	AUTO_FREE char *place = NULL;

	if (!disk || card_disk_of(card, disk))
		return 0;
	*each = (struct card_disk){ .disk = disk, .touched = touched };
	set_mark(each, card->n++);
	card->n_touched += touched;
	if (disk_is_boot(card->facts, disk, &each->boot, NULL) < 0)
		card->boot_known = false;
	each->now = spot_of(card, disk);
	each->after = spot_after(card, disk);
	place = card_spot(card, &each->now);
	each->place = place ? card_cut(place, PLACE_COLUMNS, CUT_END) : NULL;
	each->model =
		card_cut(disk->model ? disk->model : _("no model told"), MODEL_COLUMNS, CUT_END);
	each->serial = card_cut(disk->serial ? disk->serial : _("no serial told"), SERIAL_COLUMNS,
				CUT_MIDDLE);
	if (!each->model || !each->serial || !each->place ||
	    asprintf(&each->name, "%s (%s)", each->mark,
		     disk->serial ? each->serial : each->model) < 0) {
		each->name = NULL;
		return error_oom(card->err);
	}
	return 0;
}

static int add_others(struct card *card, bool boot)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < card->blocks->n; i++) {
		const struct block *disk = card->blocks->items[i];
		bool is_boot = false;

		if (!block_is_disk(disk) || (disk->size == 0 && !disk->key))
			continue;
		if (boot && (disk_is_boot(card->facts, disk, &is_boot, NULL) < 0 || !is_boot))
			continue;
		r = add_disk(card, disk, false);
	}
	return r;
}

int card_find_disks(struct card *card)
{
	int r = 0;

	card->boot_known = true;
	card->disks = calloc(card->blocks->n + 1, sizeof(*card->disks));
	if (!card->disks)
		return error_oom(card->err);
	for (size_t i = 0; r == 0 && i < card->work->n; i++) {
		r = add_disk(card, card->work->ops[i].disk, true);
		if (r == 0)
			r = add_disk(card, card->work->ops[i].other, true);
	}
	if (r == 0)
		r = add_others(card, true);
	return r < 0 ? r : add_others(card, false);
}

void card_free_disks(struct card *card)
{
	for (size_t i = 0; card->disks && i < card->n; i++) {
		free(card->disks[i].model);
		free(card->disks[i].serial);
		free(card->disks[i].place);
		free(card->disks[i].name);
	}
	free(card->disks);
	card->disks = NULL;
	card->n = 0;
}

/* ---- the list --------------------------------------------------------------------- */

/* As it stands on a label: 250 GB, 1.0 TB. */
static void size_words(uint64_t bytes, char *ret, size_t size)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 999.5 && unit + 1 < ELEMENTS(units); unit++)
		value /= 1000;
	if (bytes == 0)
		snprintf(ret, size, "?");
	else
		snprintf(ret, size, value < 9.95 && unit > 3 ? "%.1f %s" : "%.0f %s", value,
			 units[unit]);
}

static bool is_listed(const struct card *card, const struct card_disk *each)
{
	return each->touched || each->boot || !card->level.touched_disks;
}

struct columns {
	int model, serial, place;
};

static void widen(int *column, const char *text)
{
	if ((int)strlen(text) > *column)
		*column = (int)strlen(text);
}

/* The model gives way: the serial is what tells two drives apart. */
static struct columns columns_of(const struct card *card)
{
	struct columns ret = { 0 };
	int room;

	for (size_t i = 0; i < card->n; i++) {
		if (!is_listed(card, &card->disks[i]))
			continue;
		widen(&ret.model, card->disks[i].model);
		widen(&ret.serial, card->disks[i].serial);
		widen(&ret.place, card->disks[i].place);
	}
	room = CARD_COLUMNS - OTHER_COLUMNS - ret.serial - ret.place;
	if (ret.model > room)
		ret.model = room;
	return ret;
}

static int write_row(struct card *card, const struct card_disk *each, const struct columns *columns)
{
	AUTO_FREE char *model = card_cut(each->model, (size_t)columns->model, CUT_END);
	AUTO_BUF row = BUF_INIT;
	char size[16];

	if (!model)
		return error_oom(card->err);
	size_words(each->disk->size, size, sizeof(size));
	buf_addf(&row, "%-2s %-*s %-*s %6s  %s", each->mark, columns->model, model, columns->serial,
		 each->serial, size, each->place);
	card_line(card, "", buf_text(&row));
	return buf_error(&row) < 0 ? error_oom(card->err) : 0;
}

static void add_marks(const struct card *card, bool touched, bool boot, struct buf *ret)
{
	for (size_t i = 0; i < card->n; i++) {
		const struct card_disk *each = &card->disks[i];

		if (each->touched == touched && each->boot == boot && is_listed(card, each))
			buf_addf(ret, "%s%s", ret->len ? ", " : "", each->mark);
	}
}

/* The one sentence that is not to be missed. */
static void write_hands_off(struct card *card)
{
	AUTO_BUF boot = BUF_INIT, moved_boot = BUF_INIT, others = BUF_INIT;

	add_marks(card, false, true, &boot);
	add_marks(card, true, true, &moved_boot);
	add_marks(card, false, false, &others);
	if (boot.len)
		card_linef(card, "", _("DO NOT TOUCH %s: the machine boots from it."),
			   buf_text(&boot));
	if (moved_boot.len)
		card_linef(card, "", _("The machine boots from %s: take special care with it."),
			   buf_text(&moved_boot));
	if (!card->boot_known)
		card_line(card, "", _("From which drive the machine boots is not wholly known."));
	if (others.len)
		card_linef(card, "", _("Leave alone: %s."), buf_text(&others));
}

int card_write_disks(struct card *card)
{
	struct columns columns = columns_of(card);
	size_t hidden = 0;
	int r = 0;

	card_heading(card, _("DRIVES, by their labels (model, serial, size, place now)"));
	for (size_t i = 0; r == 0 && i < card->n; i++) {
		if (is_listed(card, &card->disks[i]))
			r = write_row(card, &card->disks[i], &columns);
		else
			hidden++;
	}
	if (r < 0)
		return r;
	if (card->n == 0)
		card_line(card, "", _("This machine shows no drive of its own."));
	if (hidden)
		card_linef(card, "",
			   PLURAL("%zu more drive is not listed here: leave it alone.",
				  "%zu more drives are not listed here: leave them alone.", hidden),
			   hidden);
	write_hands_off(card);
	return 0;
}
