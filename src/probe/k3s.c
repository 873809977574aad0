/* SPDX-License-Identifier: MIT */
#include "probe/k3s.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "probe/paths.h"

#define UNIT "k3s.service"
#define CONFIG_MAX_BYTES ((size_t)256 << 10)

static int add(char ***dirs, const char *path, size_t len)
{
	AUTO_FREE char *copy = NULL;

	while (len > 1 && path[len - 1] == '/')
		len--;
	copy = strndup(path, len);
	if (!copy)
		return -ENOMEM;
	return *copy == '/' && !strv_has(*dirs, copy) ? strv_add(dirs, copy) : 0;
}

static int add_after(char ***dirs, const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return text && strncmp(text, prefix, len) == 0 ? add(dirs, text + len, strlen(text + len))
						       : 0;
}

static int from_arguments(const json_t *argv, char ***dirs)
{
	const char *before = "";
	const json_t *item;
	size_t i;

	json_array_foreach (argv, i, item) {
		const char *word = json_string_value(item);

		if (!word)
			word = "";
		if ((strcmp(before, "--data-dir") == 0 || strcmp(before, "-d") == 0) &&
		    add(dirs, word, strlen(word)) < 0)
			return -ENOMEM;
		if (add_after(dirs, word, "--data-dir=") < 0 || add_after(dirs, word, "-d=") < 0)
			return -ENOMEM;
		before = word;
	}
	return 0;
}

static int from_unit(struct host *host, char ***dirs)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON unit = NULL;
	const json_t *item;
	size_t i;
	int r = host_fact(host, HOST_FACT_UNIT, UNIT, &text, NULL, NULL);

	if (r == 0)
		r = json_parse(buf_text(&text), text.len, UNIT, &unit, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	json_array_foreach (json_object_get(unit, "ExecStart"), i, item)
		if (from_arguments(json_object_get(item, "argv"), dirs) < 0)
			return -ENOMEM;
	json_array_foreach (json_object_get(unit, "Environment"), i, item)
		if (add_after(dirs, json_string_value(item), "K3S_DATA_DIR=") < 0)
			return -ENOMEM;
	return 0;
}

/* `data-dir: /data/k3s`, plain or quoted, at the top level of a YAML file. */
static int from_config_line(const char *line, size_t len, char ***dirs)
{
	static const char key[] = "data-dir:";

	if (len < sizeof(key) || memcmp(line, key, sizeof(key) - 1) != 0)
		return 0;
	line += sizeof(key) - 1;
	len -= sizeof(key) - 1;
	while (len > 0 && strchr(" \t\"'", *line))
		line++, len--;
	while (len > 0 && strchr(" \t\r\"'", line[len - 1]))
		len--;
	return add(dirs, line, len);
}

static int from_config(struct host *host, char ***dirs)
{
	AUTO_BUF text = BUF_INIT;
	const char *line;
	int r = host_read(host, PATH_K3S_CONFIG, CONFIG_MAX_BYTES, &text, NULL);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (line = buf_text(&text); *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (from_config_line(line, len, dirs) < 0)
			return -ENOMEM;
		line += len;
	}
	return 0;
}

int k3s_data_dirs(struct host *host, char ***ret)
{
	AUTO_STRV char **dirs = NULL;

	if (from_unit(host, &dirs) < 0 || from_config(host, &dirs) < 0)
		return -ENOMEM;
	*ret = TAKE(dirs);
	return 0;
}
