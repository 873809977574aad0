/* SPDX-License-Identifier: MIT */
/*
 * The step that powers off divides a runbook: what is changed before it is
 * restored behind it, once, or kept on purpose.
 */
#include <stdint.h>
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"
#include "runbook/reference.h"

static bool has_flag(const struct runbook_step *step, unsigned flag)
{
	return step->kind && (step->kind->flags & flag);
}

static bool can_be_undone(const struct runbook_step *step)
{
	return step->kind && step->kind->class == KIND_ACTION && step->kind->undo;
}

/* ---- the step that powers off ----------------------------------------------------- */

static void find_boundary(struct reader *reader)
{
	struct runbook *runbook = reader->runbook;

	runbook->boundary = runbook->n_steps;
	for (size_t i = 0; i < runbook->n_steps; i++) {
		if (!has_flag(&runbook->steps[i], KIND_BOUNDARY))
			continue;
		if (runbook->boundary == runbook->n_steps)
			runbook->boundary = i;
		else
			diagnostics_add(reader->diags, runbook->steps[i].at,
					_("the step on line %u powers off already: a runbook has "
					  "one such step"),
					runbook->steps[runbook->boundary].at.line);
	}
}

static bool any(const struct runbook *runbook, size_t from, size_t to, unsigned flag)
{
	for (size_t i = from; i < to; i++)
		if (has_flag(&runbook->steps[i], flag))
			return true;
	return false;
}

/* "boot.happened, disk.links": the kinds that would do. */
static int list_kinds(unsigned flag, struct buf *ret)
{
	const struct kind *kind;

	for (size_t i = 0; (kind = kind_at(i)); i++)
		if (kind->flags & flag)
			buf_addf(ret, "%s%s", ret->len ? ", " : "", kind->name);
	return buf_error(ret);
}

static void check_sides(struct reader *reader)
{
	const struct runbook *runbook = reader->runbook;
	const struct runbook_step *boundary = &runbook->steps[runbook->boundary];
	AUTO_BUF setting = BUF_INIT, proving = BUF_INIT;

	if (list_kinds(KIND_SETS_BOOT, &setting) || list_kinds(KIND_AFTER, &proving)) {
		reader->oom = true;
		return;
	}
	if (!any(runbook, 0, runbook->boundary, KIND_SETS_BOOT))
		diagnostics_add(reader->diags, boundary->at,
				_("no step before this one makes the next boot verify by itself: "
				  "use %s"),
				buf_text(&setting));
	if (!any(runbook, runbook->boundary + 1, runbook->n_steps, KIND_AFTER))
		diagnostics_add(reader->diags, boundary->at,
				_("no step behind this one proves that the work succeeded: use one "
				  "of %s"),
				buf_text(&proving));
	for (size_t i = 0; i < runbook->boundary; i++)
		if (has_flag(&runbook->steps[i], KIND_AFTER))
			diagnostics_add(reader->diags, runbook->steps[i].at,
					_("%s judges what the work has done: it stands behind the "
					  "step that powers off, which is on line %u"),
					runbook->steps[i].kind->name, boundary->at.line);
}

/* ---- restores ---------------------------------------------------------------------- */

static const struct runbook_value *named_step(const struct runbook_step *step)
{
	for (size_t i = 0; i < step->n_params; i++)
		if (!strcmp(step->params[i].name, "step") && step->params[i].value.items &&
		    step->params[i].value.items[0])
			return &step->params[i].value;
	return NULL;
}

static void unknown_step(struct reader *reader, struct position at, const char *name, size_t index)
{
	const struct runbook *runbook = reader->runbook;
	AUTO_FREE const char **words = calloc(index + 1, sizeof(*words));
	size_t n = 0;

	if (!words) {
		reader->oom = true;
		return;
	}
	for (size_t i = 0; i < index; i++)
		if (can_be_undone(&runbook->steps[i]) && *runbook->steps[i].id)
			words[n++] = runbook->steps[i].id;
	unknown_word(reader, at, _("step"), name, words, n);
}

/* The restore that names the step already, or NULL. */
static const struct runbook_step *restored_by(const struct runbook *runbook, size_t step)
{
	for (size_t i = 0; i < runbook->n_steps; i++)
		if (runbook->steps[i].restores == step)
			return &runbook->steps[i];
	return NULL;
}

/* Is there anything to take back, and nobody else who does? */
static bool may_restore(struct reader *reader, struct position at, size_t found)
{
	const struct runbook *runbook = reader->runbook;
	const struct runbook_step *step = &runbook->steps[found];
	const struct runbook_step *other = restored_by(runbook, found);

	if (!can_be_undone(step))
		diagnostics_add(reader->diags, at,
				_("'%s' (%s) changes nothing that could be taken back"), step->id,
				step->kind->name);
	else if (step->keep)
		diagnostics_add(reader->diags, at,
				_("'%s' has 'keep: true': what it changes is not to be restored"),
				step->id);
	else if (other)
		diagnostics_add(reader->diags, at,
				_("'%s' is restored by the step on line %u already"), step->id,
				other->at.line);
	return can_be_undone(step) && !step->keep && !other;
}

static void check_restore(struct reader *reader, size_t index)
{
	const struct runbook *runbook = reader->runbook;
	struct runbook_step *step = &runbook->steps[index];
	const struct runbook_value *value = named_step(step);
	struct position at;
	size_t found;

	if (!value)
		return; /* reported as missing */
	at = value->places[0];
	found = runbook_step_find(runbook, value->items[0]);
	if (has_reference(value->items[0]))
		diagnostics_add(
			reader->diags, at,
			_("step: the id of an earlier step is asked for, and no reference"));
	else if (found == runbook->n_steps)
		unknown_step(reader, at, value->items[0], index);
	else if (found >= index)
		diagnostics_add(reader->diags, at,
				_("'%s' does not stand before this step: nothing is there to be "
				  "restored yet"),
				value->items[0]);
	else if (runbook->steps[found].kind && may_restore(reader, at, found))
		step->restores = found;
	if (runbook->boundary < runbook->n_steps && index < runbook->boundary)
		diagnostics_add(reader->diags, step->at,
				_("a restore stands behind the step that powers off, which is on "
				  "line %u; before it, `coldswap abort` takes everything back"),
				runbook->steps[runbook->boundary].at.line);
}

static void check_left_over(struct reader *reader)
{
	const struct runbook *runbook = reader->runbook;

	for (size_t i = 0; i < runbook->boundary; i++) {
		const struct runbook_step *step = &runbook->steps[i];

		if (can_be_undone(step) && !step->keep && !restored_by(runbook, i))
			diagnostics_add(reader->diags, step->at,
					_("nothing behind the step that powers off restores '%s': "
					  "restore it there, or say 'keep: true' here"),
					step->id);
	}
}

void check_boundary(struct reader *reader)
{
	struct runbook *runbook = reader->runbook;

	find_boundary(reader);
	for (size_t i = 0; i < runbook->n_steps && !reader->oom; i++)
		if (has_flag(&runbook->steps[i], KIND_RESTORE))
			check_restore(reader, i);
	if (runbook->boundary == runbook->n_steps || reader->oom)
		return;
	check_sides(reader);
	check_left_over(reader);
}
