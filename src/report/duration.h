/* SPDX-License-Identifier: MIT */
/* A duration in words: "under a second", "42 s", "3 min 20 s", "2 h 5 min". */
#ifndef COLDSWAP_REPORT_DURATION_H
#define COLDSWAP_REPORT_DURATION_H

#include <stdint.h>

#include "buf.h"

int duration_words(uint64_t us, struct buf *ret);

#endif
