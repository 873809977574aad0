/* SPDX-License-Identifier: MIT */
#include "probe/users.h"

#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/mounts.h"
#include "probe/users_internal.h"

/* Units that start pods. */
static const char *const kubelets[] = {
	"kubelet.service",    "k3s.service",
	"k3s-agent.service",  "rke2-server.service",
	"rke2-agent.service", "k0scontroller.service",
	"k0sworker.service",  "snap.microk8s.daemon-kubelite.service",
};

static void user_done(struct user *user)
{
	free(user->name);
	free(user->path);
	free(user->source);
	free(user->observed);
	free(user->at);
	free(user->at_text);
}

void user_list_free(struct user *list, size_t n)
{
	for (size_t i = 0; list && i < n; i++)
		user_done(&list[i]);
	free(list);
}

/* A copy of an optional text; false when there is no memory for it. */
static bool copy_to(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return !text || *to;
}

int user_add(struct user_list *list, const struct user *user)
{
	struct user copy = *user;
	struct user *grown = reallocarray(list->items, list->n + 1, sizeof(*grown));
	bool whole = grown;

	if (grown)
		list->items = grown;
	whole &= copy_to(&copy.name, user->name);
	whole &= copy_to(&copy.path, user->path);
	whole &= copy_to(&copy.source, user->source);
	whole &= copy_to(&copy.observed, user->observed);
	whole &= copy_to(&copy.at, user->at);
	whole &= copy_to(&copy.at_text, user->at_text);
	if (!whole) {
		user_done(&copy);
		return -ENOMEM;
	}
	list->items[list->n++] = copy;
	return 0;
}

int users_load(struct host *host, struct users **ret, struct error *err)
{
	CLEANUP(cleanup_users) struct users *users = calloc(1, sizeof(*users));
	int r;

	if (!users)
		return error_oom(err);
	users->host = host;
	r = unitfiles_load(host, &users->units, err);
	if (r == 0)
		r = units_add_captured(host, users->units, err);
	if (r < 0)
		return r;
	r = pods_load(users, err);
	if (r < 0)
		return r;
	*ret = TAKE(users);
	return 0;
}

void users_free(struct users *users)
{
	if (!users)
		return;
	unitfiles_free(users->units);
	user_list_free(users->pods, users->n_pods);
	free(users);
}

char *const *users_unreadable(const struct users *users)
{
	return users->units->unreadable;
}

static bool is_kubelet(const struct unitfile *unit)
{
	for (size_t i = 0; i < ELEMENTS(kubelets); i++)
		if (strcmp(unit->name, kubelets[i]) == 0)
			return !unit->masked;
	return false;
}

/* One kubelet runs on a host; where its unit is not known, nothing waits. */
static enum user_wait kubelet_wait(struct users *users, const char *mount_point,
				   const char *options)
{
	enum user_wait wait = WAIT_NOT;
	bool found = false;

	for (size_t i = 0; i < users->units->n; i++) {
		struct user user = { 0 };

		if (!is_kubelet(&users->units->items[i]))
			continue;
		unit_waits(users, &users->units->items[i], mount_point, options, &user);
		if (!found || user.wait < wait)
			wait = user.wait;
		found = true;
	}
	return wait;
}

/*
 * A path that must exist is missing below an unmounted mount point, and its
 * pod is not started; the mount point itself is there either way.
 */
static bool would_refuse(const struct user *user, const char *mount_point)
{
	return user->existing && strcmp(user->path, mount_point) != 0;
}

static int add_pods(struct users *users, const char *mount_point, enum user_wait wait,
		    struct user_list *list)
{
	for (size_t i = 0; i < users->n_pods; i++) {
		struct user pod = users->pods[i];

		if (!path_is_below(pod.path, mount_point) || would_refuse(&pod, mount_point))
			continue;
		pod.wait = wait;
		if (user_add(list, &pod) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool is_listed(const struct user_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].type == USER_UNIT && strcmp(list->items[i].name, name) == 0)
			return true;
	return false;
}

/* A kubelet that names no directory there itself uses what its pods do. */
static int add_kubelets(struct users *users, const char *mount_point, const char *options,
			const struct user *pod, struct user_list *list)
{
	for (size_t i = 0; i < users->units->n; i++) {
		const struct unitfile *unit = &users->units->items[i];
		struct user user = { .type = USER_UNIT,
				     .by_pods = true,
				     .name = unit->name,
				     .path = pod->path,
				     .source = unit->path ? unit->path : unit->name,
				     .observed = pod->name };

		if (!is_kubelet(unit) || is_listed(list, unit->name) || !unit_starts(users, unit))
			continue;
		unit_waits(users, unit, mount_point, options, &user);
		if (user_add(list, &user) < 0)
			return -ENOMEM;
	}
	return 0;
}

int users_of(struct users *users, const char *mount_point, const char *options, struct user **ret,
	     size_t *ret_n, struct error *err)
{
	enum user_wait wait = kubelet_wait(users, mount_point, options);
	struct user_list list = { 0 };
	int r = services_using(users, mount_point, options, &list, err);
	size_t units = list.n;

	if (r == 0 && add_pods(users, mount_point, wait, &list) < 0)
		r = error_oom(err);
	if (r == 0 && list.n > units) {
		/* The list may move while it grows. */
		struct user pod = list.items[units];

		if (add_kubelets(users, mount_point, options, &pod, &list) < 0)
			r = error_oom(err);
	}
	if (r < 0) {
		user_list_free(list.items, list.n);
		return r;
	}
	*ret = list.items;
	*ret_n = list.n;
	return 0;
}

int users_unguarded(struct users *users, const char *mount_point, const char *options,
		    struct user **ret, size_t *ret_n, struct error *err)
{
	struct user *list = NULL;
	size_t n = 0, kept = 0;
	int r = users_of(users, mount_point, options, &list, &n, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		if (list[i].wait == WAIT_YES || list[i].by_pods)
			user_done(&list[i]);
		else
			list[kept++] = list[i];
	}
	*ret = list;
	*ret_n = kept;
	return 0;
}
