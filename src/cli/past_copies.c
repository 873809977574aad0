/* SPDX-License-Identifier: MIT */
/*
 * The copies that are left.  The journal tells where copies were to be put, of
 * every session and before the first byte of them; what lies there now is
 * looked up, so that one that was removed is not told of, and an unfinished,
 * rejected or superseded one is, whatever became of the step.
 */
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "cli/past.h"
#include "copy/copy.h"

/* What lies in one directory that copies were put into. */
struct look {
	struct copy_found *found;
	size_t n;
	char *why; /* that it could not be listed; or NULL */
};

struct past_copies {
	char **parents;
	struct look *looks; /* one for each parent */
	struct report_copy *items;
	size_t n;
};

void past_copies_free(struct past_copies *copies)
{
	if (!copies)
		return;
	for (size_t i = 0; copies->looks && copies->parents && copies->parents[i]; i++) {
		copies_free(copies->looks[i].found, copies->looks[i].n);
		free(copies->looks[i].why);
	}
	free(copies->looks);
	strv_free(copies->parents);
	free(copies->items);
	free(copies);
}

static int add_parent(struct past_copies *copies, const char *dir)
{
	const char *slash = strrchr(dir, '/');
	AUTO_FREE char *parent = NULL;

	if (!slash)
		return 0;
	parent = strndup(dir, slash == dir ? 1 : (size_t)(slash - dir));
	if (!parent)
		return -ENOMEM;
	for (char **each = copies->parents; each && *each; each++)
		if (strcmp(*each, parent) == 0)
			return 0;
	return strv_add(&copies->parents, parent);
}

/* A copy's name is kept before it begins; what other kinds keep so is no path. */
static int add_step(struct past_copies *copies, const struct session_step *step)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < step->n_originals; i++)
		if (strcmp(step->originals[i].key, "directory") == 0)
			r = add_parent(copies, step->originals[i].value);
	return r;
}

static int add_session(struct past_copies *copies, const struct session_view *view)
{
	int r = 0;

	for (size_t i = 0; r == 0 && view->plan && i < view->plan->n_steps; i++)
		if (view->plan->steps[i].kind && view->plan->steps[i].kind->class == KIND_ACTION)
			r = add_step(copies, &view->steps[i]);
	return r;
}

/* Of sessions before this one too; one that cannot be read any more is told by `report`. */
static int find_parents(struct past *past, struct past_copies *copies)
{
	int r = add_session(copies, &past->view);

	for (int64_t n = past->view.number - 1; r == 0 && n > 0; n--) {
		CLEANUP(error_done) struct error why = ERROR_INIT;
		struct session_view view;

		if (session_view(past->journal, past->state, n, &view, &why) < 0)
			continue;
		r = add_session(copies, &view);
		session_view_done(&view);
	}
	return r;
}

static int look_into(const char *parent, struct look *ret)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = copies_in(parent, &ret->found, &ret->n, &why);

	if (r >= 0 || r == -ENOENT)
		return 0;
	ret->why = strdup(error_text(&why));
	return ret->why ? 0 : -ENOMEM;
}

static int look_everywhere(struct past_copies *copies)
{
	size_t n = 0;
	int r = 0;

	while (copies->parents && copies->parents[n])
		n++;
	copies->looks = calloc(n + 1, sizeof(*copies->looks));
	if (!copies->looks)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = look_into(copies->parents[i], &copies->looks[i]);
		copies->n += copies->looks[i].n + (copies->looks[i].why ? 1 : 0);
	}
	return r;
}

static int fill(struct past_copies *copies)
{
	static const char *const states[] = {
		[COPY_WHOLE] = "whole",
		[COPY_IS_PARTIAL] = "partial",
		[COPY_IS_SUPERSEDED] = "superseded",
		[COPY_IS_FAILED] = "failed",
	};
	struct report_copy *item = copies->items = calloc(copies->n + 1, sizeof(*copies->items));

	if (!item)
		return -ENOMEM;
	for (size_t i = 0; copies->parents && copies->parents[i]; i++) {
		const struct look *look = &copies->looks[i];

		if (look->why)
			*item++ =
				(struct report_copy){ .dir = copies->parents[i], .why = look->why };
		for (size_t k = 0; k < look->n; k++)
			*item++ = (struct report_copy){
				.dir = look->found[k].dir,
				.state = states[look->found[k].state],
				.bytes = look->found[k].bytes,
				.session = look->found[k].session,
				.created = look->found[k].created,
			};
	}
	return 0;
}

int past_copies(struct past *past, struct error *err)
{
	struct past_copies *copies = past->copies = calloc(1, sizeof(*copies));
	int r = copies ? find_parents(past, copies) : -ENOMEM;

	if (r == 0)
		r = look_everywhere(copies);
	if (r == 0)
		r = fill(copies);
	if (r < 0)
		return error_oom(err);
	past->session.copies = copies->items;
	past->session.n_copies = copies->n;
	return 0;
}
