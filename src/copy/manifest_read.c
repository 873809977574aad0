/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "base/json.h"
#include "copy/manifest_internal.h"
#include "sys/copyfs.h"
#include "sys/io.h"

#define LINE_MAX_BYTES ((size_t)16 << 20)
#define ENTRIES ",\"entries\":["

struct manifest_reader {
	int fd;
	bool unfinished; /* it is still being written: it may end after an entry */
	bool over;
	size_t at, len;
	uint64_t number; /* of the line */
	char bytes[16384];
	struct buf line;
};

static int damaged(const struct manifest_reader *reader, struct error *err)
{
	error_set(err, -EBADMSG, "the copy's manifest is damaged or not complete (line %llu)",
		  (unsigned long long)reader->number);
	error_hint(err, "%s", _("do not restore from this copy; make a new one"));
	return -EBADMSG;
}

/* 1 and a line without its newline; 0 at the end of the file. */
static int next_line(struct manifest_reader *reader)
{
	buf_clear(&reader->line);
	reader->number++;
	for (;;) {
		char *from = reader->bytes + reader->at, *end;

		if (reader->at == reader->len) {
			ssize_t n = read(reader->fd, reader->bytes, sizeof(reader->bytes));

			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return n < 0 ? -errno : reader->line.len > 0;
			reader->at = 0;
			reader->len = (size_t)n;
			continue;
		}
		end = memchr(from, '\n', reader->len - reader->at);
		(void)buf_add(&reader->line, from,
			      end ? (size_t)(end - from) : reader->len - reader->at);
		if (buf_error(&reader->line))
			return buf_error(&reader->line) == -EFBIG ? -EBADMSG : -ENOMEM;
		reader->at = end ? (size_t)(end - reader->bytes) + 1 : reader->len;
		if (end)
			return 1;
	}
}

static int told(const struct manifest_reader *reader, int r, struct error *err)
{
	if (r == -ENOMEM)
		return error_oom(err);
	if (r == -EBADMSG || r >= 0)
		return damaged(reader, err);
	error_set(err, r, "cannot read the copy's manifest: %s", strerror(-r));
	error_hint(err, "%s", _("look at the kernel's messages about the disk of the copy"));
	return r;
}

static int parse(struct manifest_reader *reader, struct buf *text, json_t **ret, struct error *err)
{
	int r = buf_error(text);

	r = r < 0 ? r : json_parse(buf_text(text), text->len, COPY_MANIFEST, ret, NULL);
	return r < 0 ? told(reader, r, err) : 0;
}

static int read_head(struct manifest_reader *reader, struct copy_head *head, struct error *err)
{
	AUTO_JSON json = NULL;
	size_t tail = strlen(ENTRIES);
	struct buf *line = &reader->line;
	int r = next_line(reader);

	if (r <= 0)
		return told(reader, r, err);
	if (line->len < tail || strcmp(line->data + line->len - tail, ENTRIES) != 0)
		return damaged(reader, err);
	line->len -= tail;
	(void)buf_addc(line, '}');
	r = parse(reader, line, &json, err);
	if (r < 0)
		return r;
	r = manifest_head_parse(json, head);
	return r < 0 ? told(reader, r, err) : 0;
}

static int open_manifest(int dir, bool unfinished, struct manifest_reader **ret,
			 struct copy_head *head, struct error *err)
{
	CLEANUP(cleanup_manifest_reader)
	struct manifest_reader *reader = calloc(1, sizeof(*reader));
	int r;

	memset(head, 0, sizeof(*head));
	if (!reader)
		return error_oom(err);
	reader->line.max = LINE_MAX_BYTES;
	reader->unfinished = unfinished;
	r = reader->fd = copyfs_open_file(dir, COPY_MANIFEST);
	if (r == -ENOENT) {
		error_set(err, r, "there is no %s: this is no copy", COPY_MANIFEST);
		error_hint(err, "%s", _("name the directory that holds manifest.json"));
		return r;
	}
	if (r < 0)
		return told(reader, r == -EBADMSG ? -EIO : r, err);
	r = read_head(reader, head, err);
	if (r < 0) {
		copy_head_done(head);
		return r;
	}
	*ret = TAKE(reader);
	return 0;
}

int manifest_open(int dir, struct manifest_reader **ret, struct copy_head *head, struct error *err)
{
	return open_manifest(dir, false, ret, head, err);
}

int manifest_open_unfinished(int dir, struct manifest_reader **ret, struct copy_head *head,
			     struct error *err)
{
	return open_manifest(dir, true, ret, head, err);
}

/* The last line: `],"checks":…}`, and nothing after it. */
static int read_tail(struct manifest_reader *reader, struct copy_head *head, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON json = NULL;
	int r;

	(void)buf_adds(&text, "{\"entries\":[");
	(void)buf_add(&text, reader->line.data, reader->line.len);
	r = parse(reader, &text, &json, err);
	if (r < 0)
		return r;
	r = manifest_tail_parse(json, head);
	if (r < 0)
		return told(reader, r, err);
	r = next_line(reader);
	reader->over = true;
	return r != 0 ? told(reader, r < 0 ? r : -EBADMSG, err) : 0;
}

int manifest_next(struct manifest_reader *reader, struct copy_entry *ret, struct copy_head *head,
		  struct error *err)
{
	AUTO_JSON json = NULL;
	struct buf *line = &reader->line;
	int r;

	memset(ret, 0, sizeof(*ret));
	if (reader->over)
		return 0;
	r = next_line(reader);
	if (r == 0 && reader->unfinished)
		return 0;
	if (r <= 0)
		return told(reader, r, err);
	if (line->len && line->data[0] == ']')
		return read_tail(reader, head, err);
	if (line->len && line->data[line->len - 1] == ',')
		line->len--;
	r = parse(reader, line, &json, err);
	if (r < 0)
		return r;
	r = manifest_entry_parse(json, ret);
	if (r == 0)
		return 1;
	copy_entry_done(ret);
	return told(reader, r, err);
}

void manifest_reader_free(struct manifest_reader *reader)
{
	if (!reader)
		return;
	cleanup_fd(&reader->fd);
	buf_done(&reader->line);
	free(reader);
}
