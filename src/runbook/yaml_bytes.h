/* SPDX-License-Identifier: MIT */
/* The bytes of a YAML text: what is refused before libyaml sees it, and where a byte stands. */
#ifndef COLDSWAP_RUNBOOK_YAML_BYTES_H
#define COLDSWAP_RUNBOOK_YAML_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "runbook.h"

/* Line and column of a byte; columns count characters, as libyaml's do. */
struct position position_at(const char *text, size_t offset);
/* Size, UTF-8 and directives; what is wrong goes into `diags`. */
bool bytes_acceptable(const char *text, size_t len, struct diagnostics *diags);
/* Is line number `line` (from 0) indented by a tab?  libyaml words this badly. */
bool tab_indents(const char *text, size_t len, size_t line);

#endif
