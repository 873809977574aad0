/* SPDX-License-Identifier: MIT */
/* A question at a terminal: what each word does, the prompt, and a refusal. */
#include "report/question.h"

#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "report/fill.h"
#include "report/notice.h"

static void word_line(struct page *page, const char *word, const char *does)
{
	AUTO_BUF lead = BUF_INIT;

	text_inert(word, &lead); /* it may be the name of a host */
	buf_adds(&lead, ": ");
	page_line(
		page,
		&(struct page_line){
			.indent = 2, .hang = 4, .lead = buf_text(&lead), .lead_tone = TONE_STRONG },
		does ? does : "");
}

void question_lines(struct page *page, const struct question *question)
{
	notice_text(page, question->text);
	word_line(page, question->word, question->goes_on);
	for (size_t i = 0; question->others && question->others[i]; i++)
		word_line(page, question->others[i],
			  question->others_mean ? question->others_mean[i] : NULL);
	word_line(page, "q", question->leaves);
}

static void add_words(const struct question *question, struct buf *ret)
{
	buf_adds(ret, question->word);
	for (size_t i = 0; question->others && question->others[i]; i++)
		buf_addf(ret, ", %s", question->others[i]);
}

int question_prompt(const char *step, size_t number, size_t of, const struct question *question,
		    struct buf *ret)
{
	bool several = question->others && question->others[0];
	AUTO_BUF place = BUF_INIT, words = BUF_INIT;

	buf_adds(&place, step ? step : "session");
	if (of)
		buf_addf(&place, " %zu/%zu", number, of);
	add_words(question, &words);
	return fill_sentence(several ? _("[{place}] Type {words} or q: ")
				     : _("[{place}] Type {words}, or q to stop: "),
			     (const struct fill[]){ { "place", buf_text(&place) },
						    { "words", buf_text(&words) },
						    { NULL, NULL } },
			     ret);
}

int question_refused(const char *answer, const struct question *question, struct buf *ret)
{
	AUTO_BUF words = BUF_INIT;

	add_words(question, &words);
	buf_adds(ret, "  ");
	fill_sentence(_("read '{answer}', which is none of: {words}, q"),
		      (const struct fill[]){
			      { "answer", answer }, { "words", buf_text(&words) }, { NULL, NULL } },
		      ret);
	return buf_addc(ret, '\n');
}

const char *question_word(const char *answer, const struct question *question)
{
	if (strcmp(answer, question->word) == 0)
		return question->word;
	for (size_t i = 0; question->others && question->others[i]; i++)
		if (strcmp(answer, question->others[i]) == 0)
			return question->others[i];
	return NULL;
}
