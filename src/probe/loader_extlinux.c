/* SPDX-License-Identifier: MIT */
/* extlinux.conf and syslinux.cfg: LABEL, APPEND, DEFAULT. */
#include <string.h>
#include <strings.h>

#include "probe/loader.h"

/* "ontimeout" comes before "default"; either is a label. */
static int find_label(const struct buf *text, char **ret, struct error *err)
{
	size_t at = 0, len;
	const char *start;
	bool timeout = false;

	while (text_line(text, &at, &start, &len)) {
		AUTO_FREE char *line = strndup(start, len);
		char *key, *value;
		bool is_timeout;

		if (!line)
			return error_oom(err);
		if (!loader_key(line, &key, &value))
			continue;
		is_timeout = strcasecmp(key, "ontimeout") == 0;
		if ((!is_timeout && strcasecmp(key, "default") != 0) || (timeout && !is_timeout))
			continue;
		timeout = is_timeout;
		value[strcspn(value, " \t")] = '\0';
		free(*ret);
		*ret = strdup(value);
		if (!*ret)
			return error_oom(err);
	}
	return 0;
}

/* Without a label that is named, the first is started. */
static bool is_started(const char *chosen, const char *label, unsigned n_labels)
{
	if (chosen)
		return label && strcmp(chosen, label) == 0;
	return n_labels <= 1;
}

int loader_extlinux_load(struct host *host, const char *path, struct kernel_lines *ret,
			 struct error *err)
{
	AUTO_FREE char *chosen = NULL, *label = NULL;
	AUTO_BUF text = BUF_INIT;
	const char *start;
	size_t at = 0, len;
	unsigned number = 0, n_labels = 0;
	int r = kernel_lines_read(ret, host, path, &text, err);

	if (r <= 0)
		return r;
	r = find_label(&text, &chosen, err);
	while (r == 0 && text_line(&text, &at, &start, &len)) {
		struct kernel_line kernel = { .when = LINE_NEXT };
		AUTO_FREE char *line = strndup(start, len), *whole = strndup(start, len);
		char *key, *value;

		number++;
		if (!line || !whole)
			return error_oom(err);
		if (!loader_key(line, &key, &value))
			continue;
		if (strcasecmp(key, "label") == 0) {
			free(label);
			label = strdup(value);
			n_labels++;
		} else if (strcasecmp(key, "append") == 0) {
			kernel.text = whole;
			kernel.args = value;
			kernel.title = label;
			kernel.boots = is_started(chosen, label, n_labels);
			r = kernel_lines_add(ret, &kernel, path, number, err);
		}
	}
	return r;
}
