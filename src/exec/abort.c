/* SPDX-License-Identifier: MIT */
#include "exec/abort.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/resume.h"
#include "exec/stop.h"
#include "exec/undo.h"

int abort_arrive(struct executor *executor, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	executor->verb = "abort";
	r = resume_refuse_machine(executor, err);
	if (r)
		return r;
	r = resume_side(executor, err);
	if (r)
		return r;
	r = executor_open_seal(executor, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	/* Without a seal the machine as it is must do; a disk that is gone is then an error. */
	if (r)
		return executor_plan(executor, err);
	return pinned_plan(&executor->pinned, executor->before, NULL, PLAN_WHOLE, &executor->plan,
			   err);
}

int abort_all(struct executor *executor, struct error *err)
{
	size_t left = 0;
	int r = undo_all(executor, true, &left, err);

	if (r)
		return r;
	if (left)
		return stop_here(executor, EXIT_SYSTEM, err,
				 PLURAL("%zu step could not be proved to be taken back; mend what "
					"it says, then abort again.",
					"%zu steps could not be proved to be taken back; mend what "
					"they say, then abort again.",
					left),
				 left);
	return stop_closed(executor, "aborted",
			   executor->after
				   ? _("Everything that this session did is taken back; the "
				       "cables stay as they are now.")
				   : _("Everything that this session did is taken back."),
			   EXIT_SAFE, err);
}
