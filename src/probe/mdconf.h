/* SPDX-License-Identifier: MIT */
/*
 * The ARRAY lines of mdadm's configuration: which arrays get their name by
 * identity.  An array without a line gets the next free number, from 127
 * downwards, in the order in which arrays are found.
 *
 * Read from mdadm.conf in either place and the *.conf files beside it.  No
 * file at all is an empty configuration; one that cannot be read is an error.
 */
#ifndef COLDSWAP_PROBE_MDCONF_H
#define COLDSWAP_PROBE_MDCONF_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct mdconf_array {
	char *file;
	unsigned line;
	char *text;      /* the line as it stands */
	char *device;    /* "/dev/md/archive", "/dev/md127"; NULL = the line names none */
	char *uuid;      /* 32 lower-case hexadecimal digits; NULL = none */
	bool identified; /* by UUID, name or super-minor, not by member devices */
};

struct mdconf {
	struct mdconf_array *arrays;
	size_t n;
	char *file;          /* the first file that was read; NULL when there is none */
	unsigned first_line; /* of that file: its first line that is no comment; 0 = none */
	char *first_text;
};

int mdconf_load(struct host *host, struct mdconf **ret, struct error *err);
/* The parser alone, for one file's text; adds to `conf`. */
int mdconf_parse(struct mdconf *conf, const char *file, const char *text, struct error *err);
void mdconf_free(struct mdconf *conf);
DEFINE_CLEANUP(mdconf, mdconf_free)

/* The line that gives a device its name, or NULL.  "/dev/md/0" and "/dev/md0" are one. */
const struct mdconf_array *mdconf_find(const struct mdconf *conf, const char *device);

/* Digits of an array's UUID, lower case, without colons and hyphens; at most 32. */
void mdconf_uuid_digits(const char *uuid, char ret[33]);

#endif
