/* SPDX-License-Identifier: MIT */
#include "probe/cmdline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/paths.h"

#define FILE_MAX ((size_t)1 << 20)
#define LINES_MAX 4096u
#define BLANKS " \t\r\n"

static char *trimmed(const char *text)
{
	size_t len;

	text += strspn(text, BLANKS);
	for (len = strlen(text); len && strchr(BLANKS, text[len - 1]); len--)
		;
	return strndup(text, len);
}

static void line_done(struct kernel_line *line)
{
	free(line->source);
	free(line->text);
	free(line->args);
	free(line->title);
}

int kernel_lines_add(struct kernel_lines *lines, const struct kernel_line *line, const char *path,
		     unsigned number, struct error *err)
{
	struct kernel_line copy = { .when = line->when, .boots = line->boots };
	struct kernel_line *items;

	if (lines->n == LINES_MAX)
		return error_set(err, -EFBIG, "more than %u command lines", LINES_MAX);
	if (number ? asprintf(&copy.source, "%s:%u", path, number) < 0
		   : asprintf(&copy.source, "%s", path) < 0)
		copy.source = NULL;
	copy.text = trimmed(line->text);
	copy.args = strdup(line->args);
	copy.title = line->title ? strdup(line->title) : NULL;
	items = reallocarray(lines->items, lines->n + 1, sizeof(*items));
	if (items)
		lines->items = items;
	if (!items || !copy.source || !copy.text || !copy.args || (line->title && !copy.title)) {
		line_done(&copy);
		return error_oom(err);
	}
	items[lines->n++] = copy;
	return 0;
}

/* 1 for a result of 0; what is not there is nothing, the rest is noted. */
static int note_result(struct kernel_lines *lines, const char *path, int result,
		       const struct error *why, struct error *err)
{
	char *note = NULL;

	if (result == 0)
		return 1;
	if (result == -ENOENT || result == -ENOTDIR)
		return 0;
	if (result == -ENOMEM || asprintf(&note, "%s: %s", path, error_text(why)) < 0)
		return error_oom(err);
	return strv_take(&lines->unreadable, note) < 0 ? error_oom(err) : 0;
}

int kernel_lines_read(struct kernel_lines *lines, struct host *host, const char *path,
		      struct buf *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;

	ret->max = FILE_MAX;
	return note_result(lines, path, host_read(host, path, FILE_MAX, ret, &why), &why, err);
}

int kernel_lines_list(struct kernel_lines *lines, struct host *host, const char *path, char ***ret,
		      struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;

	return note_result(lines, path, host_list(host, path, ret, &why), &why, err);
}

void kernel_lines_done(struct kernel_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		line_done(&lines->items[i]);
	free(lines->items);
	strv_free(lines->unreadable);
	*lines = (struct kernel_lines){ 0 };
}

bool text_line(const struct buf *text, size_t *at, const char **ret, size_t *ret_len)
{
	const char *start, *end;

	if (!text->data || *at >= text->len)
		return false;
	start = text->data + *at;
	end = memchr(start, '\n', text->len - *at);
	*ret = start;
	*ret_len = end ? (size_t)(end - start) : text->len - *at;
	*at += *ret_len + 1;
	return true;
}

static int load_running(struct host *host, struct kernel_lines *lines, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	int r = kernel_lines_read(lines, host, PATH_CMDLINE, &text, err);
	struct kernel_line line = { .when = LINE_RUNNING };

	if (r <= 0)
		return r;
	line.text = line.args = (char *)text.data;
	return text.len ? kernel_lines_add(lines, &line, PATH_CMDLINE, 1, err) : 0;
}

/* A file that is one command line, its comments aside. */
static int load_whole(struct host *host, const char *path, struct kernel_lines *lines,
		      struct error *err)
{
	struct kernel_line kernel = { .when = LINE_TEMPLATE };
	AUTO_BUF text = BUF_INIT;
	const char *start;
	size_t at = 0, len;
	unsigned number = 0;
	int r = kernel_lines_read(lines, host, path, &text, err);

	while (r > 0 && text_line(&text, &at, &start, &len)) {
		AUTO_FREE char *line = strndup(start, len);

		number++;
		if (!line)
			return error_oom(err);
		if (line[strspn(line, BLANKS)] == '#' || line[strspn(line, BLANKS)] == '\0')
			continue;
		kernel.text = kernel.args = line;
		if (kernel_lines_add(lines, &kernel, path, number, err) < 0)
			return err ? err->code : -ENOMEM;
	}
	return r < 0 ? r : 0;
}

/* What stands behind "=" or "+="; NULL where neither does. */
static char *assigned(char *at)
{
	at += *at == '+';
	return *at == '=' ? at + 1 : NULL;
}

/* "NAME=VALUE" of a shell file: the value without the quotes around it, or NULL. */
static const char *shell_value(char *line, const char *const *names)
{
	char *start = line + strspn(line, BLANKS), *value = NULL;
	size_t len;

	if (strncmp(start, "export ", 7) == 0)
		start += 7 + strspn(start + 7, BLANKS);
	for (size_t i = 0; names[i] && !value; i++)
		if (strncmp(start, names[i], strlen(names[i])) == 0)
			value = assigned(start + strlen(names[i]));
	if (!value)
		return NULL;
	len = strlen(value);
	while (len && strchr(BLANKS, value[len - 1]))
		value[--len] = '\0';
	if (len > 1 && (*value == '"' || *value == '\'') && value[len - 1] == *value) {
		value[len - 1] = '\0';
		value++;
	}
	return value;
}

