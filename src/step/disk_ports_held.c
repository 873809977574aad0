/* SPDX-License-Identifier: MIT */
/* The ports as they are: links below what they could be, masks, the log, errors. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/disk_ports.h"

#define LINES_MAX 4

/* ---- held back ------------------------------------------------------------ */

/* One row a cause; the sentence takes the disk, its link and what could be. */
static const struct {
	const char *id;
	enum verdict verdict;
	const char *summary, *remedy;
} held_rows[] = {
	[HELD_PORT] = { "held-back-by-port", VERDICT_WARN,
			N_("The link of %s runs at %.1f Gb/s where drive and controller could do "
			   "%.1f: "
			   "the port holds it back."),
			NULL },
	[HELD_CABLE] = { "held-back-by-cable", VERDICT_WARN,
			 N_("The link of %s has errors and runs at %.1f Gb/s where %.1f is "
			    "possible: "
			    "cable or plugs are at fault."),
			 N_("Change the cable and seat both plugs before any swap; then see that "
			    "the "
			    "CRC count stops growing.") },
	[HELD_SOFTWARE] = { "limited-by-software", VERDICT_WARN,
			    N_("The link of %s is held to %.1f Gb/s by a limit in force, where "
			       "%.1f is "
			       "possible."),
			    N_("Look for libata.force on the kernel's command line and for a SATA "
			       "speed in the firmware's setup; a swap does not mend it.") },
	[HELD_DRIVE] = { NULL, VERDICT_PASS, NULL, NULL },
	[HELD_UNKNOWN] = { "drive-unknown", VERDICT_UNKNOWN,
			   N_("The link of %s runs at %.1f Gb/s where %.1f is possible, and "
			      "whether "
			      "port or cable is at fault is not known."),
			   NULL },
};

static const char *const slowed_summary = N_(
	"The kernel slowed the link of %s down to %.1f Gb/s after errors, where %.1f is possible.");
static const char *const slowed_remedy =
	N_("Change the cable and seat both plugs before any swap; the kernel's limit is gone after "
	   "the next boot.");

/* What smartctl said of the link, on the line that says it. */
static void cite_drive(struct board *board, struct finding *finding, const struct drive_link *drive,
		       unsigned line, bool crc)
{
	AUTO_BUF source = BUF_INIT;
	AUTO_BUF observed = BUF_INIT;

	if (drive == NULL || drive->source == NULL)
		return;
	buf_adds(&source, drive->source);
	if (line != 0 && drive->source[0] != '\0' && strstr(drive->source, ".json") != NULL)
		buf_addf(&source, ":%u", line);
	if (crc)
		buf_addf(&observed, "UDMA_CRC_Error_Count %lld", (long long)drive->crc_errors);
	else
		buf_addf(&observed, "max %.1f Gb/s, current %.1f Gb/s", generation_gbps(drive->max),
			 generation_gbps(drive->current));
	result_evidence(board->ret, finding, buf_text(&source), buf_text(&observed), NULL, NULL);
}

/* The options of this disk, each with its law. */
static void cite_options(struct board *board, struct finding *finding, const struct block *disk)
{
	for (size_t i = 0; i < board->advice->n_options; i++) {
		const struct advice_option *option = &board->advice->options[i];

		if (option->disk == disk)
			result_evidence(board->ret, finding,
					option->source != NULL ? option->source : _("port map"),
					option->why, option->formula, option->derived);
	}
}

static void advise(struct board *board, struct finding *finding, const struct block *disk)
{
	const struct advice_option *best = NULL;

	for (size_t i = 0; best == NULL && i < board->advice->n_options; i++)
		if (board->advice->options[i].advised && board->advice->options[i].disk == disk)
			best = &board->advice->options[i];
	if (best == NULL) {
		result_remedy(
			board->ret, finding, "%s",
			_("Leave it as it is, or name the work yourself: no port or trade can be "
			  "advised; `coldswap ports` tells why."));
		return;
	}
	AUTO_FREE char *name = disk_name(board, disk);
	AUTO_FREE char *other = best->other != NULL ? disk_name(board, best->other) : NULL;
	if (best->other != NULL)
		result_remedy(board->ret, finding, _("Swap the cables of %s and %s."), name, other);
	else
		result_remedy(board->ret, finding, _("Move the cable of %s to port %u of %s."),
			      name, best->port->index, best->controller->address);
}

static void say_held(struct board *board, struct finding *finding, const struct held_back *held,
		     const char *sentence)
{
	AUTO_FREE char *name = disk_name(board, held->disk);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	result_say(board->ret, finding, _(sentence), name, generation_gbps(held->port->link),
		   generation_gbps(held->could_be));
#pragma GCC diagnostic pop
}

