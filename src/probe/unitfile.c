/* SPDX-License-Identifier: MIT */
#include "probe/unitfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/paths.h"

static const char *const kept_keys[] = {
	"Requires",
	"BindsTo",
	"Requisite",
	"Wants",
	"After",
	"DefaultDependencies",
	"RequiresMountsFor",
	"ConditionPathIsMountPoint",
	"AssertPathIsMountPoint",
	"ConditionPathExists",
	"AssertPathExists",
	"ConditionDirectoryNotEmpty",
	"AssertDirectoryNotEmpty",
	"ConditionFileNotEmpty",
	"AssertFileNotEmpty",
	"KillMode",
	"ExecStart",
	"ExecStartPre",
	"ExecStartPost",
	"WorkingDirectory",
	"RootDirectory",
	"ReadWritePaths",
	"BindPaths",
	"BindReadOnlyPaths",
	"Environment",
	"EnvironmentFile",
	"StateDirectory",
	"LogsDirectory",
	"CacheDirectory",
	"StandardOutput",
	"StandardError",
};

static void line_done(struct unitfile_line *line)
{
	free(line->value);
	free(line->source);
	free(line->text);
}

void unitfile_done(struct unitfile *unit)
{
	for (size_t i = 0; i < unit->n; i++)
		line_done(&unit->lines[i]);
	free(unit->lines);
	free(unit->name);
	free(unit->path);
	free(unit->end);
	free(unit->end_text);
	*unit = (struct unitfile){ 0 };
}

void unitfiles_free(struct unitfiles *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->n; i++)
		unitfile_done(&files->items[i]);
	free(files->items);
	strv_free(files->wanted);
	strv_free(files->unreadable);
	strv_free(files->drop_dirs);
	free(files);
}

/* An empty assignment takes back what was assigned before. */
static void forget(struct unitfile *unit, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < unit->n; i++) {
		if (unit->lines[i].key == key)
			line_done(&unit->lines[i]);
		else
			unit->lines[kept++] = unit->lines[i];
	}
	unit->n = kept;
}

/* What is written below /run by hand and not by a generator. */
static bool is_passing(const char *path)
{
	return strncmp(path, PATH_RUN_SYSTEMD "/", strlen(PATH_RUN_SYSTEMD "/")) == 0 &&
	       strncmp(path, PATH_SYSTEMD_GENERATED, strlen(PATH_SYSTEMD_GENERATED)) != 0;
}

static int add_line(struct unitfile *unit, struct unitfile_line line, const char *path,
		    unsigned number, const char *value, size_t value_len, const char *text)
{
	struct unitfile_line *grown;

	line.value = strndup(value, value_len);
	line.text = strdup(text);
	line.passing = is_passing(path);
	if (asprintf(&line.source, "%s:%u", path, number) < 0)
		line.source = NULL;
	grown = reallocarray(unit->lines, unit->n + 1, sizeof(*grown));
	if (grown)
		unit->lines = grown;
	if (!grown || !line.value || !line.text || !line.source) {
		line_done(&line);
		return -ENOMEM;
	}
	unit->lines[unit->n++] = line;
	return 0;
}

static const char *kept_key(const char *line, size_t len)
{
	for (size_t i = 0; i < ELEMENTS(kept_keys); i++)
		if (strlen(kept_keys[i]) == len && strncmp(line, kept_keys[i], len) == 0)
			return kept_keys[i];
	return NULL;
}

/* A setting that is not kept may go on over lines that look like others. */
static const char unkept[] = "";

/* One physical line; `key` is the setting that it continues, or NULL. */
static int parse_line(struct unitfile *unit, const char *path, unsigned number, const char *text,
		      const char **key)
{
	const char *value = text + strspn(text, " \t");
	bool continued = *key != NULL;
	size_t len = strlen(value);

	if (!*value || *value == '#' || *value == ';') {
		if (!*value)
			*key = NULL;
		return 0;
	}
	if (!continued) {
		size_t name = strcspn(value, "= \t");
		const char *equals = value + name + strspn(value + name, " \t");

		if (*equals != '=')
			return 0;
		*key = kept_key(value, name);
		if (!*key)
			*key = unkept;
		value = equals + 1 + strspn(equals + 1, " \t");
		len = strlen(value);
	}
	while (len && isspace((unsigned char)value[len - 1]))
		len--;
	if (!len && !continued)
		forget(unit, *key);
	else if (len && *key != unkept &&
		 add_line(unit, (struct unitfile_line){ .key = *key, .continued = continued }, path,
			  number, value, value[len - 1] == '\\' ? len - 1 : len, text) < 0)
		return -ENOMEM;
	if (!len || value[len - 1] != '\\')
		*key = NULL;
	return 0;
}