/* Lines of a shell file that set one of `names`; `as` puts "as=" before what is not a line. */
static int load_shell(struct host *host, const char *path, const char *const *names, const char *as,
		      struct kernel_lines *lines, struct error *err)
{
	struct kernel_line kernel = { .when = as ? LINE_INITRAMFS : LINE_TEMPLATE };
	AUTO_BUF text = BUF_INIT;
	const char *start;
	size_t at = 0, len;
	unsigned number = 0;
	int r = kernel_lines_read(lines, host, path, &text, err);

	while (r > 0 && text_line(&text, &at, &start, &len)) {
		AUTO_FREE char *line = strndup(start, len), *whole = strndup(start, len);
		AUTO_FREE char *args = NULL;
		const char *value = line ? shell_value(line, names) : NULL;

		number++;
		if (!line || !whole)
			return error_oom(err);
		if (!value)
			continue;
		if (asprintf(&args, "%s%s", as ? as : "", value) < 0) {
			args = NULL;
			return error_oom(err);
		}
		kernel.text = whole;
		kernel.args = args;
		r = kernel_lines_add(lines, &kernel, path, number, err);
		if (r < 0)
			return r;
		r = 1;
	}
	return r < 0 ? r : 0;
}

static int load_directory(struct host *host, const char *dir, const char *const *names,
			  const char *as, struct kernel_lines *lines, struct error *err)
{
	AUTO_STRV char **files = NULL;
	int r = kernel_lines_list(lines, host, dir, &files, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < strv_length(files); i++) {
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s/%s", dir, files[i]) < 0) {
			path = NULL;
			return error_oom(err);
		}
		r = load_shell(host, path, names, as, lines, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Variables of shell files; `as` is the parameter that the value stands for. */
static const struct shell_row {
	const char *path;
	bool directory;
	const char *as; /* NULL: the value is a command line that is yet to be written */
	const char *names[4];
} shell_rows[] = {
	{ PATH_DEFAULT_GRUB,
	  false,
	  NULL,
	  { "GRUB_CMDLINE_LINUX", "GRUB_CMDLINE_LINUX_DEFAULT", "GRUB_DISABLE_LINUX_UUID" } },
	{ PATH_DEFAULT_GRUB_D,
	  true,
	  NULL,
	  { "GRUB_CMDLINE_LINUX", "GRUB_CMDLINE_LINUX_DEFAULT", "GRUB_DISABLE_LINUX_UUID" } },
	{ PATH_INITRAMFS_CONF, false, "resume=", { "RESUME" } },
	{ PATH_INITRAMFS_CONF_D, true, "resume=", { "RESUME" } },
	{ PATH_INITRAMFS_CONF_D, true, "root=", { "ROOT" } },
	{ PATH_INITRAMFS_CONF_D, true, "cryptopts=", { "CRYPTROOT" } },
	{ PATH_DRACUT_CONF, false, "", { "kernel_cmdline" } },
	{ PATH_DRACUT_CONF_D, true, "", { "kernel_cmdline" } },
};

int cmdline_load(struct host *host, struct kernel_lines *ret, struct error *err)
{
	static const char *const whole[] = { PATH_KERNEL_CMDLINE, PATH_KERNEL_CMDLINE_USR };
	int r = load_running(host, ret, err);

	for (size_t i = 0; i < ELEMENTS(shell_rows) && r == 0; i++) {
		const struct shell_row *row = &shell_rows[i];

		r = row->directory ? load_directory(host, row->path, row->names, row->as, ret, err)
				   : load_shell(host, row->path, row->names, row->as, ret, err);
	}
	for (size_t i = 0; i < ELEMENTS(whole) && r == 0; i++)
		r = load_whole(host, whole[i], ret, err);
	return r;
}

static int params_add(struct kernel_params *params, const char *word, size_t len, struct error *err)
{
	struct kernel_param *items;
	AUTO_FREE char *name = malloc(len + 1);
	size_t n = 0;
	char *value;

	if (!name)
		return error_oom(err);
	for (size_t i = 0; i < len; i++)
		if (word[i] != '"')
			name[n++] = word[i];
	name[n] = '\0';
	items = reallocarray(params->items, params->n + 1, sizeof(*items));
	if (!items)
		return error_oom(err);
	params->items = items;
	value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	items[params->n].value = value ? strdup(value) : NULL;
	if (value && !items[params->n].value)
		return error_oom(err);
	items[params->n++].name = TAKE(name);
	return 0;
}

int kernel_params_parse(const char *args, struct kernel_params *ret, struct error *err)
{
	int r = 0;

	*ret = (struct kernel_params){ 0 };
	while (r == 0 && *(args += strspn(args, BLANKS))) {
		bool quoted = false;
		size_t len;

		for (len = 0; args[len] && (quoted || !strchr(BLANKS, args[len])); len++)
			quoted ^= args[len] == '"';
		/* what stands behind "--" is for init */
		if (len == 2 && strncmp(args, "--", 2) == 0)
			break;
		r = params_add(ret, args, len, err);
		args += len;
	}
	if (r < 0)
		kernel_params_done(ret);
	return r;
}

void kernel_params_done(struct kernel_params *params)
{
	for (size_t i = 0; i < params->n; i++) {
		free(params->items[i].name);
		free(params->items[i].value);
	}
	free(params->items);
	*params = (struct kernel_params){ 0 };
}
