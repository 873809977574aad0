/* SPDX-License-Identifier: MIT */
#include "probe/klog.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/klog_forms.h"

/*
 * A log is foreign text of any length.  A line is looked at in a copy of its
 * first LINE_MAX_BYTES; an error storm keeps its first lines (the cause) and
 * only counts on; more than EVENTS_MAX other events are no log of a machine.
 */
#define LINE_MAX_BYTES 1024
#define EVENTS_MAX 65536
#define NOISE_MAX 4096
#define LOG_MAX_BYTES ((size_t)32 << 20)

/* ---- prefixes ----------------------------------------------------------- */

/* "[    1.53] ", "[    1.53][    T1] ", "[Mon Apr  3 05:38:12 2023] " */
static const char *skip_brackets(const char *at)
{
	for (;;) {
		const char *next = at + strspn(at, " \t");
		const char *end = *next == '[' ? strchr(next, ']') : NULL;

		if (end == NULL || end - next > 40)
			return next;
		at = end + 1;
	}
}

/*
 * The message of a line.  A syslog prefix ends in "kernel: "; what stands
 * before it has no ": " of its own, else a program's message that quotes
 * the kernel would count as the kernel's word.
 */
static const char *skip_prefix(const char *line)
{
	if (line[0] == '<') {
		const char *end = line + 1 + strspn(line + 1, "0123456789");
		line = *end == '>' ? end + 1 : line;
	}
	if (strncmp(line, "MESSAGE=", strlen("MESSAGE=")) == 0)
		return skip_brackets(line + strlen("MESSAGE="));

	const char *colon = line[0] == '[' ? NULL : strstr(line, ": ");
	const char *word = "kernel";
	size_t len = strlen(word);
	if (colon != NULL && (size_t)(colon - line) >= len &&
	    strncmp(colon - len, word, len) == 0 &&
	    (colon == line + len || colon[-(long)len - 1] == ' '))
		line = colon + 2;
	return skip_brackets(line);
}

/* ---- the log ------------------------------------------------------------ */

static void event_done(struct klog_event *event)
{
	free(event->text);
	free(event->controller);
}

static void forget_events(struct klog *klog)
{
	for (size_t i = 0; i < klog->n; i++)
		event_done(&klog->events[i]);
	klog->n = 0;
}

static int add_event(struct klog *klog, struct klog_event *event, struct error *err)
{
	if (klog->n >= EVENTS_MAX)
		return error_set(err, -EFBIG, "%s tells of more than %d storage events",
				 klog->source, EVENTS_MAX);
	if ((klog->n & (klog->n - 1)) == 0) {
		size_t capacity = klog->n < 16 ? 16 : klog->n * 2;
		struct klog_event *events = reallocarray(klog->events, capacity, sizeof(*events));
		if (events == NULL)
			return error_oom(err);
		klog->events = events;
	}
	klog->events[klog->n++] = *event;
	return 0;
}

static bool is_noise(enum klog_type type)
{
	return type == KLOG_ERROR || type == KLOG_RESET;
}

static int parse_message(struct klog *klog, const char *text, size_t *noise, struct error *err)
{
	struct klog_event event = { .line = (unsigned)klog->n_lines };
	const char *name;
	size_t len;

	if (!klog_form_read(text, &event, &name, &len))
		return 0;
	if (is_noise(event.type) && (*noise)++ >= NOISE_MAX)
		return 0;
	event.text = strdup(text);
	event.controller = name == NULL ? NULL : strndup(name, len);
	if (event.text == NULL || (name != NULL && event.controller == NULL)) {
		event_done(&event);
		return error_oom(err);
	}
	int r = add_event(klog, &event, err);
	if (r < 0)
		event_done(&event);
	return r;
}

/* What is no storage line is left alone before anything is copied. */
static bool may_matter(const char *line, size_t len)
{
	return memmem(line, len, "ata", 3) != NULL || memmem(line, len, "ahci", 4) != NULL ||
	       memmem(line, len, "Linux version ", 14) != NULL;
}

static int parse_line(struct klog *klog, const char *line, size_t len, size_t *noise,
		      struct error *err)
{
	char copy[LINE_MAX_BYTES + 1];

	if (!may_matter(line, len))
		return 0;
	len = len > LINE_MAX_BYTES ? LINE_MAX_BYTES : len;
	for (size_t i = 0; i < len; i++)
		copy[i] = line[i] == '\0' ? '?' : line[i];
	while (len > 0 && isspace((unsigned char)copy[len - 1]))
		len--;
	copy[len] = '\0';

	const char *text = skip_prefix(copy);
	if (strncmp(text, "Linux version ", strlen("Linux version ")) == 0) {
		/* A file of several boots: only the last one is this machine now. */
		forget_events(klog);
		klog->from_start = true;
		*noise = 0;
		return 0;
	}
	return parse_message(klog, text, noise, err);
}

int klog_parse(const char *text, size_t len, const char *source, struct klog **ret,
	       struct error *err)
{
	CLEANUP(cleanup_klog) struct klog *klog = calloc(1, sizeof(*klog));
	size_t noise = 0;

	if (klog == NULL || (klog->source = strdup(source)) == NULL)
		return error_oom(err);
	for (size_t at = 0; at < len;) {
		const char *line = text + at;
		const char *end = memchr(line, '\n', len - at);
		size_t line_len = end != NULL ? (size_t)(end - line) : len - at;

		klog->n_lines++;
		int r = parse_line(klog, line, line_len, &noise, err);
		if (r < 0)
			return r;
		at += line_len + 1;
	}
	*ret = TAKE(klog);
	return 0;
}

int klog_load(struct host *host, struct klog **ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT_MAX(LOG_MAX_BYTES);
	AUTO_FREE char *source = NULL;

	int r = host_fact(host, HOST_FACT_KERNEL_LOG, NULL, &text, &source, err);
	if (r < 0)
		return r;
	return klog_parse(buf_text(&text), text.len, source != NULL ? source : "kernel log", ret,
			  err);
}

void klog_free(struct klog *klog)
{
	if (klog == NULL)
		return;
	forget_events(klog);
	free(klog->events);
	free(klog->source);
	free(klog);
}
