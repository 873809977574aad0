/* SPDX-License-Identifier: MIT */
/* Links of udev: by-path names follow the port, by-id names the disk and its bus. */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "work/names_fate.h"

/* A disk's number behind a port: udev writes 0 for one without a multiplier too. */
static int channel(int pmp)
{
	return pmp < 0 ? 0 : pmp;
}

static bool stands_for(const struct by_path *socket, const struct place_after *after)
{
	if (!after->present || after->bus != BUS_ATA || !after->controller ||
	    after->port != socket->port || strcmp(after->controller, socket->controller) != 0)
		return false;
	return socket->whole_port || (channel(after->pmp) == channel(socket->pmp) &&
				      channel(after->device) == channel(socket->device));
}

/*
 * Who is plugged in there after the work.  Two disks on one port without a
 * multiplier cannot be: the port was taken to be free for the one that moves.
 */
static size_t occupants(const struct simulation *sim, const struct by_path *socket,
			const struct block **ret)
{
	const struct block *moved = NULL;
	bool multiplier = false;
	size_t n = 0;

	for (size_t i = 0; i < sim->blocks->n; i++) {
		const struct block *disk = sim->blocks->items[i];
		struct place_after after;

		if (!block_is_disk(disk))
			continue;
		work_place_after(sim->work, disk, &after);
		if (!stands_for(socket, &after))
			continue;
		multiplier |= after.pmp >= 0;
		if (after.moved)
			moved = disk;
		if (!n++)
			*ret = disk;
	}
	if (n < 2 || multiplier || !moved)
		return n;
	*ret = moved;
	return 1;
}

static const struct block *partition_of(const struct blocks *blocks, const struct block *disk,
					unsigned number)
{
	if (!number)
		return disk;
	for (size_t i = 0; i < blocks->n; i++)
		if (blocks->items[i]->disk == disk && blocks->items[i]->partition == number)
			return blocks->items[i];
	return NULL;
}

/* The device that carries the link knows its socket better than the link's text. */
static void socket_of_device(const struct block *device, struct by_path *socket)
{
	const struct place *place = &device->disk->place;

	if (device->disk->bus != BUS_ATA || place->port < 0)
		return;
	socket->port = place->port;
	socket->pmp = place->pmp;
	socket->device = place->device;
}

static int nobody_is_there(struct simulation *sim, struct error *err)
{
	AUTO_FREE char *device = NULL;
	struct place_after after;

	if (!sim->ret->n_before)
		return fate_set(sim, FATE_ABSENT, err, _("no device has the name %s today"),
				sim->name->path);
	device = fate_device(sim->ret->before[0]);
	work_place_after(sim->work, sim->ret->before[0]->disk, &after);
	if (after.present && !after.moved) /* where it is was not told; it stays there */
		return fate_of_presence(sim, err);
	if (!after.present)
		return fate_set(sim, FATE_REMOVED, err,
				_("today it is %s, whose disk is taken out by the work"), device);
	return fate_set(sim, FATE_NOTHING, err,
			_("today it is %s; after the work no disk is on that port"), device);
}

static int somebody_is_there(struct simulation *sim, const struct block *disk, unsigned number,
			     struct error *err)
{
	AUTO_FREE char *today = NULL, *then = NULL;
	const struct block *device = partition_of(sim->blocks, disk, number);

	sim->ret->after = device;
	then = fate_device(device ? device : disk);
	if (!sim->ret->n_before)
		return fate_set(sim, FATE_ABSENT, err,
				_("no device has this name today; after the work %s is on that "
				  "port"),
				then);
	if (device && device == sim->ret->before[0])
		return fate_set(sim, FATE_SAME, err, _("it is %s today and after the work"), then);
	today = fate_device(sim->ret->before[0]);
	if (!device)
		return fate_set(sim, FATE_NOTHING, err,
				_("today it is %s; after the work %s is on that port, which has no "
				  "partition %u"),
				today, then, number);
	return fate_set(sim, FATE_OTHER_DISK, err,
			_("today it is %s; after the work it is what is %s today"), today, then);
}

static int shared_link(struct simulation *sim, struct error *err)
{
	AUTO_BUF names = BUF_INIT;

	for (size_t i = 0; i < sim->ret->n_before && i < ELEMENTS(sim->ret->before); i++)
		buf_addf(&names, "%s%s/%s", i ? ", " : "", PATH_DEV, sim->ret->before[i]->name);
	return fate_set(sim, FATE_SHARED_PORT, err,
			_("%zu devices claim this name today (%s); it belongs to whichever udev "
			  "handled last"),
			sim->ret->n_before, buf_text(&names));
}

