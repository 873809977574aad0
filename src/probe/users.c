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
}

void user_list_free(struct user *list, size_t n)
{
	for (size_t i = 0; list && i < n; i++)
		user_done(&list[i]);
	free(list);
}

int user_add(struct user_list *list, const struct user *user)
{
	struct user copy = { .type = user->type, .existing = user->existing };
	struct user *grown;

	copy.name = strdup(user->name);
	copy.path = strdup(user->path);
	copy.source = strdup(user->source);
	copy.observed = strdup(user->observed);
	grown = reallocarray(list->items, list->n + 1, sizeof(*grown));
	if (grown)
		list->items = grown;
	if (!grown || !copy.name || !copy.path || !copy.source || !copy.observed) {
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

/* One kubelet runs on a host; where its unit is not known, nothing waits. */
static bool kubelet_waits(struct users *users, const char *mount_point, const char *options)
{
	bool found = false;

	for (size_t i = 0; i < ELEMENTS(kubelets); i++) {
		const struct unitfile *unit = unitfiles_find(users->units, kubelets[i]);

		if (!unit || unit->masked)
			continue;
		if (!unit_waits(users, unit, mount_point, options))
			return false;
		found = true;
	}
	return found;
}

/*
 * A path that must exist is missing below an unmounted mount point, and its
 * pod is not started; the mount point itself is there either way.
 */
static bool would_refuse(const struct user *user, const char *mount_point)
{
	return user->existing && strcmp(user->path, mount_point) != 0;
}

int users_unguarded(struct users *users, const char *mount_point, const char *options,
		    struct user **ret, size_t *ret_n, struct error *err)
{
	struct user_list list = { 0 };
	bool waits = kubelet_waits(users, mount_point, options);
	int r = services_unguarded(users, mount_point, options, &list, err);

	for (size_t i = 0; !waits && r == 0 && i < users->n_pods; i++) {
		const struct user *pod = &users->pods[i];

		if (!path_is_below(pod->path, mount_point) || would_refuse(pod, mount_point))
			continue;
		if (user_add(&list, pod) < 0)
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
