/* SPDX-License-Identifier: MIT */
/* The runbooks that are compiled in, written by the Makefile from runbooks/. */
#include "runbook.h"

static const unsigned char audit[] = {
#include "audit_yaml.h"
};

static const unsigned char post_reboot[] = {
#include "post-reboot_yaml.h"
};

static const struct {
	const char *name;
	const unsigned char *text;
	size_t len;
} builtins[] = {
	[BUILTIN_AUDIT] = { "built-in audit", audit, sizeof(audit) },
	[BUILTIN_POST_REBOOT] = { "built-in post-reboot", post_reboot, sizeof(post_reboot) },
};

int runbook_builtin(enum builtin which, struct runbook **ret, struct diagnostics *diags,
		    struct error *err)
{
	return runbook_parse((const char *)builtins[which].text, builtins[which].len,
			     builtins[which].name, ret, diags, err);
}