/* A slot that the work knows no other disk for: it is left, or it is not. */
static int fate_of_slot(struct simulation *sim, struct error *err)
{
	AUTO_FREE char *device = NULL;
	struct place_after after;
	int r = fate_of_presence(sim, err);

	if (r < 0 || sim->ret->fate != FATE_SAME || !sim->ret->before[0]->disk)
		return r;
	work_place_after(sim->work, sim->ret->before[0]->disk, &after);
	if (!after.moved)
		return 0;
	device = fate_device(sim->ret->before[0]);
	sim->ret->after = NULL;
	return fate_set(sim, FATE_NOTHING, err,
			_("today it is %s; after the work the disk is on another port"), device);
}

int fate_of_by_path(struct simulation *sim, struct error *err)
{
	const struct block *disk = NULL;
	struct by_path socket = { 0 };
	size_t n;
	int r;

	fate_look_up(sim);
	if (sim->ret->n_before > 1)
		return shared_link(sim, err);
	r = by_path_parse(sim->name->path, &socket);
	if (r < 0)
		return error_oom(err);
	if (r == 0 || (sim->ret->n_before && sim->ret->before[0]->optical)) {
		by_path_done(&socket);
		return fate_of_slot(sim, err);
	}
	if (sim->ret->n_before)
		socket_of_device(sim->ret->before[0], &socket);
	n = occupants(sim, &socket, &disk);
	if (n > 1)
		r = fate_set(sim, FATE_SHARED_PORT, err,
			     _("after the work %zu disks behind one port claim this name"), n);
	else if (n == 1)
		r = somebody_is_there(sim, disk, socket.partition, err);
	else
		r = nobody_is_there(sim, err);
	by_path_done(&socket);
	return r;
}

/* By-id names that say how a disk is attached; wwn-, dm- and md- names do not. */
static const struct {
	const char *prefix;
	enum bus bus;
} bus_prefixes[] = {
	{ "ata-", BUS_ATA },
	{ "usb-", BUS_USB },
	{ "scsi-", BUS_SCSI },
};

static bool loses_its_prefix(const char *path, enum bus after)
{
	const char *name = strrchr(path, '/') + 1;

	for (size_t i = 0; i < ELEMENTS(bus_prefixes); i++)
		if (strncmp(name, bus_prefixes[i].prefix, strlen(bus_prefixes[i].prefix)) == 0)
			return bus_prefixes[i].bus != after;
	return false;
}

static int several_have_the_id(struct simulation *sim, struct error *err)
{
	const struct block *left = NULL;
	AUTO_BUF names = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < sim->ret->n_before && i < ELEMENTS(sim->ret->before); i++) {
		AUTO_FREE char *device = fate_device(sim->ret->before[i]);

		buf_addf(&names, "%s%s", i ? ", " : "", device);
		if (survival_of(sim, sim->ret->before[i]) == SURVIVES_NOT)
			continue;
		left = sim->ret->before[i];
		n++;
	}
	sim->ret->after = n == 1 ? left : NULL;
	if (n == 0)
		return fate_set(sim, FATE_REMOVED, err, _("%s have it and are taken out"),
				buf_text(&names));
	if (n == 1)
		return fate_set(sim, FATE_SAME, err, _("after the work one device has it: %s/%s"),
				PATH_DEV, left->name);
	return fate_set(sim, FATE_AMBIGUOUS, err,
			_("%s have the same name; which of them it means is a matter of chance"),
			buf_text(&names));
}

int fate_of_by_id(struct simulation *sim, struct error *err)
{
	const struct block *disk;
	struct place_after after;
	int r;

	fate_look_up(sim);
	if (sim->ret->n_before > 1)
		return several_have_the_id(sim, err);
	r = fate_of_presence(sim, err);
	if (r < 0 || sim->ret->fate != FATE_SAME)
		return r;
	disk = sim->ret->before[0]->disk;
	if (!disk || !block_is_disk(disk))
		return 0;
	work_place_after(sim->work, disk, &after);
	if (!after.moved || after.bus == disk->bus || !loses_its_prefix(sim->name->path, after.bus))
		return 0;
	return fate_set(sim, FATE_BUS_CHANGE, err,
			_("today %s/%s is attached by %s; after the work it is by %s, and udev "
			  "gives it a name with another prefix"),
			PATH_DEV, sim->ret->before[0]->name, bus_name(disk->bus),
			bus_name(after.bus));
}
