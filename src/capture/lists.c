/* SPDX-License-Identifier: MIT */
/* The two lists of a capture: what could not be read, and what is held by size alone. */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "capture/collect.h"

static int put(struct capture *capture, const char *path, const struct buf *text)
{
	int r = buf_error(text);

	return r < 0 ? r
		     : entries_add(&capture->entries, path, ENTRY_FILE, buf_text(text), text->len);
}

static int put_unread(struct capture *capture)
{
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < capture->n_unread; i++) {
		const char *name = strerrorname_np(-capture->unread[i].code);

		buf_addf(&text, "%s\t%s\n", capture->unread[i].path, name ? name : "EIO");
	}
	return put(capture, CAPTURED_UNREADABLE, &text);
}

/* A row a line, so that the list can be looked through. */
static int put_files(struct capture *capture)
{
	AUTO_BUF text = BUF_INIT;
	const json_t *row;
	size_t i;

	if (!json_array_size(capture->files))
		return 0;
	json_array_foreach (capture->files, i, row) {
		AUTO_FREE char *line = json_dumps(row, JSON_COMPACT | JSON_PRESERVE_ORDER);

		if (!line)
			return -ENOMEM;
		buf_addf(&text, "%s%s", i ? ",\n" : "[\n", line);
	}
	buf_adds(&text, "\n]\n");
	return put(capture, CAPTURED_FILES, &text);
}

int collect_lists(struct capture *capture, struct error *err)
{
	int r = put_unread(capture);

	if (r == 0)
		r = put_files(capture);
	return r < 0 ? error_oom(err) : 0;
}
