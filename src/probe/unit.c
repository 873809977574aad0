/* SPDX-License-Identifier: MIT */
#include "probe/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "probe/paths.h"

#define UNIT_MAX ((size_t)1 << 20)

int unit_manager_runs(struct host *host, struct error *err)
{
	if (!host_is_live(host))
		return 1;
	return host_exists(host, PATH_SYSTEMD_RUN, err);
}

static bool is_filled(const json_t *object, const char *key)
{
	return json_array_size(json_object_get(object, key)) > 0;
}

static int copy_texts(const json_t *object, struct unit *unit)
{
	const struct {
		const char *key;
		char **ret;
	} rows[] = {
		{ "LoadState", &unit->load },
		{ "ActiveState", &unit->active },
		{ "SubState", &unit->sub },
		{ "Result", &unit->result },
		{ "UnitFileState", &unit->file_state },
		{ "KillMode", &unit->kill_mode },
		{ "ControlGroup", &unit->control_group },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		const char *text = json_text(object, rows[i].key);

		if (!text || !*text)
			continue;
		*rows[i].ret = strdup(text);
		if (!*rows[i].ret)
			return -ENOMEM;
	}
	return 0;
}

static int unit_parse(const json_t *object, struct unit *unit, struct error *err)
{
	const json_t *restarts = json_object_get(object, "NRestarts");
	const json_t *main_pid = json_object_get(object, "MainPID");

	if (!json_is_object(object))
		return error_set(err, -EBADMSG, "%s is not a JSON object", unit->source);
	if (copy_texts(object, unit) < 0)
		return error_oom(err);
	if (json_is_integer(restarts))
		unit->restarts = json_integer_value(restarts);
	if (json_is_integer(main_pid))
		unit->main_pid = (pid_t)json_integer_value(main_pid);
	unit->need_reload = json_is_true(json_object_get(object, "NeedDaemonReload"));
	unit->triggered = is_filled(object, "TriggeredBy");
	unit->pulled_in =
		unit->triggered || is_filled(object, "WantedBy") || is_filled(object, "RequiredBy");
	unit->found = !unit->load || strcmp(unit->load, "not-found") != 0;
	return 0;
}

static int load(struct host *host, const char *name, struct unit *unit, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF text = BUF_INIT_MAX(UNIT_MAX);
	AUTO_FREE char *full = NULL;
	AUTO_JSON object = NULL;
	int r;

	if (asprintf(&full, "%s%s", name, strchr(name, '.') ? "" : ".service") < 0) {
		full = NULL;
		return error_oom(err);
	}
	r = host_fact(host, HOST_FACT_UNIT, full, &text, &unit->source, &why);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return error_copy(err, &why);
	r = json_parse(buf_text(&text), text.len, unit->source ? unit->source : full, &object, err);
	if (r < 0)
		return r;
	return unit_parse(object, unit, err);
}

int unit_load(struct host *host, const char *name, struct unit *ret, struct error *err)
{
	struct unit unit = UNIT_INIT;
	int r;

	r = load(host, name, &unit, err);
	if (r < 0) {
		unit_done(&unit);
		return r;
	}
	*ret = unit;
	return 0;
}

void unit_done(struct unit *unit)
{
	free(unit->source);
	free(unit->load);
	free(unit->active);
	free(unit->sub);
	free(unit->file_state);
	free(unit->kill_mode);
	free(unit->control_group);
	free(unit->result);
	*unit = (struct unit)UNIT_INIT;
}

static bool is(const char *word, const char *text)
{
	return word && !strcmp(word, text);
}

bool unit_is_active(const struct unit *unit)
{
	return is(unit->active, "active") || is(unit->active, "reloading") ||
	       is(unit->active, "refreshing");
}

bool unit_is_failed(const struct unit *unit)
{
	return is(unit->active, "failed") || is(unit->sub, "auto-restart") ||
	       is(unit->sub, "auto-restart-queued");
}

const char *unit_usual(size_t index)
{
	static const char *const usual[] = {
		"k3s.service",        "k3s-agent.service",  "kubelet.service", "vault.service",
		"openbao.service",    "postgresql.service", "docker.service",  "containerd.service",
		"prometheus.service", "loki.service",
	};

	return index < ELEMENTS(usual) ? usual[index] : NULL;
}
