/* SPDX-License-Identifier: MIT */
/* A step's condition: a fact of the host, or a boolean output of an earlier step. */
#ifndef COLDSWAP_RUNBOOK_WHEN_H
#define COLDSWAP_RUNBOOK_WHEN_H

#include <stdbool.h>

#include "runbook/reference.h"

struct when {
	bool negated;
	char step[REFERENCE_MAX]; /* "" = `name` is a fact */
	char name[REFERENCE_MAX];
};

/* -EINVAL when the text is not of that form; whether the names exist is not asked. */
int when_parse(const char *text, struct when *ret);

#endif
