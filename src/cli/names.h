/* SPDX-License-Identifier: MIT */
/* Names that an operator may mistype: kinds, and the ids of findings. */
#ifndef COLDSWAP_CLI_NAMES_H
#define COLDSWAP_CLI_NAMES_H

#include "step.h"

/* Say on stderr that there is no such thing and what is near; EXIT_USAGE. */
int names_no_kind(const char *name);
int names_no_finding(const char *id);

/* "names.fstab/kernel-name" -> its kind and row; NULL where there is none. */
const struct finding_row *names_finding(const char *id, const struct kind **ret_kind);

#endif
