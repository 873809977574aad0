/* SPDX-License-Identifier: MIT */
/*
 * probe COMMAND ARGUMENT... - one call of src/sys, and what it said: for the
 * cases of tests/fake/run.  The last line is the code, by its name.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "base/parse.h"
#include "host.h"
#include "sys/cgroup.h"
#include "sys/clock.h"
#include "sys/hostfile.h"
#include "sys/lock.h"
#include "sys/logind.h"
#include "sys/manager.h"
#include "sys/process.h"
#include "sys/statedir.h"

static const char *text(const char *value)
{
	return value ? value : "-";
}

static int job(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	AUTO_FREE char *result = NULL;
	enum manager_verb verb = strcmp(argv[0], "stop") == 0 ? MANAGER_STOP : MANAGER_START;
	uint64_t time_us = 5000000;
	int r = manager_open(host, &manager, err);

	if (r < 0)
		return r;
	if (argv[2] && parse_duration(argv[2], &time_us) < 0)
		return -EINVAL;
	r = manager_unit_job(manager, argv[1], verb, clock_monotonic_us() + time_us, &result, err);
	printf("result %s\n", text(result));
	return r;
}

/* Two jobs, one manager: what is left of a lost connection must not hurt. */
static int twice(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	int r = manager_open(host, &manager, err);
	uint64_t deadline_us = clock_monotonic_us() + 5000000;

	if (r < 0)
		return r;
	r = manager_unit_job(manager, argv[0], MANAGER_STOP, deadline_us, NULL, err);
	printf("first %s\n", r < 0 ? strerrorname_np(-r) : "ok");
	error_done(err);
	return manager_unit_job(manager, argv[0], MANAGER_START, deadline_us, NULL, err);
}

static int unit(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	AUTO_MANAGER_UNIT unit = { 0 };
	size_t i;
	int r = manager_open(host, &manager, err);

	if (r == 0)
		r = manager_unit(manager, argv[0], &unit, err);
	if (r < 0)
		return r;
	printf("found %d load %s active %s sub %s file %s kill %s delegate %d result %s reload %d "
	       "job %u\n",
	       unit.found, text(unit.load), text(unit.active), text(unit.sub),
	       text(unit.file_state), text(unit.kill_mode), unit.delegate, text(unit.result),
	       unit.need_reload, unit.job);
	printf("invocation %s fragment %s main %s group %s\n", text(unit.invocation_id),
	       text(unit.fragment_path), unit.main_pid > 0 ? "yes" : "no",
	       unit.control_group && *unit.control_group ? "yes" : "no");
	for (i = 0; unit.triggered_by && unit.triggered_by[i]; i++)
		printf("triggered by %s\n", unit.triggered_by[i]);
	for (i = 0; unit.drop_in_paths && unit.drop_in_paths[i]; i++)
		printf("drop-in %s\n", unit.drop_in_paths[i]);
	for (i = 0; i < unit.n_asserts; i++)
		printf("%s: %d\n", unit.asserts[i].text, unit.asserts[i].outcome);
	return 0;
}

static int reload(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	int r = manager_open(host, &manager, err);

	(void)argv;
	return r < 0 ? r : manager_reload(manager, err);
}

static int jobs(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	struct manager_job *list = NULL;
	size_t i, n = 0;
	int r = manager_open(host, &manager, err);

	(void)argv;
	if (r == 0)
		r = manager_jobs(manager, &list, &n, err);
	for (i = 0; r == 0 && i < n; i++)
		printf("%u %s %s %s\n", list[i].id, list[i].unit, list[i].type, list[i].state);
	manager_jobs_free(list, n);
	return r;
}

static int times(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	struct manager_times times = { 0 };
	int r = manager_open(host, &manager, err);

	(void)argv;
	if (r == 0)
		r = manager_times(manager, &times, err);
	if (r == 0)
		printf("firmware %llu loader %llu kernel %llu initrd %llu userspace %llu finished "
		       "%d\n",
		       (unsigned long long)times.firmware_us, (unsigned long long)times.loader_us,
		       (unsigned long long)times.kernel_us, (unsigned long long)times.initrd_us,
		       (unsigned long long)times.userspace_us, times.finished);
	return r;
}

