/* SPDX-License-Identifier: MIT */
/* A runbook: either it is sound, or every error of it has a place. */
#include "fuzz.h"
#include "runbook.h"

/* A sound step's texts become its parameters, or the error says why not (a reference may stay). */
static void store(const struct runbook_step *step)
{
	const struct runbook_value *values[64] = { NULL };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char params[1024];
	int r;

	MUST(step->kind->params_size <= sizeof(params));
	for (size_t i = 0; i < step->n_params; i++)
		values[step->params[i].row - step->kind->params] = &step->params[i].value;
	r = params_parse(step->kind, values, params, &err);
	MUST((r < 0) == (err.code < 0));
	if (r == 0)
		params_done(step->kind, params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	AUTO_BUF text = BUF_INIT;
	int r;

	r = runbook_parse((const char *)data, size, "fuzz.yaml", &runbook, &diags, NULL);
	MUST((r == 0) == (runbook != NULL));
	if (r == 0) {
		MUST(runbook->name);
		for (size_t i = 0; i < runbook->n_steps; i++) {
			MUST(runbook->steps[i].id && runbook->steps[i].kind);
			store(&runbook->steps[i]);
		}
	}
	diagnostics_print(&diags, &text);
	return 0;
}
