/* SPDX-License-Identifier: MIT */
/*
 * Errors of the links: CRC counts against those of before, and this boot's log.
 *
 * A drive's CRC count never goes down: what it is says nothing, that it grew
 * does.  Counts of two drives are never compared.
 */
#include "step/disk_links.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"

#define LINES_MAX 4

/* ---- CRC counts ---------------------------------------------------------------- */

/* "coldswap/smart/sdb.json:66"; smartctl's own words have no lines. */
static void name_line(const struct drive_link *drive, struct buf *ret)
{
	buf_adds(ret, drive->source ? drive->source : "smartctl");
	if (drive->crc_line && drive->source && strstr(drive->source, ".json"))
		buf_addf(ret, ":%u", drive->crc_line);
}

static void cite_crc(struct links *links, struct finding *finding, const struct drive_link *now,
		     const struct drive_link *before)
{
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT, law = BUF_INIT, grown = BUF_INIT;

	name_line(now, &source);
	buf_addf(&observed, "UDMA_CRC_Error_Count %lld", (long long)now->crc_errors);
	buf_addf(&law, "now %lld - before %lld", (long long)now->crc_errors,
		 (long long)before->crc_errors);
	buf_addf(&grown, "%lld", (long long)(now->crc_errors - before->crc_errors));
	result_evidence(links->now.ret, finding, buf_text(&source), buf_text(&observed),
			buf_text(&law), buf_text(&grown));
	buf_clear(&source);
	buf_clear(&observed);
	name_line(before, &source);
	buf_addf(&observed, "UDMA_CRC_Error_Count %lld", (long long)before->crc_errors);
	links_cite_before(links, finding, buf_text(&source), buf_text(&observed));
}

static void say_grown(struct links *links, const char *name, const struct drive_link *now,
		      const struct drive_link *before)
{
	struct finding *finding =
		result_find(links->now.ret, "crc-grown", VERDICT_FAIL, "%s", name);

	result_say(links->now.ret, finding,
		   _("The CRC errors of %s have grown from %lld to %lld: data is being damaged on "
		     "its cable."),
		   name, (long long)before->crc_errors, (long long)now->crc_errors);
	result_remedy(links->now.ret, finding, "%s",
		      _("Power off, seat both plugs of its data cable, or change it. If the count "
			"may have grown before the work, capture now and compare again after some "
			"traffic."));
	cite_crc(links, finding, now, before);
}

static void say_not_grown(struct links *links, const char *name, const struct drive_link *now,
			  const struct drive_link *before)
{
	struct finding *finding =
		result_find(links->now.ret, "crc-unchanged", VERDICT_PASS, "%s", name);

	result_say(links->now.ret, finding, _("The CRC errors of %s have not grown: %lld."), name,
		   (long long)now->crc_errors);
	cite_crc(links, finding, now, before);
}

static bool is_counted(const struct drive_link *drive)
{
	return drive && drive->crc_errors >= 0;
}

/* A drive that tells its attributes and has no such count has nothing to compare. */
static bool keeps_no_count(const struct drive_link *drive)
{
	if (!drive || drive->smart->gap != SMART_TOLD)
		return false;
	for (size_t i = 0; i < drive->smart->n_attributes; i++)
		if (drive->smart->attributes[i].kind == SMART_CRC)
			return false;
	return drive->smart->n_attributes > 0;
}

static const char *why_no_count(const struct drive_link *drive)
{
	if (drive && drive->smart->why_not)
		return drive->smart->why_not;
	return drive && drive->why_not ? drive->why_not : _("no count of CRC errors");
}

static void cite_no_count(struct links *links, struct finding *finding,
			  const struct drive_link *now)
{
	result_evidence(links->now.ret, finding, now && now->source ? now->source : "smartctl",
			why_no_count(now), NULL, NULL);
}

static void say_crc_unknown(struct links *links, const char *name, const struct drive_link *now)
{
	struct finding *finding =
		result_find(links->now.ret, "crc-unknown", VERDICT_UNKNOWN, "%s", name);

	result_say(links->now.ret, finding,
		   _("Whether the CRC errors of %s have grown is not known: no count is told now."),
		   name);
	result_remedy(links->now.ret, finding, "%s",
		      now && now->remedy ? now->remedy
					 : _("Install smartmontools and run coldswap as root."));
	cite_no_count(links, finding, now);
}

/* What was not counted before cannot be made up for now, but for the next time. */
static void say_none_recorded(struct links *links, const char *name, const struct drive_link *now,
			      const struct drive_link *before)
{
	struct finding *finding =
		result_find(links->now.ret, "crc-unknown", VERDICT_UNKNOWN, "%s", name);

	if (is_counted(now))
		result_say(links->now.ret, finding,
			   _("Whether the CRC errors of %s have grown is not known: no count was "
			     "recorded before."),
			   name);
	else
		result_say(links->now.ret, finding,
			   _("Whether the CRC errors of %s have grown is not known: no count was "
			     "recorded before, and none is told now."),
			   name);
	result_remedy(links->now.ret, finding, "%s",
		      _("Capture now, as root and with smartmontools installed; put some traffic "
			"on the disk and verify against that capture."));
	if (!is_counted(now))
		cite_no_count(links, finding, now);
	links_cite_before(links, finding,
			  before->smart->source ? before->smart->source : "smartctl",
			  why_no_count(before));
}

