/* SPDX-License-Identifier: MIT */
#include "report/ports_words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "report/ports_disk.h"
#include "work/advice.h"

#define MOUNTS_SHOWN 4

void port_speed(const struct port *port, char *ret, size_t size)
{
	if (port->link == 0)
		snprintf(ret, size, "-");
	else
		snprintf(ret, size, "%.1f Gb/s", generation_gbps(port->link));
}

void bytes_words(int64_t bytes, char *ret, size_t size)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 999.5 && unit + 1 < ELEMENTS(units)) {
		value /= 1000;
		unit++;
	}
	snprintf(ret, size, value < 99.95 && unit > 0 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

bool ports_are_alike(const struct port *a, const struct port *b)
{
	return a->n_disks == 0 && b->n_disks == 0 && a->optical == NULL && b->optical == NULL &&
	       a->state == b->state && a->phantom == b->phantom &&
	       a->implemented == b->implemented && port_limit(a) == port_limit(b);
}

static const char *nothing_words(const struct port *port)
{
	static const char *const words[] = {
		[PORT_UNKNOWN] = N_("not known: the kernel log does not tell"),
		[PORT_DUMMY] = N_("not wired, or off in the firmware's setup (DUMMY)"),
		[PORT_EMPTY] = N_("empty"),
		[PORT_OFFLINE] = N_("switched off (PHY offline)"),
		[PORT_NO_LINK] = N_("a device whose link does not come up"),
		[PORT_UP] = N_("a device that is no disk"),
	};

	if (port->phantom)
		return _("no socket (the chip announces more ports than it has)");
	return _(words[port->state]);
}

static int add_mounts(char *const *mounts, struct buf *line)
{
	size_t n = strv_length(mounts);

	for (size_t i = 0; i < n && i < MOUNTS_SHOWN; i++)
		buf_addf(line, "%s%s", i > 0 ? ", " : "", mounts[i]);
	if (n > MOUNTS_SHOWN)
		buf_addf(line, _(" and %zu more"), n - MOUNTS_SHOWN);
	return buf_error(line);
}

static int add_use(struct facts *facts, const struct block *disk, struct buf *line,
		   struct error *err)
{
	CLEANUP(disk_use_done) struct disk_use use = { 0 };
	char size[24];

	int r = disk_use_load(facts, disk, &use, err);
	if (r < 0)
		return r;
	buf_addf(line, "%s: ", disk->name);
	if (strv_length(use.places) == 0)
		buf_adds(line, _("not mounted"));
	else
		add_mounts(use.places, line);
	if (strv_length(use.places) > 0 && use.used_bytes >= 0) {
		bytes_words(use.used_bytes, size, sizeof(size));
		buf_addf(line, _("; %s used"), size);
	}
	if (use.boot == 1)
		buf_adds(line, _("; boot disk"));
	return buf_error(line);
}

/* What the drive itself says: only what is out of the ordinary. */
static void add_drive(const struct portmap *map, const struct port *port, const struct block *disk,
		      struct buf *line)
{
	const struct drive_link *drive = portmap_drive(map, disk);
	char size[24];

	if (drive == NULL)
		return;
	if (drive->written_bytes >= 0) {
		bytes_words(drive->written_bytes, size, sizeof(size));
		buf_addf(line, _("%s written since boot"), size);
	}
	if (drive->max > port->link && !port->multiplier)
		buf_addf(line, _("%sthe drive could do %.1f Gb/s"), line->len > 0 ? "; " : "",
			 generation_gbps(drive->max));
	if (drive->crc_errors > 0)
		buf_addf(line, _("%s%lld CRC errors"), line->len > 0 ? "; " : "",
			 (long long)drive->crc_errors);
	if (drive->reallocated > 0)
		buf_addf(line, _("%s%lld reallocated sectors"), line->len > 0 ? "; " : "",
			 (long long)drive->reallocated);
}

static int take_line(char ***lines, struct buf *line, struct error *err)
{
	char *text = buf_take(line);

	return text == NULL || strv_take(lines, text) < 0 ? error_oom(err) : 0;
}

static int disk_words(struct facts *facts, const struct portmap *map, const struct port *port,
		      const struct block *disk, char ***lines, struct error *err)
{
	AUTO_FREE char *name = NULL;
	AUTO_BUF use = BUF_INIT;
	AUTO_BUF told = BUF_INIT;

	if (block_describe(disk, &name) < 0 || strv_add(lines, name) < 0)
		return error_oom(err);
	int r = add_use(facts, disk, &use, err);
	if (r == 0)
		r = take_line(lines, &use, err);
	add_drive(map, port, disk, &told);
	if (r == 0 && told.len > 0)
		r = take_line(lines, &told, err);
	return r;
}

int port_words(struct facts *facts, const struct portmap *map, const struct controller *controller,
	       const struct port *port, char ***ret, struct error *err)
{
	AUTO_STRV char **lines = NULL;
	unsigned limit = port_limit(port);
	int r = 0;

	if (port->multiplier && strv_add(&lines, _("port multiplier")) < 0)
		return error_oom(err);
	for (size_t i = 0; r == 0 && i < port->n_disks; i++)
		r = disk_words(facts, map, port, port->disks[i], &lines, err);
	if (r == 0 && port->optical != NULL) {
		AUTO_BUF line = BUF_INIT;

		buf_addf(&line, _("%s: optical drive"), port->optical->name);
		r = take_line(&lines, &line, err);
	} else if (r == 0 && port->n_disks == 0) {
		r = strv_add(&lines, nothing_words(port)) < 0 ? error_oom(err) : 0;
	}
	if (r == 0 && limit != 0 && limit < controller_capability(controller)) {
		AUTO_BUF line = BUF_INIT;

		buf_addf(&line, _("limit in force: %.1f Gb/s"), generation_gbps(limit));
		r = take_line(&lines, &line, err);
	}
	if (r < 0)
		return r;
	*ret = TAKE(lines);
	return 0;
}
