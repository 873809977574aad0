/* SPDX-License-Identifier: MIT */
#include "probe/table_line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "buf.h"
#include "probe/paths.h"

/* libmount knows swaps by this first line. */
#define SWAPS_HEADER "Filename\tType\n"

/* Asked of the running system by libmount; see keep_dev_root(). */
#define DEV_ROOT " " PATH_DEV_ROOT " "
#define DEV_ROOT_KEPT " " PATH_DEV_ROOT_KEPT " "

static int go_on(struct libmnt_table *table, const char *filename, int line)
{
	(void)table;
	(void)filename;
	(void)line;
	return 1;
}

static bool is_blank(const char *text)
{
	text += strspn(text, " \t\r");
	return *text == '\0' || *text == '#';
}

/*
 * libmount replaces a source of "/dev/root" by what /proc/cmdline and /sys of
 * the running system say, which is another machine's where a capture is
 * read.  Written with two slashes it is the same path and left alone.
 */
static int keep_dev_root(const char *line, struct buf *ret)
{
	const char *at = strstr(line, " - ");
	const char *source = at ? strstr(at, DEV_ROOT) : NULL;

	if (!source)
		return buf_adds(ret, line);
	buf_add(ret, line, (size_t)(source - line));
	buf_adds(ret, DEV_ROOT_KEPT);
	return buf_adds(ret, source + strlen(DEV_ROOT));
}

static int make_input(const struct table_line *line, enum table_format format, struct buf *ret)
{
	if (format == TABLE_SWAPS)
		buf_adds(ret, SWAPS_HEADER);
	if (format == TABLE_MOUNTINFO)
		keep_dev_root(line->text, ret);
	else
		buf_adds(ret, line->text);
	return buf_addc(ret, '\n');
}

/* libmount guesses the format by the look of a line; take only what was meant. */
static bool is_of_format(struct libmnt_fs *fs, enum table_format format)
{
	switch (format) {
	case TABLE_FSTAB:
		return !mnt_fs_is_kernel(fs) && mnt_fs_get_source(fs) && mnt_fs_get_target(fs);
	case TABLE_MOUNTINFO:
		return mnt_fs_is_kernel(fs) && mnt_fs_get_target(fs);
	case TABLE_SWAPS:
		return mnt_fs_get_swaptype(fs) && mnt_fs_get_source(fs);
	}
	return false;
}

static int parse_line(struct libmnt_table *table, struct table_line *line, enum table_format format)
{
	AUTO_BUF input = BUF_INIT;
	struct libmnt_fs *fs = NULL;
	FILE *stream;
	int r;

	if (make_input(line, format, &input) < 0)
		return -ENOMEM;
	stream = fmemopen(input.data, input.len, "r");
	if (!stream)
		return -errno;
	/* The name must be a path: libmount resolves it to find a process number. */
	r = mnt_table_parse_stream(table, stream, "/");
	fclose(stream);
	if (r == -ENOMEM)
		return r;
	if (r == 0 && mnt_table_get_nents(table) == 1 && mnt_table_first_fs(table, &fs) == 0 &&
	    is_of_format(fs, format))
		line->fs = fs;
	return 0;
}

static int show_nul(const char *text, size_t len, char **ret)
{
	AUTO_BUF line = BUF_INIT;

	for (size_t i = 0; i < len; i++)
		if (text[i])
			buf_addc(&line, text[i]);
		else
			buf_adds(&line, "\\0");
	buf_adds(&line, "");
	*ret = line.len > 0 ? buf_take(&line) : strdup("");
	return *ret ? 0 : -ENOMEM;
}

static int one_line(const char *text, size_t len, unsigned number, enum table_format format,
		    int (*each)(const struct table_line *line, void *data, struct error *err),
		    void *data, struct error *err)
{
	struct table_line line = { .number = number };
	struct libmnt_table *table = NULL;
	int r;

	if (len > 0 && text[len - 1] == '\r')
		len--;
	line.nul = memchr(text, '\0', len) != NULL;
	r = show_nul(text, len, &line.text);
	if (r == 0) {
		line.blank = is_blank(line.text);
		table = line.blank || line.nul ? NULL : mnt_new_table();
		if (table) {
			mnt_table_set_parser_errcb(table, go_on);
			r = parse_line(table, &line, format);
		} else if (!line.blank && !line.nul) {
			r = -ENOMEM;
		}
	}
	r = r < 0 ? error_set(err, r, "cannot parse line %u", number) : each(&line, data, err);
	mnt_unref_table(table);
	free(line.text);
	return r;
}

int table_read(const char *text, size_t len, enum table_format format,
	       int (*each)(const struct table_line *line, void *data, struct error *err),
	       void *data, size_t *ret_lines, struct error *err)
{
	unsigned number = 0;
	size_t at = 0;

	while (at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line_len = end ? (size_t)(end - text) - at : len - at;
		int r;

		if (number == TABLE_MAX_LINES)
			return error_set(err, -EFBIG, "it has more than %u lines", TABLE_MAX_LINES);
		r = one_line(text + at, line_len, ++number, format, each, data, err);

		if (r != 0)
			return r;
		at += line_len + 1;
	}
	if (ret_lines)
		*ret_lines = number;
	return 0;
}
