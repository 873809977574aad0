/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "copy/manifest_internal.h"
#include "sys/copyfs.h"
#include "sys/io.h"

#define FULL ((size_t)64 << 10)

struct out {
	int fd;
	const char *name;
	struct buf bytes;
};

struct manifest_writer {
	struct out manifest, sums;
	bool begun; /* an entry stands there already */
};

static int cannot(const struct out *out, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot write %s of the copy: %s", out->name, strerror(-code));
	error_hint(err, code == -ENOSPC || code == -EDQUOT
				? "make room on the destination, and run the step again"
				: "look at the destination's kernel messages, or give another one");
	return code;
}

static int flush(struct out *out)
{
	const char *at = buf_text(&out->bytes);
	size_t len = out->bytes.len;

	if (buf_error(&out->bytes))
		return buf_error(&out->bytes);
	while (len > 0) {
		ssize_t n = write(out->fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		len -= (size_t)n;
	}
	buf_clear(&out->bytes);
	return 0;
}

static int create(int dir, struct out *out, const char *name)
{
	int r;

	out->name = name;
	/* Of an attempt that was cut off. */
	r = copyfs_remove(dir, name);
	if (r == 0)
		r = out->fd = copyfs_create(dir, name);
	return r < 0 ? r : 0;
}

/* One document without its last newline. */
static int add_json(struct out *out, json_t *json)
{
	AUTO_BUF text = BUF_INIT;
	int r;

	if (!json)
		return -ENOMEM;
	r = json_print(json, &text, NULL);
	json_decref(json);
	if (r < 0)
		return r;
	return buf_add(&out->bytes, buf_text(&text), text.len - 1);
}

int manifest_create(int dir, const struct copy_head *head, struct manifest_writer **ret,
		    struct error *err)
{
	CLEANUP(cleanup_manifest_writer)
	struct manifest_writer *writer = calloc(1, sizeof(*writer));
	int r;

	if (!writer)
		return error_oom(err);
	writer->manifest.fd = writer->sums.fd = -1;
	r = create(dir, &writer->manifest, COPY_MANIFEST);
	if (r == 0)
		r = add_json(&writer->manifest, manifest_head_json(head));
	if (r < 0)
		return cannot(&writer->manifest, r, err);
	/* The object stays open: its last brace is the end of the document. */
	writer->manifest.bytes.len--;
	r = buf_adds(&writer->manifest.bytes, ",\"entries\":[\n");
	if (r < 0)
		return cannot(&writer->manifest, r, err);
	r = create(dir, &writer->sums, COPY_SUMS);
	if (r < 0)
		return cannot(&writer->sums, r, err);
	*ret = TAKE(writer);
	return 0;
}

/* As sha256sum(1) writes it: a name with a newline or a backslash is escaped, and the line says so. */
static void add_sum(struct buf *ret, const struct copy_entry *entry)
{
	const char *at;

	if (strpbrk(entry->path, "\\\n\r"))
		(void)buf_addc(ret, '\\');
	(void)manifest_hex(entry->sha256, sizeof(entry->sha256), ret);
	(void)buf_adds(ret, "  " COPY_DATA);
	for (at = entry->path; *at; at++) {
		if (*at == '\\')
			(void)buf_adds(ret, "\\\\");
		else if (*at == '\n')
			(void)buf_adds(ret, "\\n");
		else if (*at == '\r')
			(void)buf_adds(ret, "\\r");
		else
			(void)buf_addc(ret, *at);
	}
	(void)buf_addc(ret, '\n');
}

int manifest_add(struct manifest_writer *writer, const struct copy_entry *entry, struct error *err)
{
	int r;

	if (writer->begun)
		(void)buf_adds(&writer->manifest.bytes, ",\n");
	writer->begun = true;
	r = add_json(&writer->manifest, manifest_entry_json(entry));
	if (r == 0 && writer->manifest.bytes.len >= FULL)
		r = flush(&writer->manifest);
	if (r < 0)
		return cannot(&writer->manifest, r, err);
	if (entry->type == ENTRY_FILE)
		add_sum(&writer->sums.bytes, entry);
	r = buf_error(&writer->sums.bytes);
	if (r == 0 && writer->sums.bytes.len >= FULL)
		r = flush(&writer->sums);
	return r < 0 ? cannot(&writer->sums, r, err) : 0;
}

int manifest_flush(struct manifest_writer *writer, struct error *err)
{
	int r = flush(&writer->manifest);

	return r < 0 ? cannot(&writer->manifest, r, err) : 0;
}

/* A failed fsync(2) is final: it is not asked of this descriptor a second time. */
static int sync_and_close(struct out *out, struct error *err)
{
	int r = flush(out);

	if (r == 0 && fsync(out->fd) < 0)
		r = -errno;
	if (close(out->fd) < 0 && r == 0)
		r = -errno;
	out->fd = -1;
	return r < 0 ? cannot(out, r, err) : 0;
}

int manifest_finish(struct manifest_writer *writer, const struct copy_head *head, struct error *err)
{
	AUTO_BUF tail = BUF_INIT;
	json_t *json = manifest_tail_json(head);
	int r = json ? json_print(json, &tail, NULL) : -ENOMEM;

	json_decref(json);
	if (r < 0)
		return cannot(&writer->manifest, r, err);
	(void)buf_adds(&writer->manifest.bytes, writer->begun ? "\n]," : "],");
	(void)buf_add(&writer->manifest.bytes, buf_text(&tail) + 1, tail.len - 1);
	r = sync_and_close(&writer->sums, err);
	return r < 0 ? r : sync_and_close(&writer->manifest, err);
}

void manifest_writer_free(struct manifest_writer *writer)
{
	if (!writer)
		return;
	cleanup_fd(&writer->manifest.fd);
	cleanup_fd(&writer->sums.fd);
	buf_done(&writer->manifest.bytes);
	buf_done(&writer->sums.bytes);
	free(writer);
}
