/* SPDX-License-Identifier: MIT */
/*
 * --accept ID:SUBJECT --because TEXT: findings that the operator decides to
 * live with, one by one.  There is no wildcard, and none without its reason.
 */
#ifndef COLDSWAP_CLI_ACCEPT_H
#define COLDSWAP_CLI_ACCEPT_H

#include "cli/cli.h"

/* "ID:SUBJECT"; -EINVAL in words. */
int accept_add(struct options *options, const char *value, struct error *err);
/* The reason of the last one. */
int accept_because(struct options *options, const char *text, struct error *err);
/* Has each its reason? */
int accept_paired(const struct options *options, struct error *err);
void accept_done(struct options *options);

/*
 * Is each a finding that can be reported, and one that can be lived with?
 * EXIT_SAFE, or says why not and returns the exit code to end with.
 */
int accept_check(const struct options *options);

#endif
