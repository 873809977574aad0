/* SPDX-License-Identifier: MIT */
/* Jobs: queued by a call, ended by a timer, told to whoever listens. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "fake.h"

static const struct outcome done = { .result = "done" };

static const char *const types[] = { "start", "stop" };

static bool is(const struct outcome *outcome, const char *result)
{
	return strcmp(outcome->result, result) == 0;
}

struct job *job_of(struct fake *fake, const struct unit *unit)
{
	struct job *job;

	for (job = fake->jobs; job; job = job->next)
		if (job->unit == unit)
			return job;
	return NULL;
}

static void unlink_job(struct job *job)
{
	struct job **at = &job->fake->jobs;

	while (*at && *at != job)
		at = &(*at)->next;
	if (*at)
		*at = job->next;
	sd_event_source_disable_unref(job->timer);
	free(job->other);
	free(job->type);
	free(job->state);
	free(job);
}

/* As systemd does: to each direct connection, and on the bus to whoever subscribed and matched. */
static void tell_removed(const struct job *job, const char *result)
{
	struct peer *peer;
	char path[64];

	snprintf(path, sizeof(path), SYSTEMD_PATH "/job/%u", job->id);
	for (peer = job->fake->peers; peer; peer = peer->next) {
		sd_bus_message *signal = NULL;

		if (peer->is_bus && !(peer->subscribed && peer->matched))
			continue;
		if (sd_bus_message_new_signal(peer->bus, &signal, SYSTEMD_PATH, SYSTEMD ".Manager",
					      "JobRemoved") >= 0 &&
		    sd_bus_message_append(signal, "uoss", job->id, path,
					  job->unit ? job->unit->name : job->other, result) >= 0 &&
		    (!peer->is_bus || sd_bus_message_set_sender(signal, SYSTEMD) >= 0))
			sd_bus_send(peer->bus, signal, NULL);
		sd_bus_message_unref(signal);
	}
}

/* What the world looks like after a result. */
static void apply(const struct job *job, const char *result)
{
	struct fake *fake = job->fake;
	struct unit *unit = job->unit;
	const struct outcome *outcome = job->outcome;

	if (strcmp(result, "done") == 0 && job->verb == START) {
		if (!unit_check(unit, "Condition"))
			return;
		if (strcmp(unit->active, "active") != 0)
			unit->invocation++;
		set_text(&unit->result, "success");
		unit_set(unit, "active", unit_busy_sub(unit));
		process_start(fake, unit);
	} else if (strcmp(result, "done") == 0) {
		set_text(&unit->result, "success");
		unit_set(unit, "inactive", "dead");
		process_stop(fake, unit, outcome->leaves);
	} else if (strcmp(result, "failed") == 0 || strcmp(result, "timeout") == 0) {
		set_text(&unit->result, strcmp(result, "failed") == 0 ? "exit-code" : "timeout");
		unit_set(unit, "failed", "failed");
		process_stop(fake, unit, outcome->leaves);
	} else if (strcmp(result, "assert") == 0 || strcmp(result, "dependency") == 0) {
		unit_set(unit, "inactive", "dead");
	} else {
		unit_set(unit, job->state, unit->sub);
	}
	if (outcome->active)
		unit_set(unit, outcome->active, outcome->sub);
}

static void run(const char *command)
{
	if (command && system(command) < 0)
		die("cannot run %s: %m", command);
}

/* Ends a job and forgets it. */
static void finish(struct job *job, const char *result)
{
	struct fake *fake = job->fake;
	bool lost = is(job->outcome, "lost");

	apply(job, result);
	note(fake, "job %u %s %s %s%s", job->id, job->unit->name, types[job->verb], result,
	     lost ? " (unheard)" : "");
	state_save(fake);
	run(job->outcome->run);
	if (lost)
		peer_close(fake, job->peer);
	else
		tell_removed(job, result);
	unlink_job(job);
}

static const char *result_of(struct job *job)
{
	if (is(job->outcome, "lost") || is(job->outcome, "unanswered"))
		return "done";
	if (job->verb == START && is(job->outcome, "done") && !unit_check(job->unit, "Assert"))
		return "assert";
	return job->outcome->result;
}

static int on_timer(sd_event_source *source, uint64_t now, void *userdata)
{
	struct job *job = userdata;

	(void)source;
	(void)now;
	if (!job->unit)
		unlink_job(job);
	else
		finish(job, result_of(job));
	return 0;
}

static void arm(struct job *job, uint64_t after_us)
{
	if (sd_event_add_time_relative(job->fake->event, &job->timer, CLOCK_MONOTONIC, after_us, 1,
				       on_timer, job) < 0)
		die("no timer");
}

static struct job *add(struct fake *fake, unsigned id)
{
	struct job *job = need(calloc(1, sizeof(*job))), **end = &fake->jobs;

