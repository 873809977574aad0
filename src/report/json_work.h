/* SPDX-License-Identifier: MIT */
/* The planned work and its disks in JSON, as audit, check and plan say it. */
#ifndef COLDSWAP_REPORT_JSON_WORK_H
#define COLDSWAP_REPORT_JSON_WORK_H

#include <jansson.h>

#include "plan.h"

/*
 * Sets the keys "work_origin" ("given", "advised", "power-cycle"), "work" (a
 * list, empty for a power cycle) and "notes".  0 or -1 (out of memory).
 */
int json_set_work(json_t *document, const struct plan *plan);

/* {"name","sha256"}, or null for a check by hand. */
int json_set_runbook(json_t *document, const struct plan *plan);

#endif
