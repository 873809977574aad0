/* SPDX-License-Identifier: MIT */
/* The script, and the state that is kept between two runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

struct reader {
	struct fake *fake;
	struct unit *unit; /* the lines after "unit NAME" belong to it */
	const char *path;
	unsigned line;
};

static char *word(char **rest)
{
	char *at = *rest + strspn(*rest, " \t");
	size_t len = strcspn(at, " \t");

	if (!*at)
		return NULL;
	*rest = at + len + (at[len] != '\0');
	at[len] = '\0';
	return at;
}

static char *needed(struct reader *reader, char **rest, const char *what)
{
	char *found = word(rest);

	if (!found)
		die("%s:%u: %s is missing", reader->path, reader->line, what);
	return found;
}

/* "200ms", "2s" */
static uint64_t duration(struct reader *reader, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end != text && strcmp(end, "ms") == 0)
		return value * 1000;
	if (end != text && strcmp(end, "s") == 0)
		return value * 1000000;
	die("%s:%u: \"%s\" is no duration (200ms, 2s)", reader->path, reader->line, text);
}

static unsigned number(struct reader *reader, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end)
		die("%s:%u: \"%s\" is no number", reader->path, reader->line, text);
	return (unsigned)value;
}

static void read_becomes(struct reader *reader, const char *text, struct outcome *outcome)
{
	const char *slash = strchr(text, '/');

	if (!slash)
		die("%s:%u: becomes ACTIVE/SUB", reader->path, reader->line);
	outcome->active = need(strndup(text, (size_t)(slash - text)));
	outcome->sub = copy(slash + 1);
}

/* RESULT [after TIME] [early] [leaves N] [becomes ACTIVE/SUB] [run COMMAND...] */
static void read_outcome(struct reader *reader, char *rest, struct outcome *ret)
{
	char *key;

	ret->result = copy(needed(reader, &rest, "the result"));
	while ((key = word(&rest))) {
		if (strcmp(key, "after") == 0)
			ret->after_us = duration(reader, needed(reader, &rest, "the time"));
		else if (strcmp(key, "early") == 0)
			ret->early = true;
		else if (strcmp(key, "leaves") == 0)
			ret->leaves = number(reader, needed(reader, &rest, "the number"));
		else if (strcmp(key, "becomes") == 0)
			read_becomes(reader, needed(reader, &rest, "the state"), ret);
		else if (strcmp(key, "run") == 0) {
			ret->run = copy(rest);
			return;
		} else
			die("%s:%u: unknown word \"%s\"", reader->path, reader->line, key);
	}
}

static void add_property(struct reader *reader, const char *name, const char *value)
{
	struct unit *unit = reader->unit;

	if (unit->n_properties == LISTS_MAX)
		die("%s:%u: too many properties", reader->path, reader->line);
	unit->names[unit->n_properties] = copy(name);
	unit->values[unit->n_properties++] = copy(value);
}

static void read_unit_line(struct reader *reader, const char *key, char *rest)
{
	struct unit *unit = reader->unit;
	enum verb verb = strcmp(key, "stop") == 0 ? STOP : START;

	if (strcmp(key, "start") == 0 || strcmp(key, "stop") == 0) {
		if (unit->n_outcomes[verb] == LISTS_MAX)
			die("%s:%u: too many outcomes", reader->path, reader->line);
		read_outcome(reader, rest, &unit->outcomes[verb][unit->n_outcomes[verb]++]);
	} else if (strcmp(key, "silent") == 0) {
		unit->silent = true;
	} else if (strcmp(key, "processes") == 0) {
		unit->processes = number(reader, needed(reader, &rest, "the number"));
	} else if (strcmp(key, "ActiveState") == 0) {
		set_text(&unit->active, needed(reader, &rest, "the state"));
		set_text(&unit->sub, strcmp(unit->active, "active") == 0   ? unit_busy_sub(unit)
				     : strcmp(unit->active, "failed") == 0 ? "failed"
									   : "dead");
	} else if (strcmp(key, "SubState") == 0) {
		set_text(&unit->sub, needed(reader, &rest, "the state"));
	} else {
		add_property(reader, key, rest + strspn(rest, " \t"));
	}
}

static void read_times(struct reader *reader, char *rest)
{
	size_t i;

	for (i = 0; i < 5; i++)
		reader->fake->times[i] = number(reader, needed(reader, &rest, "a time stamp"));
}

