/* SPDX-License-Identifier: MIT */
/* Shared by src/step/boot_unit*.c alone. */
#ifndef COLDSWAP_STEP_BOOT_UNIT_H
#define COLDSWAP_STEP_BOOT_UNIT_H

#include "step.h"

extern const struct finding_row boot_unit_findings[];

/* May a path stand in the unit's command lines as it is, without quoting of any sort? */
bool boot_unit_is_plain(const char *path);
/* The unit's whole text; `program` and `state` are plain. */
int boot_unit_text(const char *program, const char *state, int64_t session, char **ret);

#endif
