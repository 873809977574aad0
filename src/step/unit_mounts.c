/* SPDX-License-Identifier: MIT */
/*
 * unit.mounts: does each unit whose data lies on a disk of the work wait for
 * that filesystem?
 *
 * A disk may stay away after any work on its cables.  A unit that does not
 * wait then starts on the empty directory below the mount point.  The law is
 * systemd's (probe/users.h); names.fstab tells the same from the side of the
 * fstab entry, where nofail opens the way to it.
 */
#include "step/unit_mounts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/datadirs.h"
#include "probe/paths.h"
#include "probe/unit.h"
#include "step/unreadable.h"

struct unit_mounts_params {
	char **disks;
};

static const struct param_row params[] = {
	{ .name = "disks",
	  .type = PARAM_DISKS,
	  .offset = PARAM_OFFSET(unit_mounts_params, disks),
	  .draft = DRAFT_WORK_DISKS,
	  .help = N_("More disks to count as worked on, beside those of the planned work.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "units", OUTPUT_INT, N_("Units, static pods included, whose data was looked at.") },
	{ "unguarded", OUTPUT_INT, N_("Those that would start without their data.") },
	{ 0 },
};

struct look {
	const struct step *step;
	const struct work *work;
	struct result *ret;
	struct users *users;
	struct spots spots;
	struct datadirs *data; /* NULL: not needed, or not to be had: then with `no_data` */
	struct error no_data;
};

static int describe(const void *data, struct buf *ret)
{
	const struct unit_mounts_params *p = data;
	size_t n = strv_length(p->disks);

	buf_adds(ret, _("see that every service waits for its data on the disks of the work"));
	if (n)
		buf_addf(ret,
			 PLURAL("; %zu more disk counted as worked on",
				"; %zu more disks counted as worked on", n),
			 n);
	return buf_error(ret);
}

/* ---- databases at a place that no unit file names --------------------------------- */

static int find_data(struct look *look, struct error *err)
{
	CLEANUP(cleanup_filetree) struct filetree *tree = NULL;
	AUTO_STRV char **below = NULL;
	const struct mounts *mounts;
	struct error *why = &look->no_data;
	int r = facts_mounts(look->step->facts, &mounts, why);

	for (size_t i = 0; i < look->spots.n; i++)
		if (strv_add(&below, look->spots.items[i].target) < 0)
			return error_oom(err);
	if (r == 0)
		r = filetree_open(look->step->host, &tree, why);
	if (r == 0)
		r = datadirs_find(look->step->host, tree, mounts, below, &look->data, why);
	/* The unit files still tell most; say_data_unreadable() has the rest. */
	return r == -ENOMEM || r == -ECANCELED ? error_copy(err, why) : 0;
}

static bool is_listed(const struct user *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].type == USER_UNIT && strcmp(list[i].name, name) == 0)
			return true;
	return false;
}

static int judge_data(struct look *look, const struct spot *spot, const struct user *known,
		      size_t n_known, struct error *err)
{
	for (size_t i = 0; look->data && i < look->data->n; i++) {
		const struct datadir *dir = &look->data->items[i];
		struct user *list = NULL;
		size_t n = 0;
		int r;

		if (!path_is_below(dir->path, spot->target))
			continue;
		r = users_of_data(look->users, dir->what, dir->path, dir->marker, spot->target,
				  spot->options, &list, &n, err);
		if (r < 0)
			return r;
		for (size_t k = 0; k < n; k++)
			if (!is_listed(known, n_known, list[k].name))
				judge_user(look->ret, spot, &list[k]);
		user_list_free(list, n);
	}
	return 0;
}

/* ---- one filesystem after the other ------------------------------------------------ */