/* The processes of a unit's group, or of the path that is given. */
static int cgroup(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	AUTO_MANAGER_UNIT unit = { 0 };
	AUTO_CGROUP_LIST list = { 0 };
	const char *group = argv[0];
	size_t i;
	int r = 0;

	if (*group != '/') {
		r = manager_open(host, &manager, err);
		if (r == 0)
			r = manager_unit(manager, group, &unit, err);
		group = unit.control_group;
	}
	if (r == 0)
		r = cgroup_processes(host, group, &list, err);
	for (i = 0; r == 0 && i < list.n; i++)
		printf("%s %s\n", list.processes[i].pid > 0 ? "pid" : "?",
		       text(list.processes[i].comm));
	return r;
}

static int inhibit(struct host *host, char **argv, struct error *err)
{
	int fd, r = logind_inhibit(host, argv[0], "coldswap", "a test", &fd, err);

	if (r == 0)
		close(fd);
	return r;
}

static int power_off(struct host *host, char **argv, struct error *err)
{
	(void)argv;
	return logind_power_off(host, err);
}

static int can_power_off(struct host *host, char **argv, struct error *err)
{
	(void)argv;
	return logind_can_power_off(host, err);
}

/* Takes the lock, says so, and keeps it until the standard input ends. */
static int lock(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_lock) struct lock *lock = NULL;
	int r = lock_take(host, argv[0], &lock, err);

	if (r == 0) {
		puts("taken");
		fflush(stdout);
		while (getchar() != EOF)
			;
	}
	return r;
}

static int look(struct host *host, char **argv, struct error *err)
{
	AUTO_LOCK_HOLDER holder = { 0 };
	int r = lock_look(host, &holder, err);

	(void)argv;
	if (r >= 0)
		printf("%s %s since %s\n", r ? "held" : "free", text(holder.text),
		       holder.since ? "a time" : "-");
	return r < 0 ? r : 0;
}

/* state DIR NAME TEXT */
static int state(struct host *host, char **argv, struct error *err)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	int r = statedir_open(argv[0], STATEDIR_MAKE, &dir, err);

	(void)host;
	return r < 0 ? r : statedir_write(dir, argv[1], argv[2], strlen(argv[2]), err);
}

/* file PATH TEXT */
static int file(struct host *host, char **argv, struct error *err)
{
	return hostfile_write(host, argv[0], argv[1], 0644, NULL, err);
}

static int unfile(struct host *host, char **argv, struct error *err)
{
	return hostfile_remove(host, argv[0], argv[1], err);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*function)(struct host *host, char **argv, struct error *err);
		int arguments;
	} commands[] = {
		{ "job", job, 2 },
		{ "twice", twice, 1 },
		{ "unit", unit, 1 },
		{ "reload", reload, 0 },
		{ "jobs", jobs, 0 },
		{ "times", times, 0 },
		{ "cgroup", cgroup, 1 },
		{ "inhibit", inhibit, 1 },
		{ "power-off", power_off, 0 },
		{ "can-power-off", can_power_off, 0 },
		{ "state", state, 3 },
		{ "file", file, 2 },
		{ "unfile", unfile, 2 },
		{ "lock", lock, 1 },
		{ "look", look, 0 },
	};
	CLEANUP(error_done) struct error err = ERROR_INIT;
	CLEANUP(cleanup_host) struct host *host = NULL;
	const char *wait;
	uint64_t wait_ms = 0;
	size_t i;
	int r = -EINVAL;

	/* Until when the host may be waited for, in milliseconds from now. */
	wait = getenv("WAIT");
	if (wait && parse_u64(wait, &wait_ms) < 0)
		return 4;
	if (host_open(getenv("ROOT"), &host, &err) < 0 || process_harden(&err) < 0)
		return 4;
	if (wait_ms)
		host_set_deadline(host, clock_monotonic_us() + wait_ms * 1000);
	for (i = 0; argc > 1 && i < ELEMENTS(commands); i++)
		if (strcmp(argv[1], commands[i].name) == 0 && argc - 2 >= commands[i].arguments)
			r = commands[i].function(host, argv + 2, &err);
	if (r < 0 && err.message)
		printf("%s\nhint: %s\n", err.message, text(err.hint));
	printf("%s\n", r < 0 ? strerrorname_np(-r) : "ok");
	return r < 0 ? 1 : 0;
}
