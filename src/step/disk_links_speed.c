/* SPDX-License-Identifier: MIT */
/*
 * Is each link as fast as was predicted?
 *
 * Law: what a port can do is an interval, [fastest link seen on it, the
 * controller's limit]; so is the link of a drive on it, neither end above
 * what the drive can do.  Below the lower end is a fault; inside is right.
 * Where nothing was recorded the link is judged as it is.
 */
#include "step/disk_links.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"

static unsigned least_of(unsigned a, unsigned b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

/* ---- the prediction ------------------------------------------------------------ */

/* Is the line about this port's own link, not about one behind a multiplier? */
static bool is_about(const struct port *port, const struct klog_event *event)
{
	if (event->type != KLOG_LINK_UP || event->ata != port->ata)
		return false;
	return port->device < 0 ? event->device <= 0
				: (event->device < 0 ? 0 : event->device) == port->device;
}

/* libata slows a link down after errors: the last speed is not the best one. */
static unsigned fastest_seen(const struct portmap *map, const struct port *port)
{
	unsigned fastest = port->link;

	for (size_t i = 0; map->klog && port->ata && i < map->klog->n; i++) {
		const struct klog_event *event = &map->klog->events[i];

		if (is_about(port, event) && event->generation > fastest)
			fastest = event->generation;
	}
	return fastest;
}

/* The drive's word, else the link that it had: it can do that much at least. */
static unsigned drive_can(const struct links *links, const struct disk_pair *pair)
{
	const struct drive_link *now = portmap_drive(links->now.map, pair->now);
	const struct drive_link *before = portmap_drive(links->before.map, pair->before);
	const struct port *port;

	if (now && now->max)
		return now->max;
	if (before && before->max)
		return before->max;
	port = portmap_port_of(links->before.map, pair->before, NULL);
	return port ? port->link : 0;
}

struct speed {
	const struct controller *controller;
	const struct port *port, *port_before;
	unsigned seen, drive, most; /* generations; 0 = not known */
};

static void cite(struct links *links, struct finding *finding, const struct speed *speed)
{
	AUTO_BUF law = BUF_INIT, derived = BUF_INIT;
	unsigned least = least_of(speed->seen, speed->drive);

	buf_addf(&law,
		 "min(fastest link seen on the port %.1f, drive %.1f) <= link %.1f <= "
		 "min(controller %.1f, drive %.1f)",
		 generation_gbps(speed->seen), generation_gbps(speed->drive),
		 generation_gbps(speed->port->link),
		 generation_gbps(controller_capability(speed->controller)),
		 generation_gbps(speed->drive));
	if (least && least == speed->most)
		buf_addf(&derived, "%.1f Gb/s", generation_gbps(least));
	else if (least)
		buf_addf(&derived, "%.1f to %.1f Gb/s", generation_gbps(least),
			 generation_gbps(speed->most));
	else
		buf_addf(&derived, "up to %.1f Gb/s", generation_gbps(speed->most));
	cite_link(&links->now, finding, speed->port, buf_text(&law), buf_text(&derived));
}

/* The line of the earlier log that shows what the port could do. */
static void cite_seen(struct links *links, struct finding *finding, const struct speed *speed)
{
	const struct klog *klog = links->before.map->klog;

	for (size_t i = 0; klog && i < klog->n; i++) {
		const struct klog_event *event = &klog->events[i];
		AUTO_BUF source = BUF_INIT;

		if (!is_about(speed->port_before, event) || event->generation != speed->seen)
			continue;
		buf_addf(&source, "%s:%u", klog->source, event->line);
		links_cite_before(links, finding, buf_text(&source), event->text);
		return;
	}
}

static struct finding *find(struct links *links, const char *id, enum verdict verdict,
			    const struct speed *speed)
{
	return result_find(links->now.ret, id, verdict, "port %u of %s", speed->port->index,
			   speed->controller->address);
}

static void say_slower(struct links *links, const char *name, const struct speed *speed)
{
	struct finding *finding = find(links, "slower-than-predicted", VERDICT_FAIL, speed);

	result_say(links->now.ret, finding,
		   _("The link of %s runs at %.1f Gb/s; on this port at least %.1f was to be "
		     "expected."),
		   name, generation_gbps(speed->port->link),
		   generation_gbps(least_of(speed->seen, speed->drive)));
	result_remedy(links->now.ret, finding, "%s",
		      speed->port->slowed
			      ? _("The kernel slowed it down after errors: power off, change its "
				  "data cable and seat both plugs.")
			      : _("Power off, seat both plugs of its data cable, or change it; a "
				  "link takes its speed when it comes up."));
	if (speed->port->slowed)
		cite_events(&links->now, finding, speed->port, KLOG_SLOWED, 1);
	cite(links, finding, speed);
	cite_seen(links, finding, speed);
}

static void say_as_predicted(struct links *links, const char *name, const struct speed *speed)
{
	struct finding *finding = find(links, "link-right", VERDICT_PASS, speed);

	result_say(links->now.ret, finding, _("The link of %s runs at %.1f Gb/s, as predicted."),
		   name, generation_gbps(speed->port->link));
	cite(links, finding, speed);
}

static void say_no_speed(struct links *links, const char *name, const struct speed *speed)
{
	struct finding *finding = find(links, "link-unknown", VERDICT_UNKNOWN, speed);

	result_say(links->now.ret, finding, _("How fast the link of %s runs is not known."), name);
	result_remedy(
		links->now.ret, finding, "%s",
		_("Read the log of the boot from the journal as root, or look at smartctl -i."));
	cite(links, finding, speed);
}

/* A port that the earlier capture does not have: a new controller, or one that was not read. */
static void say_port_unknown(struct links *links, const char *name, const struct speed *speed)
{
	struct finding *finding = find(links, "link-unknown", VERDICT_UNKNOWN, speed);

	result_say(links->now.ret, finding,
		   _("The link of %s runs at %.1f Gb/s, below what the drive can do; whether its "
		     "port could do more is not known: the earlier capture does not have the "
		     "port."),
		   name, generation_gbps(speed->port->link));
	result_remedy(links->now.ret, finding, "%s",
		      _("`coldswap ports` tells by what the link is held back."));
	cite(links, finding, speed);
}

static void judge_pair(struct links *links, const struct disk_pair *pair)
{
	struct speed speed = { 0 };

	if (!pair->now || pair->now->bus != BUS_ATA)
		return;
	speed.port = portmap_port_of(links->now.map, pair->now, &speed.controller);
	/* A multiplier's own link stands between the port and its disks. */
	if (!speed.port || speed.port->multiplier)
		return;
	speed.port_before =
		portmap_port(links->before.map, speed.controller->address, speed.port->index);
	speed.seen = speed.port_before ? fastest_seen(links->before.map, speed.port_before) : 0;
	speed.drive = drive_can(links, pair);
	speed.most = least_of(controller_capability(speed.controller), speed.drive);
	AUTO_FREE char *name = disk_name(&links->now, pair->now);
	if (speed.port->link == 0)
		say_no_speed(links, name, &speed);
	else if (!speed.port_before && speed.port->link < speed.drive)
		say_port_unknown(links, name, &speed);
	else if (speed.port->link < least_of(speed.seen, speed.drive))
		say_slower(links, name, &speed);
	else
		say_as_predicted(links, name, &speed);
}

/* ---- as it is -------------------------------------------------------------------- */

static void say_held(struct links *links, const struct held_back *held)
{
	AUTO_FREE char *name = disk_name(&links->now, held->disk);
	struct finding *finding =
		result_find(links->now.ret, "slower-than-possible", VERDICT_WARN, "port %u of %s",
			    held->port->index, held->controller->address);

	result_say(links->now.ret, finding,
		   _("The link of %s runs at %.1f Gb/s where drive and controller could do %.1f."),
		   name, generation_gbps(held->port->link), generation_gbps(held->could_be));
	result_remedy(links->now.ret, finding, "%s",
		      _("`coldswap ports` tells by what it is held back, and what a swap would "
			"cost."));
	cite_link(&links->now, finding, held->port, held->formula, held->derived);
}

static void judge_as_they_are(struct links *links)
{
	const struct advice *advice = links->now.advice;

	links_say_nothing_recorded(links, _("link speeds"));
	for (size_t i = 0; i < advice->n_held; i++)
		if (!advice->held[i].deliberate && advice->held[i].cause != HELD_DRIVE)
			say_held(links, &advice->held[i]);
}

void links_judge_speeds(struct links *links)
{
	if (!links_compare(links)) {
		judge_as_they_are(links);
		return;
	}
	for (size_t i = 0; i < links->n_pairs; i++)
		judge_pair(links, &links->pairs[i]);
}
