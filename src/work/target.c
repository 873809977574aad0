/* SPDX-License-Identifier: MIT */
/* The target of a move, as an operator writes it. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"
#include "probe/paths.h"
#include "work/work_internal.h"

/* PCI classes of storage that are no SATA: their ports have no ataN. */
#define PCI_CLASS_RAID 0x0104
#define PCI_CLASS_SCSI 0x0100
#define PCI_CLASS_SAS 0x0107

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* "00:1f.2" gets its domain; letters are small, as sysfs writes them. */
static char *controller_name(const char *text)
{
	size_t len = strcspn(text, " \t");
	char *name = NULL;

	if (len == 7 && text[2] == ':' && text[5] == '.') {
		if (asprintf(&name, "0000:%.7s", text) < 0)
			return NULL;
	} else {
		name = strndup(text, len);
	}
	for (char *c = name; c && *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

static int bad_target(struct error *err, const char *text)
{
	error_set(err, -EINVAL, "cannot read the port '%s'", text);
	error_hint(err, "write it like \"port 3 of 0000:00:1f.2\"; `coldswap ports` lists them");
	return -EINVAL;
}

static int only_controller(const struct portmap *map, struct work_op *op, struct error *err)
{
	AUTO_BUF names = BUF_INIT;

	if (map->n == 1) {
		op->controller = strdup(map->controllers[0].address);
		return op->controller ? 0 : error_oom(err);
	}
	for (size_t i = 0; i < map->n; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", map->controllers[i].address);
	error_set(err, -EINVAL, "port %u of which controller? This host has %s", op->port,
		  map->n ? buf_text(&names) : "no SATA controller");
	error_hint(err, "write it like \"port %u of 0000:00:1f.2\"", op->port);
	return -EINVAL;
}

static int target_of_ata(const struct portmap *map, unsigned ata, struct work_op *op,
			 struct error *err)
{
	const struct port *found = NULL;

	for (size_t c = 0; c < map->n; c++)
		for (size_t i = 0; i < map->controllers[c].n_ports; i++) {
			const struct port *port = &map->controllers[c].ports[i];

			if (port->ata != ata)
				continue;
			if (found) { /* ata_piix: two ports of one ata number */
				error_set(err, -EINVAL, "ata%u is more than one port", ata);
				error_hint(err, "write it like \"port 3 of 0000:00:1f.2\"");
				return -EINVAL;
			}
			found = port;
			op->port = port->index;
			free(op->controller);
			op->controller = strdup(map->controllers[c].address);
			if (!op->controller)
				return error_oom(err);
		}
	if (found)
		return 0;
	error_set(err, -ENOENT, "there is no ata%u on this host", ata);
	error_hint(err, "`coldswap ports` lists the ports");
	return -ENOENT;
}

/* Leave `op` with its port, and its controller when the text names one. */
static int read_words(const char *text, const struct portmap *map, struct work_op *op,
		      struct error *err)
{
	const char *word = skip_blanks(text);
	AUTO_FREE char *number = NULL;
	unsigned ata;
	size_t len;

	if (strncasecmp(word, "ata", 3) == 0 && parse_unsigned(word + 3, &ata) == 0)
		return target_of_ata(map, ata, op, err);
	if (strncasecmp(word, "port", 4) != 0)
		return bad_target(err, text);
	word = skip_blanks(word + 4);
	len = strspn(word, "0123456789");
	number = strndup(word, len);
	if (!number)
		return error_oom(err);
	if (parse_unsigned(number, &op->port) < 0)
		return bad_target(err, text);
	word = skip_blanks(word + len);
	if (!*word)
		return only_controller(map, op, err);
	if (strncasecmp(word, "of", 2) != 0 || (word[2] != ' ' && word[2] != '\t'))
		return bad_target(err, text);
	word = skip_blanks(word + 2);
	len = strcspn(word, " \t");
	if (!len || *skip_blanks(word + len))
		return bad_target(err, text);
	op->controller = controller_name(word);
	return op->controller ? 0 : error_oom(err);
}

/* Is the controller a storage adapter of another sort?  Silence of sysfs is a no. */
static bool is_off_sata(struct facts *facts, const char *controller)
{
	AUTO_FREE char *path = NULL, *line = NULL;
	uint64_t class;

	if (asprintf(&path, "%s/%s/class", PATH_PCI_DEVICES, controller) < 0)
		return false;
	if (host_read_line(facts_host(facts), path, &line, NULL) < 0 ||
	    parse_hex_u64(line, &class) < 0)
		return false;
	class >>= 8;
	return class == PCI_CLASS_SCSI || class == PCI_CLASS_SAS || class == PCI_CLASS_RAID;
}

int target_parse(struct facts *facts, const char *text, struct work_op *op, struct error *err)
{
	const struct controller *controller;
	const struct portmap *map = NULL;
	const struct port *port;
	int r;

	r = facts_portmap(facts, &map, err);
	if (r < 0)
		return r;
	r = read_words(text, map, op, err);
	if (r < 0)
		return r;
	controller = portmap_controller(map, op->controller);
	if (!controller) { /* a RAID-mode AHCI controller is in the map, so this is none */
		op->off_sata = is_off_sata(facts, op->controller);
		return 0;
	}
	port = portmap_port(map, op->controller, op->port);
	op->device = port && port->device > 0 ? port->device : 0;
	return 0;
}
