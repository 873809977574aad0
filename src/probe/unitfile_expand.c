/* SPDX-License-Identifier: MIT */
/* Specifiers of unit files: what "%i" stands for in one unit. */
#include <errno.h>
#include <string.h>

#include "buf.h"
#include "probe/paths.h"
#include "probe/unitfile.h"

/* The parts of "db@main-a.service": prefix "db", instance "main-a". */
struct unit_parts {
	const char *name;
	size_t stem, prefix;  /* lengths without ".service", and before the "@" */
	const char *instance; /* "" for a unit that is none */
	size_t instance_len;
};

static struct unit_parts parts_of(const char *name)
{
	const char *dot = strrchr(name, '.'), *at = strchr(name, '@');
	struct unit_parts parts = { .name = name,
				    .stem = dot ? (size_t)(dot - name) : strlen(name) };

	if (!at || (size_t)(at - name) > parts.stem)
		at = NULL;
	parts.prefix = at ? (size_t)(at - name) : parts.stem;
	parts.instance = at ? at + 1 : "";
	parts.instance_len = at ? parts.stem - parts.prefix - 1 : 0;
	return parts;
}

static int hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* "srv-my\x2ddb" is "srv/my-db". */
static void add_unescaped(struct buf *ret, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '-') {
			buf_addc(ret, '/');
		} else if (i + 3 < len && text[i] == '\\' && text[i + 1] == 'x' &&
			   hex(text[i + 2]) >= 0 && hex(text[i + 3]) >= 0) {
			buf_addc(ret, (char)(hex(text[i + 2]) * 16 + hex(text[i + 3])));
			i += 3;
		} else {
			buf_addc(ret, text[i]);
		}
	}
}

/* False: no specifier that tells of the unit or of a directory. */
static bool add_specifier(struct buf *ret, const struct unit_parts *parts, char specifier)
{
	static const struct {
		char specifier;
		const char *dir;
	} dirs[] = {
		{ 'S', "/var/lib" }, { 'C', "/var/cache" }, { 'L', "/var/log" },
		{ 'E', PATH_ETC },   { 't', PATH_RUN },     { 'T', "/tmp" },
		{ 'V', "/var/tmp" }, { 'h', "/root" },      { '%', "%" },
	};

	for (size_t i = 0; i < ELEMENTS(dirs); i++)
		if (dirs[i].specifier == specifier)
			return buf_adds(ret, dirs[i].dir) == 0;
	switch (specifier) {
	case 'n':
		return buf_adds(ret, parts->name) == 0;
	case 'N':
		return buf_add(ret, parts->name, parts->stem) == 0;
	case 'p':
		return buf_add(ret, parts->name, parts->prefix) == 0;
	case 'P':
		add_unescaped(ret, parts->name, parts->prefix);
		return true;
	case 'i':
		return buf_add(ret, parts->instance, parts->instance_len) == 0;
	case 'I':
		add_unescaped(ret, parts->instance, parts->instance_len);
		return true;
	case 'f':
		buf_addc(ret, '/');
		if (parts->instance_len)
			add_unescaped(ret, parts->instance, parts->instance_len);
		else
			add_unescaped(ret, parts->name, parts->prefix);
		return true;
	}
	return false;
}

int unit_expand(const char *unit, const char *text, char **ret)
{
	struct unit_parts parts = parts_of(unit);
	AUTO_BUF expanded = BUF_INIT;

	buf_adds(&expanded, "");
	for (; *text; text++) {
		if (*text == '%' && text[1] && add_specifier(&expanded, &parts, text[1]))
			text++;
		else
			buf_addc(&expanded, *text);
	}
	if (buf_error(&expanded) < 0)
		return -ENOMEM;
	*ret = buf_take(&expanded);
	return *ret ? 0 : -ENOMEM;
}

int unitfile_expand(struct unitfile *unit)
{
	for (size_t i = 0; i < unit->n; i++) {
		struct unitfile_line *line = &unit->lines[i];
		char *expanded;

		if (!strchr(line->value, '%'))
			continue;
		if (unit_expand(unit->name, line->value, &expanded) < 0)
			return -ENOMEM;
		free(line->value);
		line->value = expanded;
	}
	return 0;
}
