/* SPDX-License-Identifier: MIT */
#include "probe/shutdown.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define LOG_MAX_BYTES ((size_t)32 << 20)
#define LINE_MAX_BYTES 1024
#define MARKS_MAX 16

/* Who speaks, and what is said of a thing that was left open. */
static const struct {
	const char *speaker, *word;
} forms[] = {
	{ "EXT4-fs (", "recovery complete" },
	{ "EXT4-fs (", "recovery required" },
	{ "EXT3-fs (", "recovery complete" },
	{ "EXT3-fs (", "recovery required" },
	{ "XFS (", "Starting recovery" },
	{ "BTRFS ", "start tree-log replay" },
	{ "F2FS-fs (", "recover fsync data" },
	{ "REISERFS (", "transactions in" },
	{ "md/raid", "not clean" },
	{ "systemd-journald[", "uncleanly shut down" },
};

static bool holds(const char *line, size_t len, const char *word)
{
	return memmem(line, len, word, strlen(word)) != NULL;
}

static bool is_mark(const char *line, size_t len)
{
	for (size_t i = 0; i < ELEMENTS(forms); i++) {
		const char *at = memmem(line, len, forms[i].speaker, strlen(forms[i].speaker));

		if (at && holds(at, len - (size_t)(at - line), forms[i].word))
			return true;
	}
	return false;
}

/* The first line of a boot; no word stands directly before it. */
static bool is_start(const char *line, size_t len)
{
	static const char word[] = "Linux version ";
	const char *at = memmem(line, len, word, strlen(word));

	return at && (at == line || ((at[-1] == ' ' || at[-1] == '=') &&
				     (at - line < 2 || !isalnum((unsigned char)at[-2]))));
}

static void forget(struct shutdown *shutdown)
{
	for (size_t i = 0; i < shutdown->n; i++)
		free(shutdown->marks[i].text);
	shutdown->n = 0;
}

static int add_mark(struct shutdown *shutdown, unsigned number, const char *line, size_t len)
{
	char *text;

	if (shutdown->n == MARKS_MAX)
		return 0;
	text = strndup(line, len < LINE_MAX_BYTES ? len : LINE_MAX_BYTES);
	if (!text)
		return -ENOMEM;
	shutdown->marks[shutdown->n++] = (struct shutdown_mark){ number, text };
	return 0;
}

int shutdown_parse(const char *text, size_t len, const char *source, struct shutdown **ret,
		   struct error *err)
{
	CLEANUP(cleanup_shutdown) struct shutdown *shutdown = calloc(1, sizeof(*shutdown));
	unsigned number = 0;

	if (!shutdown || !(shutdown->source = strdup(source)) ||
	    !(shutdown->marks = calloc(MARKS_MAX, sizeof(*shutdown->marks))))
		return error_oom(err);
	for (size_t at = 0; at < len;) {
		const char *line = text + at;
		const char *end = memchr(line, '\n', len - at);
		size_t line_len = end ? (size_t)(end - line) : len - at;

		number++;
		if (is_start(line, line_len)) {
			/* A text of several boots: only the last one is this boot. */
			forget(shutdown);
			shutdown->from_start = true;
		} else if (is_mark(line, line_len) &&
			   add_mark(shutdown, number, line, line_len) < 0) {
			return error_oom(err);
		}
		at += line_len + 1;
	}
	*ret = TAKE(shutdown);
	return 0;
}

int shutdown_load(struct host *host, struct shutdown **ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT_MAX(LOG_MAX_BYTES);
	AUTO_FREE char *source = NULL;
	int r = host_fact(host, HOST_FACT_KERNEL_LOG, NULL, &text, &source, err);

	if (r < 0)
		return r;
	return shutdown_parse(buf_text(&text), text.len, source ? source : "kernel log", ret, err);
}

void shutdown_free(struct shutdown *shutdown)
{
	if (!shutdown)
		return;
	if (shutdown->marks)
		forget(shutdown);
	free(shutdown->marks);
	free(shutdown->source);
	free(shutdown);
}
