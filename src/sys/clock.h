/* SPDX-License-Identifier: MIT */
/* The two clocks: deadlines by the monotonic one, dates by the other. */
#ifndef COLDSWAP_SYS_CLOCK_H
#define COLDSWAP_SYS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in microseconds: never set, never used as a date. */
uint64_t clock_monotonic_us(void);

/* Until a look is due again; a signal ends it early. */
void clock_pause(uint64_t us);

/* CLOCK_REALTIME, for what is printed; no decision hangs on it. */
struct timespec clock_realtime(void);

#endif
