/* SPDX-License-Identifier: MIT */
#include "sys/manager.h"

#include <errno.h>
#include <string.h>
#include <systemd/sd-daemon.h>

#include "base/json.h"
#include "sys/bus_json.h"
#include "sys/clock.h"
#include "sys/host_root.h"
#include "sys/manager_bus.h"

#define TIMEOUT_US 5000000
/* Generators run, and every unit file is read. */
#define RELOAD_US 90000000

static int cannot(const char *what, int code, const sd_bus_error *error, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	if (code == -ECANCELED)
		return error_set(err, code, "stopped while systemd was asked to %s", what);
	error_set(err, code, "systemd did not %s: %s", what,
		  error && error->message ? error->message : strerror(-code));
	error_hint(err,
		   code == -EACCES || code == -EPERM ? "run as root" : "look at: systemctl status");
	return code;
}

int manager_connected(struct manager *manager, uint64_t deadline_us, struct error *err)
{
	/* What came since the last call, the end of the connection above all. */
	while (manager->bus && sd_bus_process(manager->bus, NULL) > 0)
		;
	if (manager->bus && sd_bus_is_ready(manager->bus) > 0)
		return 0;
	cleanup_bus(&manager->bus);
	manager->bus = NULL;
	return bus_connect_systemd(SYSTEMD_FIRST, deadline_us, &manager->bus, &manager->peer, err);
}

int manager_ready(struct manager *manager, uint64_t most_us, uint64_t *ret_deadline_us,
		  struct error *err)
{
	uint64_t left;
	int r = host_time_left(manager->host, most_us, &left, err);

	if (r < 0)
		return r;
	*ret_deadline_us = clock_monotonic_us() + left;
	return manager_connected(manager, *ret_deadline_us, err);
}

int manager_method(struct manager *manager, const char *method, sd_bus_message **ret)
{
	return sd_bus_message_new_method_call(manager->bus, ret, manager->peer ? NULL : BUS_SYSTEMD,
					      MANAGER_PATH, MANAGER_INTERFACE, method);
}

int manager_open(struct host *host, struct manager **ret, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	uint64_t deadline_us;
	int r;

	if (!host_is_live(host)) {
		error_set(err, -EPERM, "systemd cannot be asked: this is a capture");
		error_hint(err, "run on the machine itself, without --root");
		return -EPERM;
	}
	if (sd_booted() <= 0) {
		error_set(err, -ENOENT, "systemd does not run here");
		error_hint(err, "stop and start the services by hand: the machine was not "
				"started with systemd");
		return -ENOENT;
	}
	manager = calloc(1, sizeof(*manager));
	if (!manager)
		return error_oom(err);
	manager->host = host;
	r = manager_ready(manager, TIMEOUT_US, &deadline_us, err);
	if (r < 0)
		return r;
	*ret = TAKE(manager);
	return 0;
}

void manager_free(struct manager *manager)
{
	if (!manager)
		return;
	cleanup_bus(&manager->bus);
	free(manager);
}

/* A method without arguments. */
static int ask(struct manager *manager, const char *method, const char *what, uint64_t most_us,
	       sd_bus_message **ret, struct error *err)
{
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	AUTO_MESSAGE call = NULL;
	uint64_t deadline_us;
	int r = manager_ready(manager, most_us, &deadline_us, err);

	if (r < 0)
		return r;
	r = manager_method(manager, method, &call);
	if (r >= 0)
		r = bus_call(manager->bus, call, deadline_us, ret, &error);
	return r < 0 ? cannot(what, r, &error, err) : 0;
}

int manager_reload(struct manager *manager, struct error *err)
{
	AUTO_MESSAGE reply = NULL;

	return ask(manager, "Reload", "read the unit files again", RELOAD_US, &reply, err);
}

int manager_reset_failed(struct manager *manager, const char *unit, struct error *err)
{
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	AUTO_MESSAGE call = NULL;
	AUTO_MESSAGE reply = NULL;
	uint64_t deadline_us;
	int r = manager_ready(manager, TIMEOUT_US, &deadline_us, err);

	if (r < 0)
		return r;
	r = manager_method(manager, "ResetFailedUnit", &call);
	if (r >= 0)
		r = sd_bus_message_append(call, "s", unit);
	if (r >= 0)
		r = bus_call(manager->bus, call, deadline_us, &reply, &error);
	if (sd_bus_error_has_name(&error, BUS_SYSTEMD ".NoSuchUnit"))
		return 0;
	return r < 0 ? cannot("forget that a unit failed", r, &error, err) : 0;
}

