/* SPDX-License-Identifier: MIT */
/*
 * The parser of the command line.  "--opt value" and "--opt=value", whole
 * words only (getopt_long takes prefixes: --f for --format), options before
 * and after the verb, "--" ends them.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/intl.h"
#include "base/shell.h"
#include "base/strv.h"
#include "cli/accept.h"
#include "cli/cli.h"
#include "runbook.h"

struct words {
	char **at;     /* the next word */
	uint64_t seen; /* bit i: option row i was given */
	bool ended;    /* "--" was met */
	struct call *call;
};

static size_t rows_count(void)
{
	size_t n = 0;

	while (option_at(n))
		n++;
	return n;
}

static int unknown_option(const char *word, struct error *err)
{
	const char *names[64];
	AUTO_FREE char *name = strndup(word, strcspn(word, "="));
	const char *nearest;
	size_t n = 0;

	if (!name)
		return error_oom(err);
	for (; option_at(n) && n < ELEMENTS(names); n++)
		names[n] = option_at(n)->name;
	nearest = nearest_word(name + strspn(name, "-"), names, n);
	if (nearest)
		return error_set(err, -EINVAL, _("there is no option '%s'; did you mean '--%s'?"),
				 name, nearest);
	return error_set(err, -EINVAL, _("there is no option '%s'"), name);
}

/* The index of the row that "--name" or "--name=value" means, or -1. */
static ssize_t row_of(const char *word)
{
	size_t len = strcspn(word + 2, "=");

	for (size_t i = 0; i < rows_count(); i++)
		if (strlen(option_at(i)->name) == len &&
		    strncmp(option_at(i)->name, word + 2, len) == 0)
			return (ssize_t)i;
	return -1;
}

static int value_of(struct words *words, const struct option_row *row, const char *word,
		    const char **ret, struct error *err)
{
	const char *equals = strchr(word, '=');

	*ret = NULL;
	if (!row->value && equals)
		return error_set(err, -EINVAL, _("--%s takes no value"), row->name);
	if (!row->value)
		return 0;
	*ret = equals ? equals + 1 : *words->at;
	if (!equals && *words->at)
		words->at++;
	if (!*ret || !**ret || (!equals && strncmp(*ret, "--", 2) == 0))
		return error_set(err, -EINVAL, _("--%s needs a value: --%s %s"), row->name,
				 row->name, row->value);
	return 0;
}

static int take_option(struct words *words, const char *word, struct error *err)
{
	ssize_t index = strncmp(word, "--", 2) == 0 ? row_of(word) : -1;
	const struct option_row *row;
	const char *value;
	int r;

	if (index < 0)
		return unknown_option(word, err);
	row = option_at((size_t)index);
	r = value_of(words, row, word, &value, err);
	if (r < 0)
		return r;
	if ((words->seen & UINT64_C(1) << index) && !row->repeatable)
		return error_set(err, -EINVAL, _("--%s is given twice"), row->name);
	words->seen |= UINT64_C(1) << index;
	return row->set(&words->call->options, value, err);
}

static int unknown_verb(const char *word, struct error *err)
{
	const char *names[32];
	AUTO_BUF words = BUF_INIT;
	size_t n = 0;

	for (; verb_at(n) && n < ELEMENTS(names); n++)
		names[n] = verb_at(n)->name;
	suggest(word, names, n, &words);
	return error_set(err, -EINVAL, _("there is no verb '%s'%s"), word, buf_text(&words));
}

static int take_word(struct words *words, const char *word, struct error *err)
{
	struct call *call = words->call;

	if (call->verb) {
		call->args[call->n_args++] = word;
		return 0;
	}
	call->verb = verb_find(word);
	return call->verb ? 0 : unknown_verb(word, err);
}

static int take_words(struct words *words, struct error *err)
{
	int r = 0;

	while (r >= 0 && *words->at) {
		const char *word = *words->at++;

		if (words->ended || word[0] != '-')
			r = take_word(words, word, err);
		else if (strcmp(word, "--") == 0)
			words->ended = true;
		else
			r = take_option(words, word, err);
	}
	return r;
}

/* What a capture cannot give must be said: another option will not help. */
static int not_for(const struct option_row *row, const struct verb *verb, struct error *err)
{
	unsigned session = VERB_RUN | VERB_RESUME | VERB_ABORT | VERB_STATUS | VERB_REPORT;

	if (strcmp(row->name, "root") == 0 && ((unsigned)verb->bit & session))
		return error_set(err, -EINVAL,
				 _("--root is not for '%s': a session is of the running system, "
				   "and nothing of a capture can be changed"),
				 verb->name);
	return error_set(err, -EINVAL, _("--%s is not for '%s'"), row->name, verb->name);
}

static int check_options(const struct words *words, struct error *err)
{
	const struct verb *verb = words->call->verb;

	for (size_t i = 0; verb && i < rows_count(); i++)
		if ((words->seen & UINT64_C(1) << i) &&
		    !(option_at(i)->verbs & (unsigned)verb->bit))
			return not_for(option_at(i), verb, err);
	return accept_paired(&words->call->options, err);
}

static int check_args(const struct call *call, struct error *err)
{
	const struct verb *verb = call->verb;

	if (!verb || call->options.help || call->options.version)
		return 0;
	if (call->n_args < verb->args_min)
		return error_set(err, -EINVAL, _("'%s' needs more: coldswap %s %s"), verb->name,
				 verb->name, verb->args);
	if (call->n_args > verb->args_max)
		return error_set(err, -EINVAL, _("'%s' does not take '%s': coldswap %s %s"),
				 verb->name, call->args[verb->args_max], verb->name, verb->args);
	return 0;
}

static int quote_again(char **words, char **ret, struct error *err)
{
	AUTO_BUF again = BUF_INIT;

	buf_adds(&again, "coldswap");
	for (; *words; words++) {
		buf_addc(&again, ' ');
		shell_word(*words, &again);
	}
	*ret = buf_take(&again);
	return *ret ? 0 : error_oom(err);
}

int call_parse(int argc, char **argv, struct call *ret, struct error *err)
{
	char *nothing[] = { NULL };
	struct words words = { .at = argc > 0 ? argv + 1 : nothing, .call = ret };
	int r;

	*ret = (struct call){ 0 };
	ret->args = calloc((size_t)argc + 1, sizeof(*ret->args));
	if (!ret->args)
		return error_oom(err);
	r = quote_again(words.at, &ret->again, err);
	if (r >= 0)
		r = take_words(&words, err);
	if (r >= 0)
		r = check_options(&words, err);
	return r < 0 ? r : check_args(ret, err);
}

void call_done(struct call *call)
{
	for (size_t i = 0; i < call->options.n_work; i++)
		work_request_done(&call->options.work[i]);
	free(call->options.work);
	accept_done(&call->options);
	strv_free(call->options.vars);
	free(call->args);
	free(call->again);
	*call = (struct call){ 0 };
}
