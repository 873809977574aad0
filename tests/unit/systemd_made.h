/* SPDX-License-Identifier: MIT */
/*
 * A systemd made up for tests of the kinds that steer units: the calls of
 * sys/manager.h and sys/cgroup.h, defined here so that the linker leaves the
 * real ones out.  What goes over the wire is tested with them, in tests/fake.
 */
#ifndef COLDSWAP_TESTS_SYSTEMD_MADE_H
#define COLDSWAP_TESTS_SYSTEMD_MADE_H

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "step.h"
#include "sys/cgroup.h"
#include "sys/clock.h"
#include "sys/manager.h"

/* One unit, and what a job makes of it. */
struct made_unit {
	const char *name;
	const char *active, *sub, *file_state, *kill_mode, *group, *invocation, *trigger, *result;
	const char *load;
	bool delegate, need_reload;
	uint32_t job;
	const char *assert, *drop_in, *fragment;
	int code;          /* what manager_unit_job() gives */
	const char *to;    /* the state after a job; NULL: as the verb says */
	const char *run;   /* the InvocationID after a job, or NULL */
	bool gone, queued; /* after a job: no such unit any more; the job is still there */
	int unread;        /* reading it gives this */
	int unread_after;  /* the same, after a job */
};

static struct {
	int open; /* what manager_open() gives */
	struct made_unit units[4];
	struct cgroup_process left[32];
	size_t n_left;
	int left_code;
	unsigned jobs, reloads, forgotten;
	bool keeps_failed;  /* a failed unit stays listed when its file is gone */
	bool failure_stays; /* and is not forgotten when asked to */
	enum manager_verb verb;
	int reload_code;
	void (*on_reload)(void);
} made;

static struct made_unit *made_find(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(made.units); i++)
		if (made.units[i].name && strcmp(made.units[i].name, name) == 0)
			return &made.units[i];
	return NULL;
}

int manager_open(struct host *host, struct manager **ret, struct error *err)
{
	(void)host;
	if (made.open < 0)
		return error_set(err, made.open, "systemd cannot be reached");
	*ret = malloc(1);
	return 0;
}

void manager_free(struct manager *manager)
{
	free(manager);
}

int manager_unit_job(struct manager *manager, const char *name, enum manager_verb verb,
		     uint64_t deadline_us, char **ret_result, struct error *err)
{
	struct made_unit *unit = made_find(name);
	bool stop = verb == MANAGER_STOP;

	cr_assert_not_null(manager);
	cr_assert_gt(deadline_us, clock_monotonic_us());
	cr_assert_null(ret_result);
	cr_assert_not_null(unit, "a job for %s", name);
	made.jobs++;
	made.verb = verb;
	unit->active = unit->to ? unit->to : stop ? "inactive" : "active";
	unit->sub = strcmp(unit->active, "active") == 0 ? "running" : "dead";
	unit->job = unit->queued ? 7 : 0;
	unit->unread = unit->unread_after;
	if (unit->run)
		unit->invocation = unit->run;
	if (unit->gone)
		unit->name = NULL;
	if (unit->code < 0) {
		error_set(err, unit->code, "the job ended otherwise");
		error_hint(err, "look at: journalctl");
	}
	return unit->code;
}

static char *made_copy(const char *text)
{
	return strdup(text ? text : "");
}

int manager_unit(struct manager *manager, const char *name, struct manager_unit *ret,
		 struct error *err)
{
	const struct made_unit *unit = made_find(name);

	cr_assert_not_null(manager);
	*ret = (struct manager_unit){ 0 };
	if (!unit)
		return 0;
	if (unit->unread < 0)
		return error_set(err, unit->unread, "systemd does not answer");
	*ret = (struct manager_unit){
		.found = true,
		.load = strdup(unit->load ? unit->load : "loaded"),
		.active = made_copy(unit->active),
		.sub = made_copy(unit->sub),
		.file_state = made_copy(unit->file_state),
		.kill_mode = strdup(unit->kill_mode ? unit->kill_mode : "control-group"),
		.delegate = unit->delegate,
		.control_group = made_copy(unit->group),
		.result = strdup(unit->result ? unit->result : "success"),
		.invocation_id = made_copy(unit->invocation),
		.fragment_path = made_copy(unit->fragment),
		.need_reload = unit->need_reload,
		.job = unit->job,
	};
	if (unit->trigger)
		strv_add(&ret->triggered_by, unit->trigger);
	if (unit->drop_in)
		strv_add(&ret->drop_in_paths, unit->drop_in);
	if (unit->assert) {
		ret->asserts = calloc(1, sizeof(*ret->asserts));
		ret->asserts[0].text = strdup(unit->assert);
		ret->n_asserts = 1;
	}
	return 0;
}

void manager_unit_done(struct manager_unit *unit)
{
	for (size_t i = 0; i < unit->n_asserts; i++)
		free(unit->asserts[i].text);
	free(unit->asserts);
	free(unit->load);
	free(unit->active);
	free(unit->sub);
	free(unit->file_state);
	free(unit->kill_mode);
	free(unit->control_group);
	free(unit->result);
	free(unit->invocation_id);
	free(unit->fragment_path);
	strv_free(unit->triggered_by);
	strv_free(unit->drop_in_paths);
	*unit = (struct manager_unit){ 0 };
}

int manager_reload(struct manager *manager, struct error *err)
{
	cr_assert_not_null(manager);
	made.reloads++;
	if (made.reload_code < 0)
		return error_set(err, made.reload_code, "systemd did not read its files");
	if (made.on_reload)
		made.on_reload();
	return 0;
}

