/* SPDX-License-Identifier: MIT */
#include "cli/durations.h"

#include <string.h>

#include "cli/past.h"
#include "sys/manager.h"

static struct duration *find(struct durations *durations, const char *kind, const char *id)
{
	for (size_t i = 0; i < durations->n; i++)
		if (strcmp(durations->items[i].kind, kind) == 0 &&
		    strcmp(durations->items[i].id, id) == 0)
			return &durations->items[i];
	return NULL;
}

static struct duration *add(struct durations *durations, const char *kind, const char *id)
{
	struct duration *grown = reallocarray(durations->items, durations->n + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	durations->items = grown;
	grown += durations->n;
	*grown = (struct duration){ .kind = strdup(kind), .id = strdup(id) };
	durations->n++;
	if (grown->kind && grown->id)
		return grown;
	free(grown->kind);
	free(grown->id);
	durations->n--;
	return NULL;
}

/* The latest session counts. */
static void take(struct durations *durations, const struct session_view *view)
{
	for (size_t i = 0; i < view->plan->n_steps; i++) {
		const struct plan_step *plan = &view->plan->steps[i];
		const struct session_step *step = &view->steps[i];
		struct duration *duration;

		/* How long a person took to answer says nothing of the next time. */
		if (step->state != STEP_DONE || step->skipped || plan->kind->class == KIND_GATE)
			continue;
		duration = find(durations, plan->kind->name, plan->id);
		if (!duration)
			duration = add(durations, plan->kind->name, plan->id);
		if (duration)
			duration->us = step->duration_us;
	}
}

static void load_sessions(struct durations *durations, const struct call *call)
{
	AUTO_PAST past = PAST_INIT;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int64_t n = 0;

	if (past_journal(&past, call, &why) < 0 || journal_count(past.journal, &n, &why) < 0)
		return;
	for (int64_t i = 1; i <= n; i++) {
		CLEANUP(session_view_done) struct session_view view = { 0 };

		if (session_view(past.journal, past_state(call), i, &view, &why) < 0)
			return;
		take(durations, &view);
	}
}

static uint64_t boot_time(struct host *host)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct manager_times times;

	if (manager_open(host, &manager, &why) < 0 || manager_times(manager, &times, &why) < 0 ||
	    !times.finished)
		return 0;
	return times.firmware_us + times.loader_us + times.kernel_us + times.initrd_us +
	       times.userspace_us;
}

void durations_load(struct durations *durations, struct host *host, const struct call *call)
{
	if (call->options.root)
		return;
	load_sessions(durations, call);
	durations->boot_us = boot_time(host);
}

static int duration_of(void *data, const struct kind *kind, const char *id, uint64_t *ret_us)
{
	const struct duration *duration = find(data, kind->name, id);

	if (!duration)
		return 0;
	*ret_us = duration->us;
	return 1;
}

void durations_use(struct durations *durations, struct plan_args *args)
{
	args->duration_of = duration_of;
	args->duration_data = durations;
	args->boot_us = durations->boot_us;
}

void durations_done(struct durations *durations)
{
	for (size_t i = 0; i < durations->n; i++) {
		free(durations->items[i].kind);
		free(durations->items[i].id);
	}
	free(durations->items);
	*durations = (struct durations){ 0 };
}
