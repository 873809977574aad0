/* SPDX-License-Identifier: MIT */
/* A copy holds secrets and takes room; nobody but the operator removes it. */
#include <inttypes.h>
#include <string.h>

#include "base/intl.h"
#include "base/json.h"
#include "base/shell.h"
#include "report/ports_words.h"
#include "report/session.h"

static const char *state_words(const char *state)
{
	static const struct {
		const char *state, *words;
	} rows[] = {
		{ "whole", N_("Cold copy") },
		{ "partial", N_("Unfinished cold copy") },
		{ "superseded", N_("Cold copy from before a restart") },
		{ "failed", N_("Cold copy that did not pass its checks") },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (strcmp(rows[i].state, state) == 0)
			return _(rows[i].words);
	return state;
}

static int remove_command(const struct report_copy *copy, struct buf *ret)
{
	buf_adds(ret, "rm -rf -- ");
	return shell_word(copy->dir, ret);
}

static void copy_words(const struct report_copy *copy, struct buf *ret)
{
	char size[32];

	if (!copy->state) {
		buf_addf(ret, _("Whether copies are left in %s could not be seen: %s"), copy->dir,
			 copy->why);
		return;
	}
	bytes_words((int64_t)copy->bytes, size, sizeof(size));
	buf_addf(ret, _("%s, %s, holding secrets: %s"), state_words(copy->state), size, copy->dir);
}

void session_copies(struct page *page, const struct report_session *session)
{
	for (size_t i = 0; i < session->n_copies; i++) {
		const struct report_copy *copy = &session->copies[i];
		AUTO_BUF text = BUF_INIT, command = BUF_INIT, removal = BUF_INIT;

		copy_words(copy, &text);
		session_fact(page, "copy", buf_text(&text));
		if (!copy->state)
			continue;
		remove_command(copy, &command);
		buf_addf(&removal, _("When it is not needed any more: %s"), buf_text(&command));
		if (page->screen->plain)
			page_fact(page, "remove", buf_text(&command));
		else
			page_line(page, &(struct page_line){ .indent = 2, .whole = true },
				  buf_text(&removal));
	}
}

static int add_copy(json_t *list, const struct report_copy *copy)
{
	AUTO_BUF command = BUF_INIT;
	json_t *object = json_object();

	remove_command(copy, &command);
	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "directory", copy->dir) < 0 ||
	    json_set_text(object, "state", copy->state) < 0 ||
	    json_set_text(object, "why", copy->why) < 0 ||
	    json_object_set_new(object, "bytes", json_integer((json_int_t)copy->bytes)) < 0 ||
	    json_object_set_new(object, "session", json_integer(copy->session)) < 0 ||
	    json_set_text(object, "created", copy->created) < 0)
		return -1;
	return json_set_text(object, "remove", copy->state ? buf_text(&command) : NULL);
}

int session_copies_json(json_t *record, const struct report_session *session)
{
	json_t *list = json_array();

	if (json_object_set_new(record, "copies", list) < 0)
		return -1;
	for (size_t i = 0; i < session->n_copies; i++)
		if (add_copy(list, &session->copies[i]) < 0)
			return -1;
	return 0;
}
