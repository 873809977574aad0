/* SPDX-License-Identifier: MIT */
/* Services: which paths they use, whether they start, what they wait for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "probe/fstab.h"
#include "probe/k3s.h"
#include "probe/mounts.h"
#include "probe/paths.h"
#include "probe/unit.h"
#include "probe/users_internal.h"

#define ENVIRONMENT_MAX ((size_t)64 << 10)

/* Settings whose text may name a data directory. */
static const char *const naming_keys[] = {
	"ExecStart",     "ExecStartPre",      "ExecStartPost", "ReadWritePaths",
	"BindPaths",     "BindReadOnlyPaths", "Environment",   "WorkingDirectory",
	"RootDirectory", "StandardOutput",    "StandardError",
};

/* Where services keep their data unless they are told otherwise. */
static const struct {
	const char *unit, *dir;
} usual_dirs[] = {
	{ "k3s.service", PATH_K3S_DATA },
	{ "k3s-agent.service", PATH_K3S_DATA },
	{ "rke2-server.service", "/var/lib/rancher/rke2" },
	{ "rke2-agent.service", "/var/lib/rancher/rke2" },
	{ "kubelet.service", "/var/lib/kubelet" },
	{ "containerd.service", "/var/lib/containerd" },
	{ "docker.service", "/var/lib/docker" },
	{ "etcd.service", PATH_ETCD },
	{ "vault.service", PATH_VAULT_OPT },
	{ "postgresql@.service", PATH_POSTGRESQL_DEBIAN },
	{ "postgresql.service", PATH_POSTGRESQL_REDHAT },
	{ "mysql.service", PATH_MYSQL },
	{ "mariadb.service", PATH_MYSQL },
	{ "mongod.service", "/var/lib/mongodb" },
	{ "redis-server.service", "/var/lib/redis" },
	{ "prometheus.service", "/var/lib/prometheus" },
	{ "grafana-server.service", PATH_GRAFANA },
	{ "influxdb.service", "/var/lib/influxdb" },
	{ "libvirtd.service", "/var/lib/libvirt" },
	{ "jenkins.service", "/var/lib/jenkins" },
};

static bool is_path_char(char c)
{
	return c == '/' || c == '-' || c == '_' || c == '.' || (c >= '0' && c <= '9') ||
	       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "-D/srv/pg": a letter glued to its path is an option, not a directory. */
static bool begins_word(const char *text, const char *at)
{
	if (at == text || !is_path_char(at[-1]))
		return true;
	return at - text >= 2 && at[-2] == '-' && at[-1] != '/' &&
	       (at - text == 2 || at[-3] == ' ' || at[-3] == '\t' || at[-3] == '"');
}

const char *mention_of(const char *text, const char *mount_point)
{
	size_t len = strlen(mount_point);

	for (const char *at = strstr(text, mount_point); at; at = strstr(at + 1, mount_point))
		if (begins_word(text, at) && (at[len] == '/' || !is_path_char(at[len])))
			return at;
	return NULL;
}

static char *path_at(const char *at)
{
	size_t len = strcspn(at, " \t\"',:;`)}");

	while (len > 1 && at[len - 1] == '/')
		len--;
	return strndup(at, len);
}

/* The program itself: where it is missing, the service does not start at all. */
static const char *after_program(const struct unitfile_line *line)
{
	const char *text = line->value;

	if (line->continued || strncmp(line->key, "Exec", 4) != 0)
		return text;
	text += strspn(text, "@-:+!|");
	return text + strcspn(text, " \t");
}

/* Told by systemd, else by its links and its place. */
bool unit_starts(struct users *users, const struct unitfile *unit)
{
	CLEANUP(unit_done) struct unit state = UNIT_INIT;
	bool wanted = unitfiles_is_wanted(users->units, unit->name);

	if (strchr(unit->name, '@') || wanted)
		return wanted;
	if (unit_load(users->host, unit->name, &state, NULL) < 0 || !state.found)
		return unit->local;
	if (state.active &&
	    (strncmp(state.active, "activ", 5) == 0 || strcmp(state.active, "reloading") == 0))
		return true;
	if (!state.file_state || strcmp(state.file_state, "disabled") == 0 ||
	    strncmp(state.file_state, "masked", 6) == 0)
		return state.pulled_in;
	return strncmp(state.file_state, "enabled", 7) == 0 || state.pulled_in || unit->local;
}

static int add_unit(struct user_list *list, const struct unitfile *unit, char *path, char *source,
		    char *observed)
{
	struct user user = { .type = USER_UNIT,
			     .name = unit->name,
			     .path = path,
			     .source = source,
			     .observed = observed };

	return path ? user_add(list, &user) : -ENOMEM;
}

/* An environment file may hold secrets: only the word with the path is quoted. */
static int use_in_environment(struct users *users, const struct unitfile *unit,
			      const struct unitfile_line *line, const char *mount_point,
			      struct user_list *list)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *path = NULL, *source = NULL;
	const char *file = line->value + (line->value[0] == '-'), *at;
	unsigned number = 1;

	if (host_read(users->host, file, ENVIRONMENT_MAX, &text, NULL) < 0)
		return 0;
	at = mention_of(buf_text(&text), mount_point);
	if (!at)
		return 0;
	for (const char *c = buf_text(&text); c < at; c++)
		number += *c == '\n';
	path = path_at(at);
	if (path)
		path[strcspn(path, "\r\n")] = '\0';
	if (asprintf(&source, "%s:%u", file, number) < 0)
		source = NULL;
	return source ? add_unit(list, unit, path, source, path) : -ENOMEM;
}

