/* SPDX-License-Identifier: MIT */
/*
 * Every proof that the power-off stands on, made anew: actions by verify(),
 * volatile checks by running, the world by comparing.
 *
 * Nothing is asked and nothing is changed here.  A proof that is not what it
 * was stops the session: 1, exit code 12.
 */
#ifndef COLDSWAP_EXEC_PROOFS_H
#define COLDSWAP_EXEC_PROOFS_H

#include "exec/executor.h"

/*
 * Is a volatile check to be proved again?  One that stands before every action
 * says how the machine was found, until the first of them; one behind an
 * action says what it brought about, until something is restored.
 */
bool proofs_is_due(const struct executor *executor, size_t index);
/* Of the steps before `index`. */
int proofs_renew(struct executor *executor, size_t index, struct error *err);

#endif