static void judge_one_held(struct board *board, const struct held_back *held)
{
	const struct drive_link *drive = portmap_drive(board->map, held->disk);
	bool slowed = held->cause == HELD_SOFTWARE && held->port->slowed;
	const char *id = slowed ? "slowed-by-errors" : held_rows[held->cause].id;

	if (id == NULL || held->deliberate)
		return;
	struct finding *finding =
		result_find(board->ret, id, held_rows[held->cause].verdict, "port %u of %s",
			    held->port->index, held->controller->address);
	say_held(board, finding, held, slowed ? slowed_summary : held_rows[held->cause].summary);
	if (slowed || held_rows[held->cause].remedy != NULL)
		result_remedy(board->ret, finding, "%s",
			      _(slowed ? slowed_remedy : held_rows[held->cause].remedy));
	if (slowed)
		cite_events(board, finding, held->port, KLOG_SLOWED, LINES_MAX);
	cite_link(board, finding, held->port, held->formula, held->derived);
	if (slowed || held->cause == HELD_CABLE)
		cite_events(board, finding, held->port, KLOG_ERROR, LINES_MAX);
	if (held->cause == HELD_CABLE && drive != NULL && drive->crc_errors > 0)
		cite_drive(board, finding, drive, drive->crc_line, true);
	if (held->cause == HELD_PORT) {
		cite_drive(board, finding, drive, drive != NULL ? drive->current_line : 0, false);
		cite_options(board, finding, held->disk);
		advise(board, finding, held->disk);
	}
	if (held->cause == HELD_UNKNOWN)
		result_remedy(board->ret, finding, "%s",
			      drive != NULL && drive->remedy != NULL
				      ? drive->remedy
				      : _("Make the kernel log readable from the boot on."));
}

/* A link below the controller's speed, of a drive whose own speed nobody tells. */
static void judge_untold(struct board *board, const struct drive_link *drive)
{
	const struct controller *controller;
	const struct port *port = portmap_port_of(board->map, drive->disk, &controller);
	AUTO_BUF law = BUF_INIT;

	if (drive->max != 0 || port == NULL || port->multiplier || port->link == 0 ||
	    port->link >= controller_capability(controller))
		return;
	struct finding *finding = result_find(board->ret, "drive-unknown", VERDICT_UNKNOWN,
					      "port %u of %s", port->index, controller->address);
	AUTO_FREE char *name = disk_name(board, drive->disk);
	result_say(board->ret, finding,
		   _("%s runs at %.1f Gb/s where its controller could do %.1f; what the drive "
		     "could do "
		     "is not told."),
		   name, generation_gbps(port->link),
		   generation_gbps(controller_capability(controller)));
	result_remedy(board->ret, finding, "%s",
		      drive->remedy != NULL ? drive->remedy
					    : _("Install smartmontools and run coldswap as root."));
	buf_addf(&law, "could = min(drive ?, controller %.1f); link = %.1f Gb/s",
		 generation_gbps(controller_capability(controller)), generation_gbps(port->link));
	cite_link(board, finding, port, buf_text(&law), _("not known"));
	if (drive->why_not != NULL)
		result_evidence(board->ret, finding, "smartctl", drive->why_not, NULL, NULL);
}

/* ---- ports outside the mask ------------------------------------------------ */

/* "1, 2, 4" of the ports that are not implemented; their number. */
static size_t list_dummies(const struct controller *controller, struct buf *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < controller->n_ports; i++)
		if (controller->ports[i].implemented == TRI_NO) {
			buf_addf(ret, "%s%u", n > 0 ? ", " : "", controller->ports[i].index);
			n++;
		}
	return n;
}

static void judge_disabled(struct board *board, const struct controller *controller)
{
	AUTO_BUF ports = BUF_INIT;
	AUTO_BUF law = BUF_INIT;
	bool cited = false;

	if (controller->mask_phantom || list_dummies(controller, &ports) == 0)
		return;
	struct finding *finding =
		result_find(board->ret, "maybe-disabled", VERDICT_WARN, _("ports %s of %s"),
			    buf_text(&ports), controller->address);
	result_say(board->ret, finding, "%s",
		   _("Outside the mask: not wired, or only switched off in the firmware's setup."));
	result_remedy(
		board->ret, finding, "%s",
		_("Look into the firmware's SATA settings before any exchange: a free fast port "
		  "needs one cable only."));
	if (controller->mask_known)
		buf_addf(&law, "bits %s of mask 0x%x are clear", buf_text(&ports),
			 controller->mask);
	for (size_t i = 0; i < controller->n_ports; i++) {
		const struct port *port = &controller->ports[i];

		if (port->implemented != TRI_NO || port->dummy_line == 0)
			continue;
		cite_line(board, finding, port->dummy_line,
			  cited || law.len == 0 ? NULL : buf_text(&law), NULL);
		cited = true;
	}
	if (!cited)
		cite_mask(board, finding, controller, buf_text(&law), NULL);
}

