/* SPDX-License-Identifier: MIT */
/*
 * systemd's manager: units, jobs and their results.
 *
 * Only the running system has one.  A manager is a connection; it is made
 * again by the next call when systemd dropped it, so that one may be kept for
 * a whole session.  A call that a connection was lost under is a failure of
 * that call: whether its effect happened is asked of the unit, not of it.
 *
 * Calls other than a job wait 5 s (a reload 90 s), and no longer than the
 * host's deadline.  -ECANCELED within 0.1 s once the operator asked to stop.
 *
 * A job's result is no proof that nothing runs: after KillMode=process a unit
 * is inactive and its processes go on (sys/cgroup.h), and a socket, timer or
 * path unit (triggered_by) may start it again.
 */
#ifndef COLDSWAP_SYS_MANAGER_H
#define COLDSWAP_SYS_MANAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct manager;

/*
 * `host` must outlive the manager.  -EPERM: the host is a capture; -ENOENT:
 * systemd does not run here; -ECONNREFUSED: it cannot be reached.
 */
int manager_open(struct host *host, struct manager **ret, struct error *err);
void manager_free(struct manager *manager);
DEFINE_CLEANUP(manager, manager_free)

enum manager_verb {
	MANAGER_START,
	MANAGER_STOP,
};

/*
 * Queue a job ("replace") and wait for its result.  0 only for `done`, which a
 * unit that is in that state already also gives.
 *
 * *ret_result (may be NULL) is the result's own word ("done", "failed",
 * "timeout", ...), or NULL where there was none; the caller frees it.
 *   -ENOENT       no such unit, or it is masked; no job was queued
 *   -EACCES       not allowed
 *   -EREMOTEIO    the job ended otherwise than done, or was refused
 *   -ETIMEDOUT    no result by `deadline_us`: the job is still queued
 *   -ECANCELED    the operator stopped us: the job is still queued
 *   -ECONNRESET   the connection was lost: what the job did is unknown
 */
int manager_unit_job(struct manager *manager, const char *unit, enum manager_verb verb,
		     uint64_t deadline_us, char **ret_result, struct error *err);

struct manager_assert {
	char *text;  /* "AssertPathExists=!/var/lib/x", as it stands in a unit file */
	int outcome; /* of the last start: > 0 held, < 0 did not, 0 not tried since loaded */
};

/* Texts are NULL where the type of unit has no such property, "" where it is empty. */
struct manager_unit {
	bool found;       /* false: nothing below is set */
	char *load;       /* "loaded", "masked", "bad-setting", "error"; "not-found": its file
	                  was removed, and it is not inactive yet */
	char *active;     /* "active", "reloading", "inactive", "failed", "activating", ... */
	char *sub;        /* "running", "dead", "exited", ... */
	char *file_state; /* "enabled", "disabled", "static", ...; "" without a unit file */
	char **triggered_by;
	char *kill_mode; /* "control-group", "process", "mixed", "none" */
	bool delegate;
	char *control_group; /* "/system.slice/x.service"; "" while nothing was started */
	pid_t main_pid;      /* 0: none */
	char *result;        /* "success", "exit-code", "timeout", ... */
	char *invocation_id; /* 32 hexadecimal digits; "" where it was never started */
	bool need_reload;    /* its files changed since systemd read them */
	char *fragment_path;
	char **drop_in_paths;
	struct manager_assert *asserts;
	size_t n_asserts;
	uint32_t job; /* id of the job that is queued for it; 0: none */
};

/* A unit that systemd does not know is no error: `found` is false. */
int manager_unit(struct manager *manager, const char *unit, struct manager_unit *ret,
		 struct error *err);
void manager_unit_done(struct manager_unit *unit);
#define AUTO_MANAGER_UNIT CLEANUP(manager_unit_done) struct manager_unit

/* daemon-reload; on return the unit files are read again. */
int manager_reload(struct manager *manager, struct error *err);

/*
 * Forget that a unit failed: one whose file is gone stays listed as failed
 * until then.  A unit that systemd does not know, or that has not failed, is
 * no error.
 */
int manager_reset_failed(struct manager *manager, const char *unit, struct error *err);

struct manager_job {
	uint32_t id;
	char *unit;
	char *type;  /* "start", "stop", "restart", "verify-active", ... */
	char *state; /* "waiting", "running" */
};

/* The queue, in systemd's order; freed by manager_jobs_free(). */
int manager_jobs(struct manager *manager, struct manager_job **ret, size_t *ret_n,
		 struct error *err);
void manager_jobs_free(struct manager_job *jobs, size_t n);

/* How long this boot took, in microseconds; 0: not known (a BIOS, a container), or no such part. */
struct manager_times {
	uint64_t firmware_us, loader_us, kernel_us, initrd_us;
	uint64_t userspace_us; /* until the start was finished; 0 while it is not */
	bool finished;
};

int manager_times(struct manager *manager, struct manager_times *ret, struct error *err);

#endif
