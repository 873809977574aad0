/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "sys/manager_bus.h"

#define SYSTEMD_ERROR BUS_SYSTEMD "."
/* Results of other jobs that may come before ours is known by name. */
#define EARLY_MAX 4096

struct job {
	const char *unit;
	enum manager_verb verb;
	char *path;   /* NULL until the answer to our call */
	char *result; /* NULL until JobRemoved */
	char **early; /* path, result, path, result: removed before `path` was known */
	int failed;
};

static const struct {
	const char *method, *words;
} verbs[] = {
	[MANAGER_START] = { "StartUnit", "start" },
	[MANAGER_STOP] = { "StopUnit", "stop" },
};

/* The words of JobRemoved but for "done"; %s: the unit. */
static const struct {
	const char *result, *why, *hint;
} results[] = {
	{ "canceled", "somebody queued another job in its place, or cancelled it",
	  "see who works on it too (systemctl list-jobs), then try again" },
	{ "timeout", "the job took longer than its unit allows",
	  "look at its log: journalctl -b -u %s" },
	{ "failed", "the unit failed", "look at its log: journalctl -b -u %s" },
	{ "dependency", "a unit that it needs failed",
	  "see which: systemctl list-dependencies %s" },
	{ "skipped", "it does not apply to the state that the unit is in",
	  "look at: systemctl status %s" },
	{ "invalid", "the unit is in no state for it", "look at: systemctl status %s" },
	{ "assert", "an Assert setting of the unit does not hold",
	  "see which: systemctl show -p Asserts %s" },
	{ "unsupported", "this system does not support units of that type",
	  "use another unit: systemctl status %s" },
	{ "collected", "systemd dropped the unit before the job ran",
	  "look at: systemctl status %s" },
	{ "once", "the unit runs once in a boot, and ran already", "look at: systemctl status %s" },
};

/* Refusals: no job was queued. */
static const struct {
	const char *name;
	int code;
	const char *hint;
} refusals[] = {
	{ SYSTEMD_ERROR "NoSuchUnit", -ENOENT, "check the name: systemctl list-unit-files" },
	{ SYSTEMD_ERROR "UnitMasked", -ENOENT, "see where it is masked: systemctl status %s" },
	{ SYSTEMD_ERROR "OnlyByDependency", -EREMOTEIO,
	  "name the unit that pulls it in: systemctl list-dependencies --reverse %s" },
	{ SYSTEMD_ERROR "ShuttingDown", -EREMOTEIO, "the machine is going down: wait for it" },
	{ SYSTEMD_ERROR "TransactionIsDestructive", -EREMOTEIO,
	  "another job stands against it (systemctl list-jobs): wait for that one" },
	{ SYSTEMD_ERROR "BadUnitSetting", -EREMOTEIO,
	  "mend its unit file: systemd-analyze verify %s" },
	{ SD_BUS_ERROR_ACCESS_DENIED, -EACCES, "run as root" },
	{ SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED, -EACCES, "run as root" },
};

static void done_job(struct job *job)
{
	free(job->path);
	free(job->result);
	strv_free(job->early);
}

/* A row's hint names the unit at most once; the rows are constants of this file. */
static void hint(struct error *err, const char *text, const char *unit)
{
	const char *place = strstr(text, "%s");

	if (place)
		error_hint(err, "%.*s%s%s", (int)(place - text), text, unit, place + 2);
	else
		error_hint(err, "%s", text);
}

static int on_removed(sd_bus_message *message, void *userdata, sd_bus_error *error)
{
	struct job *job = userdata;
	const char *path, *result;
	int r = sd_bus_message_read(message, "uoss", NULL, &path, NULL, &result);

	(void)error;
	if (r < 0 || job->result)
		return 0;
	if (job->path) {
		if (strcmp(path, job->path) == 0 && !(job->result = strdup(result)))
			job->failed = -ENOMEM;
		return 0;
	}
	if (strv_length(job->early) < EARLY_MAX &&
	    (strv_add(&job->early, path) < 0 || strv_add(&job->early, result) < 0))
		job->failed = -ENOMEM;
	return 0;
}

/* Was ours among the results that came before its name? */
static int look_early(struct job *job)
{
	size_t i;

	for (i = 0; job->early && job->early[i] && job->early[i + 1]; i += 2)
		if (strcmp(job->early[i], job->path) == 0) {
			job->result = strdup(job->early[i + 1]);
			return job->result ? 0 : -ENOMEM;
		}
	return 0;
}

static int refused(const struct job *job, int code, const sd_bus_error *error, struct error *err)
{
	const char *advice = "look at: systemctl status %s";
	size_t i;

	code = -EREMOTEIO;
	for (i = 0; i < ELEMENTS(refusals); i++)
		if (sd_bus_error_has_name(error, refusals[i].name)) {
			code = refusals[i].code;
			advice = refusals[i].hint;
		}
	error_set(err, code, "systemd refused to %s %s: %s", verbs[job->verb].words, job->unit,
		  error->message ? error->message : error->name);
	hint(err, advice, job->unit);
	return code;
}

