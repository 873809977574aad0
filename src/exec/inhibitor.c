/* SPDX-License-Identifier: MIT */
#include "exec/inhibitor.h"

#include <errno.h>
#include <unistd.h>

#include "base/intl.h"
#include "sys/logind.h"

int inhibitor_hold(struct executor *executor, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;

	if (executor->inhibitor >= 0 || executor->inhibitor_told)
		return 0;
	if (!logind_inhibit(executor->args->host, "shutdown:sleep", "coldswap",
			    _("a guided session is changing this machine"), &executor->inhibitor,
			    &why))
		return 0;
	executor->inhibitor = -1;
	if (why.code == -ENOMEM)
		return error_oom(err);
	executor->inhibitor_told = true;
	executor_tell(executor, NOTICE_WARNING,
		      _("Nothing keeps others from shutting this machine down meanwhile: %s."),
		      error_text(&why));
	return 0;
}

void inhibitor_release(struct executor *executor)
{
	if (executor->inhibitor >= 0)
		close(executor->inhibitor);
	executor->inhibitor = -1;
}
