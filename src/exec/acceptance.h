/* SPDX-License-Identifier: MIT */
/*
 * What the operator decided to live with: one finding of one subject each.
 *
 * Only a warn or an unknown is cleared, and only where the finding's row says
 * that it may be; a fail never is.
 */
#ifndef COLDSWAP_EXEC_ACCEPTANCE_H
#define COLDSWAP_EXEC_ACCEPTANCE_H

#include "exec/executor.h"

/* -EINVAL: no kind has such a finding, or it cannot be accepted. */
int acceptance_check(const struct acceptance *accepted, struct error *err);
/* Journal what the command line brought, each once. */
int acceptance_take(struct executor *executor, struct error *err);
bool acceptance_clears(const struct executor *executor, const struct finding *finding);
/* Does the outcome stop the session? */
bool acceptance_blocks(const struct executor *executor, const struct report_step *outcome);
/* Is there a warning that nobody accepted? */
bool acceptance_warns(const struct executor *executor, const struct result *result);

#endif
