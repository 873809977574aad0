/* SPDX-License-Identifier: MIT */
#include "cli/queue.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/intl.h"
#include "buf.h"
#include "sys/clock.h"
#include "sys/manager.h"
#include "sys/process.h"

/* systemd itself gives a device up after 90 s. */
#define DEADLINE_US UINT64_C(150000000)
#define PAUSE_US UINT64_C(500000)
/* So many units are named. */
#define NAMED 5

/* A job for any of these decides what is mounted. */
static bool is_awaited(const char *unit)
{
	static const char *const suffixes[] = { ".mount", ".device", ".swap" };
	size_t len = strlen(unit);

	for (size_t i = 0; i < ELEMENTS(suffixes); i++) {
		size_t n = strlen(suffixes[i]);

		if (len > n && strcmp(unit + len - n, suffixes[i]) == 0)
			return true;
	}
	return false;
}

static void add_unit(const char *unit, size_t n, struct buf *names)
{
	if (n < NAMED)
		buf_addf(names, "%s%s", n ? ", " : "", unit);
	else if (n == NAMED)
		buf_adds(names, ", ...");
}

/* How many are queued, or a negative errno. */
static int look(struct manager *manager, struct buf *names, struct error *err)
{
	struct manager_job *jobs = NULL;
	size_t n = 0, awaited = 0;
	int r = manager_jobs(manager, &jobs, &n, err);

	if (r < 0)
		return r;
	buf_clear(names);
	for (size_t i = 0; i < n; i++)
		if (is_awaited(jobs[i].unit))
			add_unit(jobs[i].unit, awaited++, names);
	manager_jobs_free(jobs, n);
	return (int)awaited;
}

static int give_up(const struct buf *names, struct error *err)
{
	error_set(err, -ETIMEDOUT, _("after %u s systemd still waits for %s"),
		  (unsigned)(DEADLINE_US / 1000000), buf_text(names));
	error_hint(err, "%s",
		   _("'systemctl list-jobs' and 'systemctl status UNIT' say what it waits for."));
	return -ETIMEDOUT;
}

int queue_wait(struct host *host, struct error *err)
{
	CLEANUP(cleanup_manager) struct manager *manager = NULL;
	uint64_t end = clock_monotonic_us() + DEADLINE_US;
	AUTO_BUF names = BUF_INIT;
	int r = manager_open(host, &manager, err);

	while (r >= 0) {
		r = look(manager, &names, err);
		if (r <= 0)
			break;
		if (*process_cancelled())
			return error_set(err, -ECANCELED, "%s", _("stopped by the operator"));
		if (clock_monotonic_us() > end)
			return give_up(&names, err);
		clock_pause(PAUSE_US);
	}
	return r;
}
