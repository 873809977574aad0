/* SPDX-License-Identifier: MIT */
/* Real processes in a real control group, so that whoever looks there finds them. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake.h"

/* The group and those above it, below the fake's own. */
static void make_group(struct fake *fake, const struct unit *unit, char path[4096])
{
	snprintf(path, 4096, "%s/system.slice", fake->cgroup);
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		die("cannot make %s: %m", path);
	snprintf(path, 4096, "%s/system.slice/%s", fake->cgroup, unit->name);
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		die("cannot make %s: %m", path);
}

static void join(const char *group, pid_t pid)
{
	char path[4096 + 16];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	file = fopen(path, "we");
	if (!file || fprintf(file, "%d\n", (int)pid) < 0 || fclose(file) != 0)
		die("cannot write %s: %m", path);
}

void process_start(struct fake *fake, struct unit *unit)
{
	char group[4096];
	size_t i;
	pid_t pid;

	if (!fake->cgroup || !unit->processes)
		return;
	make_group(fake, unit, group);
	for (i = 0; i < unit->processes && unit->n_pids < LISTS_MAX; i++) {
		pid = fork();
		if (pid < 0)
			die("cannot fork: %m");
		if (pid == 0) {
			char name[16];

			/* The shape of a daemon's name, the unit's without its suffix. */
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(unit->name, "."),
				 unit->name);
			prctl(PR_SET_NAME, name);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			/* Whoever waits for one of our sockets to close would wait for this child. */
			close_range(0, ~0U, 0);
			for (;;)
				pause();
		}
		join(group, pid);
		if (i == 0)
			unit->main_pid = pid;
		unit->pids[unit->n_pids++] = pid;
	}
}

void process_stop(struct fake *fake, struct unit *unit, unsigned leave)
{
	char group[4096];

	while (unit->n_pids > leave) {
		pid_t pid = unit->pids[--unit->n_pids];

		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (!fake->cgroup || unit->n_pids)
		return;
	snprintf(group, sizeof(group), "%s/system.slice/%s", fake->cgroup, unit->name);
	(void)rmdir(group);
}
