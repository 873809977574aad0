/* SPDX-License-Identifier: MIT */
#include "probe/mdconf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/strv.h"
#include "probe/paths.h"

#define MDCONF_MAX ((size_t)256 << 10)
#define MD_NAME_DIR PATH_DEV_MD "/"

void mdconf_uuid_digits(const char *uuid, char ret[33])
{
	size_t n = 0;

	for (; uuid && *uuid && n < 32; uuid++)
		if (isxdigit((unsigned char)*uuid))
			ret[n++] = (char)tolower((unsigned char)*uuid);
	ret[n] = '\0';
}

static bool all_digits(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* The one spelling under which devices are compared: mdadm takes "0", "md0",
 * "/dev/md/0" and "/dev/md0" for the same array, and "archive" for /dev/md/archive. */
static char *canonical_device(const char *word)
{
	char *name = NULL;
	int n;

	if (strncmp(word, MD_NAME_DIR, strlen(MD_NAME_DIR)) == 0)
		word += strlen(MD_NAME_DIR);
	if (all_digits(word))
		n = asprintf(&name, "%s%s", PATH_DEV_MD, word);
	else if (word[0] == '/')
		n = asprintf(&name, "%s", word);
	else if (strncmp(word, "md", 2) == 0 && all_digits(word + 2))
		n = asprintf(&name, "%s/%s", PATH_DEV, word);
	else
		n = asprintf(&name, "%s%s", MD_NAME_DIR, word);
	return n < 0 ? NULL : name;
}

static int array_word(struct mdconf_array *array, const char *word, bool first)
{
	char digits[33];

	if (strncasecmp(word, "uuid=", 5) == 0) {
		mdconf_uuid_digits(word + 5, digits);
		free(array->uuid);
		array->uuid = strdup(digits);
		array->identified = true;
		return array->uuid ? 0 : -ENOMEM;
	}
	if (strncasecmp(word, "name=", 5) == 0 || strncasecmp(word, "super-minor=", 12) == 0) {
		array->identified = true;
		return 0;
	}
	if (first && !strchr(word, '=') && word[0] != '<') {
		array->device = canonical_device(word);
		return array->device ? 0 : -ENOMEM;
	}
	return 0;
}

static void array_done(struct mdconf_array *array)
{
	free(array->file);
	free(array->text);
	free(array->device);
	free(array->uuid);
}

static int add_array(struct mdconf *conf, const char *file, unsigned line, const char *text,
		     const char *words)
{
	static const char blanks[] = " \t\"'";
	struct mdconf_array array = { .line = line }, *grown;
	int r = 0;

	array.file = strdup(file);
	array.text = strdup(text);
	if (!array.file || !array.text)
		r = -ENOMEM;
	while (r == 0 && *(words += strspn(words, blanks))) {
		size_t len = strcspn(words, blanks);
		AUTO_FREE char *word = strndup(words, len);
		bool first = !array.device && !array.identified;

		words += len;
		r = word ? array_word(&array, word, first) : -ENOMEM;
	}
	grown = r < 0 ? NULL : reallocarray(conf->arrays, conf->n + 1, sizeof(*grown));
	if (!grown) {
		array_done(&array);
		return -ENOMEM;
	}
	conf->arrays = grown;
	conf->arrays[conf->n++] = array;
	return 0;
}

/* A keyword may be cut to three letters, in any case. */
static const char *after_keyword(const char *line, const char *keyword)
{
	size_t len = strcspn(line, " \t");

	if (len < 3 || len > strlen(keyword) || strncasecmp(line, keyword, len) != 0)
		return NULL;
	return line + len;
}

/* One logical line: `words` holds it with its continuations and without its comment. */
static int parse_logical(struct mdconf *conf, const char *file, unsigned line, const char *text,
			 const char *words)
{
	const char *rest = after_keyword(words, "ARRAY");

	if (!conf->first_text && conf->file && strcmp(conf->file, file) == 0) {
		conf->first_line = line;
		conf->first_text = strdup(text);
		if (!conf->first_text)
			return -ENOMEM;
	}
	return rest ? add_array(conf, file, line, text, rest) : 0;
}

int mdconf_parse(struct mdconf *conf, const char *file, const char *text, struct error *err)
{
	AUTO_BUF words = BUF_INIT;
	AUTO_FREE char *first = NULL;
	unsigned line = 0, started = 0;
	int r = 0;

	while (*text && r == 0) {
		size_t len = strcspn(text, "\n"), bare;
		AUTO_FREE char *raw = strndup(text, len);

		if (!raw)
			return error_oom(err);
		raw[strcspn(raw, "\r")] = '\0';
		text += len + (text[len] == '\n');
		line++;
		bare = strcspn(raw, "#");
		if (strspn(raw, " \t") >= bare) /* blank, or a comment alone */
			continue;
		if (started && raw[0] != ' ' && raw[0] != '\t') {
			r = parse_logical(conf, file, started, first, buf_text(&words));
			started = 0;
		}
		if (!started) {
			started = line;
			buf_clear(&words);
			free(first);
			first = strdup(raw);
		}
		if (buf_add(&words, raw, bare) < 0 || buf_addc(&words, ' ') < 0 || !first)
			return error_oom(err);
	}
	if (started && r == 0)
		r = parse_logical(conf, file, started, first, buf_text(&words));
	return r < 0 ? error_oom(err) : 0;
}

/* 0 also when the file is not there. */
static int load_file(struct mdconf *conf, struct host *host, const char *path, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	int r = host_read(host, path, MDCONF_MAX, &text, err);

	if (r == -ENOENT || r == -ENOTDIR) {
		error_done(err);
		return 0;
	}
	if (r < 0)
		return error_wrap(err, "cannot read %s", path);
	if (!conf->file) {
		conf->file = strdup(path);
		if (!conf->file)
			return error_oom(err);
	}
	return mdconf_parse(conf, path, buf_text(&text), err);
}

static int load_directory(struct mdconf *conf, struct host *host, const char *dir,
			  struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = host_list(host, dir, &names, err);

	if (r == -ENOENT || r == -ENOTDIR) {
		error_done(err);
		return 0;
	}
	if (r < 0)
		return error_wrap(err, "cannot list %s", dir);
	for (size_t i = 0; i < strv_length(names); i++) {
		AUTO_FREE char *path = NULL;
		size_t len = strlen(names[i]);

		if (len < 5 || strcmp(names[i] + len - 5, ".conf") != 0)
			continue;
		if (asprintf(&path, "%s/%s", dir, names[i]) < 0)
			return error_oom(err);
		r = load_file(conf, host, path, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int mdconf_load(struct host *host, struct mdconf **ret, struct error *err)
{
	static const char *const files[] = { PATH_MDADM_CONF_REDHAT, PATH_MDADM_CONF };
	static const char *const directories[] = { PATH_MDADM_CONF_D_REDHAT, PATH_MDADM_CONF_D };
	CLEANUP(cleanup_mdconf) struct mdconf *conf = calloc(1, sizeof(*conf));
	int r = 0;

	if (!conf)
		return error_oom(err);
	for (size_t i = 0; i < ELEMENTS(files) && r == 0; i++)
		r = load_file(conf, host, files[i], err);
	for (size_t i = 0; i < ELEMENTS(directories) && r == 0; i++)
		r = load_directory(conf, host, directories[i], err);
	if (r < 0)
		return r;
	*ret = TAKE(conf);
	return 0;
}

void mdconf_free(struct mdconf *conf)
{
	if (!conf)
		return;
	for (size_t i = 0; i < conf->n; i++)
		array_done(&conf->arrays[i]);
	free(conf->arrays);
	free(conf->file);
	free(conf->first_text);
	free(conf);
}

const struct mdconf_array *mdconf_find(const struct mdconf *conf, const char *device)
{
	AUTO_FREE char *wanted = canonical_device(device);

	for (size_t i = 0; wanted && i < conf->n; i++)
		if (conf->arrays[i].device && strcmp(conf->arrays[i].device, wanted) == 0)
			return &conf->arrays[i];
	return NULL;
}