/* 1 a use was added, 0 none, or -ENOMEM. */
static int use_in_lines(struct users *users, const struct unitfile *unit, const char *mount_point,
			struct user_list *list)
{
	size_t before = list->n;

	for (size_t i = 0; i < unit->n && list->n == before; i++) {
		const struct unitfile_line *line = &unit->lines[i];
		AUTO_FREE char *path = NULL;
		const char *at = NULL;
		int r = 0;

		if (line_has_key(line, naming_keys, ELEMENTS(naming_keys)))
			at = mention_of(after_program(line), mount_point);
		if (at) {
			path = path_at(at);
			r = add_unit(list, unit, path, line->source, line->text);
		} else if (strcmp(line->key, "EnvironmentFile") == 0) {
			r = use_in_environment(users, unit, line, mount_point, list);
		}
		if (r < 0)
			return r;
	}
	return list->n > before;
}

static int use_at_usual_place(struct users *users, const struct unitfile *unit, const char *dir,
			      const char *mount_point, struct user_list *list)
{
	AUTO_FREE char *real = NULL, *source = NULL, *observed = NULL;

	if (host_realpath(users->host, dir, &real, NULL) < 0)
		real = strdup(dir);
	if (!real)
		return -ENOMEM;
	if (!path_is_below(real, mount_point))
		return 0;
	source = strdup(unit->path ? unit->path : unit->name);
	if (strcmp(dir, real) == 0) {
		observed = strdup(dir);
	} else if (asprintf(&observed, "%s -> %s", dir, real) < 0) {
		observed = NULL;
	}
	return source && observed ? add_unit(list, unit, real, source, observed) : -ENOMEM;
}

static bool is_template_of(const char *template, const char *unit)
{
	size_t stem = strcspn(template, "@") + 1;

	return template[stem - 1] == '@' && strncmp(template, unit, stem) == 0;
}

static int use_unnamed(struct users *users, const struct unitfile *unit, const char *mount_point,
		       struct user_list *list)
{
	AUTO_STRV char **dirs = NULL;
	int r = 0;

	if (strncmp(unit->name, "k3s", 3) == 0 && k3s_data_dirs(users->host, &dirs) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < strv_length(dirs) && r == 0; i++)
		r = use_at_usual_place(users, unit, dirs[i], mount_point, list);
	if (dirs && dirs[0])
		return r;
	for (size_t i = 0; i < ELEMENTS(usual_dirs) && r == 0; i++)
		if (strcmp(usual_dirs[i].unit, unit->name) == 0 ||
		    is_template_of(usual_dirs[i].unit, unit->name))
			r = use_at_usual_place(users, unit, usual_dirs[i].dir, mount_point, list);
	return r;
}

int services_using(struct users *users, const char *mount_point, const char *options,
		   struct user_list *list, struct error *err)
{
	for (size_t i = 0; i < users->units->n; i++) {
		const struct unitfile *unit = &users->units->items[i];
		struct user_list uses = { 0 };
		int r;

		if (unit->masked || unit->template)
			continue;
		r = use_in_lines(users, unit, mount_point, &uses);
		if (r == 0)
			r = use_unnamed(users, unit, mount_point, &uses);
		if (r >= 0 && uses.n && unit_starts(users, unit)) {
			struct user user = uses.items[0];

			unit_waits(users, unit, mount_point, options, &user);
			r = user_add(list, &user);
		}
		user_list_free(uses.items, uses.n);
		if (r < 0)
			return error_oom(err);
	}
	return 0;
}
