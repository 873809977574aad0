/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "sys/bus_unit.h"
#include "sys/manager_bus.h"

#define TIMEOUT_US 5000000
#define ID_BYTES 16

void manager_unit_done(struct manager_unit *unit)
{
	size_t i;

	for (i = 0; i < unit->n_asserts; i++)
		free(unit->asserts[i].text);
	free(unit->asserts);
	free(unit->load);
	free(unit->active);
	free(unit->sub);
	free(unit->file_state);
	free(unit->kill_mode);
	free(unit->control_group);
	free(unit->result);
	free(unit->invocation_id);
	free(unit->fragment_path);
	strv_free(unit->triggered_by);
	strv_free(unit->drop_in_paths);
	*unit = (struct manager_unit){ 0 };
}

static int read_texts(const json_t *properties, struct manager_unit *unit)
{
	const struct {
		const char *name;
		char **ret;
	} texts[] = {
		{ "LoadState", &unit->load },     { "ActiveState", &unit->active },
		{ "SubState", &unit->sub },       { "UnitFileState", &unit->file_state },
		{ "KillMode", &unit->kill_mode }, { "ControlGroup", &unit->control_group },
		{ "Result", &unit->result },      { "FragmentPath", &unit->fragment_path },
	};
	size_t i;

	for (i = 0; i < ELEMENTS(texts); i++) {
		const char *text = json_text(properties, texts[i].name);

		if (!text)
			continue;
		*texts[i].ret = strdup(text);
		if (!*texts[i].ret)
			return -ENOMEM;
	}
	/* Without these nothing can be said of a unit. */
	return unit->load && unit->active && unit->sub ? 0 : -EBADMSG;
}

static int read_list(const json_t *properties, const char *name, char ***ret)
{
	const json_t *list = json_object_get(properties, name);
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (text && strv_add(ret, text) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int read_invocation(const json_t *properties, char **ret)
{
	const json_t *bytes = json_object_get(properties, "InvocationID");
	size_t i, n = json_array_size(bytes);
	char hex[2 * ID_BYTES + 1] = "";

	if (!bytes)
		return 0;
	for (i = 0; n == ID_BYTES && i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x",
			 (unsigned)json_integer_value(json_array_get(bytes, i)) & 0xff);
	*ret = strdup(hex);
	return *ret ? 0 : -ENOMEM;
}

/* [type, trigger, negate, parameter, outcome] */
static int read_assert(const json_t *row, struct manager_assert *ret)
{
	const char *type = json_string_value(json_array_get(row, 0));
	const char *parameter = json_string_value(json_array_get(row, 3));

	if (!type || !parameter)
		return -EBADMSG;
	if (asprintf(&ret->text, "%s=%s%s%s", type, json_is_true(json_array_get(row, 1)) ? "|" : "",
		     json_is_true(json_array_get(row, 2)) ? "!" : "", parameter) < 0) {
		ret->text = NULL;
		return -ENOMEM;
	}
	ret->outcome = (int)json_integer_value(json_array_get(row, 4));
	return 0;
}

static int read_asserts(const json_t *properties, struct manager_unit *unit)
{
	const json_t *rows = json_object_get(properties, "Asserts");
	size_t i, n = json_array_size(rows);
	int r = 0;

	if (!n)
		return 0;
	unit->asserts = calloc(n, sizeof(*unit->asserts));
	if (!unit->asserts)
		return -ENOMEM;
	unit->n_asserts = n;
	for (i = 0; r == 0 && i < n; i++)
		r = read_assert(json_array_get(rows, i), &unit->asserts[i]);
	return r;
}

static int read_unit(const json_t *properties, struct manager_unit *unit)
{
	int r = read_texts(properties, unit);

	if (r == 0)
		r = read_list(properties, "TriggeredBy", &unit->triggered_by);
	if (r == 0)
		r = read_list(properties, "DropInPaths", &unit->drop_in_paths);
	if (r == 0)
		r = read_invocation(properties, &unit->invocation_id);
	if (r == 0)
		r = read_asserts(properties, unit);
	unit->found = true;
	unit->delegate = json_is_true(json_object_get(properties, "Delegate"));
	unit->need_reload = json_is_true(json_object_get(properties, "NeedDaemonReload"));
	unit->main_pid = (pid_t)json_integer_value(json_object_get(properties, "MainPID"));
	unit->job =
		(uint32_t)json_integer_value(json_array_get(json_object_get(properties, "Job"), 0));
	return r;
}

int manager_unit(struct manager *manager, const char *unit, struct manager_unit *ret,
		 struct error *err)
{
	AUTO_MANAGER_UNIT read = { 0 };
	AUTO_JSON properties = NULL;
	uint64_t deadline_us;
	int r = manager_ready(manager, TIMEOUT_US, &deadline_us, err);

	if (r < 0)
		return r;
	r = bus_unit_read(manager->bus, manager->peer, unit, deadline_us, &properties, err);
	if (r == -ENOENT) {
		error_done(err);
		*ret = (struct manager_unit){ 0 };
		return 0;
	}
	if (r < 0)
		return r;
	r = read_unit(properties, &read);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		error_set(err, r, "systemd does not tell the state of %s", unit);
		error_hint(err, "look at: systemctl show %s", unit);
		return r;
	}
	*ret = read;
	read = (struct manager_unit){ 0 };
	return 0;
}
