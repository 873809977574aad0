/* SPDX-License-Identifier: MIT */
/* Properties as systemd gives them: the types are those of its own interface files. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake.h"

struct writer {
	struct fake *fake;
	struct unit *unit;
	sd_bus_message *reply;
	const char *value; /* of the script, or the default */
};

typedef int write_function(struct writer *writer);

static int write_text(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s", writer->value);
}

static int write_bool(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "b", strcmp(writer->value, "yes") == 0);
}

static int write_list(struct writer *writer)
{
	char *words = copy(writer->value), *rest = words, *next;
	int r = sd_bus_message_open_container(writer->reply, 'v', "as");

	if (r >= 0)
		r = sd_bus_message_open_container(writer->reply, 'a', "s");
	while (r >= 0 && (next = strsep(&rest, " ")))
		if (*next)
			r = sd_bus_message_append(writer->reply, "s", next);
	free(words);
	if (r >= 0)
		r = sd_bus_message_close_container(writer->reply);
	return r < 0 ? r : sd_bus_message_close_container(writer->reply);
}

static int write_active(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s", writer->unit->active);
}

static int write_sub(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s", writer->unit->sub);
}

static int write_result(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s", writer->unit->result);
}

static int write_load(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s",
				     unit_exists(writer->unit) ? writer->value : "not-found");
}

static int write_names(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "as", 1, writer->unit->name);
}

static int write_id(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s", writer->unit->name);
}

static int write_fragment(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "s",
				     *writer->value           ? writer->value
				     : writer->unit->fragment ? writer->unit->fragment
							      : "");
}

/* Of a unit that has a file here: is it wanted by a target? */
static int write_file_state(struct writer *writer)
{
	const char *state = writer->value;
	char pattern[4096];
	glob_t found = { 0 };

	if (!*state && writer->unit->fragment) {
		snprintf(pattern, sizeof(pattern), UNIT_DIR "/*.wants/%s", writer->unit->name);
		state = glob(pattern, 0, NULL, &found) == 0 ? "enabled" : "disabled";
		globfree(&found);
	}
	return sd_bus_message_append(writer->reply, "v", "s", state);
}

static int write_dropins(struct writer *writer)
{
	struct unit *unit = writer->unit;
	size_t i;
	int r = sd_bus_message_open_container(writer->reply, 'v', "as");

	if (r >= 0)
		r = sd_bus_message_open_container(writer->reply, 'a', "s");
	for (i = 0; r >= 0 && i < unit->n_dropins; i++)
		r = sd_bus_message_append(writer->reply, "s", unit->dropins[i]);
	if (r >= 0)
		r = sd_bus_message_close_container(writer->reply);
	return r < 0 ? r : sd_bus_message_close_container(writer->reply);
}

static int write_need_reload(struct writer *writer)
{
	return sd_bus_message_append(writer->reply, "v", "b",
				     unit_digest(writer->unit) != writer->unit->loaded);
}

static int write_invocation(struct writer *writer)
{
	uint8_t bytes[16] = { 0xc0, 0x1d };
	int r = sd_bus_message_open_container(writer->reply, 'v', "ay");

	bytes[14] = (uint8_t)(writer->unit->invocation >> 8);
	bytes[15] = (uint8_t)writer->unit->invocation;
	if (r >= 0)
		r = sd_bus_message_append_array(writer->reply, 'y', bytes,
						writer->unit->invocation ? sizeof(bytes) : 0);
	return r < 0 ? r : sd_bus_message_close_container(writer->reply);
}

static int write_job(struct writer *writer)
{
	const struct job *job = job_of(writer->fake, writer->unit);
	char path[64] = "/";

	if (job)
		snprintf(path, sizeof(path), SYSTEMD_PATH "/job/%u", job->id);
	return sd_bus_message_append(writer->reply, "v", "(uo)", job ? job->id : 0, path);
}

static int write_checks(struct writer *writer, const char *prefix)
{
	const struct unit *unit = writer->unit;
	size_t i;
	int r = sd_bus_message_open_container(writer->reply, 'v', "a(sbbsi)");

	if (r >= 0)
		r = sd_bus_message_open_container(writer->reply, 'a', "(sbbsi)");
	for (i = 0; r >= 0 && i < unit->n_asserts; i++) {
		char *type = copy(unit->asserts[i]), *value = strchr(type, '=');
		bool trigger, negate;

		*value++ = '\0';
		trigger = *value == '|';
		value += trigger;
		negate = *value == '!';
		value += negate;
		if (strncmp(type, prefix, strlen(prefix)) == 0)
			r = sd_bus_message_append(writer->reply, "(sbbsi)", type, trigger, negate,
						  value, unit->held[i]);
		free(type);
	}
	if (r >= 0)
		r = sd_bus_message_close_container(writer->reply);
	return r < 0 ? r : sd_bus_message_close_container(writer->reply);
}

static int write_asserts(struct writer *writer)
{
	return write_checks(writer, "Assert");
}

static int write_conditions(struct writer *writer)
{
	return write_checks(writer, "Condition");
}

/* Where its processes really are, if there are any; systemd forgets the group of an empty unit. */
static int write_group(struct writer *writer)
{
	char path[4096] = "";

	if (writer->fake->group && writer->unit->n_pids)
		snprintf(path, sizeof(path), "%s/system.slice/%s", writer->fake->group,
			 writer->unit->name);
	else if (strcmp(writer->unit->active, "active") == 0)
		snprintf(path, sizeof(path), "%s", writer->value);
	return sd_bus_message_append(writer->reply, "v", "s", path);
}

