/* SPDX-License-Identifier: MIT */
#include "exec/swapcard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/intl.h"
#include "base/strv.h"
#include "card.h"
#include "exec/action.h"
#include "exec/record.h"
#include "exec/stop.h"

/* What a held unit is freed by without this program: the kind says it as an output. */
static int add_lifts(const struct executor *executor, char ***lifts, struct error *err)
{
	for (size_t i = 0; i < executor->n_steps; i++) {
		const struct result *result = &executor->steps[i].result;

		if (!action_stands(executor, i))
			continue;
		for (size_t k = 0; k < result->n_outputs; k++)
			if (result->outputs[k].type == OUTPUT_STRING &&
			    strcmp(result->outputs[k].name, "lift") == 0 &&
			    strv_add(lifts, result->outputs[k].value.string))
				return error_oom(err);
	}
	return 0;
}

int swapcard_make(struct executor *executor, struct buf *ret, struct error *err)
{
	AUTO_FREE char *resume = NULL;
	AUTO_STRV char **lifts = NULL;
	char head[65];
	struct card_session session = {
		.number = executor->number,
		.head = head,
		.accepted = executor->accepted,
		.n_accepted = executor->n_accepted,
	};
	int r = executor_command(executor, "resume", &resume, err);

	if (!r)
		r = journal_head(executor->journal, head, err);
	if (!r)
		r = add_lifts(executor, &lifts, err);
	session.resume = resume;
	session.lifts = lifts;
	return r ? r : card_text(executor->facts, executor->plan, &session, ret, err);
}

static int keep(struct executor *executor, const struct buf *card, char ret_sha256[65],
		struct error *err)
{
	AUTO_FREE char *name = NULL;
	json_t *body;
	int r;

	if (asprintf(&name, "%lld/card.txt", (long long)executor->number) < 0) {
		name = NULL;
		return error_oom(err);
	}
	r = statedir_write(executor->dir, name, buf_text(card), card->len, err);
	if (!r)
		r = sha256_hex(buf_text(card), card->len, ret_sha256, err);
	if (r)
		return r;
	body = record_body(executor);
	if (body) {
		json_set_text(body, "sha256", ret_sha256);
		json_set_text(body, "text", buf_text(card));
	}
	return record_event(executor, "card", SIZE_MAX, body, err);
}

int swapcard_hand_over(struct executor *executor, size_t index, char ret_sha256[65],
		       struct error *err)
{
	const struct question question = {
		.text = _("Is this card off this machine: on a photo, on paper, on a phone? When "
			  "the machine is off, it is all that you have."),
		.word = "saved",
		.goes_on = _("goes on to the last question before the power-off"),
		.leaves = _("The machine stays on; what was done stays as it is until you go on or "
			    "abort."),
	};
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF card = BUF_INIT;
	AUTO_FREE char *answer = NULL;
	int r = swapcard_make(executor, &card, err);

	if (!r)
		r = keep(executor, &card, ret_sha256, err);
	if (r)
		return r;
	executor_tell(executor, NOTICE_PAGE, "%s", buf_text(&card));
	executor_tell(executor, NOTICE_TEXT, _("The card lies in %s/card.txt, too."),
		      executor->place);
	r = executor_ask(executor, index, &question, &answer, &why);
	return r ? stop_asked(executor, &why, err) : 0;
}