int manager_reset_failed(struct manager *manager, const char *unit, struct error *err)
{
	struct made_unit *known = made_find(unit);

	(void)err;
	cr_assert_not_null(manager);
	if (known && known->active && strcmp(known->active, "failed") == 0 && !made.failure_stays)
		known->active = "inactive";
	made.forgotten++;
	return 0;
}

int cgroup_processes(struct host *host, const char *group, struct cgroup_list *ret,
		     struct error *err)
{
	(void)host;
	cr_assert_str_eq(group, "/system.slice/k3s.service");
	if (made.left_code < 0)
		return error_set(err, made.left_code, "no control groups");
	*ret = (struct cgroup_list){ made.n_left ? made.left : NULL, made.n_left };
	return 0;
}

void cgroup_list_done(struct cgroup_list *list)
{
	*list = (struct cgroup_list){ 0 };
}

/* ---- the session of a step ------------------------------------------------------- */

struct made_session {
	char *keys[8], *values[8];
	size_t n;
	const char *answer; /* NULL: the operator stops */
	const struct question *asked;
	int save_code;
	unsigned jobs_at_save; /* how many changes had been made by then */
};

static inline int made_ask(void *data, const struct question *question, char **ret,
			   struct error *err)
{
	struct made_session *session = data;

	session->asked = question;
	if (!session->answer)
		return error_set(err, -ECANCELED, "stopped");
	*ret = strdup(session->answer);
	return 0;
}

static inline void made_progress(void *data, const struct progress *progress)
{
	(void)data;
	cr_assert_not_null(progress->what);
}

static inline int made_save(void *data, const char *key, const char *value, struct error *err)
{
	struct made_session *session = data;

	if (session->save_code < 0)
		return error_set(err, session->save_code, "no room");
	session->jobs_at_save = made.jobs;
	for (size_t i = 0; i < session->n; i++)
		if (strcmp(session->keys[i], key) == 0)
			return 0;
	cr_assert_lt(session->n, ELEMENTS(session->keys));
	session->keys[session->n] = strdup(key);
	session->values[session->n++] = strdup(value);
	return 0;
}

static inline int made_original(void *data, const char *key, const char **ret, struct error *err)
{
	struct made_session *session = data;

	(void)err;
	for (size_t i = 0; i < session->n; i++)
		if (strcmp(session->keys[i], key) == 0) {
			*ret = session->values[i];
			return 1;
		}
	return 0;
}

static inline void made_session_done(struct made_session *session)
{
	for (size_t i = 0; i < session->n; i++) {
		free(session->keys[i]);
		free(session->values[i]);
	}
}

#define MADE_SERVICES(session)                                                                     \
	{                                                                                          \
		.data = (session), .ask = made_ask, .progress = made_progress,                     \
		.save_original = made_save, .original = made_original                              \
	}

/* ---- calling a kind ----------------------------------------------------------------- */

enum made_call { MADE_RUN, MADE_UNDO, MADE_WANTED, MADE_UNDONE };

static struct made_session session;
/* What a step of the test has beside its session. */
static struct step made_step;

static inline int made_call(const struct kind *kind, const void *params, enum made_call what,
			    enum standing *ret_standing, struct result *ret, struct error *err)
{
	const struct step_services services = MADE_SERVICES(&session);
	struct step step = made_step;
	int r;

	step.id = "step";
	step.session = 7;
	step.deadline_us = clock_monotonic_us() + 60000000;
	step.services = &services;

	result_init(ret, kind);
	if (what == MADE_RUN)
		r = kind->run(&step, params, ret, err);
	else if (what == MADE_UNDO)
		r = kind->undo(&step, params, ret, err);
	else
		r = kind->verify(&step, params, what == MADE_WANTED ? EFFECT_WANTED : EFFECT_UNDONE,
				 ret_standing, ret, err);
	cr_expect_eq(ret->failed, 0);
	return r;
}

static inline void made_expect(const struct kind *kind, const void *params, enum made_call what,
			       enum standing expected)
{
	CLEANUP(result_done) struct result result;
	enum standing standing = STANDING_UNKNOWN;

	cr_assert_eq(made_call(kind, params, what, &standing, &result, NULL), 0);
	cr_expect_eq(standing, expected);
	cr_expect(standing == STANDING_YES || result.n_findings > 0);
}

static inline const struct finding *made_finding(const struct result *result, const char *id)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(strchr(result->findings[i].id, '/') + 1, id) == 0)
			return &result->findings[i];
	return NULL;
}

/* Whole: with evidence, and with a remedy unless it is good news. */
#define EXPECT_FINDING(result, id_, verdict_)                                                      \
	({                                                                                         \
		const struct finding *finding_ = made_finding(result, id_);                        \
		cr_assert_not_null(finding_, "no finding %s", id_);                                \
		cr_expect_eq(finding_->verdict, verdict_, "%s: %s", id_,                           \
			     verdict_name(finding_->verdict));                                     \
		cr_expect_geq(finding_->n_evidence, 1, "%s: no evidence", id_);                    \
		cr_expect(finding_->remedy || finding_->verdict <= VERDICT_PASS, "%s: no remedy",  \
			  id_);                                                                    \
		finding_;                                                                          \
	})
#define EXPECT_NO_FINDING(result, id_)                                                             \
	cr_expect_null(made_finding(result, id_), "an unexpected finding %s", id_)

#endif