void judge_held(struct board *board)
{
	bool by_port = false;

	for (size_t i = 0; i < board->advice->n_held; i++) {
		judge_one_held(board, &board->advice->held[i]);
		by_port = by_port || board->advice->held[i].cause == HELD_PORT;
	}
	for (size_t i = 0; i < board->map->n_drives; i++)
		judge_untold(board, &board->map->drives[i]);
	if (!by_port || board->advice->action == ADVICE_MOVE)
		return;
	for (size_t i = 0; i < board->map->n; i++)
		judge_disabled(board, &board->map->controllers[i]);
}

void judge_masks(struct board *board)
{
	for (size_t i = 0; i < board->map->n; i++) {
		const struct controller *controller = &board->map->controllers[i];
		unsigned implemented = (unsigned)__builtin_popcount(controller->mask);
		AUTO_BUF law = BUF_INIT;
		AUTO_BUF derived = BUF_INIT;

		if (!controller->mask_phantom)
			continue;
		struct finding *finding = result_find(board->ret, "phantom-mask", VERDICT_WARN,
						      "%s", controller->address);
		result_say(board->ret, finding,
			   _("%s announces %u ports, more than its chip has sockets; only its "
			     "first %u "
			     "are taken for real."),
			   controller->address, implemented, controller->sockets);
		result_remedy(board->ret, finding,
			      _("Count the sockets on the card; take no port behind the first %u."),
			      controller->sockets);
		if (controller->sockets_by_id)
			buf_addf(&law, "ones of mask 0x%x = %u; sockets of this chip = %u",
				 controller->mask, implemented, controller->sockets);
		else
			buf_addf(
				&law,
				"ones of mask 0x%x = %u > 8; sockets = run of ones from bit 0 = %u",
				controller->mask, implemented, controller->sockets);
		buf_addf(&derived, "ports 0 to %u are real", controller->sockets - 1);
		cite_mask(board, finding, controller, buf_text(&law), buf_text(&derived));
	}
}

/* ---- the log ---------------------------------------------------------------- */

static bool lacks_mask(const struct controller *controller)
{
	return controller->ahci && !controller->mask_known;
}

static void say_incomplete(struct board *board, const char *subject, const char *reason)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct klog *klog;
	struct finding *finding =
		result_find(board->ret, "log-incomplete", VERDICT_UNKNOWN, "%s", subject);

	result_say(board->ret, finding,
		   _("Which ports are wired, and what is behind a link that is down, is not known: "
		     "%s."),
		   reason);
	if (facts_klog(board->step->facts, &klog, &why) < 0 && why.hint != NULL)
		result_remedy(board->ret, finding, "%s", why.hint);
	else if (!board->map->log_complete)
		result_remedy(
			board->ret, finding, "%s",
			_("Read the log of the boot from the journal as root, or boot once more "
			  "and run coldswap before the log is full."));
	else
		result_remedy(board->ret, finding, "%s",
			      _("Boot once more with the kernel's messages kept, and run coldswap "
				"again."));
	result_evidence(board->ret, finding,
			board->map->klog != NULL ? board->map->klog->source : "kernel log", reason,
			NULL, NULL);
}

/* Masks and the state of empty ports stand in the log alone. */
void judge_log(struct board *board)
{
	if (!board->map->log_complete) {
		say_incomplete(board, "kernel log", board->map->log_why_not);
		return;
	}
	for (size_t i = 0; i < board->map->n; i++)
		if (lacks_mask(&board->map->controllers[i]))
			say_incomplete(board, board->map->controllers[i].address,
				       _("the kernel log has no line with the controller's mask"));
}

/* ---- errors of links at full speed -------------------------------------------- */

static bool is_held(const struct advice *advice, const struct port *port)
{
	for (size_t i = 0; i < advice->n_held; i++)
		if (advice->held[i].port == port)
			return true;
	return false;
}

static void judge_errors_of(struct board *board, const struct controller *controller,
			    const struct port *port)
{
	if (port->errors == 0 || port->n_disks == 0 || is_held(board->advice, port))
		return;
	struct finding *finding = result_find(board->ret, "link-errors", VERDICT_WARN,
					      "port %u of %s", port->index, controller->address);
	AUTO_FREE char *name = disk_name(board, port->disks[0]);
	result_say(board->ret, finding,
		   PLURAL("The link of %s has had %u error in this boot.",
			  "The link of %s has had %u errors in this boot.", port->errors),
		   name, port->errors);
	result_remedy(
		board->ret, finding, "%s",
		_("Change its cable while the machine is open, and see that the CRC count stops "
		  "growing."));
	cite_events(board, finding, port, KLOG_ERROR, LINES_MAX);
}

void judge_errors(struct board *board)
{
	for (size_t i = 0; i < board->map->n; i++)
		for (size_t j = 0; j < board->map->controllers[i].n_ports; j++)
			judge_errors_of(board, &board->map->controllers[i],
					&board->map->controllers[i].ports[j]);
}
