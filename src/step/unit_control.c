/* SPDX-License-Identifier: MIT */
#include "step/unit_control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "sys/clock.h"

#define UNIT_NAME_MAX 255 /* systemd's own limit */

/* ---- names ---------------------------------------------------------------------- */

static bool has_suffix(const char *name)
{
	static const char *const suffixes[] = { "service", "socket",    "target", "device",
						"mount",   "automount", "swap",   "timer",
						"path",    "slice",     "scope" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ELEMENTS(suffixes); i++)
		if (strcmp(dot + 1, suffixes[i]) == 0)
			return true;
	return false;
}

/* It becomes a part of a path too. */
static bool is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789:-_.\\@";
	size_t len = strlen(name);

	return len > 0 && len <= UNIT_NAME_MAX && *name != '.' && strspn(name, allowed) == len;
}

int control_check_name(const char *text, struct error *err)
{
	if (is_name(text) && strlen(text) + strlen(".service") <= UNIT_NAME_MAX)
		return 0;
	return error_set(err, -EINVAL, _("'%.80s' is not the name of a unit, such as k3s.service"),
			 text);
}

static int name_unit(struct control *control, const char *name)
{
	struct finding *finding;

	if (asprintf(&control->unit, "%s%s", name, has_suffix(name) ? "" : ".service") < 0) {
		control->unit = NULL;
		return -ENOMEM;
	}
	if (is_name(control->unit))
		return 1;
	finding = result_find(control->ret, "invalid-name", VERDICT_FAIL, "%s", name);
	result_say(control->ret, finding, _("'%.80s' is not the name of a unit."), name);
	result_remedy(control->ret, finding, "%s",
		      _("Write it as `systemctl list-units` does, such as k3s.service."));
	result_evidence(control->ret, finding, "unit", name, NULL, NULL);
	return 0;
}

/* ---- reading -------------------------------------------------------------------- */

static int unreadable(struct control *control, const struct error *why, struct error *err)
{
	AUTO_BUF source = BUF_INIT;

	if (why->code == -ENOMEM || why->code == -ECANCELED)
		return error_copy(err, why);
	buf_addf(&source, "systemd %s", control->unit);
	result_unknown(control->ret, "unreadable", control->unit, buf_text(&source), why);
	return 0;
}

