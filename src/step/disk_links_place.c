/* SPDX-License-Identifier: MIT */
/*
 * Is each disk where the work should have brought it?
 *
 * Law: place(now) = work(place(before)), disk by disk, by key.  A port is a
 * controller's address and an index; the number of an ata host is dealt anew
 * at each boot.  Where nobody said what was to move, a disk that did is told
 * and not judged.
 */
#include "step/disk_links.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"

struct judged {
	struct links *links;
	const struct disk_pair *pair;
	struct place_after should; /* where it should be now */
	bool named;                /* the work says something of it */
	char *name, *was, *is, *to;
};

static void judged_done(struct judged *judged)
{
	free(judged->name);
	free(judged->was);
	free(judged->is);
	free(judged->to);
}

static bool same_or_neither(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Is a disk of now at this place?  Slots off SATA have no number that could be compared. */
static bool stands_at(const struct block *now, const struct place_after *place)
{
	if (now->bus != place->bus)
		return false;
	if (now->bus != BUS_ATA)
		return true;
	return same_or_neither(now->place.controller, place->controller) &&
	       now->place.port == place->port && now->place.pmp == place->pmp &&
	       now->place.device == place->device;
}

static void place_of_before(const struct block *disk, struct place_after *ret)
{
	const struct work nothing = { .origin = WORK_POWER_CYCLE };

	work_place_after(&nothing, disk, ret);
}

static bool is_named(const struct work *work, const struct block *disk)
{
	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].disk == disk || work->ops[i].other == disk)
			return true;
	return false;
}