/* smartctl's document may be of another drive than the one that has this name. */
static bool of_two_drives(const struct drive_link *now, const struct drive_link *before)
{
	const char *a = now->smart ? now->smart->serial : NULL;
	const char *b = before->smart ? before->smart->serial : NULL;

	return a && b && strcmp(a, b) != 0;
}

static void say_two_drives(struct links *links, const char *name, const struct drive_link *now,
			   const struct drive_link *before)
{
	struct finding *finding =
		result_find(links->now.ret, "crc-unknown", VERDICT_UNKNOWN, "%s", name);

	result_say(
		links->now.ret, finding,
		_("Whether the CRC errors of %s have grown is not known: smartctl's words are of "
		  "two drives, %s before and %s now."),
		name, before->smart->serial, now->smart->serial);
	result_remedy(links->now.ret, finding, "%s",
		      _("Capture the host again, or look by hand: smartctl -x."));
	result_evidence(links->now.ret, finding, now->source, now->smart->serial, NULL, NULL);
	links_cite_before(links, finding, before->source, before->smart->serial);
}

static void judge_pair(struct links *links, const struct disk_pair *pair)
{
	const struct drive_link *before = portmap_drive(links->before.map, pair->before);
	const struct drive_link *now = pair->now ? portmap_drive(links->now.map, pair->now) : NULL;

	/* What was off SATA, or is now, has no such count. */
	if (!pair->now || pair->now->bus != BUS_ATA || !before ||
	    (keeps_no_count(before) && keeps_no_count(now)))
		return;
	AUTO_FREE char *name = disk_name(&links->now, pair->now);
	if (!is_counted(before))
		say_none_recorded(links, name, now, before);
	else if (!is_counted(now))
		say_crc_unknown(links, name, now);
	else if (of_two_drives(now, before))
		say_two_drives(links, name, now, before);
	else if (now->crc_errors > before->crc_errors)
		say_grown(links, name, now, before);
	else
		say_not_grown(links, name, now, before);
}

void links_judge_crc(struct links *links)
{
	if (!links_compare(links)) {
		links_say_nothing_recorded(links, _("CRC errors"));
		return;
	}
	for (size_t i = 0; i < links->n_pairs; i++)
		judge_pair(links, &links->pairs[i]);
}

/* ---- this boot's log -------------------------------------------------------------- */

/* Were there errors of the same disk in the boot before, or can that not be told? */
static bool had_errors(const struct links *links, const struct block *disk)
{
	const struct disk_pair *pair = links_pair_of(links, disk);
	const struct port *port;

	if (!pair || !links->before.map->log_complete)
		return true;
	port = portmap_port_of(links->before.map, pair->before, NULL);
	return !port || port->errors > 0 || port->slowed;
}

static void judge_port(struct links *links, const struct controller *controller,
		       const struct port *port)
{
	bool grown;

	if (port->n_disks == 0 || (port->errors == 0 && !port->slowed))
		return;
	grown = links_compare(links) && !had_errors(links, port->disks[0]);
	struct finding *finding =
		result_find(links->now.ret, "link-errors", grown ? VERDICT_FAIL : VERDICT_WARN,
			    "port %u of %s", port->index, controller->address);
	AUTO_FREE char *name = disk_name(&links->now, port->disks[0]);
	if (grown)
		result_say(links->now.ret, finding,
			   _("The link of %s has errors in this boot, and had none before."), name);
	else
		result_say(links->now.ret, finding, _("The link of %s has errors in this boot."),
			   name);
	result_remedy(links->now.ret, finding, "%s",
		      _("Power off, seat both plugs of its data cable, or change it."));
	cite_events(&links->now, finding, port, KLOG_ERROR, LINES_MAX);
	cite_events(&links->now, finding, port, KLOG_SLOWED, 1);
}

static bool any_disk(const struct portmap *map)
{
	return map->n_drives > 0;
}

static void say_incomplete(struct links *links)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct portmap *map = links->now.map;
	const struct klog *klog;
	struct finding *finding =
		result_find(links->now.ret, "log-incomplete", VERDICT_UNKNOWN, "kernel log");

	result_say(links->now.ret, finding,
		   _("Whether the links have had errors in this boot is not known: %s."),
		   map->log_why_not);
	if (facts_klog(links->now.step->facts, &klog, &why) < 0 && why.hint)
		result_remedy(links->now.ret, finding, "%s", why.hint);
	else
		result_remedy(links->now.ret, finding, "%s",
			      _("Read the log of the boot from the journal as root, or boot once "
				"more and run coldswap before the log is full."));
	result_evidence(links->now.ret, finding, map->klog ? map->klog->source : "kernel log",
			map->log_why_not, NULL, NULL);
}

void links_judge_log(struct links *links)
{
	const struct portmap *map = links->now.map;

	for (size_t i = 0; i < map->n; i++)
		for (size_t j = 0; j < map->controllers[i].n_ports; j++)
			judge_port(links, &map->controllers[i], &map->controllers[i].ports[j]);
	if (any_disk(map) && !map->log_complete)
		say_incomplete(links);
}
