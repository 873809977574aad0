/* SPDX-License-Identifier: MIT */
/* A disk of the work that does not come up: what the boot and the services make of it. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "step/names_fstab.h"
#include "step/unreadable.h"

#define MAX_DISKS 64
#define MAX_CITED 8 /* users quoted in one finding */

static bool is_mount(const struct entry_view *view)
{
	return !view->entry->malformed && !view->role.swap && view->entry->target[0] == '/';
}

static const struct entry_view *root_view(const struct fstab_check *check)
{
	for (size_t i = 0; i < check->fstab->n; i++)
		if (is_mount(&check->views[i]) && check->views[i].ref.n_before &&
		    strcmp(check->views[i].entry->target, "/") == 0)
			return &check->views[i];
	return NULL;
}

/* Where the root disk is missing too, nothing of this entry matters. */
static bool is_on_root_disk(const struct fstab_check *check, const struct entry_view *view)
{
	const struct entry_view *root = root_view(check);
	const struct block *mine[MAX_DISKS], *theirs[MAX_DISKS];
	size_t n, n_root;

	if (!root)
		return false;
	n = blocks_disks_of(check->blocks, view->ref.before[0], mine, MAX_DISKS);
	n_root = blocks_disks_of(check->blocks, root->ref.before[0], theirs, MAX_DISKS);
	for (size_t i = 0; i < n && i < MAX_DISKS; i++) {
		bool shared = !work_touches(check->work, mine[i]);

		for (size_t k = 0; k < n_root && k < MAX_DISKS; k++)
			shared |= mine[i] == theirs[k];
		if (!shared)
			return false;
	}
	return true;
}

static void cite_place(struct fstab_check *check, struct finding *finding,
		       const struct entry_view *view)
{
	const struct block *disks[MAX_DISKS];
	size_t n = blocks_disks_of(check->blocks, view->ref.before[0], disks, MAX_DISKS);

	for (size_t i = 0; i < n && i < MAX_DISKS; i++) {
		AUTO_FREE char *disk = NULL, *place = NULL;

		if (!work_touches(check->work, disks[i]))
			continue;
		if (block_describe(disks[i], &disk) < 0 || place_describe(disks[i], &place) < 0)
			check->ret->failed = -ENOMEM;
		else
			result_evidence(check->ret, finding, disk, place, NULL, NULL);
	}
}

/* ---- no-nofail, nofail-unguarded -------------------------------------- */

static void name_users(const struct user *users, size_t n, struct buf *ret)
{
	for (size_t i = 0; i < n && i < MAX_CITED; i++) {
		if (i)
			buf_adds(ret, ", ");
		switch (users[i].type) {
		case USER_UNIT:
			buf_addf(ret, _("unit %s"), users[i].name);
			break;
		case USER_STATIC_POD:
			buf_addf(ret, _("static pod %s"), users[i].name);
			break;
		case USER_POD:
			buf_addf(ret, _("pod %s"), users[i].name);
			break;
		case USER_VOLUME:
			buf_addf(ret, _("volume %s"), users[i].name);
			break;
		}
	}
	if (n > MAX_CITED)
		buf_addf(ret, _(" and %zu more"), n - MAX_CITED);
}

static void report_unguarded(struct fstab_check *check, struct entry_view *view,
			     const struct user *users, size_t n)
{
	AUTO_BUF names = BUF_INIT;
	struct finding *finding =
		result_find(check->ret, "nofail-unguarded", VERDICT_FAIL, "%s", view->source);

	name_users(users, n, &names);
	result_say(check->ret, finding,
		   _("%s has nofail and is on a disk of the work; if it does not come up, these "
		     "start on an empty directory: %s."),
		   view->what, buf_text(&names));
	if (users[0].type == USER_UNIT)
		result_remedy(check->ret, finding,
			      _("Add RequiresMountsFor=%s to the [Unit] section of %s "
				"(`systemctl edit %s`)."),
			      view->entry->target, users[0].name, users[0].name);
	else
		result_remedy(check->ret, finding,
			      _("Add RequiresMountsFor=%s to the [Unit] section of the unit that "
				"starts the pods (`systemctl edit kubelet`, or k3s)."),
			      view->entry->target);
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
	for (size_t i = 0; i < n && i < MAX_CITED; i++)
		result_evidence(check->ret, finding, users[i].source, users[i].observed, NULL,
				NULL);
}

static void report_hidden(struct fstab_check *check, struct entry_view *view,
			  char *const *unreadable)
{
	struct finding *finding =
		result_find(check->ret, "users-unreadable", VERDICT_UNKNOWN, "%s", view->source);

	result_say(check->ret, finding,
		   _("%s has nofail and is on a disk of the work; whether something starts "
		     "without it could not be read."),
		   view->what);
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
	unreadable_cite(check->ret, finding, check->step->host, unreadable);
}

static bool may_be_left_out(const struct entry_view *view)
{
	return view->role.nofail && !view->role.noauto && !view->role.automount &&
	       !view->role.system && !view->role.root && view->at_stake;
}

static void report_no_nofail(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding =
		result_find(check->ret, "no-nofail", VERDICT_WARN, "%s", view->source);

	view->asks_nofail = true;
	result_say(check->ret, finding,
		   _("%s is on a disk of the work and has no nofail: a plug that is not seated "
		     "well stops the boot in emergency mode."),
		   view->what);
	result_remedy(check->ret, finding,
		      _("Add nofail,x-systemd.device-timeout=30s to the options of %s, and "
			"RequiresMountsFor=%s to the units that use it."),
		      view->what, view->entry->target);
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
	cite_place(check, finding, view);
}

