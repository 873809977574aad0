/* SPDX-License-Identifier: MIT */
#include "sys/clock.h"

uint64_t clock_monotonic_us(void)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

struct timespec clock_realtime(void)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

void clock_pause(uint64_t us)
{
	struct timespec pause = { .tv_sec = (time_t)(us / 1000000),
				  .tv_nsec = (long)(us % 1000000) * 1000 };

	(void)nanosleep(&pause, NULL);
}
