/* SPDX-License-Identifier: MIT */
/*
 * unit.stop on the host as it is: what of the unit would stay?
 *
 * What stays is what runs in its control group and is not ended with it, what
 * was started by that (a container lives in a control group of its own, and
 * its shim is its parent), and shims that answer to k3s' containerd wherever
 * they run.  While the unit is up this is told, since a later step may prove
 * that nothing of it matters; once it is down no step of this kind ends it.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/mounts.h"
#include "probe/paths.h"
#include "probe/processes.h"
#include "probe/unitfile.h"
#include "step/unit_stop.h"

#define SHOWN 20
#define ANCESTORS_MAX 64

struct foreseen {
	const struct step *step;
	const struct unit *unit;
	const char *name; /* "k3s.service" */
	struct processes processes;
	struct result *ret;
};

static bool is_k3s(const struct foreseen *f)
{
	return strncmp(f->name, "k3s", 3) == 0 || strncmp(f->name, "rke2", 4) == 0;
}

/* ---- KillMode -------------------------------------------------------------------------- */

/* The last setting counts. */
static const struct unitfile_line *mode_line(const struct unitfiles *files, const char *name)
{
	const struct unitfile *file = files ? unitfiles_find(files, name) : NULL;
	const struct unitfile_line *found = NULL;

	for (size_t i = 0; file && i < file->n; i++)
		if (strcmp(file->lines[i].key, "KillMode") == 0)
			found = &file->lines[i];
	return found;
}

static void say_mode(const struct foreseen *f, const struct unitfile_line *line)
{
	struct finding *finding = result_find(f->ret, "kill-mode", VERDICT_WARN, "%s", f->name);
	result_say(f->ret, finding,
		   strcmp(f->unit->kill_mode, "none") == 0
			   ? _("KillMode=%s: to stop %s ends no process.")
			   : _("KillMode=%s: to stop %s ends its main process alone."),
		   f->unit->kill_mode, f->name);
	result_remedy(f->ret, finding, "%s",
		      _("Let a step before it end what it would leave (kube.scale), and one behind "
			"it prove that it is gone: files.quiescent."));
	result_evidence(f->ret, finding, line ? line->source : f->unit->source,
			line ? line->text : f->unit->kill_mode, NULL, NULL);
}

static bool has_word(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	char next = at ? at[strlen(word)] : 'x';

	return at && (!next || strchr(" \t'\"=", next));
}

/* The containers of k3s are Docker's then. */
static void judge_docker(const struct foreseen *f, const struct unitfiles *files)
{
	const struct unitfile *file = is_k3s(f) ? unitfiles_find(files, f->name) : NULL;

	for (size_t i = 0; file && i < file->n; i++) {
		const struct unitfile_line *line = &file->lines[i];
		struct finding *finding;

		if (strcmp(line->key, "ExecStart") != 0 || !has_word(line->text, "--docker"))
			continue;
		finding = result_find(f->ret, "docker-backend", VERDICT_WARN, "%s", f->name);
		result_say(
			f->ret, finding,
			_("The containers of %s are Docker's: to stop it ends none, and Docker may "
			  "start them again."),
			f->name);
		result_remedy(f->ret, finding,
			      _("Scale the workloads to 0 before %s is stopped; docker ps --filter "
				"name=k8s_ must list none. With live-restore they outlive "
				"docker.service too."),
			      f->name);
		result_evidence(f->ret, finding, line->source, line->text, NULL, NULL);
	}
}