void manager_jobs_free(struct manager_job *jobs, size_t n)
{
	size_t i;

	for (i = 0; jobs && i < n; i++) {
		free(jobs[i].unit);
		free(jobs[i].type);
		free(jobs[i].state);
	}
	free(jobs);
}

/* 1, 0 at the end, or a negative errno. */
static int read_job(sd_bus_message *reply, struct manager_job *ret)
{
	const char *unit, *type, *state;
	int r = sd_bus_message_read(reply, "(usssoo)", &ret->id, &unit, &type, &state, NULL, NULL);

	if (r <= 0)
		return r;
	ret->unit = strdup(unit);
	ret->type = strdup(type);
	ret->state = strdup(state);
	return ret->unit && ret->type && ret->state ? 1 : -ENOMEM;
}

static int read_jobs(sd_bus_message *reply, struct manager_job **jobs, size_t *n)
{
	int r = sd_bus_message_enter_container(reply, SD_BUS_TYPE_ARRAY, "(usssoo)");

	while (r >= 0) {
		struct manager_job job = { 0 };
		struct manager_job *more;

		r = read_job(reply, &job);
		if (r == 0)
			return 0;
		more = reallocarray(*jobs, *n + 1, sizeof(**jobs));
		if (more) {
			*jobs = more;
			more[(*n)++] = job;
		} else {
			r = -ENOMEM;
			free(job.unit);
			free(job.type);
			free(job.state);
		}
	}
	return r;
}

int manager_jobs(struct manager *manager, struct manager_job **ret, size_t *ret_n,
		 struct error *err)
{
	AUTO_MESSAGE reply = NULL;
	struct manager_job *jobs = NULL;
	size_t n = 0;
	int r = ask(manager, "ListJobs", "list its jobs", TIMEOUT_US, &reply, err);

	if (r < 0)
		return r;
	r = read_jobs(reply, &jobs, &n);
	if (r < 0) {
		manager_jobs_free(jobs, n);
		return cannot("list its jobs", r, NULL, err);
	}
	*ret = jobs;
	*ret_n = n;
	return 0;
}

static uint64_t stamp(const json_t *properties, const char *name)
{
	json_int_t value = json_integer_value(json_object_get(properties, name));

	return value > 0 ? (uint64_t)value : 0;
}

/*
 * Firmware and loader are told as how long before the kernel they began; the
 * kernel begins at 0.
 */
static void read_times(const json_t *properties, struct manager_times *ret)
{
	uint64_t firmware = stamp(properties, "FirmwareTimestampMonotonic");
	uint64_t loader = stamp(properties, "LoaderTimestampMonotonic");
	uint64_t initrd = stamp(properties, "InitRDTimestampMonotonic");
	uint64_t userspace = stamp(properties, "UserspaceTimestampMonotonic");
	uint64_t finish = stamp(properties, "FinishTimestampMonotonic");

	*ret = (struct manager_times){
		.firmware_us = firmware > loader ? firmware - loader : 0,
		.loader_us = loader,
		.kernel_us = initrd ? initrd : userspace,
		.initrd_us = initrd && userspace > initrd ? userspace - initrd : 0,
		.userspace_us = finish > userspace ? finish - userspace : 0,
		.finished = finish > 0,
	};
}

static int get_properties(struct manager *manager, uint64_t deadline_us, json_t *object,
			  sd_bus_error *error)
{
	AUTO_MESSAGE call = NULL;
	AUTO_MESSAGE reply = NULL;
	int r = sd_bus_message_new_method_call(manager->bus, &call,
					       manager->peer ? NULL : BUS_SYSTEMD, MANAGER_PATH,
					       "org.freedesktop.DBus.Properties", "GetAll");

	if (r >= 0)
		r = sd_bus_message_append(call, "s", MANAGER_INTERFACE);
	if (r >= 0)
		r = bus_call(manager->bus, call, deadline_us, &reply, error);
	return r < 0 ? r : bus_json_properties(reply, object);
}

int manager_times(struct manager *manager, struct manager_times *ret, struct error *err)
{
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	AUTO_JSON properties = json_object();
	uint64_t deadline_us;
	int r = manager_ready(manager, TIMEOUT_US, &deadline_us, err);

	if (r < 0)
		return r;
	r = get_properties(manager, deadline_us, properties, &error);
	if (r < 0)
		return cannot("tell how long the start took", r, &error, err);
	read_times(properties, ret);
	return 0;
}