static int keep(const char *text, char **ret)
{
	if (!text || !*text)
		return 0;
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

int control_open(const struct step *step, const char *name, struct result *ret,
		 struct control *control, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	*control = (struct control){ .step = step, .ret = ret };
	r = name_unit(control, name);
	if (r <= 0)
		return r < 0 ? error_oom(err) : 0;
	r = manager_open(step->host, &control->manager, &why);
	if (r == -ENOENT)
		return 1;
	if (r < 0)
		return unreadable(control, &why, err);
	r = control_read(control, err);
	if (r <= 0)
		return r;
	return keep(control->now.control_group, &control->group) < 0 ||
			       keep(control->now.invocation_id, &control->invocation) < 0
		       ? error_oom(err)
		       : 1;
}

void control_done(struct control *control)
{
	manager_unit_done(&control->now);
	manager_free(control->manager);
	free(control->unit);
	free(control->group);
	free(control->invocation);
	*control = (struct control)CONTROL_INIT;
}

int control_read(struct control *control, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct manager_unit now = { 0 };
	int r;

	if (!control->manager)
		return 1;
	r = manager_unit(control->manager, control->unit, &now, &why);
	if (r < 0)
		return unreadable(control, &why, err);
	manager_unit_done(&control->now);
	control->now = now;
	return 1;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

bool control_is_up(const struct control *control)
{
	return control->now.found &&
	       is_one_of(control->now.active, "active", "reloading", "refreshing");
}

bool control_is_down(const struct control *control)
{
	return !control->now.found ||
	       is_one_of(control->now.active, "inactive", "failed", "maintenance");
}

bool control_is_busy(const struct control *control)
{
	return control->now.found && control->now.job != 0;
}

static void add(struct buf *text, const char *name, const char *value)
{
	if (value && *value)
		buf_addf(text, "%s%s=%s", text->len ? " " : "", name, value);
}

void control_cite(const struct control *control, struct finding *finding)
{
	const struct manager_unit *now = &control->now;
	AUTO_BUF source = BUF_INIT, text = BUF_INIT;

	if (!control->manager) {
		result_evidence(control->ret, finding, PATH_SYSTEMD_RUN, _("not there"), NULL,
				NULL);
		return;
	}
	buf_addf(&source, "systemd %s", control->unit);
	add(&text, "LoadState", now->found ? now->load : "not-found");
	if (now->found) {
		add(&text, "ActiveState", now->active);
		add(&text, "SubState", now->sub);
		add(&text, "UnitFileState", now->file_state);
		add(&text, "Result", now->result);
		add(&text, "InvocationID", now->invocation_id);
	}
	if (control_is_busy(control))
		buf_addf(&text, " Job=%u", now->job);
	result_evidence(control->ret, finding, buf_text(&source), buf_text(&text), NULL, NULL);
}

/* ---- originals ------------------------------------------------------------------ */

static void say_busy(struct control *control)
{
	struct finding *finding =
		result_find(control->ret, "job-pending", VERDICT_FAIL, "%s", control->unit);

	result_say(control->ret, finding,
		   _("systemd is at work on %s already, so what state it is in cannot be kept."),
		   control->unit);
	result_remedy(control->ret, finding, "%s",
		      _("Wait until `systemctl list-jobs` no longer lists it, then go on."));
	control_cite(control, finding);
}

int control_save(struct control *control, struct error *err)
{
	const struct manager_unit *now = &control->now;
	const struct {
		const char *key, *value;
	} rows[] = {
		{ "file-state", now->found ? now->file_state : "" },
		{ "invocation-id", now->found ? now->invocation_id : "" },
		/* Last: that it is kept says that all of them are. */
		{ "active-state", now->found ? now->active : "inactive" },
	};
	const char *kept;
	int r = step_original(control->step, "active-state", &kept, err);

	if (r != 0)
		return r;
	if (control_is_busy(control)) {
		say_busy(control);
		return 0;
	}
	for (size_t i = 0; r == 0 && i < ELEMENTS(rows); i++)
		r = step_save_original(control->step, rows[i].key,
				       rows[i].value ? rows[i].value : "", err);
	return r < 0 ? r : 1;
}

int control_was_up(const struct control *control, struct error *err)
{
	const char *state;
	int r = step_original(control->step, "active-state", &state, err);

	if (r <= 0)
		return r < 0 ? r : -ENODATA;
	/* "activating" without a job: systemd was about to restart it. */
	return is_one_of(state, "active", "reloading", "refreshing") ||
	       strcmp(state, "activating") == 0;
}

/* ---- the change ------------------------------------------------------------------ */

/* The unit is read once more after a job without a result: that needs time too. */
static uint64_t job_deadline(const struct step *step)
{
	uint64_t now = clock_monotonic_us();
	uint64_t left = step->deadline_us > now ? step->deadline_us - now : 0;
	uint64_t kept = left / 10;

	return now + left - (kept < 10000000 ? kept : 10000000);
}

static void tell_progress(const struct control *control, enum manager_verb verb)
{
	AUTO_BUF what = BUF_INIT;
	struct progress progress = { 0 };

	buf_addf(&what, verb == MANAGER_STOP ? _("stopping %s") : _("starting %s"), control->unit);
	progress.what = buf_text(&what);
	step_progress(control->step, &progress);
}

int control_bring(struct control *control, enum manager_verb verb, struct error *why,
		  struct error *err)
{
	bool is_so = verb == MANAGER_STOP ? control_is_down(control) : control_is_up(control);
	int r;

	if (!control->manager || (is_so && !control_is_busy(control)))
		return 1;
	tell_progress(control, verb);
	r = manager_unit_job(control->manager, control->unit, verb, job_deadline(control->step),
			     NULL, why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, why);
	return control_read(control, err);
}

int control_reload(struct control *control, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	if (!control->manager)
		return 1;
	r = manager_reload(control->manager, &why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	/* What came of it, the unit tells. */
	return control_read(control, err);
}
