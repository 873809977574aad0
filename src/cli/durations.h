/* SPDX-License-Identifier: MIT */
/* How long steps took in earlier sessions of this host, and its last start. */
#ifndef COLDSWAP_CLI_DURATIONS_H
#define COLDSWAP_CLI_DURATIONS_H

#include "cli/cli.h"
#include "host.h"
#include "plan.h"

struct durations {
	struct duration {
		char *kind, *id;
		uint64_t us;
	} * items;
	size_t n;
	uint64_t boot_us; /* 0 = not known */
};

/*
 * What can be known without asking for more: a journal that cannot be read, or
 * none, and a systemd that does not answer leave everything assumed.
 */
void durations_load(struct durations *durations, struct host *host, const struct call *call);
void durations_done(struct durations *durations);
/* Has the plan made with them. */
void durations_use(struct durations *durations, struct plan_args *args);

#endif
