/* SPDX-License-Identifier: MIT */
/*
 * A scripted systemd and logind on sockets of their own; README.md is its manual.
 *
 * One process, one event loop.  What others could see of it is appended to
 * DIR/log; what must survive it stands in DIR/state.
 */
#ifndef COLDSWAP_FAKE_H
#define COLDSWAP_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#define SYSTEMD "org.freedesktop.systemd1"
#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define LOGIND "org.freedesktop.login1"
#define UNIT_DIR "/etc/systemd/system"
#define RUNTIME_DIR "/run/systemd/system"
#define LISTS_MAX 32

enum verb { START, STOP };

/* What one start or stop comes to. */
struct outcome {
	const char
		*result; /* a word of JobRemoved, or never, silent, unanswered, lost, refuse:NAME */
	uint64_t after_us;  /* from the call to the end of the job */
	bool early;         /* JobRemoved before the answer that names the job */
	unsigned leaves;    /* a stop: processes that stay */
	char *active, *sub; /* the unit's states after it, where they are not the usual ones */
	char *run;          /* a command, run when the job ends, before its result is told */
};

struct unit {
	struct unit *next;
	char *name;
	char *names[LISTS_MAX], *values[LISTS_MAX]; /* properties, as the script gives them */
	size_t n_properties;
	bool scripted, silent, from_file;
	char *active, *sub, *result;
	struct outcome outcomes[2][LISTS_MAX];
	size_t n_outcomes[2];
	unsigned tried[2];
	unsigned invocation; /* how often it was started */
	unsigned processes;  /* it has while it is active */
	pid_t pids[LISTS_MAX];
	size_t n_pids;
	pid_t main_pid;
	char *fragment, *dropins[LISTS_MAX];
	size_t n_dropins;
	char *asserts[LISTS_MAX]; /* "AssertPathExists=!/x", "ConditionPathExists=/x" */
	int held[LISTS_MAX];      /* outcome of each at the last start */
	size_t n_asserts;
	uint64_t loaded; /* digest of its files when they were read */
};

struct job {
	struct job *next;
	struct fake *fake;
	unsigned id;
	struct unit *unit; /* NULL: one of the script, of another unit */
	char *other, *type, *state;
	enum verb verb;
	const struct outcome *outcome;
	unsigned peer; /* serial of who asked */
	sd_event_source *timer;
};

struct peer {
	struct peer *next;
	struct fake *fake;
	unsigned serial;
	sd_bus *bus;
	bool is_bus, subscribed, matched;
};

struct fake {
	const char *dir;
	const char *cgroup; /* directory below which units have their groups; NULL: none */
	const char *group;  /* the same, as ControlGroup says it */
	sd_event *event;
	struct unit *units;
	struct job *jobs;
	struct peer *peers;
	unsigned n_jobs, n_peers;
	uint64_t times[5];                         /* firmware, loader, initrd, userspace, finish */
	char *systemd, *logind, *private, *bus;    /* ok, absent, silent */
	char *power_off, *can_power_off, *inhibit; /* an outcome's result */
	char *power_off_run;
};

/* die.c: what is wrong with a script or the system ends the fake, loudly. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *need(void *pointer);
char *copy(const char *text);
void set_text(char **to, const char *text);
void note(struct fake *fake, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* script.c */
void script_load(struct fake *fake, const char *path);
void state_load(struct fake *fake);
void state_save(struct fake *fake);

/* unit.c */
struct unit *unit_find(struct fake *fake, const char *name);
struct unit *unit_get(struct fake *fake, const char *name); /* made when it is new */
const char *unit_property(const struct unit *unit, const char *name, const char *otherwise);
bool unit_exists(const struct unit *unit);
void unit_read_files(struct unit *unit);
uint64_t unit_digest(const struct unit *unit);
bool unit_check(struct unit *unit, const char *prefix); /* do its Asserts or Conditions hold? */
void unit_set(struct unit *unit, const char *active, const char *sub);
const char *unit_busy_sub(const struct unit *unit); /* SubState of one that is active */

/* process.c: children in the unit's control group */
void process_start(struct fake *fake, struct unit *unit);
void process_stop(struct fake *fake, struct unit *unit, unsigned leave);

/* property.c */
int property_append_all(struct fake *fake, struct unit *unit, const char *interface,
			sd_bus_message *reply);
int property_append_one(struct fake *fake, struct unit *unit, const char *name,
			sd_bus_message *reply);
int property_append_manager(struct fake *fake, sd_bus_message *reply);

/* job.c */
int job_call(struct peer *peer, sd_bus_message *call, enum verb verb);
void job_script(struct fake *fake, unsigned id, const char *unit, const char *type,
		const char *state, uint64_t until_us);
int job_list(struct fake *fake, sd_bus_message *reply);
struct job *job_of(struct fake *fake, const struct unit *unit);

/* peer.c */
void peer_listen(struct fake *fake, const char *path, bool is_bus, bool silent);
void peer_close(struct fake *fake, unsigned serial);
int peer_answer(sd_bus_message *call, const char *types, ...);
int peer_refuse(sd_bus_message *call, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* systemd.c, logind.c: 1 answered, 0 not mine, or a negative errno */
int systemd_call(struct peer *peer, sd_bus_message *call);
int logind_call(struct peer *peer, sd_bus_message *call);

#endif
