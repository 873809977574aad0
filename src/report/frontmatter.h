/* SPDX-License-Identifier: MIT */
/*
 * What every JSON document of coldswap begins with, in this order:
 * schema_version, tool, version, command, host {name, machine_id, boot_id,
 * root}.  Keys are never translated and only ever added.
 */
#ifndef COLDSWAP_REPORT_FRONTMATTER_H
#define COLDSWAP_REPORT_FRONTMATTER_H

#include <jansson.h>

#include "error.h"
#include "probe/facts.h"
#include "probe/identity.h"

#define SCHEMA_VERSION 1

/* The host is asked who it is. */
int frontmatter_new(const char *command, struct facts *facts, json_t **ret, struct error *err);
/* The identity is known already; `root` NULL leaves the key `host` out. */
int frontmatter_of(const char *command, const struct identity *identity, const char *root,
		   json_t **ret, struct error *err);
/* An object {name, machine_id, boot_id, root}; 0, or -1 when memory is short. */
int json_set_host(json_t *document, const char *key, const struct identity *identity,
		  const char *root);

#endif
