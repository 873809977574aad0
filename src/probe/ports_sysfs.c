/* SPDX-License-Identifier: MIT */
/*
 * Controllers, ports and links by sysfs.
 *
 * The realpath of /sys/class/ata_port/ataN names the controller: it is the
 * component before ataN, whatever bus it is on.  Host numbers tell nothing.
 * port_no counts from 1; libsas shows ports with number 0, which belong to
 * its own expanders and not to a socket.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "probe/ports_load.h"

#define PORTS_MAX 1024

struct controller *ports_add_controller(struct portmap *map, const char *address)
{
	for (size_t i = 0; i < map->n; i++)
		if (strcmp(map->controllers[i].address, address) == 0)
			return &map->controllers[i];
	struct controller *grown =
		reallocarray(map->controllers, map->n + 1, sizeof(*map->controllers));
	if (grown == NULL)
		return NULL;
	map->controllers = grown;
	struct controller *controller = &grown[map->n];
	*controller = (struct controller){ .address = strdup(address) };
	if (controller->address == NULL)
		return NULL;
	map->n++;
	return controller;
}

struct port *ports_add_port(struct controller *controller, unsigned index, unsigned ata)
{
	struct port *grown =
		reallocarray(controller->ports, controller->n_ports + 1, sizeof(*grown));
	if (grown == NULL)
		return NULL;
	controller->ports = grown;
	struct port *port = &grown[controller->n_ports++];
	*port = (struct port){
		.index = index, .ata = ata, .device = -1, .implemented = TRI_UNKNOWN
	};
	return port;
}

/* The text of an attribute below a directory, or NULL where there is none. */
static char *attribute(struct host *host, const char *directory, const char *name)
{
	AUTO_FREE char *path = NULL;
	char *text = NULL;

	if (asprintf(&path, "%s/%s", directory, name) < 0) {
		path = NULL;
		return NULL;
	}
	return host_read_line(host, path, &text, NULL) < 0 ? NULL : text;
}

/* "6.0 Gbps"; "<unknown>" is no link, or no limit. */
static unsigned read_speed(struct host *host, const char *directory, const char *name)
{
	static const char *const speeds[] = { "1.5 Gbps", "3.0 Gbps", "6.0 Gbps" };
	AUTO_FREE char *text = attribute(host, directory, name);

	for (unsigned i = 0; text != NULL && i < ELEMENTS(speeds); i++)
		if (strcmp(text, speeds[i]) == 0)
			return i + 1;
	return 0;
}

static void read_link_speeds(struct host *host, struct port *port)
{
	char link[sizeof(PATH_CLASS_ATA_LINK) + 32];

	snprintf(link, sizeof(link), PATH_CLASS_ATA_LINK "/link%u", port->ata);
	port->link = read_speed(host, link, "sata_spd");
	port->hard_limit = read_speed(host, link, "hw_sata_spd_limit");
	unsigned soft = read_speed(host, link, "sata_spd_limit");
	if (soft != 0 && (port->hard_limit == 0 || soft < port->hard_limit))
		port->soft_limit = soft;
}

static void read_multiplier(struct host *host, struct port *port)
{
	char path[sizeof(PATH_CLASS_ATA_PORT) + 32];
	unsigned links;

	snprintf(path, sizeof(path), PATH_CLASS_ATA_PORT "/ata%u", port->ata);
	AUTO_FREE char *text = attribute(host, path, "nr_pmp_links");
	port->multiplier = text != NULL && parse_unsigned(text, &links) == 0 && links > 0;
}

/* CAP of AHCI: bits 23:20 speed, bit 17 port multipliers. */
static void read_caps(struct host *host, struct controller *controller, const char *ata_path)
{
	AUTO_STRV char **names = NULL;

	if (host_list(host, ata_path, &names, NULL) < 0)
		return;
	for (char **name = names; name != NULL && *name != NULL; name++) {
		AUTO_FREE char *directory = NULL;
		uint64_t caps;

		if (strncmp(*name, "host", 4) != 0 || !isdigit((unsigned char)(*name)[4]))
			continue;
		if (asprintf(&directory, "%s/%s/scsi_host/%s", ata_path, *name, *name) < 0) {
			directory = NULL;
			return;
		}
		AUTO_FREE char *text = attribute(host, directory, "ahci_host_caps");
		if (text == NULL || parse_hex_u64(text, &caps) < 0)
			continue;
		controller->ahci = true;
		controller->generation = (unsigned)(caps >> 20 & 0xf);
		if (controller->generation > 3)
			controller->generation = 0;
		controller->pmp = (caps >> 17 & 1) != 0;
		controller->pmp_known = true;
	}
}

