/* SPDX-License-Identifier: MIT */
#include "draft/draft.h"

#include <errno.h>

#include "base/intl.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "runbook.h"

/* What `lint` would refuse is not handed out. */
static int check(const struct buf *text, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	int r = runbook_parse(buf_text(text), text->len, "draft", &runbook, &diags, err);

	if (r < 0 && diags.n)
		return error_set(err, -EIO,
				 _("the draft is not sound (line %u: %s): a fault of "
				   "coldswap"),
				 diags.items[0].at.line, diags.items[0].message);
	return r;
}

int verb_draft(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int exit_code = scene_open(&scene, call);

	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (draft_write(scene.facts, &text, &err) < 0)
		return scene_unread(&err);
	return check(&text, &err) < 0 ? scene_give_up(&err) : talk_result(&text, EXIT_SAFE);
}