/* Files that cannot be read leave the setting that systemd told without its line. */
static int judge_files(const struct foreseen *f, struct error *err)
{
	CLEANUP(cleanup_unitfiles) struct unitfiles *files = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = unitfiles_load(f->step->host, &files, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (unit_stop_spares(f->unit))
		say_mode(f, mode_line(files, f->name));
	if (files)
		judge_docker(f, files);
	return 0;
}

/* ---- what would stay -------------------------------------------------------------------- */

static bool is_in_group(const struct foreseen *f, const struct process *process)
{
	const char *group = f->unit->control_group;

	/* systemd takes the name from a group that is empty for it: its processes tell it. */
	if (!group || group[0] != '/' || !group[1])
		return process->unit && strcmp(process->unit, f->name) == 0;
	return process->cgroup && path_is_below(process->cgroup, group);
}

/* Pods outlive who runs them, whatever started their processes: Docker, containerd, CRI-O. */
static bool runs_pods(const struct foreseen *f)
{
	return is_k3s(f) || strncmp(f->name, "kubelet", 7) == 0;
}

/* A parent that has another number by now is none: the walk has an end. */
static bool is_of_unit(const struct foreseen *f, const struct process *process)
{
	if (process->pod && runs_pods(f))
		return true;
	for (unsigned i = 0; process && i < ANCESTORS_MAX; i++) {
		if (is_in_group(f, process) || (process->of_k3s && is_k3s(f)))
			return true;
		process =
			process->parent > 1 ? processes_find(&f->processes, process->parent) : NULL;
	}
	return false;
}

/* A unit that systemd is about to start again is not down. */
static bool is_down(const struct unit *unit)
{
	return unit->active &&
	       (strcmp(unit->active, "inactive") == 0 || strcmp(unit->active, "failed") == 0);
}

/* 1, 0, or a negative errno. */
static int stays(const struct foreseen *f, const struct process *process, struct error *err)
{
	const struct stoppable who = { .pid = process->pid,
				       .cgroup = process->cgroup,
				       .unit = process->unit,
				       .pod = process->pod,
				       .container = process->container };
	const char *id;
	int r;

	if (!is_of_unit(f, process) || (!is_down(f->unit) && unit_stop_ends(f->unit, &who)))
		return 0;
	r = step_stopper(f->step, &who, &id, err);
	if (r == -ENOMEM || r == -ECANCELED)
		return r;
	/* What cannot be asked is no promise that it ends. */
	return r <= 0;
}

static void cite(const struct foreseen *f, const struct process *process, struct finding *finding)
{
	AUTO_BUF source = BUF_INIT, text = BUF_INIT;

	buf_addf(&source, PATH_PROCESS_FMT, (int)process->pid);
	buf_adds(&text, process->shim ? process->shim : process->comm ? process->comm : "?");
	if (process->pod)
		buf_addf(&text, ", pod %s", process->pod);
	if (process->container)
		buf_addf(&text, ", container %.12s", process->container);
	if (process->cgroup)
		buf_addf(&text, ", control group %s", process->cgroup);
	result_evidence(f->ret, finding, buf_text(&source), buf_text(&text), NULL, NULL);
}

static void say_stay(const struct foreseen *f, const struct process *const *left, size_t n)
{
	bool up = !is_down(f->unit);
	struct finding *finding = result_find(f->ret, up ? "would-stay" : "stayed",
					      up ? VERDICT_WARN : VERDICT_FAIL, "%s", f->name);
	size_t shown = n < SHOWN ? n : SHOWN;

	if (up)
		result_say(f->ret, finding,
			   PLURAL("%zu process of %s would go on when it is stopped.",
				  "%zu processes of %s would go on when it is stopped.", n),
			   n, f->name);
	else
		result_say(f->ret, finding,
			   PLURAL("%2$s is %3$s, and %1$zu process of it still runs.",
				  "%2$s is %3$s, and %1$zu processes of it still run.", n),
			   n, f->name, f->unit->active);
	result_remedy(f->ret, finding,
		      is_k3s(f) ? _("Scale the workloads to 0 before %s is stopped, so that their "
				    "programs can close what they have open; a k3s-killall.sh "
				    "kills, unmounts and removes, and is not for this.")
				: _("End them before %s is stopped, each in the way that it asks "
				    "for."),
		      f->name);
	for (size_t i = 0; i < shown; i++)
		cite(f, left[i], finding);
	if (shown < n) {
		AUTO_BUF more = BUF_INIT;

		buf_addf(&more, _("%zu more"), n - shown);
		result_evidence(f->ret, finding, PATH_PROC, buf_text(&more), NULL, NULL);
	}
}

static int judge_stay(const struct foreseen *f, struct error *err)
{
	const struct process **left = calloc(f->processes.n + 1, sizeof(*left));
	size_t n = 0;
	int r = left ? 0 : error_oom(err);

	for (size_t i = 0; r >= 0 && i < f->processes.n; i++) {
		r = stays(f, &f->processes.items[i], err);
		if (r > 0)
			left[n++] = &f->processes.items[i];
	}
	if (r >= 0 && n)
		say_stay(f, left, n);
	free(left);
	return r < 0 ? r : 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

static int unreadable(const struct foreseen *f, const char *source, const struct error *why,
		      struct error *err)
{
	if (why->code == -ENOMEM || why->code == -ECANCELED)
		return error_copy(err, why);
	/* A capture of other things has no processes at all. */
	if (why->code == -ENOENT && !host_is_live(f->step->host))
		return 0;
	result_unknown(f->ret, "left-unknown", f->name, source, why);
	return 0;
}

static int judge_unit(struct foreseen *f, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = judge_files(f, err);

	if (r < 0)
		return r;
	r = processes_load(f->step->host, &f->processes, &why);
	r = r < 0 ? unreadable(f, PATH_PROC, &why, err) : judge_stay(f, err);
	processes_done(&f->processes);
	return r;
}

int unit_stop_foresee(const struct step *step, const char *name, struct result *ret,
		      struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(unit_done) struct unit unit = UNIT_INIT;
	AUTO_BUF full = BUF_INIT;
	struct foreseen f = { .step = step, .unit = &unit, .ret = ret };
	int r;

	buf_addf(&full, "%s%s", name, strchr(name, '.') ? "" : ".service");
	if (buf_error(&full))
		return error_oom(err);
	f.name = buf_text(&full);
	r = unit_load(step->host, name, &unit, &why);
	if (r < 0)
		r = unreadable(&f, f.name, &why, err);
	else if (unit.found)
		r = judge_unit(&f, err);
	return r < 0 ? r : unit_stop_judge_killall(step, f.name, ret, err);
}
