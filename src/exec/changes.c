/* SPDX-License-Identifier: MIT */
/* What is changed now, by the journal; the last change first, as abort would take it back. */
#include "base/intl.h"
#include "base/strv.h"
#include "exec/session.h"

/*
 * Whatever was begun may have changed something, and only an undo that is
 * proved takes it back.  A restore changes nothing of its own.
 */
static bool is_changed(const struct session_view *view, size_t index)
{
	const struct session_step *step = &view->steps[index];
	const struct kind *kind = view->plan->steps[index].kind;

	return kind->class == KIND_ACTION && !(kind->flags & KIND_RESTORE) && !step->skipped &&
	       step->state != STEP_NOT_BEGUN && step->state != STEP_UNDONE;
}

/* How sure it is; whole sentences, with the step's id and what it does. */
static int add_standing(const struct plan_step *plan, const struct session_step *step,
			struct buf *ret)
{
	if (step->undo_begun)
		return buf_addf(ret,
				_("Step '%s' (%s) was begun to be taken back, and it is not "
				  "proved that it is."),
				plan->id, plan->text);
	switch (step->state) {
	case STEP_DONE:
		return buf_addf(ret, _("Step '%s' is done: %s."), plan->id, plan->text);
	case STEP_INTENDED:
		return buf_addf(ret, _("Step '%s' was begun, and its end is not recorded: %s."),
				plan->id, plan->text);
	case STEP_FAILED:
		return buf_addf(ret, _("Step '%s' was begun and failed, perhaps half-way: %s."),
				plan->id, plan->text);
	default:
		return buf_addf(ret,
				_("Step '%s' was done before the machine started again, and may "
				  "no longer hold: %s."),
				plan->id, plan->text);
	}
}

static int add_undo(const struct plan_step *plan, const struct session_step *step, struct buf *ret)
{
	(void)buf_addc(ret, ' ');
	if (!plan->kind->undo)
		return buf_adds(ret, _("It leaves nothing that abort would take back."));
	if (step->undo_text)
		return buf_addf(ret, _("Abort: %s."), step->undo_text);
	return buf_adds(ret, _("Abort takes it back."));
}

static int add_change(const struct session_view *view, size_t index, char ***ret, struct error *err)
{
	const struct plan_step *plan = &view->plan->steps[index];
	const struct session_step *step = &view->steps[index];
	AUTO_BUF text = BUF_INIT;

	(void)add_standing(plan, step, &text);
	(void)add_undo(plan, step, &text);
	if (buf_error(&text) || strv_add(ret, buf_text(&text)) < 0)
		return error_oom(err);
	return 0;
}

int session_changes(const struct session_view *view, char ***ret, struct error *err)
{
	AUTO_STRV char **changes = NULL;
	int r;

	for (size_t i = view->plan->n_steps; i-- > 0;)
		if (is_changed(view, i) && (r = add_change(view, i, &changes, err)) < 0)
			return r;
	*ret = TAKE(changes);
	return 0;
}
