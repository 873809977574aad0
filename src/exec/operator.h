/* SPDX-License-Identifier: MIT */
/*
 * The operator, as the executor sees one: who is told and who is asked.  The
 * command line fills it in; nothing below src/cli prints.
 */
#ifndef COLDSWAP_EXEC_OPERATOR_H
#define COLDSWAP_EXEC_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "plan.h"
#include "report.h"
#include "step.h"

enum notice_type {
	NOTICE_TEXT,    /* a paragraph */
	NOTICE_WARNING, /* a paragraph that is not to be missed */
	NOTICE_PAGE,    /* lines as they are: the swap card */
	NOTICE_BEGINS,  /* a step comes: what, why, what it will change */
	NOTICE_ENDS,    /* what it found or did */
	NOTICE_UNDOES,  /* a step is taken back */
	NOTICE_UNDONE,
};

struct notice {
	enum notice_type type;
	const char *text; /* TEXT, WARNING, PAGE */
	/* BEGINS, ENDS, UNDOES, UNDONE */
	const struct plan_step *step;
	size_t number, of;                 /* step `number` of `of`, from 1 */
	const struct report_step *outcome; /* ENDS, UNDONE */
};

/* Where a question comes from, for the prompt. */
struct asked_by {
	const char *step; /* its id; NULL = the session itself */
	size_t number, of;
};

struct operator
{
	void *data;
	bool remote; /* a network lies between: a power-off freezes it before the machine is off */
	void (*tell)(void *data, const struct notice *notice);
	/*
	 * `ret`: one of the question's words.  A refused answer is shown and
	 * asked again; there is no timeout.  -ENOTTY no terminal; -ECANCELED
	 * stopped (q, Ctrl-C); -EIO the terminal went away.
	 */
	int (*ask)(void *data, const struct asked_by *by, const struct question *question,
		   char **ret, struct error *err);
	int (*ask_secret)(void *data, const struct asked_by *by, const struct question *question,
			  char **ret, struct error *err);
	void (*progress)(void *data, const struct progress *progress);
};

#endif
