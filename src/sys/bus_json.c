/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "sys/bus_json.h"

/* path, argv, ignore failure; then times, pid and result, which are no property of the unit. */
#define COMMANDS "a(sasbttttuii)"

static int read_value(sd_bus_message *message, json_t **ret);

static json_t *text_value(const char *text)
{
	AUTO_BUF clean = BUF_INIT;

	if (text_to_utf8(text, strlen(text), &clean) < 0)
		return NULL;
	return json_string(buf_text(&clean));
}

static json_t *unsigned_value(uint64_t value)
{
	return value > INT64_MAX ? json_null() : json_integer((json_int_t)value);
}

/* D-Bus numbers come in the width that their type says. */
union basic {
	uint8_t byte;
	int boolean;
	int16_t int16;
	uint16_t uint16;
	int32_t int32;
	uint32_t uint32;
	int64_t int64;
	uint64_t uint64;
	double real;
	const char *text;
};

static json_t *basic_value(char type, const union basic *basic)
{
	switch (type) {
	case SD_BUS_TYPE_BYTE:
		return json_integer(basic->byte);
	case SD_BUS_TYPE_BOOLEAN:
		return json_boolean(basic->boolean);
	case SD_BUS_TYPE_INT16:
		return json_integer(basic->int16);
	case SD_BUS_TYPE_UINT16:
		return json_integer(basic->uint16);
	case SD_BUS_TYPE_INT32:
		return json_integer(basic->int32);
	case SD_BUS_TYPE_UINT32:
		return json_integer(basic->uint32);
	case SD_BUS_TYPE_INT64:
		return json_integer(basic->int64);
	case SD_BUS_TYPE_UINT64:
		return unsigned_value(basic->uint64);
	case SD_BUS_TYPE_DOUBLE:
		return json_real(basic->real);
	case SD_BUS_TYPE_UNIX_FD:
		return json_null();
	default:
		return text_value(basic->text);
	}
}

static int read_basic(sd_bus_message *message, char type, json_t **ret)
{
	union basic basic = { 0 };
	int r = sd_bus_message_read_basic(message, type, &basic);

	if (r < 0)
		return r;
	*ret = basic_value(type, &basic);
	return *ret ? 0 : -ENOMEM;
}

/* Arrays, structs: everything up to the end of the container that was entered. */
static int read_items(sd_bus_message *message, json_t *array)
{
	json_t *item;
	int r;

	while ((r = sd_bus_message_at_end(message, 0)) == 0) {
		r = read_value(message, &item);
		if (r < 0)
			return r;
		if (json_array_append_new(array, item) < 0)
			return -ENOMEM;
	}
	return r < 0 ? r : 0;
}

static int read_sequence(sd_bus_message *message, char type, const char *contents, json_t **ret)
{
	AUTO_JSON array = json_array();
	int r = sd_bus_message_enter_container(message, type, contents);

	if (r < 0)
		return r;
	r = read_items(message, array);
	if (r >= 0)
		r = sd_bus_message_exit_container(message);
	if (r < 0)
		return r;
	*ret = TAKE(array);
	return 0;
}

static int read_command(sd_bus_message *message, json_t *commands)
{
	AUTO_JSON command = json_object();
	json_t *argv = NULL;
	const char *path;
	int r = sd_bus_message_enter_container(message, 'r', "sasbttttuii");

	if (r >= 0)
		r = sd_bus_message_read(message, "s", &path);
	if (r >= 0)
		r = json_set_text(command, "path", path);
	if (r >= 0)
		r = read_value(message, &argv);
	if (r >= 0)
		r = json_object_set_new(command, "argv", argv) < 0 ? -ENOMEM : 0;
	if (r >= 0)
		r = sd_bus_message_skip(message, "bttttuii");
	if (r >= 0)
		r = sd_bus_message_exit_container(message);
	if (r >= 0)
		r = json_array_append(commands, command) < 0 ? -ENOMEM : 0;
	return r;
}

static int read_commands(sd_bus_message *message, json_t **ret)
{
	AUTO_JSON commands = json_array();
	int r = sd_bus_message_enter_container(message, 'a', "(sasbttttuii)");

	if (r < 0)
		return r;
	while ((r = sd_bus_message_at_end(message, 0)) == 0) {
		r = read_command(message, commands);
		if (r < 0)
			return r;
	}
	if (r >= 0)
		r = sd_bus_message_exit_container(message);
	if (r < 0)
		return r;
	*ret = TAKE(commands);
	return 0;
}

static int read_variant(sd_bus_message *message, json_t **ret)
{
	const char *contents;
	char type;
	int r = sd_bus_message_peek_type(message, &type, &contents);

	if (r <= 0 || type != SD_BUS_TYPE_VARIANT)
		return r < 0 ? r : -EBADMSG;
	r = sd_bus_message_enter_container(message, 'v', contents);
	if (r < 0)
		return r;
	r = strcmp(contents, COMMANDS) == 0 ? read_commands(message, ret)
					    : read_value(message, ret);
	if (r < 0)
		return r;
	r = sd_bus_message_exit_container(message);
	if (r >= 0)
		return 0;
	json_decref(*ret);
	*ret = NULL;
	return r;
}

/* The recursion is bounded by D-Bus: 32 arrays and 32 structs deep. */
static int read_value(sd_bus_message *message, json_t **ret)
{
	const char *contents;
	char type;
	int r = sd_bus_message_peek_type(message, &type, &contents);

	if (r <= 0)
		return r < 0 ? r : -EBADMSG;
	switch (type) {
	case SD_BUS_TYPE_ARRAY:
	case SD_BUS_TYPE_STRUCT:
	case SD_BUS_TYPE_DICT_ENTRY:
		return read_sequence(message, type, contents, ret);
	case SD_BUS_TYPE_VARIANT:
		return read_variant(message, ret);
	default:
		return read_basic(message, type, ret);
	}
}

static int read_property(sd_bus_message *message, json_t *object)
{
	json_t *value = NULL;
	const char *name;
	int r = sd_bus_message_enter_container(message, 'e', "sv");

	if (r >= 0)
		r = sd_bus_message_read(message, "s", &name);
	if (r >= 0)
		r = read_variant(message, &value);
	if (r >= 0)
		r = json_object_set_new(object, name, value) < 0 ? -ENOMEM : 0;
	return r < 0 ? r : sd_bus_message_exit_container(message);
}

int bus_json_properties(sd_bus_message *message, json_t *object)
{
	int r = sd_bus_message_enter_container(message, 'a', "{sv}");

	if (r < 0)
		return r;
	while ((r = sd_bus_message_at_end(message, 0)) == 0) {
		r = read_property(message, object);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : sd_bus_message_exit_container(message);
}