static int write_pid(struct writer *writer)
{
	bool busy = writer->unit->main_pid && strcmp(writer->unit->active, "active") == 0;
	unsigned pid = busy ? (unsigned)writer->unit->main_pid
			    : (unsigned)strtoul(writer->value, NULL, 10);

	return sd_bus_message_append(writer->reply, "v", "u", pid);
}

/* "PATH WORD..." */
static int write_command(struct writer *writer)
{
	char *words = copy(writer->value), *rest = words, *next;
	const char *path = words;
	sd_bus_message *reply = writer->reply;
	int r = sd_bus_message_open_container(reply, 'v', "a(sasbttttuii)");

	if (r >= 0)
		r = sd_bus_message_open_container(reply, 'a', "(sasbttttuii)");
	if (r >= 0 && *words) {
		next = strsep(&rest, " ");
		r = sd_bus_message_open_container(reply, 'r', "sasbttttuii");
		if (r >= 0)
			r = sd_bus_message_append(reply, "s", path);
		if (r >= 0)
			r = sd_bus_message_open_container(reply, 'a', "s");
		for (; r >= 0 && next; next = strsep(&rest, " "))
			r = sd_bus_message_append(reply, "s", next);
		if (r >= 0)
			r = sd_bus_message_close_container(reply);
		if (r >= 0)
			r = sd_bus_message_append(reply, "bttttuii", 0, (uint64_t)0, (uint64_t)0,
						  (uint64_t)0, (uint64_t)0, 0, 0, 0);
		if (r >= 0)
			r = sd_bus_message_close_container(reply);
	}
	free(words);
	if (r >= 0)
		r = sd_bus_message_close_container(reply);
	return r < 0 ? r : sd_bus_message_close_container(reply);
}

/* Where it is: of every unit, or of the interface of a type ("Service" has the most). */
static const struct {
	const char *name, *otherwise;
	bool of_type;
	write_function *write;
} rows[] = {
	{ "Id", "", false, write_id },
	{ "Names", "", false, write_names },
	{ "Description", "a unit of the fake", false, write_text },
	{ "LoadState", "loaded", false, write_load },
	{ "ActiveState", "", false, write_active },
	{ "SubState", "", false, write_sub },
	{ "UnitFileState", "", false, write_file_state },
	{ "FragmentPath", "", false, write_fragment },
	{ "DropInPaths", "", false, write_dropins },
	{ "NeedDaemonReload", "", false, write_need_reload },
	{ "TriggeredBy", "", false, write_list },
	{ "Triggers", "", false, write_list },
	{ "Requires", "", false, write_list },
	{ "Wants", "", false, write_list },
	{ "BindsTo", "", false, write_list },
	{ "PartOf", "", false, write_list },
	{ "WantedBy", "", false, write_list },
	{ "RequiredBy", "", false, write_list },
	{ "After", "", false, write_list },
	{ "Before", "", false, write_list },
	{ "RequiresMountsFor", "", false, write_list },
	{ "InvocationID", "", false, write_invocation },
	{ "Job", "", false, write_job },
	{ "Asserts", "", false, write_asserts },
	{ "Conditions", "", false, write_conditions },
	{ "RefuseManualStop", "no", false, write_bool },
	{ "RefuseManualStart", "no", false, write_bool },
	{ "Type", "simple", true, write_text },
	{ "Result", "", true, write_result },
	{ "KillMode", "control-group", true, write_text },
	{ "Delegate", "no", true, write_bool },
	{ "ControlGroup", "", true, write_group },
	{ "Slice", "system.slice", true, write_text },
	{ "MainPID", "0", true, write_pid },
	{ "WorkingDirectory", "", true, write_text },
	{ "ExecStart", "", true, write_command },
	{ "User", "", true, write_text },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* A row's value, as a variant. */
static int write_row(struct fake *fake, struct unit *unit, size_t row, sd_bus_message *reply)
{
	struct writer writer = { .fake = fake, .unit = unit, .reply = reply };

	writer.value = unit_property(unit, rows[row].name, rows[row].otherwise);
	return rows[row].write(&writer);
}

/* `interface` "": all there are. */
int property_append_all(struct fake *fake, struct unit *unit, const char *interface,
			sd_bus_message *reply)
{
	bool of_type = strcmp(interface, SYSTEMD ".Unit") != 0;
	size_t i;
	int r = sd_bus_message_open_container(reply, 'a', "{sv}");

	for (i = 0; r >= 0 && i < ROWS; i++) {
		if (*interface && rows[i].of_type != of_type)
			continue;
		r = sd_bus_message_open_container(reply, 'e', "sv");
		if (r >= 0)
			r = sd_bus_message_append(reply, "s", rows[i].name);
		if (r >= 0)
			r = write_row(fake, unit, i, reply);
		if (r >= 0)
			r = sd_bus_message_close_container(reply);
	}
	return r < 0 ? r : sd_bus_message_close_container(reply);
}

int property_append_one(struct fake *fake, struct unit *unit, const char *name,
			sd_bus_message *reply)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (strcmp(rows[i].name, name) == 0)
			return write_row(fake, unit, i, reply);
	return -ENOENT;
}

int property_append_manager(struct fake *fake, sd_bus_message *reply)
{
	static const char *const names[] = {
		"FirmwareTimestampMonotonic", "LoaderTimestampMonotonic",
		"InitRDTimestampMonotonic",   "UserspaceTimestampMonotonic",
		"FinishTimestampMonotonic",
	};
	size_t i;
	int r = sd_bus_message_open_container(reply, 'a', "{sv}");

	if (r >= 0)
		r = sd_bus_message_append(reply, "{sv}", "Version", "s", "252 (fake)");
	for (i = 0; r >= 0 && i < 5; i++)
		r = sd_bus_message_append(reply, "{sv}", names[i], "t", fake->times[i]);
	return r < 0 ? r : sd_bus_message_close_container(reply);
}
