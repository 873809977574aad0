/* SPDX-License-Identifier: MIT */
#include "report/fill.h"

#include <string.h>

static const char *value_of(const struct fill *values, const char *name, size_t len)
{
	for (; values->name; values++)
		if (strlen(values->name) == len && memcmp(values->name, name, len) == 0)
			return values->text;
	return NULL;
}

int fill_sentence(const char *sentence, const struct fill *values, struct buf *ret)
{
	const char *at = sentence, *open, *end, *text;

	while ((open = strchr(at, '{')) && (end = strchr(open, '}'))) {
		text = value_of(values, open + 1, (size_t)(end - open - 1));
		if (!text) {
			buf_add(ret, at, (size_t)(open + 1 - at));
			at = open + 1;
			continue;
		}
		buf_add(ret, at, (size_t)(open - at));
		buf_adds(ret, text);
		at = end + 1;
	}
	return buf_adds(ret, at);
}
