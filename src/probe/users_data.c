/* SPDX-License-Identifier: MIT */
/* Units that keep a database at a place which their configuration names, and no unit file. */
#include <errno.h>
#include <string.h>

#include "probe/mounts.h"
#include "probe/users_internal.h"

static const struct {
	const char *what; /* datadirs.h */
	const char *unit; /* "NAME@" = any instance */
} keepers[] = {
	{ "PostgreSQL", "postgresql@" },
	{ "PostgreSQL", "postgresql.service" },
	{ "Vault", "vault.service" },
	{ "Vault", "openbao.service" },
	{ "etcd", "etcd.service" },
	{ "MySQL", "mysql.service" },
	{ "MySQL", "mysqld.service" },
	{ "MySQL", "mariadb.service" },
	{ "Grafana", "grafana-server.service" },
	{ "Grafana", "grafana.service" },
};

static bool keeps(const struct unitfile *unit, const char *what)
{
	for (size_t i = 0; i < ELEMENTS(keepers); i++) {
		const char *name = keepers[i].unit;

		if (what && strcmp(keepers[i].what, what) != 0)
			continue;
		if (strchr(name, '@') ? strncmp(unit->name, name, strlen(name)) == 0
				      : strcmp(unit->name, name) == 0)
			return !unit->masked && !unit->template;
	}
	return false;
}

/* Debian's postgresql.service starts nothing by itself: its instances do. */
static bool is_umbrella(const struct unitfiles *units, const struct unitfile *unit)
{
	if (strcmp(unit->name, "postgresql.service") != 0)
		return false;
	for (size_t i = 0; i < units->n; i++)
		if (strncmp(units->items[i].name, "postgresql@", strlen("postgresql@")) == 0)
			return true;
	return false;
}

bool users_keep_data(struct users *users)
{
	for (size_t i = 0; i < users->units->n; i++)
		if (keeps(&users->units->items[i], NULL) &&
		    unit_starts(users, &users->units->items[i]))
			return true;
	return false;
}

int users_of_data(struct users *users, const char *what, const char *path, const char *marker,
		  const char *mount_point, const char *options, struct user **ret, size_t *ret_n,
		  struct error *err)
{
	struct user_list list = { 0 };

	for (size_t i = 0; i < users->units->n; i++) {
		const struct unitfile *unit = &users->units->items[i];
		AUTO_FREE char *file = strdup(marker), *name = strdup(unit->name);
		AUTO_FREE char *dir = strdup(path);
		struct user user = { .type = USER_UNIT,
				     .name = name,
				     .path = dir,
				     .source = file,
				     .observed = dir };

		if (!keeps(unit, what) || is_umbrella(users->units, unit) ||
		    !unit_starts(users, unit))
			continue;
		unit_waits(users, unit, mount_point, options, &user);
		if (!file || !name || !dir || user_add(&list, &user) < 0) {
			user_list_free(list.items, list.n);
			return error_oom(err);
		}
	}
	*ret = list.items;
	*ret_n = list.n;
	return 0;
}
