/* SPDX-License-Identifier: MIT */
/* operator.confirm: what only a human can tell, by a typed word. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step.h"

#define WORD_MAX_LEN 64

struct operator_confirm_params {
	char *question;
	char *word;
	bool allow_yes;
};

/* What is read of the terminal is one line, without the blanks around it; q stops. */
static int check_word(const char *text, struct error *err)
{
	size_t len = strlen(text);

	if (len > 0 && len <= WORD_MAX_LEN && strcspn(text, " \t\r\n") == len &&
	    strcmp(text, "q") != 0)
		return 0;
	return error_set(err, -EINVAL,
			 _("'%.80s' is no word to type: one word, up to %d bytes, and not 'q', "
			   "which stops"),
			 text, WORD_MAX_LEN);
}

static const struct param_row params[] = {
	{ .name = "question",
	  .type = PARAM_STRING,
	  .required = true,
	  .offset = PARAM_OFFSET(operator_confirm_params, question),
	  .help = N_("What the operator is asked, in whole sentences.") },
	{ .name = "word",
	  .type = PARAM_STRING,
	  .fallback = "yes",
	  .check = check_word,
	  .offset = PARAM_OFFSET(operator_confirm_params, word),
	  .help = N_("The word to type, exactly; one that says what is confirmed is not typed by "
		     "habit.") },
	{ .name = "allow_yes",
	  .type = PARAM_BOOL,
	  .fallback = "false",
	  .offset = PARAM_OFFSET(operator_confirm_params, allow_yes),
	  .help = N_("Whether the option --yes may answer it.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "confirmed",
	  .title = N_("confirmed by the operator"),
	  .means = N_("The operator was asked, and typed the word. What was confirmed is the "
		      "operator's word: coldswap has not looked.") },
	{ 0 },
};

static const struct output_row outputs[] = { { 0 } };

static int describe(const void *data, struct buf *ret)
{
	const struct operator_confirm_params *p = data;

	return buf_addf(ret, _("ask the operator to type '%s': %s"), p->word, p->question);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	const struct operator_confirm_params *p = data;
	const struct question question = {
		.text = p->question,
		.word = p->word,
		.goes_on = _("The session goes on."),
		.leaves = _("The session waits at this question: everything stays as it is now."),
		.by_yes = p->allow_yes,
	};
	AUTO_FREE char *answer = NULL;
	struct finding *finding;
	int r = step_ask(step, &question, &answer, err);

	if (r < 0)
		return r;
	finding = result_find(ret, "confirmed", VERDICT_PASS, "%s", _("operator"));
	result_say(ret, finding, "%s", _("The operator confirmed it."));
	result_evidence(ret, finding, p->question, answer, NULL, NULL);
	result_summary(ret, "%s", _("The operator confirmed it."));
	return 0;
}

const struct kind kind_operator_confirm = {
	.name = "operator.confirm",
	.class = KIND_GATE,
	.title = N_("a question to the operator"),
	.help = N_("Asks a question and waits for a word, as long as it takes. Without a terminal "
		   "the session stops here and says by which command it goes on. The option --yes "
		   "answers it only where allow_yes is true."),
	.params_size = sizeof(struct operator_confirm_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
	.typical_s = 60,
};
