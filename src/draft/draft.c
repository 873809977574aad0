/* SPDX-License-Identifier: MIT */
#include "draft/draft.h"

#include <errno.h>

#include "base/intl.h"
#include "draft/sheet.h"
#include "draft/yaml_text.h"

static void sheet_done(struct sheet *sheet)
{
	filetree_free(sheet->tree);
	advice_free(sheet->advice);
	error_done(&sheet->no_advice);
	work_free(sheet->work);
	free(sheet->move_up);
	free(sheet->move_down);
	free(sheet->copy_to);
	free(sheet->copy_to_note);
}

/* A fact that is not there leaves its part of the draft to the kinds. */
static int look(struct sheet *sheet, struct error *err)
{
	int r = facts_blocks(sheet->facts, &sheet->blocks, err);

	if (r < 0)
		return r;
	if (facts_mounts(sheet->facts, &sheet->mounts, NULL) == -ENOMEM ||
	    filetree_open(sheet->host, &sheet->tree, NULL) == -ENOMEM)
		return error_oom(err);
	r = sheet_take_work(sheet, err);
	return r < 0 ? r : sheet_choose_copy_to(sheet, err);
}

static int write_steps(struct sheet *sheet, struct error *err)
{
	const struct kind *kind;
	int r = 0;

	buf_adds(sheet->out, "\nsteps:\n");
	for (size_t i = 0; r == 0 && (kind = kind_at(i)); i++)
		if (kind->class == KIND_CHECK && !(kind->flags & KIND_AFTER) &&
		    !sheet_is_proof(kind))
			r = sheet_write_step(sheet, kind, "", err);
	return r;
}

int draft_write(struct facts *facts, struct buf *ret, struct error *err)
{
	CLEANUP(sheet_done)
	struct sheet sheet = { .facts = facts, .host = facts_host(facts), .out = ret };
	int r = look(&sheet, err);

	if (r == 0)
		r = sheet_write_head(&sheet, err);
	if (r < 0)
		return r;
	sheet_write_vars(&sheet);
	r = sheet_write_work(&sheet, err);
	if (r == 0)
		r = write_steps(&sheet, err);
	if (r == 0)
		r = sheet_write_session(&sheet, err);
	if (r < 0)
		return r;
	buf_addc(ret, '\n');
	yaml_comment(0,
		     _("Without a session, after the work, `coldswap verify` compares the machine "
		       "with a capture: make one before with `coldswap capture DIR`."),
		     ret);
	return buf_error(ret) ? error_set(err, buf_error(ret), "%s", _("the draft is too large"))
			      : 0;
}
