/* SPDX-License-Identifier: MIT */
/* Shared by src/work/advice*.c alone. */
#ifndef COLDSWAP_WORK_ADVICE_INTERNAL_H
#define COLDSWAP_WORK_ADVICE_INTERNAL_H

#include "work/advice.h"

/* advice_held.c */
int advice_find_held(struct advice *advice, struct facts *facts, const struct portmap *map,
		     struct error *err);
/* Does "libata.force=" put one speed limit on all ports? */
bool cmdline_limits_all_ports(const char *cmdline);

/* advice_options.c: every port that would be faster, free or traded. */
int advice_find_options(struct advice *advice, struct facts *facts, const struct portmap *map,
			const struct held_back *held, struct error *err);

#endif
