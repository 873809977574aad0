/* SPDX-License-Identifier: MIT */
/*
 * The strict YAML that runbooks are written in, over libyaml's events.
 *
 * A text becomes a small tree of scalars, sequences and mappings with their
 * positions.  Scalars are text and nothing else: there is no null, boolean or
 * number here.  Refused, each at its place: bytes that are not UTF-8,
 * directives, anchors, aliases, tags, merge keys, keys that are not words,
 * keys given twice, a second document.  Bounds: 256 KiB, depth 32, 16384
 * nodes; libyaml has none of its own, and takes quadratic time on deep
 * nesting and on many directives, so both are refused before it reads on.
 */
#ifndef COLDSWAP_RUNBOOK_YAML_H
#define COLDSWAP_RUNBOOK_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "runbook.h"

#define YAML_MAX_BYTES ((size_t)256 << 10)
#define YAML_MAX_DEPTH 32
#define YAML_MAX_NODES 16384

enum yaml_type {
	YAML_SCALAR,
	YAML_SEQUENCE,
	YAML_MAPPING,
	YAML_REFUSED, /* stands for what was already reported; readers pass over it */
};

struct yaml_node {
	enum yaml_type type;
	struct position at;
	char *text;               /* of a scalar */
	bool quoted;              /* or a block scalar: an empty one is meant */
	struct yaml_node **items; /* sequence: items; mapping: key, value, key, value, ... */
	size_t n;                 /* of `items` */
};

/*
 * 0 with *ret when the text is one well-formed document.  -EINVAL with
 * `diags` when it is not; *ret may still hold a tree whose other content is
 * worth checking, or NULL when the text broke off.
 */
int yaml_read(const char *text, size_t len, struct yaml_node **ret, struct diagnostics *diags,
	      struct error *err);
void yaml_node_free(struct yaml_node *node);
DEFINE_CLEANUP(yaml_node, yaml_node_free)

/* "a text", "a list", "a mapping": for messages. */
const char *yaml_type_name(enum yaml_type type);

#endif
