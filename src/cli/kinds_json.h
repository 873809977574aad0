/* SPDX-License-Identifier: MIT */
/* The rows of the kinds as JSON documents, for tools that write runbooks. */
#ifndef COLDSWAP_CLI_KINDS_JSON_H
#define COLDSWAP_CLI_KINDS_JSON_H

#include <jansson.h>

#include "buf.h"
#include "error.h"
#include "step.h"

/* One kind, or NULL for all. */
int kinds_json(const struct kind *kind, struct buf *ret, struct error *err);
int facts_list_json(struct buf *ret, struct error *err);
/* Append {"id","title","means","harm","mend"} of a finding's row.  0 or -1. */
int kinds_add_finding(json_t *list, const struct kind *kind, const struct finding_row *row);

const char *output_type_name(enum output_type type);

#endif
