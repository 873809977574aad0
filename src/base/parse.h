/* SPDX-License-Identifier: MIT */
/* Strict parsing of numbers and units: the whole text or -EINVAL; overflow is -ERANGE. */
#ifndef COLDSWAP_BASE_PARSE_H
#define COLDSWAP_BASE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

int parse_u64(const char *text, uint64_t *ret); /* decimal digits only */
int parse_unsigned(const char *text, unsigned *ret);
int parse_i64(const char *text, int64_t *ret);          /* optional '-' */
int parse_hex_u64(const char *text, uint64_t *ret);     /* optional "0x" */
int parse_bool(const char *text, bool *ret);            /* "true", "false" */
int parse_size(const char *text, uint64_t *ret);        /* "10 GB", "512 MiB", "4096" */
int parse_duration(const char *text, uint64_t *ret_us); /* "60s", "5min", "500ms", "2h" */

#endif