static bool may_stop_the_boot(const struct entry_view *view)
{
	return view->at_stake && !view->judged && !view->role.optional && !view->role.system &&
	       !view->role.root;
}

/*
 * A required mount that something uses without waiting for it is left as it
 * is: there the stop in emergency mode is what keeps it from starting on an
 * empty directory.
 */
static int judge_absence(struct fstab_check *check, struct entry_view *view, struct users **users,
			 struct error *err)
{
	bool stops = may_stop_the_boot(view);
	struct user *list = NULL;
	size_t n = 0;
	int r;

	if (!stops && !may_be_left_out(view))
		return 0;
	if (!*users) {
		r = users_load(check->step->host, users, err);
		if (r < 0)
			return r;
	}
	r = users_unguarded(*users, view->entry->target, view->entry->options, &list, &n, err);
	if (r < 0)
		return r;
	if (stops && !n)
		report_no_nofail(check, view);
	else if (!stops && n)
		report_unguarded(check, view, list, n);
	else if (!stops && strv_length(users_unreadable(*users)))
		report_hidden(check, view, users_unreadable(*users));
	user_list_free(list, n);
	return 0;
}

/* ---- mount-below-moved ------------------------------------------------ */

/* By mount point; of several at one point the first of the file comes first. */
static int by_target(const void *a, const void *b)
{
	const struct entry_view *x = *(const struct entry_view *const *)a;
	const struct entry_view *y = *(const struct entry_view *const *)b;
	int order = strcmp(x->entry->target, y->entry->target);

	return order ? order : (x > y) - (x < y);
}

static int sort_by_target(struct fstab_check *check, struct error *err)
{
	check->by_target = calloc(check->fstab->n + 1, sizeof(*check->by_target));
	if (!check->by_target)
		return error_oom(err);
	for (size_t i = 0; i < check->fstab->n; i++)
		if (is_mount(&check->views[i]))
			check->by_target[check->n_by_target++] = &check->views[i];
	qsort(check->by_target, check->n_by_target, sizeof(*check->by_target), by_target);
	return 0;
}

/* The first entry of a mount point, or NULL. */
static const struct entry_view *mount_at(const struct fstab_check *check, const char *target)
{
	size_t low = 0, high = check->n_by_target;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(check->by_target[middle]->entry->target, target) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < check->n_by_target && strcmp(check->by_target[low]->entry->target, target) == 0)
		return check->by_target[low];
	return NULL;
}

/* The nearest entry above a mount point, but for the root: -ENOMEM, or 0 with it or NULL. */
static int parent_of(const struct fstab_check *check, const struct entry_view *view,
		     const struct entry_view **ret)
{
	AUTO_FREE char *path = strdup(view->entry->target);

	*ret = NULL;
	if (!path)
		return -ENOMEM;
	for (char *slash; !*ret && (slash = strrchr(path, '/')) && slash > path;) {
		*slash = '\0';
		*ret = mount_at(check, path);
	}
	return 0;
}

/* systemd makes a mount require the one above it: where that may fail, this fails with it. */
static void judge_requirement(struct fstab_check *check, const struct entry_view *view,
			      const struct entry_view *parent)
{
	struct finding *finding;

	if (view->role.optional || view->asks_nofail || !may_be_left_out(parent))
		return;
	finding = result_find(check->ret, "mount-below-moved", VERDICT_WARN, "%s", view->source);
	result_say(check->ret, finding,
		   _("%s is required and lies below %s, which is on a disk of the work: if that "
		     "does not come up, this fails with it and the boot stops in emergency mode "
		     "in spite of the nofail above."),
		   view->what, parent->what);
	result_remedy(check->ret, finding, _("Add nofail to the options of %s too."), view->what);
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
}

/* Without systemd fstab is worked through from top to bottom. */
static void judge_order(struct fstab_check *check, const struct entry_view *view,
			const struct entry_view *parent)
{
	struct finding *finding;

	if (!parent->ref.touched || view > parent)
		return;
	finding = result_find(check->ret, "mount-below-moved", VERDICT_WARN, "%s", view->source);
	result_say(check->ret, finding,
		   _("%s stands before %s, in which it lies: it is mounted first and then hidden."),
		   view->what, parent->what);
	result_remedy(check->ret, finding, _("Put the line of %s below that of %s."), view->what,
		      parent->what);
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
}

static void judge_below(struct fstab_check *check, const struct entry_view *view)
{
	const struct entry_view *parent;

	if (view->ref.form == REF_NOT_A_DEVICE)
		return;
	if (parent_of(check, view, &parent) < 0)
		check->ret->failed = -ENOMEM;
	if (!parent)
		return;
	if (check->systemd)
		judge_requirement(check, view, parent);
	else
		judge_order(check, view, parent);
}

int judge_mounts(struct fstab_check *check, struct error *err)
{
	CLEANUP(cleanup_users) struct users *users = NULL;
	int r = sort_by_target(check, err);

	for (size_t i = 0; i < check->fstab->n && r == 0; i++) {
		struct entry_view *view = &check->views[i];

		if (!is_mount(view))
			continue;
		view->at_stake =
			ref_at_stake(check->work, &view->ref) && !is_on_root_disk(check, view);
		r = judge_absence(check, view, &users, err);
	}
	for (size_t i = 0; i < check->fstab->n && r == 0; i++)
		if (is_mount(&check->views[i]))
			judge_below(check, &check->views[i]);
	return r;
}