static int describe_place(const struct place_after *place, char **ret)
{
	AUTO_BUF text = BUF_INIT;

	if (place->port < 0)
		buf_adds(&text, bus_name(place->bus));
	else
		buf_addf(&text, "port %d of %s", place->port,
			 place->controller ? place->controller : "an unknown controller");
	if (place->pmp >= 0)
		buf_addf(&text, ", multiplier port %d", place->pmp);
	if (place->device > 0)
		buf_addf(&text, ", device %d", place->device);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

static int judged_fill(struct judged *judged)
{
	const struct work *work = judged->links->now.step->work;
	const struct disk_pair *pair = judged->pair;
	int r = block_describe(pair->before, &judged->name);

	work_place_after(work, pair->before, &judged->should);
	judged->named = is_named(work, pair->before);
	if (r >= 0)
		r = place_describe(pair->before, &judged->was);
	if (r >= 0 && pair->now)
		r = place_describe(pair->now, &judged->is);
	if (r >= 0)
		r = describe_place(&judged->should, &judged->to);
	return r;
}

static struct finding *find(struct judged *judged, const char *id, enum verdict verdict)
{
	return result_find(judged->links->now.ret, id, verdict, "%s", judged->name);
}

/* The law with its numbers, and both places as sysfs tells them. */
static void cite(struct judged *judged, struct finding *finding)
{
	const char *should = judged->should.present ? judged->to : _("taken out");
	AUTO_BUF law = BUF_INIT;

	buf_addf(&law, "place(now) = work(place(before) = %s)", judged->was);
	if (judged->pair->now)
		links_cite_place(judged->links, finding, judged->pair->now, false, buf_text(&law),
				 should);
	links_cite_place(judged->links, finding, judged->pair->before, true, NULL, NULL);
}

/* ---- gone -------------------------------------------------------------------- */

static const struct {
	enum port_state state;
	const char *remedy;
} gone_remedies[] = {
	{ PORT_DUMMY,
	  N_("The port is switched off since this boot: power off, wait ten seconds and power on; "
	     "if it stays so, look into the firmware's SATA settings.") },
	{ PORT_NO_LINK,
	  N_("Something is plugged in there and its link does not come up: power off, seat both "
	     "plugs of the data cable, or change it.") },
	{ PORT_EMPTY, N_("Nothing answers there: power off, and seat its data and power plugs.") },
	{ PORT_OFFLINE, N_("The port is switched off: look for libata.force on the kernel's "
			   "command line and into the firmware's SATA settings.") },
};

static const char *remedy_of_gone(const struct port *port)
{
	for (size_t i = 0; port && i < ELEMENTS(gone_remedies); i++)
		if (gone_remedies[i].state == port->state)
			return gone_remedies[i].remedy;
	return N_("Power off, and seat its data and power plugs.");
}

static void say_missing(struct judged *judged)
{
	struct links *links = judged->links;
	/* What hangs on a USB cable is unplugged without a tool. */
	bool loose = judged->pair->before->bus == BUS_USB;
	struct finding *finding = find(judged, "missing", loose ? VERDICT_WARN : VERDICT_FAIL);
	const struct port *port = judged->should.port < 0 || !judged->should.controller
					  ? NULL
					  : portmap_port(links->now.map, judged->should.controller,
							 (unsigned)judged->should.port);

	result_say(links->now.ret, finding,
		   _("%s is missing: it was on %s, and no disk of now is it."), judged->name,
		   judged->was);
	result_remedy(links->now.ret, finding, "%s", _(remedy_of_gone(port)));
	cite(judged, finding);
	if (port && port->n_disks == 0 && port->dummy_line)
		cite_line(&links->now, finding, port->dummy_line, NULL, NULL);
	else if (port && port->n_disks == 0 && port->state != PORT_UNKNOWN)
		cite_link(&links->now, finding, port, NULL, NULL);
}

static void say_removed(struct judged *judged)
{
	struct finding *finding = find(judged, "right", VERDICT_PASS);

	judged->links->right++;
	result_say(judged->links->now.ret, finding, _("%s was taken out, as planned."),
		   judged->name);
	cite(judged, finding);
}

/* ---- there ------------------------------------------------------------------- */

static void say_right(struct judged *judged)
{
	struct finding *finding = find(judged, "right", VERDICT_PASS);

	judged->links->right++;
	if (judged->should.moved)
		result_say(judged->links->now.ret, finding, _("%s is on %s, as planned."),
			   judged->name, judged->is);
	else
		result_say(judged->links->now.ret, finding, _("%s is on %s, as before."),
			   judged->name, judged->is);
	cite(judged, finding);
	if (judged->should.moved)
		links_say_end(judged->links, judged->name);
}

static void say_not_moved(struct judged *judged)
{
	struct result *ret = judged->links->now.ret;
	struct finding *finding = find(judged, "not-moved", VERDICT_FAIL);

	if (judged->should.present)
		result_say(ret, finding, _("%s is still on %s, and should be on %s now."),
			   judged->name, judged->is, judged->to);
	else
		result_say(ret, finding, _("%s is still on %s, and should have been taken out."),
			   judged->name, judged->is);
	result_remedy(ret, finding, "%s",
		      judged->links->now.step->session
			      ? _("Go on with coldswap resume: it asks whether to power off once "
				  "more, with a new card, or to keep the cables as they are.")
			      : _("Power off and do as planned; to take the cables as they are, "
				  "verify again without naming the work."));
	cite(judged, finding);
}

static void say_elsewhere(struct judged *judged)
{
	struct result *ret = judged->links->now.ret;
	struct finding *finding =
		find(judged, judged->named ? "wrong-port" : "wrong-disk-moved", VERDICT_FAIL);

	if (!judged->should.present)
		result_say(ret, finding,
			   _("%s went from %s to %s, and should have been taken out."),
			   judged->name, judged->was, judged->is);
	else if (judged->named)
		result_say(ret, finding, _("%s went from %s to %s, and should be on %s."),
			   judged->name, judged->was, judged->is, judged->to);
	else
		result_say(ret, finding,
			   _("%s went from %s to %s, and should not have been touched."),
			   judged->name, judged->was, judged->is);
	if (judged->should.present)
		result_remedy(ret, finding, _("Power off, and plug its cable into %s."),
			      judged->to);
	else
		result_remedy(ret, finding, "%s", _("Power off, and take it out as planned."));
	cite(judged, finding);
}

static void say_moved(struct judged *judged)
{
	struct result *ret = judged->links->now.ret;
	struct finding *finding = find(judged, "moved", VERDICT_WARN);

	result_say(ret, finding,
		   _("%s went from %s to %s; as nobody said what was to move, compare with your "
		     "plan."),
		   judged->name, judged->was, judged->is);
	result_remedy(ret, finding, "%s",
		      _("Name the work to have it judged, such as --exchange A,B; or make sure by "
			"your own notes."));
	cite(judged, finding);
}

/* ---- each -------------------------------------------------------------------- */

static void say_unrecognised(struct judged *judged)
{
	struct result *ret = judged->links->now.ret;
	struct finding *finding = find(judged, "not-recognised", VERDICT_UNKNOWN);
	const struct block *disk = judged->pair->before;

	result_say(ret, finding,
		   _("Whether %s, %s before, is where it should be is not known: it cannot be told "
		     "from other disks."),
		   judged->name, disk->name);
	result_remedy(ret, finding, "%s",
		      _("Run coldswap as root, so that disks can be asked for their serial "
			"numbers; else make sure by the labels on the disks."));
	links_cite_place(judged->links, finding, disk, true, NULL, NULL);
}

/* The first row that holds is the answer. */
static void judge(struct judged *judged)
{
	const struct work *work = judged->links->now.step->work;
	const struct disk_pair *pair = judged->pair;
	struct place_after was;

	place_of_before(pair->before, &was);
	if (!pair->recognised)
		say_unrecognised(judged);
	else if (!pair->now && !judged->should.present)
		say_removed(judged);
	else if (!pair->now)
		say_missing(judged);
	else if (judged->should.present && stands_at(pair->now, &judged->should))
		say_right(judged);
	else if (work->n == 0 && !work->meant)
		say_moved(judged);
	else if (judged->named && stands_at(pair->now, &was))
		say_not_moved(judged);
	else
		say_elsewhere(judged);
}

/* ---- what was not there before ------------------------------------------------- */

static bool is_expected(const struct work *work)
{
	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].type == WORK_REPLACE && !work->ops[i].other)
			return true;
	return false;
}