/* job ID UNIT TYPE STATE [UNTIL] */
static void read_job(struct reader *reader, char *rest)
{
	unsigned id = number(reader, needed(reader, &rest, "the id"));
	const char *unit = needed(reader, &rest, "the unit");
	const char *type = needed(reader, &rest, "the type");
	const char *state = needed(reader, &rest, "the state");
	const char *until = word(&rest);

	job_script(reader->fake, id, unit, type, state, until ? duration(reader, until) : 0);
}

static void read_line(struct reader *reader, char *line)
{
	struct fake *fake = reader->fake;
	const struct {
		const char *name;
		char **to;
	} words[] = {
		{ "systemd", &fake->systemd },
		{ "logind", &fake->logind },
		{ "private", &fake->private },
		{ "bus", &fake->bus },
		{ "inhibit", &fake->inhibit },
		{ "power-off", &fake->power_off },
		{ "can-power-off", &fake->can_power_off },
	};
	char *rest = line, *key = word(&rest);
	size_t i;

	if (!key || *key == '#')
		return;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(key, words[i].name) == 0) {
			set_text(words[i].to, needed(reader, &rest, "a word"));
			if (strcmp(key, "power-off") == 0 && *rest)
				set_text(&fake->power_off_run, rest);
			return;
		}
	if (strcmp(key, "unit") == 0) {
		reader->unit = unit_get(fake, needed(reader, &rest, "the name"));
		reader->unit->scripted = true;
	} else if (strcmp(key, "times") == 0) {
		read_times(reader, rest);
	} else if (strcmp(key, "job") == 0) {
		read_job(reader, rest);
	} else if (reader->unit) {
		read_unit_line(reader, key, rest);
	} else {
		die("%s:%u: unknown word \"%s\"", reader->path, reader->line, key);
	}
}

typedef void line_function(struct reader *reader, char *line);

static void each_line(struct reader *reader, line_function *function)
{
	FILE *file = fopen(reader->path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!file)
		die("cannot read %s: %m", reader->path);
	while ((n = getline(&line, &room, file)) >= 0) {
		reader->line++;
		if (n && line[n - 1] == '\n')
			line[n - 1] = '\0';
		function(reader, line);
	}
	free(line);
	fclose(file);
}

void script_load(struct fake *fake, const char *path)
{
	struct reader reader = { .fake = fake, .path = path };

	each_line(&reader, read_line);
}

/* unit NAME ACTIVE SUB RESULT STARTED STOPPED INVOCATION */
static void read_state(struct reader *reader, char *line)
{
	struct unit *unit;
	char *rest = line;
	const char *kind = word(&rest);

	if (!kind || strcmp(kind, "unit") != 0)
		return;
	unit = unit_get(reader->fake, needed(reader, &rest, "the name"));
	set_text(&unit->active, needed(reader, &rest, "a state"));
	set_text(&unit->sub, needed(reader, &rest, "a state"));
	set_text(&unit->result, needed(reader, &rest, "a result"));
	unit->tried[START] = number(reader, needed(reader, &rest, "a count"));
	unit->tried[STOP] = number(reader, needed(reader, &rest, "a count"));
	unit->invocation = number(reader, needed(reader, &rest, "a count"));
}

void state_load(struct fake *fake)
{
	struct reader reader = { .fake = fake };
	char path[4096];

	snprintf(path, sizeof(path), "%s/state", fake->dir);
	reader.path = path;
	if (access(path, F_OK) == 0)
		each_line(&reader, read_state);
}

/* Renamed into place: whoever reads it sees a whole one. */
void state_save(struct fake *fake)
{
	char path[4096], fresh[4096 + 8];
	const struct unit *unit;
	FILE *file;

	snprintf(path, sizeof(path), "%s/state", fake->dir);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	file = fopen(fresh, "we");
	if (!file)
		die("cannot write %s: %m", fresh);
	for (unit = fake->units; unit; unit = unit->next)
		if (unit_exists(unit))
			fprintf(file, "unit %s %s %s %s %u %u %u\n", unit->name, unit->active,
				unit->sub, unit->result, unit->tried[START], unit->tried[STOP],
				unit->invocation);
	if (fclose(file) != 0 || rename(fresh, path) < 0)
		die("cannot write %s: %m", path);
}
