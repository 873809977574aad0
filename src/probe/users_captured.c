/* SPDX-License-Identifier: MIT */
/* Units of which a capture holds no file, by what systemd had loaded of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/json_place.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "probe/users_internal.h"

/* D-Bus properties that are named and mean as the settings do. */
static const char *const properties[] = {
	"ExecStart",         "WorkingDirectory", "RootDirectory", "Environment",
	"ReadWritePaths",    "StateDirectory",   "LogsDirectory", "CacheDirectory",
	"Requires",          "BindsTo",          "Requisite",     "After",
	"RequiresMountsFor",
};

/* "/usr/bin/db --dir /srv/db" of [{"path", "argv"}], and the words of any other list. */
static void add_value(const json_t *value, struct buf *ret)
{
	const json_t *item;
	size_t i;

	if (json_is_string(value))
		buf_addf(ret, "%s%s", ret->len ? " " : "", json_string_value(value));
	else if (json_is_object(value))
		add_value(json_object_get(value, "argv"), ret);
	json_array_foreach (value, i, item)
		if (json_is_string(item) || json_is_object(item))
			add_value(item, ret);
}

static int add_property(struct unitfile *unit, const char *path, const json_t *object,
			const struct json_place *place, const char *key)
{
	AUTO_BUF value = BUF_INIT, line = BUF_INIT;
	AUTO_FREE char *source = NULL;
	size_t before = unit->n;
	int r;

	add_value(json_object_get(object, key), &value);
	if (!value.len)
		return 0;
	buf_addf(&line, "%s=%s\n", key, buf_text(&value));
	if (buf_error(&line) < 0)
		return -ENOMEM;
	r = unitfile_parse(unit, path, buf_text(&line));
	if (r < 0 || unit->n == before)
		return r;
	if (asprintf(&source, "%s:%u", path, json_line_of(*place, key, NULL)) < 0) {
		source = NULL;
		return -ENOMEM;
	}
	free(unit->lines[before].source);
	unit->lines[before].source = TAKE(source);
	return 0;
}

static int add_unit(struct unitfile *unit, struct host *host, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *source = NULL;
	AUTO_JSON object = NULL;
	struct json_place place;
	unsigned line;

	/* What cannot be read here is no worse than what is not there. */
	if (host_fact(host, HOST_FACT_UNIT, unit->name, &text, &source, NULL) < 0 ||
	    json_parse(buf_text(&text), text.len, source, &object, NULL) < 0)
		return 0;
	place = json_place_of(buf_text(&text), text.len);
	for (size_t i = 0; i < ELEMENTS(properties); i++)
		if (add_property(unit, source, object, &place, properties[i]) < 0)
			return error_oom(err);
	line = json_line_of(place, "RequiresMountsFor", NULL);
	if (!line || unit->end)
		return 0;
	unit->end_text = strdup("RequiresMountsFor");
	if (asprintf(&unit->end, "%s:%u", source, line) < 0)
		unit->end = NULL;
	return unit->end && unit->end_text ? 0 : error_oom(err);
}

/* Is a file, or a drop-in that says what it runs, there? */
static bool is_told(const struct unitfile *unit)
{
	return unit->path || unit->masked;
}

int units_add_captured(struct host *host, struct unitfiles *files, struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = 0;

	if (host_is_live(host) || host_list(host, PATH_CAPTURED_UNITS, &names, NULL) < 0)
		return 0;
	for (size_t i = 0; i < strv_length(names) && r == 0; i++) {
		size_t len = strlen(names[i]), end = strlen(".service.json");
		AUTO_FREE char *name = NULL;
		struct unitfile *unit;

		if (len <= end || strcmp(names[i] + len - end, ".service.json") != 0)
			continue;
		name = strndup(names[i], len - strlen(".json"));
		unit = name ? unitfiles_add(files, name) : NULL;
		if (!unit)
			return error_oom(err);
		if (!is_told(unit))
			r = add_unit(unit, host, err);
	}
	return r;
}