	job->fake = fake;
	job->id = id;
	while (*end)
		end = &(*end)->next;
	*end = job;
	return job;
}

void job_script(struct fake *fake, unsigned id, const char *unit, const char *type,
		const char *state, uint64_t until_us)
{
	struct job *job = add(fake, id);

	job->other = copy(unit);
	job->type = copy(type);
	job->state = copy(state);
	if (id >= fake->n_jobs)
		fake->n_jobs = id;
	if (until_us)
		arm(job, until_us);
}

static const struct outcome *next_outcome(struct unit *unit, enum verb verb)
{
	unsigned tried = unit->tried[verb]++;
	size_t n = unit->n_outcomes[verb];

	if (!n)
		return &done;
	return &unit->outcomes[verb][tried < n ? tried : n - 1];
}

static struct job *begin(struct peer *peer, struct unit *unit, enum verb verb,
			 const struct outcome *outcome)
{
	struct job *job = add(peer->fake, ++peer->fake->n_jobs);

	job->unit = unit;
	job->verb = verb;
	job->outcome = outcome;
	job->peer = peer->serial;
	job->type = copy(types[verb]);
	job->state = copy(unit->active); /* what it goes back to */
	if (verb == STOP && strcmp(unit->active, "active") == 0)
		set_text(&unit->active, "deactivating");
	if (verb == START && strcmp(unit->active, "active") != 0)
		set_text(&unit->active, "activating");
	state_save(peer->fake);
	return job;
}

/* NoSuchUnit and UnitMasked come of themselves. */
static int check(const struct unit *unit, sd_bus_message *call)
{
	if (!unit_exists(unit))
		return peer_refuse(call, SYSTEMD ".NoSuchUnit", "Unit %s not found.", unit->name);
	if (strcmp(unit_property(unit, "LoadState", ""), "masked") == 0)
		return peer_refuse(call, SYSTEMD ".UnitMasked", "Unit %s is masked.", unit->name);
	return 0;
}

static int answer_path(sd_bus_message *call, const struct job *job)
{
	char path[64];

	snprintf(path, sizeof(path), SYSTEMD_PATH "/job/%u", job->id);
	return peer_answer(call, "o", path);
}

/* "replace": one of the same kind is joined, one of the other kind makes room. */
static int queue(struct peer *peer, sd_bus_message *call, struct unit *unit, enum verb verb,
		 const struct outcome *outcome)
{
	struct job *job = job_of(peer->fake, unit);
	int r;

	if (job && job->verb == verb)
		return answer_path(call, job);
	if (job)
		finish(job, "canceled");
	job = begin(peer, unit, verb, outcome);
	if (outcome->early) {
		char path[64];

		snprintf(path, sizeof(path), SYSTEMD_PATH "/job/%u", job->id);
		finish(job, result_of(job));
		return peer_answer(call, "o", path);
	}
	if (!is(outcome, "never"))
		arm(job, outcome->after_us);
	if (is(outcome, "unanswered")) {
		/* The call has its effect, and its caller never hears of it. */
		peer_close(peer->fake, peer->serial);
		return 1;
	}
	r = answer_path(call, job);
	return r;
}

int job_call(struct peer *peer, sd_bus_message *call, enum verb verb)
{
	struct fake *fake = peer->fake;
	const struct outcome *outcome;
	const char *name, *mode;
	struct unit *unit;
	int r = sd_bus_message_read(call, "ss", &name, &mode);

	if (r < 0)
		return r;
	note(fake, "%s %s %s", verb == START ? "StartUnit" : "StopUnit", name, mode);
	unit = unit_get(fake, name);
	if (!unit_exists(unit))
		unit_read_files(unit);
	r = check(unit, call);
	if (r != 0)
		return r;
	outcome = next_outcome(unit, verb);
	state_save(fake);
	if (is(outcome, "silent"))
		return 1;
	if (strncmp(outcome->result, "refuse:", 7) == 0)
		return peer_refuse(call, outcome->result + 7, "The script refuses %s.", unit->name);
	return queue(peer, call, unit, verb, outcome);
}

int job_list(struct fake *fake, sd_bus_message *reply)
{
	const struct job *job;
	char path[64], *unit_path = NULL;
	int r = sd_bus_message_open_container(reply, 'a', "(usssoo)");

	for (job = fake->jobs; r >= 0 && job; job = job->next) {
		const char *name = job->unit ? job->unit->name : job->other;

		snprintf(path, sizeof(path), SYSTEMD_PATH "/job/%u", job->id);
		r = sd_bus_path_encode(SYSTEMD_PATH "/unit", name, &unit_path);
		if (r >= 0)
			r = sd_bus_message_append(reply, "(usssoo)", job->id, name, job->type,
						  job->unit ? "running" : job->state, path,
						  unit_path);
		free(unit_path);
		unit_path = NULL;
	}
	return r < 0 ? r : sd_bus_message_close_container(reply);
}
