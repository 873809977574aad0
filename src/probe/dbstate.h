/* SPDX-License-Identifier: MIT */
/*
 * What the files of a database tell of its own state.  Nothing is opened and
 * nothing judged here: bytes come from the caller (base/bytes_at.h).
 */
#ifndef COLDSWAP_PROBE_DBSTATE_H
#define COLDSWAP_PROBE_DBSTATE_H

#include "probe/bbolt.h"
#include "probe/pg_control.h"
#include "probe/sqlite_state.h"

#endif
