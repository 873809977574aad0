/* SPDX-License-Identifier: MIT */
/* Who has it open now, and which earlier step ends that? */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/files_quiescent.h"

#define SHOWN 3

static int stopper_of(const struct look *look, const struct holder *holder, const char **ret_id,
		      struct error *err)
{
	const struct stoppable who = {
		.pid = holder->pid,
		.cgroup = holder->cgroup,
		.unit = holder->unit,
		.pod = holder->pod,
		.container = holder->container,
	};

	*ret_id = NULL;
	return holder->pid > 0 ? step_stopper(look->step, &who, ret_id, err) : 0;
}

/* "postgres (pid 812), which the step 'service-stop' ends" */
static void add_covered(const struct holder *holder, const char *id, struct buf *ret)
{
	AUTO_BUF name = BUF_INIT;

	quiet_name(holder, &name);
	buf_adds(ret, ret->len ? ", " : "");
	buf_addf(ret, _("%s, which the step '%s' ends"), buf_text(&name), id);
}

static void say_not_covered(const struct look *look, const struct quiet_group *group,
			    struct result *ret)
{
	const struct holder *holder = group->items[0];
	struct finding *finding;
	AUTO_BUF remedy = BUF_INIT, step = BUF_INIT;

	quiet_say_group(look, group, "not-covered", VERDICT_FAIL, ret);
	finding = &ret->findings[ret->n_findings - 1];
	quiet_remedy(holder, &remedy);
	if (holder->pod)
		buf_addf(&step, _("a step that scales the workload of pod %s to 0 replicas"),
			 holder->pod);
	else if (holder->unit && !holder->container)
		buf_addf(&step, "use: unit.stop, with: {unit: %s}", holder->unit);
	if (ret->failed)
		return;
	if (step.len)
		result_remedy(ret, finding, _("Add a step before '%s': %s. By hand: %s"),
			      look->step->id, buf_text(&step), buf_text(&remedy));
	else
		result_remedy(ret, finding, _("Before '%s': %s"), look->step->id,
			      buf_text(&remedy));
}

static void say_stopper_unknown(const struct look *look, const struct quiet_group *group,
				struct error *why, struct result *ret)
{
	AUTO_BUF name = BUF_INIT;

	quiet_name(group->items[0], &name);
	if (!why->hint)
		error_hint(why,
			   _("see that systemd tells of the units that the steps before '%s' "
			     "stop: systemctl status UNIT"),
			   look->step->id);
	result_unknown(ret, "not-scanned", look->sets[group->set]->given, buf_text(&name), why);
}

/* A process that has several databases open is one. */
struct told {
	struct buf covered, loose;
	size_t n_covered, n_loose;
	pid_t last;
};

static int foresee_group(const struct look *look, const struct quiet_group *group,
			 struct told *told, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct holder *holder = group->items[0];
	const char *id;
	int r = stopper_of(look, holder, &id, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r < 0)
		say_stopper_unknown(look, group, &why, ret);
	else if (r == 0)
		say_not_covered(look, group, ret);
	if (holder->pid == told->last)
		return 0;
	told->last = holder->pid;
	if (r > 0 && told->n_covered++ < SHOWN) {
		add_covered(holder, id, &told->covered);
	} else if (r <= 0 && told->n_loose++ < SHOWN) {
		buf_adds(&told->loose, told->loose.len ? ", " : "");
		quiet_name(holder, &told->loose);
	}
	return 0;
}

static void sum_up(struct told *told, struct result *ret)
{
	AUTO_BUF text = BUF_INIT;

	if (told->loose.len)
		buf_addf(&text, _("held now by %s, which no step before it ends"),
			 buf_text(&told->loose));
	if (told->covered.len && text.len)
		buf_addf(&text, _("; and by %s"), buf_text(&told->covered));
	else if (told->covered.len)
		buf_addf(&text, _("held now by %s"), buf_text(&told->covered));
	if (told->n_covered > SHOWN || told->n_loose > SHOWN)
		buf_adds(&text, _(", and by others"));
	if (text.len)
		result_summary(ret, "%s.", buf_text(&text));
}

/* What no stop mends is told while it can be mended in peace. */
static void judge_broken(struct look *look, const struct quiet_group *groups, size_t n,
			 struct result *ret)
{
	for (size_t set = 0; set < look->n_sets; set++) {
		bool held = false;

		for (size_t i = 0; i < n; i++)
			held = held || groups[i].set == set;
		quiet_judge_states(look, set, held, ret);
		quiet_judge_below(look, set, ret);
	}
}

int quiet_foresee(struct look *look, struct result *ret, struct error *err)
{
	struct quiet_group *groups = NULL;
	struct told told = { .covered = BUF_INIT, .loose = BUF_INIT, .last = -1 };
	size_t n = 0;
	int r;

	if (!look->looked)
		return 0;
	r = quiet_groups(look, &groups, &n, err);
	for (size_t i = 0; r == 0 && i < n; i++) {
		/* A deleted file is lost with its process, whichever step ends that. */
		if (strcmp(quiet_group_id(look, &groups[i]), "former-generation") == 0)
			quiet_say_group(look, &groups[i], "former-generation", VERDICT_FAIL, ret);
		else
			r = foresee_group(look, &groups[i], &told, ret, err);
	}
	if (r == 0) {
		judge_broken(look, groups, n, ret);
		if (look->live)
			quiet_judge_gaps(look, ret);
		sum_up(&told, ret);
	}
	buf_done(&told.covered);
	buf_done(&told.loose);
	quiet_groups_free(groups);
	return r;
}
