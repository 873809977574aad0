/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "sys/mountinfo.h"

/* Local without a device of their own. */
static const char *const local_types[] = { "tmpfs",   "ramfs", "zfs",      "btrfs",    "bcachefs",
					   "overlay", "ubifs", "devtmpfs", "hugetlbfs" };

/* Blank, tab, newline and backslash stand as \NNN. */
static void decode(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
		    text[2] <= '7' && text[3] >= '0' && text[3] <= '7') {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* ID PARENT MAJ:MIN ROOT TARGET OPTIONS [TAG...] - FSTYPE SOURCE OPTIONS */
static bool parse_line(char *line, struct mountinfo_line *ret)
{
	char *field;
	unsigned i = 0;

	*ret = (struct mountinfo_line){ 0 };
	while ((field = strsep(&line, " ")))
		if (++i == 3)
			(void)sscanf(field, "%u:%u", &ret->major, &ret->minor);
		else if (i == 4)
			ret->root = field;
		else if (i == 5)
			ret->target = field;
		else if (i > 6 && strcmp(field, "-") == 0)
			break;
	ret->fstype = strsep(&line, " ");
	ret->source = strsep(&line, " ");
	ret->super = strsep(&line, " ");
	if (!ret->target || !ret->fstype || !ret->source)
		return false;
	decode(ret->root);
	decode(ret->target);
	decode(ret->source);
	return true;
}

int mountinfo_parse(char *text, struct mountinfo *ret, struct error *err)
{
	struct mountinfo mounts = { .text = text };
	size_t n = 0, i;
	char *line;

	for (i = 0; text && text[i]; i++)
		n += text[i] == '\n';
	mounts.lines = calloc(n + 1, sizeof(*mounts.lines));
	if (!mounts.lines) {
		free(text);
		return error_oom(err);
	}
	while (mounts.n <= n && (line = strsep(&text, "\n")))
		if (parse_line(line, &mounts.lines[mounts.n]))
			mounts.n++;
	*ret = mounts;
	return 0;
}

void mountinfo_done(struct mountinfo *mounts)
{
	free(mounts->lines);
	free(mounts->text);
	*mounts = (struct mountinfo){ 0 };
}

static bool type_is_local(const struct mountinfo_line *line)
{
	size_t i;

	for (i = 0; i < ELEMENTS(local_types); i++)
		if (strcmp(line->fstype, local_types[i]) == 0)
			return true;
	/* ntfs-3g and its like have a device, but a program answers. */
	return strncmp(line->source, "/dev/", 5) == 0 && strncmp(line->fstype, "fuse", 4) != 0;
}

static bool covers(const char *above, const char *path)
{
	size_t len = strlen(above);

	if (len == 1)
		return true;
	return strncmp(above, path, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

bool mountinfo_is_local(const struct mountinfo *mounts, size_t index)
{
	size_t i;

	if (!type_is_local(&mounts->lines[index]))
		return false;
	for (i = index + 1; i < mounts->n; i++)
		if (!type_is_local(&mounts->lines[i]) &&
		    covers(mounts->lines[i].target, mounts->lines[index].target))
			return false;
	return true;
}

bool mountinfo_is_hidden(const struct mountinfo *mounts, size_t index)
{
	size_t i;

	for (i = index + 1; i < mounts->n; i++)
		if (strcmp(mounts->lines[i].target, mounts->lines[index].target) == 0)
			return true;
	return false;
}
