/* SPDX-License-Identifier: MIT */
/* What a step may ask of its session; refused here where there is none. */
#include <errno.h>

#include "base/intl.h"
#include "step.h"

int step_may_change(const struct step *step, struct error *err)
{
	int r;

	if (step->services)
		return 0;
	r = error_set(err, -EPERM, "%s", _("nothing may be changed or asked in a dry run"));
	error_hint(err, "%s", _("run the runbook: coldswap run RUNBOOK"));
	return r;
}

int step_ask(const struct step *step, const struct question *question, char **ret,
	     struct error *err)
{
	int r = step_may_change(step, err);

	return r < 0 ? r : step->services->ask(step->services->data, question, ret, err);
}

int step_ask_secret(const struct step *step, const struct question *question, char **ret,
		    struct error *err)
{
	int r = step_may_change(step, err);

	return r < 0 ? r : step->services->ask_secret(step->services->data, question, ret, err);
}

void step_progress(const struct step *step, const struct progress *progress)
{
	if (step->services)
		step->services->progress(step->services->data, progress);
}

int step_scratch_dir(const struct step *step, const char **ret, struct error *err)
{
	int r = step_may_change(step, err);

	return r < 0 ? r : step->services->scratch_dir(step->services->data, ret, err);
}

int step_save_original(const struct step *step, const char *key, const char *value,
		       struct error *err)
{
	int r = step_may_change(step, err);

	return r < 0 ? r : step->services->save_original(step->services->data, key, value, err);
}

int step_original(const struct step *step, const char *key, const char **ret, struct error *err)
{
	*ret = NULL;
	if (!step->services)
		return 0;
	return step->services->original(step->services->data, key, ret, err);
}

int step_stopper(const struct step *step, const struct stoppable *who, const char **ret_id,
		 struct error *err)
{
	*ret_id = NULL;
	return step->ahead ? step->ahead->stopper(step->ahead->data, who, ret_id, err) : 0;
}
