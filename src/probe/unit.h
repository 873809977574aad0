/* SPDX-License-Identifier: MIT */
/*
 * The state of one systemd unit (HOST_FACT_UNIT), not judged.
 *
 * systemd answers for a unit that does not exist too, with LoadState
 * "not-found"; a capture simply holds no file.  Both are `found` = false;
 * only a live host thereby proves the absence.
 */
#ifndef COLDSWAP_PROBE_UNIT_H
#define COLDSWAP_PROBE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"
#include "host.h"

struct unit {
	bool found;
	char *source;                           /* "coldswap/systemd/k3s.service.json" */
	char *load, *active, *sub, *file_state; /* D-Bus LoadState ...; NULL not told */
	char *result;                           /* "success", "exit-code", ...; NULL not told */
	int64_t restarts;                       /* NRestarts; -1 not told */
	bool need_reload;                       /* the file changed after systemd read it */
	bool pulled_in;                         /* another unit triggers, wants or requires it */
	bool triggered;                         /* a socket, timer or path unit starts it */
	char *kill_mode;                        /* "control-group", "process", ...; NULL not told */
	char *control_group;                    /* "/system.slice/k3s.service"; NULL not told */
	pid_t main_pid;                         /* 0: none, or not told */
};

#define UNIT_INIT                                                                                  \
	{                                                                                          \
		.restarts = -1                                                                     \
	}

/* A unit that is reloading its configuration serves as before. */
bool unit_is_active(const struct unit *unit);
/* In the state failed, or restarted again and again. */
bool unit_is_failed(const struct unit *unit);
/* The services that such a host usually has; NULL past the end. */
const char *unit_usual(size_t index);

/* Does systemd run here?  1 yes, 0 no (live only: a capture is 1), else a negative errno. */
int unit_manager_runs(struct host *host, struct error *err);
/* `name` as systemctl takes it: "k3s" is "k3s.service". */
int unit_load(struct host *host, const char *name, struct unit *ret, struct error *err);
void unit_done(struct unit *unit);

#endif
