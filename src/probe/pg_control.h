/* SPDX-License-Identifier: MIT */
/*
 * What a PostgreSQL cluster says of itself: global/pg_control and
 * postmaster.pid.
 *
 * Source: ControlFileData of pg_control.h.  Its layout goes by the version in
 * it, which is 1300 for PostgreSQL 13 to 17 and 1800 for 18.
 */
#ifndef COLDSWAP_PROBE_PG_CONTROL_H
#define COLDSWAP_PROBE_PG_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes_at.h"

enum pg_state { /* DBState of pg_control.h, as its numbers are */
		PG_STARTUP,
		PG_SHUTDOWNED,
		PG_SHUTDOWNED_IN_RECOVERY,
		PG_SHUTDOWNING,
		PG_IN_CRASH_RECOVERY,
		PG_IN_ARCHIVE_RECOVERY,
		PG_IN_PRODUCTION,
};
const char *pg_state_name(enum pg_state state); /* as pg_controldata says it: "in production" */

struct pg_control {
	uint64_t system_identifier;
	uint32_t version; /* pg_control's: 1300 for PostgreSQL 13 to 17 */
	enum pg_state state;
	bool clean; /* shut down, or shut down in recovery */
};
/* -EBADMSG: its CRC is wrong; -ENOTSUP: a version that is not known here. */
int pg_control_read(const struct bytes_at *file, struct pg_control *ret, struct error *err);
/*
 * The process in the first line of postmaster.pid (a server in single-user
 * mode writes it with a minus sign); -EBADMSG.
 */
int pg_pid_read(const struct bytes_at *file, pid_t *ret, struct error *err);

#endif