static int judge_spot(struct look *look, const struct spot *spot, struct error *err)
{
	struct user *list = NULL;
	size_t n = 0;
	int r = users_of(look->users, spot->target, spot->options, &list, &n, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		judge_user(look->ret, spot, &list[i]);
	r = judge_data(look, spot, list, n, err);
	user_list_free(list, n);
	return r;
}

/* After sum_up(): what may not be read is no use of a disk, and is not counted as one. */
static struct finding *not_known(struct look *look, const char *subject)
{
	const char *words = _("Whether something starts without its data could not be read.");
	struct finding *finding;

	if (!look->ret->n_findings)
		result_summary(look->ret, "%s", words);
	finding = result_find(look->ret, "units-unreadable", VERDICT_UNKNOWN, "%s", subject);
	result_say(look->ret, finding, "%s", words);
	return finding;
}

static void say_unreadable(struct look *look)
{
	char *const *unreadable = users_unreadable(look->users);

	if (strv_length(unreadable))
		unreadable_cite(look->ret, not_known(look, _("units")), look->step->host,
				unreadable);
}

/* Where a database lies elsewhere no disk of the work is missed. */
static bool may_hide_data(const struct look *look, const char *directory)
{
	for (size_t i = 0; i < look->spots.n; i++)
		if (path_is_below(directory, look->spots.items[i].target) ||
		    path_is_below(look->spots.items[i].target, directory))
			return true;
	return false;
}

static int say_denied(struct look *look, struct error *err)
{
	AUTO_STRV char **notes = NULL;

	for (char **path = look->data->denied; path && *path; path++) {
		AUTO_BUF note = BUF_INIT;

		if (!may_hide_data(look, *path))
			continue;
		buf_addf(&note, "%s: ", *path);
		buf_addf(&note, _("%s could not be looked into for databases"), *path);
		if (buf_error(&note) || strv_add(&notes, buf_text(&note)) < 0)
			return error_oom(err);
	}
	if (notes)
		unreadable_cite(look->ret, not_known(look, _("databases")), look->step->host,
				notes);
	return 0;
}

static int say_data_unreadable(struct look *look, struct error *err)
{
	const char *place = look->spots.items[0].target;
	struct finding *finding;

	if (look->no_data.code < 0) {
		result_unknown(look->ret, "units-unreadable", _("databases"), place,
			       &look->no_data);
		return 0;
	}
	if (look->data && look->data->truncated) {
		finding = not_known(look, _("databases"));
		result_remedy(look->ret, finding,
			      _("Look by hand which services keep a database below %s, and whether "
				"they wait for it."),
			      place);
		result_evidence(
			look->ret, finding, place,
			_("There are too many directories to search them all for databases."), NULL,
			NULL);
	}
	return look->data ? say_denied(look, err) : 0;
}

static void sum_up(struct look *look)
{
	size_t n = look->ret->n_findings, unguarded = 0;

	if (!n) {
		result_skip(look->ret, "%s",
			    _("No service is known to keep its data on a disk of the work."));
		return;
	}
	for (size_t i = 0; i < n; i++)
		unguarded += look->ret->findings[i].verdict > VERDICT_PASS;
	result_output_int(look->ret, "units", (int64_t)n);
	result_output_int(look->ret, "unguarded", (int64_t)unguarded);
	if (unguarded)
		result_summary(look->ret,
			       PLURAL("%zu of %zu would start without its data.",
				      "%zu of %zu would start without their data.", unguarded),
			       unguarded, n);
	else
		result_summary(look->ret,
			       PLURAL("%zu use of a disk of the work; it waits for its mount.",
				      "%zu uses of a disk of the work; each waits for its mount.",
				      n),
			       n);
}

static int judge(struct look *look, struct error *err)
{
	int r = 0;

	if (users_keep_data(look->users))
		r = find_data(look, err);
	for (size_t i = 0; i < look->spots.n && r == 0; i++) {
		if (*look->step->cancelled)
			return error_set(err, -ECANCELED, "cancelled");
		r = judge_spot(look, &look->spots.items[i], err);
	}
	if (r == 0) {
		sum_up(look);
		say_unreadable(look);
		r = say_data_unreadable(look, err);
	}
	return r;
}

static int count_in(const struct step *step, char *const *keys, struct work **ret,
		    struct error *err)
{
	size_t n = strv_length(keys);
	AUTO_FREE const struct block **disks = calloc(n + 1, sizeof(struct block *));
	const struct blocks *blocks;
	int r = facts_blocks(step->facts, &blocks, err);

	if (r < 0)
		return r;
	if (!disks)
		return error_oom(err);
	for (size_t i = 0; i < n; i++) {
		disks[i] = blocks_by_key(blocks, keys[i]);
		if (!disks[i])
			return error_set(err, -ENOENT, _("no disk here has the key %s"), keys[i]);
	}
	return work_and_disks(step->work, disks, n, ret, err);
}

static int look_around(struct look *look, const struct unit_mounts_params *p, struct error *err)
{
	CLEANUP(cleanup_work) struct work *work = NULL;
	int r = count_in(look->step, p->disks, &work, err);

	if (r == 0)
		r = spots_find(look->step->facts, work, &look->spots, err);
	if (r == 0 && look->spots.n)
		r = users_load(look->step->host, &look->users, err);
	return r;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct look look = { .step = step, .ret = ret, .no_data = ERROR_INIT };
	int r;

	if (unit_manager_runs(step->host, NULL) == 0) {
		result_skip(ret, "%s", _("systemd does not run on this host."));
		return 0;
	}
	r = look_around(&look, data, &why);
	if (r == -ENOMEM || r == -ECANCELED) {
		r = error_copy(err, &why);
	} else if (r < 0) {
		result_unknown(ret, "units-unreadable", _("units"), PATH_MOUNTINFO, &why);
		r = 0;
	} else if (!look.spots.n) {
		result_skip(ret, "%s",
			    _("The work leaves no filesystem out that a service could miss."));
	} else {
		r = judge(&look, err);
	}
	users_free(look.users);
	datadirs_free(look.data);
	error_done(&look.no_data);
	spots_done(&look.spots);
	return r;
}

const struct kind kind_unit_mounts = {
	.name = "unit.mounts",
	.class = KIND_CHECK,
	.title = N_("services wait for their data"),
	.help = N_(
		"Finds the services, and the static pods, whose data lies on a disk of the work, "
		"by their unit files, drop-ins, environment files, manifests and databases, and "
		"sees whether each waits for its filesystem or would start on the empty "
		"directory below it."),
	.deadline_s = 60,
	.params_size = sizeof(struct unit_mounts_params),
	.params = params,
	.outputs = outputs,
	.findings = unit_mounts_findings,
	.describe = describe,
	.run = run,
};