/* The job was sent, or may have been: what became of it is not known. */
static int gave_up(const struct job *job, int code, struct error *err)
{
	const char *verb = verbs[job->verb].words;

	if (code == -ENOMEM)
		return error_oom(err);
	if (code == -ETIMEDOUT)
		error_set(err, code, "the %s of %s gave no result in time; its job %s", verb,
			  job->unit, job->path ? "is still queued" : "may be queued");
	else if (code == -ECANCELED)
		error_set(err, code, "stopped while waiting for the %s of %s; its job %s", verb,
			  job->unit, job->path ? "is still queued" : "may be queued");
	else
		error_set(err, code = -ECONNRESET,
			  "the connection to systemd was lost during the %s of %s: what became "
			  "of it is not known",
			  verb, job->unit);
	error_hint(err, "look at: systemctl list-jobs; systemctl status %s", job->unit);
	return code;
}

static int judge(const struct job *job, struct error *err)
{
	const char *verb = verbs[job->verb].words;
	size_t i;

	if (strcmp(job->result, "done") == 0)
		return 0;
	for (i = 0; i < ELEMENTS(results); i++)
		if (strcmp(job->result, results[i].result) == 0)
			break;
	if (i < ELEMENTS(results))
		error_set(err, -EREMOTEIO, "the %s of %s ended as \"%s\": %s", verb, job->unit,
			  job->result, results[i].why);
	else
		error_set(err, -EREMOTEIO, "the %s of %s ended as \"%s\"", verb, job->unit,
			  job->result);
	hint(err, i < ELEMENTS(results) ? results[i].hint : "look at: systemctl status %s",
	     job->unit);
	return -EREMOTEIO;
}

static void unref_slot(sd_bus_slot **slot)
{
	sd_bus_slot_unref(*slot);
}

/*
 * The match goes first, then the word that signals are wanted, then the job:
 * one connection keeps its order, so that no result can come unseen.
 */
static int listen_for(struct manager *manager, struct job *job, uint64_t deadline_us,
		      sd_bus_slot **ret)
{
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	AUTO_MESSAGE call = NULL;
	AUTO_MESSAGE reply = NULL;
	int r = sd_bus_match_signal_async(manager->bus, ret, manager->peer ? NULL : BUS_SYSTEMD,
					  MANAGER_PATH, MANAGER_INTERFACE, "JobRemoved", on_removed,
					  NULL, job);

	if (r >= 0)
		r = manager_method(manager, "Subscribe", &call);
	if (r >= 0)
		r = bus_call(manager->bus, call, deadline_us, &reply, &error);
	/* From an earlier job on this connection. */
	if (r < 0 && sd_bus_error_has_name(&error, SYSTEMD_ERROR "AlreadySubscribed"))
		r = 0;
	return r < 0 ? r : 0;
}

/* 0, or a negative errno; `error` is set when systemd refused. */
static int queue(struct manager *manager, struct job *job, uint64_t deadline_us,
		 sd_bus_error *error)
{
	AUTO_MESSAGE call = NULL;
	AUTO_MESSAGE reply = NULL;
	const char *path;
	int r = manager_method(manager, verbs[job->verb].method, &call);

	if (r >= 0)
		r = sd_bus_message_append(call, "ss", job->unit, "replace");
	if (r >= 0)
		r = bus_call(manager->bus, call, deadline_us, &reply, error);
	if (r >= 0)
		r = sd_bus_message_read(reply, "o", &path);
	if (r < 0)
		return r;
	job->path = strdup(path);
	return job->path ? look_early(job) : -ENOMEM;
}

static int unheard(const struct job *job, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s %s: systemd does not answer: %s", verbs[job->verb].words,
		  job->unit, strerror(-code));
	error_hint(err, "nothing was asked of it yet; look at: systemctl status");
	return code;
}

int manager_unit_job(struct manager *manager, const char *unit, enum manager_verb verb,
		     uint64_t deadline_us, char **ret_result, struct error *err)
{
	CLEANUP(unref_slot) sd_bus_slot *slot = NULL;
	CLEANUP(done_job) struct job job = { .unit = unit, .verb = verb };
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	int r;

	if (ret_result)
		*ret_result = NULL;
	r = manager_connected(manager, deadline_us, err);
	if (r < 0)
		return r;
	r = listen_for(manager, &job, deadline_us, &slot);
	if (r < 0)
		return unheard(&job, r, err);
	r = queue(manager, &job, deadline_us, &error);
	if (r < 0 && sd_bus_error_is_set(&error))
		return refused(&job, r, &error, err);
	while (r >= 0 && !job.result)
		r = job.failed < 0 ? job.failed : bus_turn(manager->bus, deadline_us);
	if (!job.result)
		return gave_up(&job, r, err);
	r = judge(&job, err);
	if (ret_result)
		*ret_result = TAKE(job.result);
	return r;
}
