/* SPDX-License-Identifier: MIT */
/* unit.stop of k3s, which runs, in front of the systemd of systemd_made.h. */
#ifndef COLDSWAP_TESTS_UNIT_STOP_MADE_H
#define COLDSWAP_TESTS_UNIT_STOP_MADE_H

#include "step/kinds.h"
#include "systemd_made.h"

#define K3S "k3s.service"
#define GROUP "/system.slice/k3s.service"

struct unit_stop_params {
	char *unit;
};

static inline void setup(void)
{
	memset(&made, 0, sizeof(made));
	session = (struct made_session){ 0 };
	made.units[0] = (struct made_unit){ .name = K3S,
					    .active = "active",
					    .sub = "running",
					    .file_state = "enabled",
					    .group = GROUP,
					    .invocation = "aa" };
}

static inline void teardown(void)
{
	made_session_done(&session);
}

static char name[] = "k3s";
static const struct unit_stop_params params = { name };

static inline int call(enum made_call what, struct result *ret, struct error *err)
{
	return made_call(&kind_unit_stop, &params, what, NULL, ret, err);
}

static inline void run(struct result *ret)
{
	cr_assert_eq(call(MADE_RUN, ret, NULL), 0);
}

#endif
