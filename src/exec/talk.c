/* SPDX-License-Identifier: MIT */
/* What the executor says to the operator, and asks. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "exec/executor.h"

void executor_tell(struct executor *executor, enum notice_type type, const char *fmt, ...)
{
	const struct operator* operator= executor->args->operator;
	AUTO_FREE char *text = NULL;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		text = NULL;
	operator->tell(operator->data, &(struct notice){ .type = type, .text = text ? text : "" });
}

void executor_tell_step(struct executor *executor, enum notice_type type, size_t index,
			const struct report_step *outcome)
{
	const struct operator* operator= executor->args->operator;

	operator->tell(operator->data, &(struct notice){
					       .type = type,
					       .step = &executor->plan->steps[index],
					       .number = index + 1,
					       .of = executor->plan->n_steps,
					       .outcome = outcome,
				       });
}

/* `--yes` was said when the session began, where somebody had read the plan. */
static int answered_by_yes(const struct executor *executor, const struct question *question,
			   char **ret, struct error *err)
{
	if (!executor->args->yes || !question->by_yes)
		return 0;
	*ret = strdup(question->word);
	return *ret ? 1 : error_oom(err);
}

int executor_ask(struct executor *executor, size_t index, const struct question *question,
		 char **ret, struct error *err)
{
	const struct operator* operator= executor->args->operator;
	struct asked_by by = { .number = executor->n_steps, .of = executor->n_steps };
	int r = answered_by_yes(executor, question, ret, err);

	if (r)
		return r < 0 ? r : 0;
	if (executor_interrupted(executor))
		return error_set(err, -ECANCELED, "%s", _("stopped by the operator"));
	if (index != SIZE_MAX) {
		by.step = executor->plan->steps[index].id;
		by.number = index + 1;
	}
	r = operator->ask(operator->data, &by, question, ret, err);
	if (r == -EIO || r == -EPIPE)
		executor->gone_away = true;
	return r;
}
