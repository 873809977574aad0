/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "copy/copy.h"
int copy_make(const struct copy_job *job, struct copy_outcome *ret, struct error *err)
{
	(void)job;
	memset(ret, 0, sizeof(*ret));
	return error_set(err, -ENOSYS, "no copies yet");
}
void copy_outcome_done(struct copy_outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
}
void copy_verdict_done(struct copy_verdict *verdict)
{
	memset(verdict, 0, sizeof(*verdict));
}
int copy_verify(const char *dir, const volatile sig_atomic_t *cancelled, void *data,
		void (*progress)(void *data, const struct copy_progress *progress),
		struct copy_verdict *ret, struct error *err)
{
	(void)dir;
	(void)cancelled;
	(void)data;
	(void)progress;
	memset(ret, 0, sizeof(*ret));
	return error_set(err, -ENOSYS, "no copies yet");
}
