/* SPDX-License-Identifier: MIT */
#include "exec/services.h"

#include <errno.h>
#include <stdio.h>

#include "base/strv.h"

static const char *id_of(const struct services *services)
{
	return services->executor->plan->steps[services->index].id;
}

static int ask(void *data, const struct question *question, char **ret, struct error *err)
{
	struct services *services = data;

	return executor_ask(services->executor, services->index, question, ret, err);
}

static int ask_secret(void *data, const struct question *question, char **ret, struct error *err)
{
	struct services *services = data;
	const struct session_args *args = services->executor->args;
	const struct asked_by by = {
		.step = id_of(services),
		.number = services->index + 1,
		.of = services->executor->n_steps,
	};
	int r = args->operator->ask_secret(args->operator->data, &by, question, ret, err);

	if (r == -EIO || r == -EPIPE)
		services->executor->gone_away = true;
	return r;
}

static void progress(void *data, const struct progress *progress)
{
	const struct services *services = data;
	const struct session_args *args = services->executor->args;

	args->operator->progress(args->operator->data, progress);
}

static int scratch_dir(void *data, const char **ret, struct error *err)
{
	struct services *services = data;
	AUTO_FREE char *name = NULL;
	int r = 0;

	if (!services->scratch) {
		if (asprintf(&name, "%lld/scratch/%s", (long long)services->executor->number,
			     id_of(services)) < 0) {
			name = NULL;
			return error_oom(err);
		}
		r = statedir_directory(services->executor->dir, name, &services->scratch, err);
	}
	*ret = services->scratch;
	return r;
}

static int save_original(void *data, const char *key, const char *value, struct error *err)
{
	const struct services *services = data;

	return journal_save_original(services->executor->journal, services->executor->number,
				     id_of(services), key, value, err);
}

static int original(void *data, const char *key, const char **ret, struct error *err)
{
	struct services *services = data;
	char *value = NULL;
	int r = journal_original(services->executor->journal, services->executor->number,
				 id_of(services), key, &value, err);

	*ret = NULL;
	if (r <= 0)
		return r;
	if (strv_take(&services->lent, value))
		return error_oom(err);
	*ret = value;
	return 1;
}

void services_init(struct services *services, struct executor *executor, size_t index)
{
	*services = (struct services){
		.calls = { .ask = ask,
			   .ask_secret = ask_secret,
			   .progress = progress,
			   .scratch_dir = scratch_dir,
			   .save_original = save_original,
			   .original = original },
		.executor = executor,
		.index = index,
	};
	services->calls.data = services;
}

void services_done(struct services *services)
{
	free(services->scratch);
	strv_free(services->lent);
}
