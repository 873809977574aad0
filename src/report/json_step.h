/* SPDX-License-Identifier: MIT */
#ifndef COLDSWAP_REPORT_JSON_STEP_H
#define COLDSWAP_REPORT_JSON_STEP_H

#include <jansson.h>

#include "report.h"

/* A step as every report says it; NULL when memory is short. */
json_t *json_report_step(const struct report_step *step);

#endif