static int read_driver(struct host *host, struct controller *controller, const char *devpath,
		       struct error *err)
{
	AUTO_FREE char *path = NULL, *target = NULL;

	if (controller->driver != NULL)
		return 0;
	if (asprintf(&path, "%s/driver", devpath) < 0) {
		path = NULL;
		return error_oom(err);
	}
	if (host_readlink(host, path, &target, NULL) < 0)
		return 0;
	const char *slash = strrchr(target, '/');
	controller->driver = strdup(slash != NULL ? slash + 1 : target);
	if (controller->driver == NULL)
		return error_oom(err);
	controller->ahci = strncmp(controller->driver, "ahci", 4) == 0 ||
			   strcmp(controller->driver, "acard-ahci") == 0;
	return 0;
}

/* Cut "/.../0000:00:1f.2/ata6/ata_port/ata6" behind its first "/ata6". */
static bool cut_at_port(char *path, const char *name, char **ret_device_end)
{
	size_t len = strlen(name);

	for (char *at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/'))
		if (strncmp(at + 1, name, len) == 0 &&
		    (at[1 + len] == '/' || at[1 + len] == '\0')) {
			at[1 + len] = '\0';
			*ret_device_end = at;
			return at > path;
		}
	return false;
}

static int read_port(struct portmap *map, struct host *host, const char *name, struct error *err)
{
	AUTO_FREE char *path = NULL, *real = NULL, *device = NULL;
	unsigned ata, number;
	char *end;

	if (strncmp(name, "ata", 3) != 0 || parse_unsigned(name + 3, &ata) < 0)
		return 0;
	if (asprintf(&path, PATH_CLASS_ATA_PORT "/%s", name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	AUTO_FREE char *text = attribute(host, path, "port_no");
	if (text == NULL || parse_unsigned(text, &number) < 0 || number == 0 || number > PORTS_MAX)
		return 0;
	int r = host_realpath(host, path, &real, err);
	if (r < 0)
		return r;
	if (!cut_at_port(real, name, &end))
		return 0;
	device = strndup(real, (size_t)(end - real));
	if (device == NULL)
		return error_oom(err);

	const char *address = strrchr(device, '/');
	struct controller *controller = ports_add_controller(map, address + 1);
	if (controller == NULL)
		return error_oom(err);
	r = read_driver(host, controller, device, err);
	if (r < 0)
		return r;
	if (!controller->pmp_known)
		read_caps(host, controller, real);
	if (controller->devpath == NULL)
		controller->devpath = TAKE(device);
	struct port *port = ports_add_port(controller, number - 1, ata);
	if (port == NULL)
		return error_oom(err);
	read_link_speeds(host, port);
	read_multiplier(host, port);
	return 0;
}

/* A disk whose port has no entry of its own still tells where it is. */
static int add_place(struct portmap *map, const struct place *place, struct error *err)
{
	if (place->controller == NULL || place->port < 0)
		return 0;
	struct controller *controller = ports_add_controller(map, place->controller);
	if (controller == NULL)
		return error_oom(err);
	for (size_t i = 0; i < controller->n_ports; i++)
		if (controller->ports[i].ata == place->ata)
			return 0;
	if (ports_add_port(controller, (unsigned)place->port, place->ata) == NULL)
		return error_oom(err);
	return 0;
}

int ports_read_sysfs(struct portmap *map, struct host *host, const struct blocks *blocks,
		     struct error *err)
{
	AUTO_STRV char **names = NULL;

	int r = host_list(host, PATH_CLASS_ATA_PORT, &names, err);
	if (r < 0 && r != -ENOENT)
		return r;
	if (r < 0 && err != NULL)
		error_done(err);
	for (char **name = names; name != NULL && *name != NULL; name++) {
		r = read_port(map, host, *name, err);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		r = block->bus == BUS_ATA && block->disk == block
			    ? add_place(map, &block->place, err)
			    : 0;
		if (r < 0)
			return r;
	}
	return 0;
}
