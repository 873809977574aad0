/* SPDX-License-Identifier: MIT */
/* The audit that is compiled in. */
#include "runbook.h"

static const unsigned char audit[] = {
#include "audit_yaml.h" /* the bytes of runbooks/audit.yaml, written by the Makefile */
};

int runbook_builtin(struct runbook **ret, struct diagnostics *diags, struct error *err)
{
	return runbook_parse((const char *)audit, sizeof(audit), "built-in audit", ret, diags, err);
}
