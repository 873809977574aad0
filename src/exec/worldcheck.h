/* SPDX-License-Identifier: MIT */
/* The world that was sealed beside the present one, without what this session itself took down. */
#ifndef COLDSWAP_EXEC_WORLDCHECK_H
#define COLDSWAP_EXEC_WORLDCHECK_H

#include "exec/executor.h"

/* One sentence for each difference (strv_free()), NULL where there is none. */
int worldcheck(struct executor *executor, const struct plan *plan, char ***ret, struct error *err);

#endif
