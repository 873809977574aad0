/* SPDX-License-Identifier: MIT */
/* Units, and what their files on the disk say. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

struct unit *unit_find(struct fake *fake, const char *name)
{
	struct unit *unit;

	for (unit = fake->units; unit; unit = unit->next)
		if (strcmp(unit->name, name) == 0)
			return unit;
	return NULL;
}

struct unit *unit_get(struct fake *fake, const char *name)
{
	struct unit *unit = unit_find(fake, name), **end = &fake->units;

	if (unit)
		return unit;
	unit = need(calloc(1, sizeof(*unit)));
	unit->name = copy(name);
	unit->active = copy("inactive");
	unit->sub = copy("dead");
	unit->result = copy("success");
	while (*end)
		end = &(*end)->next;
	*end = unit;
	return unit;
}

const char *unit_property(const struct unit *unit, const char *name, const char *otherwise)
{
	size_t i;

	for (i = 0; i < unit->n_properties; i++)
		if (strcmp(unit->names[i], name) == 0)
			return unit->values[i];
	return otherwise;
}

bool unit_exists(const struct unit *unit)
{
	return unit->scripted || unit->fragment;
}

const char *unit_busy_sub(const struct unit *unit)
{
	static const char *const subs[][2] = {
		{ ".socket", "listening" }, { ".timer", "waiting" }, { ".path", "waiting" },
		{ ".mount", "mounted" },    { ".target", "active" }, { ".slice", "active" },
	};
	const char *suffix = strrchr(unit->name, '.');
	size_t i;

	for (i = 0; suffix && i < sizeof(subs) / sizeof(subs[0]); i++)
		if (strcmp(suffix, subs[i][0]) == 0)
			return subs[i][1];
	return "running";
}

void unit_set(struct unit *unit, const char *active, const char *sub)
{
	set_text(&unit->active, active);
	set_text(&unit->sub, sub);
}

static int is_conf(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 5 && strcmp(entry->d_name + len - 5, ".conf") == 0;
}

static void list_dropins(const char *dir, const char *unit, char **list, size_t *n)
{
	struct dirent **entries = NULL;
	char path[4096];
	int i, found;

	snprintf(path, sizeof(path), "%s/%s.d", dir, unit);
	found = scandir(path, &entries, is_conf, alphasort);
	for (i = 0; i < found; i++) {
		if (*n == LISTS_MAX)
			die("too many drop-ins in %s", path);
		if (asprintf(&list[(*n)++], "%s/%s", path, entries[i]->d_name) < 0)
			die("out of memory");
		free(entries[i]);
	}
	free(entries);
}

static char *find_fragment(const char *unit)
{
	static const char *const dirs[] = { UNIT_DIR, RUNTIME_DIR };
	char *path;
	size_t i;

	for (i = 0; i < 2; i++) {
		if (asprintf(&path, "%s/%s", dirs[i], unit) < 0)
			die("out of memory");
		if (access(path, F_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

/* An empty value takes back what came before it. */
static void read_setting(struct unit *unit, const char *line)
{
	const char *equals = strchr(line, '=');
	size_t i;

	if (!equals || (strncmp(line, "Assert", 6) != 0 && strncmp(line, "Condition", 9) != 0))
		return;
	if (!equals[1]) {
		for (i = 0; i < unit->n_asserts; i++)
			free(unit->asserts[i]);
		unit->n_asserts = 0;
		return;
	}
	if (unit->n_asserts == LISTS_MAX)
		die("too many asserts in %s", unit->name);
	unit->held[unit->n_asserts] = 0;
	unit->asserts[unit->n_asserts++] = copy(line);
}

static void read_settings(struct unit *unit, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while (file && (n = getline(&line, &room, file)) >= 0) {
		if (n && line[n - 1] == '\n')
			line[n - 1] = '\0';
		read_setting(unit, line);
	}
	free(line);
	if (file)
		fclose(file);
}

static void forget_files(struct unit *unit)
{
	size_t i;

	for (i = 0; i < unit->n_dropins; i++)
		free(unit->dropins[i]);
	for (i = 0; i < unit->n_asserts; i++)
		free(unit->asserts[i]);
	unit->n_dropins = unit->n_asserts = 0;
	free(unit->fragment);
	unit->fragment = NULL;
}

void unit_read_files(struct unit *unit)
{
	size_t i;

	forget_files(unit);
	unit->fragment = find_fragment(unit->name);
	if (unit->fragment)
		read_settings(unit, unit->fragment);
	list_dropins(UNIT_DIR, unit->name, unit->dropins, &unit->n_dropins);
	list_dropins(RUNTIME_DIR, unit->name, unit->dropins, &unit->n_dropins);
	for (i = 0; i < unit->n_dropins; i++)
		read_settings(unit, unit->dropins[i]);
	unit->loaded = unit_digest(unit);
}

static uint64_t digest_text(uint64_t digest, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		digest = (digest ^ (unsigned char)text[i]) * 0x100000001b3;
	return digest;
}

static uint64_t digest_file(uint64_t digest, const char *path)
{
	FILE *file = fopen(path, "re");
	char chunk[4096];
	size_t n;

	digest = digest_text(digest, path, strlen(path));
	while (file && (n = fread(chunk, 1, sizeof(chunk), file)) > 0)
		digest = digest_text(digest, chunk, n);
	if (file)
		fclose(file);
	return digest;
}

/* Of the files as they are now: systemd asks for a reload when it differs from `loaded`. */
uint64_t unit_digest(const struct unit *unit)
{
	char *fragment = find_fragment(unit->name), *dropins[LISTS_MAX];
	uint64_t digest = 0xcbf29ce484222325;
	size_t i, n = 0;

	if (fragment)
		digest = digest_file(digest, fragment);
	free(fragment);
	list_dropins(UNIT_DIR, unit->name, dropins, &n);
	list_dropins(RUNTIME_DIR, unit->name, dropins, &n);
	for (i = 0; i < n; i++) {
		digest = digest_file(digest, dropins[i]);
		free(dropins[i]);
	}
	return digest;
}

/* Only what asks for a path can fail here. */
bool unit_check(struct unit *unit, const char *prefix)
{
	bool all = true;
	size_t i;

	for (i = 0; i < unit->n_asserts; i++) {
		const char *value = strchr(unit->asserts[i], '=') + 1;
		bool negate = *value == '!', holds = true;

		if (strncmp(unit->asserts[i], prefix, strlen(prefix)) != 0)
			continue;
		if (strstr(unit->asserts[i], "PathExists="))
			holds = (access(value + negate, F_OK) == 0) != negate;
		unit->held[i] = holds ? 1 : -1;
		all = all && holds;
	}
	return all;
}
