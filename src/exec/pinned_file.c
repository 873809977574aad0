/* SPDX-License-Identifier: MIT */
/* Is the file that a session was opened with still the same? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/intl.h"
#include "exec/pinned.h"
#include "sys/file.h"

#define RUNBOOK_MAX ((size_t)256 << 10)

static size_t count_lines(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return len && text[len - 1] != '\n' ? n + 1 : n;
}

/* How many whole lines both begin with, and how long they are. */
static size_t same_head(const char *a, size_t a_len, const char *b, size_t b_len, size_t *ret_bytes)
{
	size_t i = 0, n = 0;

	*ret_bytes = 0;
	for (; i < a_len && i < b_len && a[i] == b[i]; i++)
		if (a[i] == '\n') {
			n++;
			*ret_bytes = i + 1;
		}
	return n;
}

/* Where the line begins that ends before `end`. */
static size_t line_start(const char *text, size_t end)
{
	while (end-- > 0)
		if (end > 0 && text[end - 1] == '\n')
			return end;
	return 0;
}

/* Likewise at their ends, no further up than `floor` bytes. */
static size_t same_tail(const char *a, size_t a_len, const char *b, size_t b_len, size_t floor)
{
	size_t n = 0;

	while (a_len > floor && b_len > floor) {
		size_t a_start = line_start(a, a_len), b_start = line_start(b, b_len);

		if (a_len - a_start != b_len - b_start ||
		    memcmp(a + a_start, b + b_start, a_len - a_start) != 0)
			break;
		a_len = a_start;
		b_len = b_start;
		n++;
	}
	return n;
}

static int say_lines(const struct pinned *pinned, const struct buf *now, char **ret,
		     struct error *err)
{
	const char *old = pinned->text, *file = pinned->runbook->file;
	size_t bytes, old_len = strlen(old);
	size_t head = same_head(old, old_len, buf_text(now), now->len, &bytes);
	size_t tail = same_tail(old, old_len, buf_text(now), now->len, bytes);
	size_t was = count_lines(old, old_len), is = count_lines(buf_text(now), now->len);
	size_t last = is > tail ? is - tail : head;
	int n;

	if (last <= head)
		n = asprintf(ret,
			     PLURAL("%s changed since the session began: %zu line is missing "
				    "behind line %zu",
				    "%s changed since the session began: %zu lines are missing "
				    "behind line %zu",
				    was - is),
			     file, was - is, head);
	else if (last == head + 1)
		n = asprintf(ret, _("%s changed since the session began: line %zu differs"), file,
			     last);
	else
		n = asprintf(ret, _("%s changed since the session began: lines %zu to %zu differ"),
			     file, head + 1, last);
	if (n < 0)
		*ret = NULL;
	return n < 0 ? error_oom(err) : 1;
}

int pinned_file_differs(const struct pinned *pinned, char **ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF now = BUF_INIT;
	char sha256[65];
	int r = file_read(pinned->runbook->file, RUNBOOK_MAX, &now, &why);

	*ret = NULL;
	if (r == -ENOMEM)
		return error_oom(err);
	if (r == -EFBIG)
		return asprintf(ret, _("%s changed since the session began: it is too large now"),
				pinned->runbook->file) < 0
			       ? error_oom(err)
			       : 1;
	if (r)
		return -ENOENT;
	r = sha256_hex(buf_text(&now), now.len, sha256, err);
	if (r)
		return r;
	return strcmp(sha256, pinned->runbook->sha256) ? say_lines(pinned, &now, ret, err) : 0;
}
