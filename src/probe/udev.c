/* SPDX-License-Identifier: MIT */
#include "probe/udev.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/paths.h"

#define UDEV_MAX_BYTES ((size_t)1 << 20)

static int udev_line(struct udev_entry *entry, const char *line, size_t len, bool bare)
{
	char ***into = NULL;
	char *copy;

	/* A NUL cannot stand in a property; udev would have cut the line there. */
	len = strnlen(line, len);
	if (bare) {
		into = &entry->properties;
	} else if (len > 2 && line[1] == ':' && (line[0] == 'S' || line[0] == 'E')) {
		into = line[0] == 'S' ? &entry->links : &entry->properties;
		line += 2;
		len -= 2;
	}
	if (!into || len == 0 || (into == &entry->properties && !memchr(line, '=', len)))
		return 0;
	copy = strndup(line, len);
	return copy ? strv_take(into, copy) : -ENOMEM;
}

int udev_parse(const char *text, size_t len, bool bare, struct udev_entry **ret, struct error *err)
{
	CLEANUP(cleanup_udev_entry) struct udev_entry *entry = calloc(1, sizeof(*entry));
	size_t at = 0, lines = 0;

	if (!entry)
		return error_oom(err);
	while (at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line_len = end ? (size_t)(end - text) - at : len - at;

		if (++lines > UDEV_MAX_LINES)
			return error_set(err, -EFBIG, "udev's data of a device has over %d lines",
					 UDEV_MAX_LINES);
		if (udev_line(entry, text + at, line_len, bare) < 0)
			return error_oom(err);
		at += line_len + 1;
	}
	*ret = TAKE(entry);
	return 0;
}

int udev_load(struct host *host, unsigned major, unsigned minor, struct udev_entry **ret,
	      struct error *err)
{
	AUTO_BUF path = BUF_INIT, text = BUF_INIT;
	int r;

	r = buf_addf(&path, PATH_UDEV_DATA "/b%u:%u", major, minor);
	if (r < 0)
		return error_oom(err);
	r = host_read(host, buf_text(&path), UDEV_MAX_BYTES, &text, err);
	if (r < 0)
		return r;
	return udev_parse(buf_text(&text), text.len, false, ret, err);
}

void udev_free(struct udev_entry *entry)
{
	if (!entry)
		return;
	strv_free(entry->links);
	strv_free(entry->properties);
	free(entry);
}

const char *udev_get(const struct udev_entry *entry, const char *name)
{
	size_t len = strlen(name);
	const char *found = NULL;

	if (!entry)
		return NULL;
	for (char **p = entry->properties; p && *p; p++)
		if (strncmp(*p, name, len) == 0 && (*p)[len] == '=')
			found = *p + len + 1;
	return found;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The byte that an escape at `p` stands for; -1 when there is none. */
static int escaped_byte(const char *p)
{
	int high, low;

	if (p[0] != '\\' || p[1] != 'x')
		return -1;
	high = hex_digit(p[2]);
	low = high < 0 ? -1 : hex_digit(p[3]);
	if (low < 0 || (high | low) == 0)
		return -1;
	return high << 4 | low;
}

int udev_decode(const char *value, char **ret)
{
	char *text, *to, *from;

	if (!value) {
		*ret = NULL;
		return 0;
	}
	text = to = from = strdup(value);
	if (!text)
		return -ENOMEM;
	while (*from) {
		int byte = escaped_byte(from);

		*to++ = byte < 0 ? *from : (char)byte;
		from += byte < 0 ? 1 : 4;
	}
	while (to > text && isspace((unsigned char)to[-1]))
		to--;
	*to = '\0';
	from = text;
	while (isspace((unsigned char)*from))
		from++;
	memmove(text, from, strlen(from) + 1);
	if (!*text) {
		free(text);
		text = NULL;
	}
	*ret = text;
	return 0;
}