static bool all_recognised(const struct links *links)
{
	for (size_t i = 0; i < links->n_pairs; i++)
		if (!links->pairs[i].recognised)
			return false;
	return true;
}

static void say_new(struct links *links, const struct block *disk)
{
	bool expected = is_expected(links->now.step->work);
	AUTO_FREE char *name = disk_name(&links->now, disk);
	AUTO_FREE char *place = NULL;
	struct finding *finding = result_find(links->now.ret, "new-disk",
					      expected ? VERDICT_PASS : VERDICT_WARN, "%s", name);

	if (place_describe(disk, &place) < 0) {
		links->now.failed = -ENOMEM;
		return;
	}
	result_say(links->now.ret, finding, _("%s on %s was not there before."), name, place);
	if (!expected)
		result_remedy(links->now.ret, finding, "%s",
			      _("Make sure that it is meant to be there: it may have come in the "
				"place of another."));
	links_cite_place(links, finding, disk, false, NULL, NULL);
}

static void judge_new(struct links *links)
{
	/* One that could not be recognised would be told as new. */
	if (!all_recognised(links))
		return;
	for (size_t i = 0; i < links->blocks->n; i++) {
		const struct block *disk = links->blocks->items[i];

		if (block_is_disk(disk) && disk->size > 0 && !links_pair_of(links, disk))
			say_new(links, disk);
	}
}

void links_judge_places(struct links *links)
{
	for (size_t i = 0; i < links->n_pairs; i++) {
		CLEANUP(judged_done)
		struct judged judged = { .links = links, .pair = &links->pairs[i] };

		if (judged_fill(&judged) < 0) {
			links->now.failed = -ENOMEM;
			return;
		}
		judge(&judged);
	}
	judge_new(links);
}
