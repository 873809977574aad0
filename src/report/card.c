/* SPDX-License-Identifier: MIT */
#include "report/card_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/identity.h"

#define HOST_COLUMNS 40

static int find_host(struct card *card)
{
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(facts_host(card->facts), &identity, card->err);

	if (r < 0)
		return r;
	card->host =
		card_cut(identity.name ? identity.name : _("this host"), HOST_COLUMNS, CUT_END);
	identity_done(&identity);
	return card->host ? 0 : error_oom(card->err);
}

/* Do all ports of the card belong to the one controller that there is? */
static bool one_controller(const struct card *card)
{
	if (!card->map || card->map->n != 1)
		return false;
	for (size_t i = 0; i < card->work->n; i++) {
		const struct work_op *op = &card->work->ops[i];

		if (op->type == WORK_MOVE &&
		    strcmp(op->controller, card->map->controllers[0].address) != 0)
			return false;
	}
	return true;
}

static void write_title(struct card *card)
{
	AUTO_BUF title = BUF_INIT;

	if (card->session->number)
		buf_addf(&title, _("COLDSWAP CARD of %s, session %lld"), card->host,
			 (long long)card->session->number);
	else
		buf_addf(&title, _("COLDSWAP CARD of %s - DRY RUN, nothing is proved"), card->host);
	card_line(card, "", buf_text(&title));
	if (buf_error(&title) < 0)
		card->out->failed = buf_error(&title);
}

static int write_card(struct card *card)
{
	int r;

	write_title(card);
	if ((r = card_write_disks(card)) < 0 || (r = card_write_before(card)) < 0 ||
	    (r = card_write_cables(card)) < 0 || (r = card_write_sketch(card)) < 0 ||
	    (r = card_write_boot(card)) < 0 || (r = card_write_end(card)) < 0)
		return r;
	return buf_error(card->out) < 0 ? error_oom(card->err) : 0;
}

static size_t count_lines(const struct buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->data[i] == '\n';
	return n;
}

/*
 * A reason can be read in the journal, a place in the machine cannot: reasons
 * are cut before a port of the work or a drive would be.
 */
static const struct card_level levels[] = {
	{ .dense = false },
	{ .dense = true },
	{ .dense = true, .touched_ports = true },
	{ .dense = true, .touched_ports = true, .touched_disks = true },
	{ .dense = true, .cut_accepted = true },
	{ .dense = true, .cut_accepted = true, .touched_ports = true },
	{ .dense = true, .cut_accepted = true, .touched_ports = true, .touched_disks = true },
};

static int write_fitting(struct card *card, struct buf *ret)
{
	struct buf *text = card->out;
	size_t n = 0;
	int r;

	for (size_t i = 0; i < ELEMENTS(levels); i++) {
		card->level = levels[i];
		buf_clear(text);
		r = write_card(card);
		if (r < 0)
			return r;
		n = count_lines(text);
		if (n <= CARD_LINES)
			return buf_add(ret, text->data, text->len) < 0 ? error_oom(card->err) : 0;
	}
	error_set(card->err, -E2BIG, _("the swap card would have %zu lines, and its page has %d"),
		  n, CARD_LINES);
	error_hint(card->err, "%s",
		   _("divide the work: fewer cables at a time, and a session for each part"));
	return -E2BIG;
}

int card_text(struct facts *facts, const struct plan *plan, const struct card_session *session,
	      struct buf *ret, struct error *err)
{
	static const struct work nothing = { .origin = WORK_POWER_CYCLE };
	AUTO_BUF text = BUF_INIT;
	struct card card = { .facts = facts,
			     .plan = plan,
			     .work = plan->work ? plan->work : &nothing,
			     .session = session,
			     .out = &text,
			     .err = err };
	int r = facts_blocks(facts, &card.blocks, err);

	if (r < 0)
		return r;
	/* Without the ports the card still has its drives; it says what it does not know. */
	if (facts_portmap(facts, &card.map, NULL) < 0)
		card.map = NULL;
	card.one_controller = one_controller(&card);
	r = find_host(&card);
	if (r == 0)
		r = card_find_disks(&card);
	if (r == 0)
		r = write_fitting(&card, ret);
	card_free_disks(&card);
	free(card.host);
	return r;
}
