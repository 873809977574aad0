/* SPDX-License-Identifier: MIT */
/* A runbook: either it is sound, or every error of it has a place. */
#include "fuzz.h"
#include "runbook.h"

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
		for (size_t i = 0; i < runbook->n_steps; i++)
			MUST(runbook->steps[i].id && runbook->steps[i].kind);
	}
	diagnostics_print(&diags, &text);
	return 0;
}
