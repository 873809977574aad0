/* SPDX-License-Identifier: MIT */
/*
 * disk.ports: is any disk held back by its port, and do the ports of the
 * planned work exist, work and suit?
 */
#include "step/disk_ports.h"

#include <errno.h>
#include <stdio.h>

#include "base/intl.h"
#include "probe/paths.h"

#define DISKS_CITED 8

static const struct param_row params[] = { { 0 } };

static int describe(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret,
			_("see which disks their ports hold back, and whether the ports of the "
			  "work can take its disks"));
}

static size_t count_ports(const struct portmap *map)
{
	size_t n = 0;

	for (size_t i = 0; i < map->n; i++)
		n += map->controllers[i].n_ports;
	return n;
}

static size_t count_held(const struct advice *advice)
{
	size_t n = 0;

	for (size_t i = 0; i < advice->n_held; i++)
		n += !advice->held[i].deliberate;
	return n;
}

static void put_advice(struct board *board)
{
	const struct advice *advice = board->advice;
	AUTO_BUF text = BUF_INIT;

	if (advice->action == ADVICE_NONE) {
		result_output_string(board->ret, "advice", "none");
		return;
	}
	AUTO_FREE char *first = disk_name(board, advice->disks[0]);
	AUTO_FREE char *second =
		advice->action == ADVICE_SWAP ? disk_name(board, advice->disks[1]) : NULL;
	if (advice->action == ADVICE_SWAP)
		buf_addf(&text, "swap %s and %s", first, second);
	for (size_t i = 0; advice->action == ADVICE_MOVE && i < advice->n_options; i++)
		if (advice->options[i].advised)
			buf_addf(&text, "move %s to port %u of %s", first,
				 advice->options[i].port->index,
				 advice->options[i].controller->address);
	result_output_string(board->ret, "advice", buf_text(&text));
}

static void say_read(struct board *board)
{
	struct finding *finding =
		result_find(board->ret, "ports-read", VERDICT_PASS, "%s", _("port map"));
	size_t n = count_ports(board->map);

	result_say(board->ret, finding,
		   PLURAL("%zu SATA port was read; controllers: %zu.",
			  "%zu SATA ports were read; controllers: %zu.", n),
		   n, board->map->n);
	for (size_t i = 0; i < board->map->n; i++) {
		const struct controller *controller = &board->map->controllers[i];
		AUTO_BUF law = BUF_INIT;
		AUTO_BUF ports = BUF_INIT;

		if (!controller->mask_known)
			continue;
		for (unsigned bit = 0; bit < 32; bit++)
			if ((controller->mask >> bit & 1) != 0)
				buf_addf(&ports, "%s%u", ports.len > 0 ? ", " : "", bit);
		buf_addf(&law, "bit N of mask 0x%x set = port N implemented", controller->mask);
		cite_mask(board, finding, controller, buf_text(&law), buf_text(&ports));
	}
}

static void summarise(struct board *board)
{
	size_t held = count_held(board->advice);
	size_t ports = count_ports(board->map);
	bool whole = board->ret->verdict < VERDICT_UNKNOWN;

	result_output_int(board->ret, "held_back", (int64_t)held);
	if (held == 0 && !whole) {
		result_summary(board->ret,
			       PLURAL("%zu SATA port; the port map is not whole.",
				      "%zu SATA ports; the port map is not whole.", ports),
			       ports);
		return;
	}
	if (held == 0) {
		result_summary(board->ret,
			       PLURAL("%zu SATA port; no disk is held back by it.",
				      "%zu SATA ports; no disk is held back by its port.", ports),
			       ports);
		return;
	}
	const struct held_back *first = NULL;
	for (size_t i = 0; first == NULL && i < board->advice->n_held; i++)
		if (!board->advice->held[i].deliberate)
			first = &board->advice->held[i];
	AUTO_FREE char *name = disk_name(board, first->disk);
	if (held == 1)
		result_summary(board->ret,
			       _("%zu SATA ports; %s runs at %.1f Gb/s where %.1f is possible."),
			       ports, name, generation_gbps(first->port->link),
			       generation_gbps(first->could_be));
	else
		result_summary(
			board->ret,
			_("%zu SATA ports; %zu disks run slower than they could, the first is %s."),
			ports, held, name);
}

/* Where the disks are plugged in, since it is not SATA. */
static void cite_disks(struct board *board, struct finding *finding)
{
	const struct blocks *blocks = board->step->work->blocks;
	size_t n = 0;

	for (size_t i = 0; i < blocks->n && n < DISKS_CITED; i++) {
		const struct block *disk = blocks->items[i];
		AUTO_BUF source = BUF_INIT;

		if (!block_is_disk(disk))
			continue;
		buf_addf(&source, "%s/%s", PATH_CLASS_BLOCK, disk->name);
		result_evidence(board->ret, finding, buf_text(&source), bus_name(disk->bus), NULL,
				NULL);
		n++;
	}
}

static void run_without_sata(struct board *board)
{
	struct finding *finding;

	judge_gaps(board);
	if (board->ret->n_findings > 0) {
		result_summary(board->ret, "%s", _("The port map is not whole."));
		return;
	}
	finding = result_find(board->ret, "no-sata", VERDICT_PASS, "SATA");

	result_say(board->ret, finding, "%s", _("This host has no SATA port to exchange."));
	result_evidence(board->ret, finding, PATH_CLASS_ATA_PORT, _("no SATA port"), NULL, NULL);
	cite_disks(board, finding);
	result_summary(board->ret, "%s", _("No SATA port to exchange."));
	result_output_int(board->ret, "held_back", 0);
	result_output_string(board->ret, "advice", "none");
	judge_work(board);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(cleanup_advice) struct advice *advice = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct board board = { .step = step, .ret = ret };

	(void)data;
	int r = facts_portmap(step->facts, &board.map, &why);
	if (r == 0)
		r = advice_make(step->facts, &advice, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(ret, "unreadable", _("port map"), NULL, &why);
		result_summary(ret, "%s", _("The ports could not be read."));
		return 0;
	}
	board.advice = advice;
	result_output_bool(ret, "sata", board.map->n > 0);
	if (board.map->n == 0) {
		run_without_sata(&board);
		return board.failed < 0 ? error_oom(err) : 0;
	}
	say_read(&board);
	put_advice(&board);
	judge_gaps(&board);
	judge_held(&board);
	judge_kept_back(&board);
	judge_log(&board);
	summarise(&board);
	judge_masks(&board);
	judge_errors(&board);
	judge_work(&board);
	return board.failed < 0 ? error_oom(err) : 0;
}

const struct kind kind_disk_ports = {
	.name = "disk.ports",
	.class = KIND_CHECK,
	.title = N_("SATA ports and links"),
	.help = N_(
		"Puts the port map together from sysfs, the kernel log, udev and smartctl, tells "
		"which disks run slower than drive and controller could and by whose fault, which "
		"two cables to swap and what that costs, and judges the ports that the planned "
		"work uses."),
	.deadline_s = 60,
	.params = params,
	.outputs = disk_ports_outputs,
	.findings = disk_ports_findings,
	.describe = describe,
	.run = run,
};