int unitfile_copy_lines(const struct unitfile *from, struct unitfile *to)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct unitfile_line *line = &from->lines[i];
		struct unitfile_line copy = { .key = line->key,
					      .continued = line->continued,
					      .passing = line->passing };
		struct unitfile_line *grown;

		copy.value = strdup(line->value);
		copy.source = strdup(line->source);
		copy.text = strdup(line->text);
		grown = reallocarray(to->lines, to->n + 1, sizeof(*grown));
		if (grown)
			to->lines = grown;
		if (!grown || !copy.value || !copy.source || !copy.text) {
			line_done(&copy);
			return -ENOMEM;
		}
		to->lines[to->n++] = copy;
	}
	return 0;
}

static int set_end(struct unitfile *unit, const char *path, unsigned number, const char *text)
{
	free(unit->end);
	free(unit->end_text);
	unit->end_text = strdup(text);
	if (asprintf(&unit->end, "%s:%u", path, number) < 0)
		unit->end = NULL;
	return unit->end && unit->end_text ? 0 : -ENOMEM;
}

enum unit_section { SECTION_NONE, SECTION_UNIT, SECTION_PAST };

/* Where [Unit] ends is where a setting is missing; without one, where it would stand. */
static int note_header(struct unitfile *unit, const char *path, unsigned number, const char *text,
		       enum unit_section *section)
{
	const char *header = text + strspn(text, " \t");
	bool starts = strncmp(header, "[Unit]", strlen("[Unit]")) == 0;

	if (*header != '[' || *section == SECTION_PAST)
		return 0;
	if (*section == SECTION_UNIT && starts)
		return 0;
	if (*section == SECTION_UNIT)
		*section = SECTION_PAST;
	else if (starts)
		*section = SECTION_UNIT;
	else if (unit->end)
		return 0;
	return set_end(unit, path, number, text);
}

int unitfile_parse(struct unitfile *unit, const char *path, const char *text)
{
	bool fragment = unit->path && strcmp(unit->path, path) == 0;
	enum unit_section section = SECTION_NONE;
	const char *key = NULL;
	unsigned number = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");
		AUTO_FREE char *line = strndup(text, len);

		if (!line)
			return -ENOMEM;
		line[strcspn(line, "\r")] = '\0';
		number++;
		if (fragment && !key && note_header(unit, path, number, line, &section) < 0)
			return -ENOMEM;
		if (parse_line(unit, path, number, line, &key) < 0)
			return -ENOMEM;
		text += len + (text[len] == '\n');
	}
	return 0;
}

const struct unitfile *unitfiles_find(const struct unitfiles *files, const char *name)
{
	for (size_t i = 0; i < files->n; i++)
		if (strcmp(files->items[i].name, name) == 0)
			return &files->items[i];
	return NULL;
}

bool unitfiles_is_wanted(const struct unitfiles *files, const char *name)
{
	const char *at = strchr(name, '@');
	size_t stem = at && at[1] == '.' ? (size_t)(at - name) + 1 : 0;

	for (char **wanted = files->wanted; wanted && *wanted; wanted++)
		if (strcmp(*wanted, name) == 0 || (stem && strncmp(*wanted, name, stem) == 0))
			return true;
	return false;
}

int unit_name_of_mount(const char *mount_point, char **ret)
{
	AUTO_BUF name = BUF_INIT;
	const char *path = mount_point + strspn(mount_point, "/");
	bool first = true;

	for (; *path; path++, first = false) {
		if (*path == '/')
			buf_addc(&name, '-');
		else if (isalnum((unsigned char)*path) || *path == ':' || *path == '_' ||
			 (*path == '.' && !first))
			buf_addc(&name, *path);
		else
			buf_addf(&name, "\\x%02x", (unsigned)(unsigned char)*path);
	}
	if (!name.len)
		buf_addc(&name, '-');
	buf_adds(&name, ".mount");
	*ret = buf_take(&name);
	return *ret ? 0 : -ENOMEM;
}
