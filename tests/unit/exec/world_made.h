/* SPDX-License-Identifier: MIT */
/*
 * A session made for one test: a journal in a temporary directory, an operator
 * with a script of answers, and steps whose world is a few words in memory.
 */
#ifndef COLDSWAP_TESTS_WORLD_MADE_H
#define COLDSWAP_TESTS_WORLD_MADE_H

#include <criterion/criterion.h>
#include <errno.h>

#include "exec/executor.h"
#include "exec/loop.h"
#include "probe/facts.h"
#include "tree.h"

#define MADE_STEPS 6

/* What stands behind a step: what is done to it, and what it says. */
struct thing {
	enum verdict verdict; /* of run() */
	int code;             /* run()'s error; 0 = none */
	bool changed;         /* the world */
	bool stuck;           /* run() and undo() change nothing */
	bool blind;           /* verify() cannot tell */
	unsigned runs, undos, verifies;
	volatile sig_atomic_t *stop; /* set by run() */
	const char *ask;             /* a word that run() asks for */
	unsigned wait_us;            /* that run() takes */
};

struct made {
	struct tree tree, state;
	struct host *host;
	struct executor executor;
	struct session_args args;
	struct operator operator;
	struct session_end end;
	volatile sig_atomic_t cancelled;
	struct thing things[MADE_STEPS];
	struct thing *params[MADE_STEPS];
	struct plan_step steps[MADE_STEPS];
	struct plan plan;
	char ids[MADE_STEPS][8];
	const char *answers[8]; /* NULL: there is no terminal */
	int answer_codes[8];
	size_t n_asked;
	char said[8192]; /* what was told, one line each */
};

static const struct param_row made_params[] = { { 0 } };
static const struct output_row made_outputs[] = { { 0 } };
static const struct finding_row made_findings[] = {
	{ .id = "one", .title = "t", .means = "m", .acceptable = true },
	{ .id = "hard", .title = "t", .means = "m" },
	{ 0 },
};

static inline int made_run(const struct step *step, const void *params, struct result *ret,
			   struct error *err)
{
	struct thing *thing = *(struct thing *const *)params;
	AUTO_FREE char *answer = NULL;
	int r = 0;

	thing->runs++;
	usleep(thing->wait_us);
	if (thing->ask) {
		const struct question question = {
			.text = "?", .word = thing->ask, .goes_on = "on", .leaves = "left"
		};

		r = step_ask(step, &question, &answer, err);
		if (r)
			return r;
	}
	if (thing->stop)
		*thing->stop = 2;
	if (!thing->stuck)
		thing->changed = true;
	if (thing->verdict)
		result_say(ret, result_find(ret, "one", thing->verdict, "subject"), "Said.");
	else
		ret->verdict = VERDICT_PASS;
	return thing->code ? error_set(err, thing->code, "it broke") : 0;
}

static inline int made_verify(const struct step *step, const void *params, enum effect effect,
			      enum standing *ret_standing, struct result *ret, struct error *err)
{
	struct thing *thing = *(struct thing *const *)params;

	(void)step;
	(void)ret;
	(void)err;
	thing->verifies++;
	if (thing->blind)
		*ret_standing = STANDING_UNKNOWN;
	else
		*ret_standing =
			thing->changed == (effect == EFFECT_WANTED) ? STANDING_YES : STANDING_NO;
	return 0;
}

static inline int made_undo(const struct step *step, const void *params, struct result *ret,
			    struct error *err)
{
	struct thing *thing = *(struct thing *const *)params;

	(void)step;
	(void)ret;
	(void)err;
	thing->undos++;
	if (!thing->stuck)
		thing->changed = false;
	return 0;
}

#define MADE_KIND                                                                                  \
	.title = "a test", .help = "h", .deadline_s = 10, .params = made_params,                   \
	.outputs = made_outputs, .findings = made_findings, .run = made_run

static const struct kind made_check = { MADE_KIND, .name = "made.check", .class = KIND_CHECK };
static const struct kind made_volatile = { MADE_KIND, .name = "made.volatile", .class = KIND_CHECK,
					   .flags = KIND_VOLATILE };
static const struct kind made_gate = { MADE_KIND, .name = "made.gate", .class = KIND_GATE };
static const struct kind made_action = { MADE_KIND, .name = "made.action", .class = KIND_ACTION,
					 .verify = made_verify, .undo = made_undo };
static const struct kind made_restore = { MADE_KIND, .name = "made.restore", .class = KIND_ACTION,
					  .flags = KIND_RESTORE, .verify = made_verify };

static inline void made_tell(void *data, const struct notice *notice)
{
	static const char *const names[] = {
		[NOTICE_TEXT] = "text",     [NOTICE_WARNING] = "warning",
		[NOTICE_PAGE] = "page",     [NOTICE_BEGINS] = "begins",
		[NOTICE_ENDS] = "ends",     [NOTICE_UNDOES] = "undoes",
		[NOTICE_UNDONE] = "undone",
	};
	struct made *made = data;
	size_t len = strlen(made->said);

	snprintf(made->said + len, sizeof(made->said) - len, "%s %s%s\n", names[notice->type],
		 notice->step ? notice->step->id : "", notice->text ? notice->text : "");
}

static inline int made_ask(void *data, const struct asked_by *by, const struct question *question,
			   char **ret, struct error *err)
{
	struct made *made = data;
	size_t i = made->n_asked++;

	(void)by;
	(void)question;
	if (made->answer_codes[i])
		return error_set(err, made->answer_codes[i], "no answer");
	if (!made->answers[i])
		return error_set(err, -ENOTTY, "no terminal");
	*ret = strdup(made->answers[i]);
	return 0;
}

static inline void made_progress(void *data, const struct progress *progress)
{
	(void)data;
	(void)progress;
}

static inline void made_step(struct made *made, size_t i, const struct kind *kind)
{
	snprintf(made->ids[i], sizeof(made->ids[i]), "s%zu", i);
	made->params[i] = &made->things[i];
	made->steps[i] = (struct plan_step){ .id = made->ids[i],
					     .kind = kind,
					     .title = made->ids[i],
					     .text = made->ids[i],
					     .params = &made->params[i],
					     .restores = SIZE_MAX };
	made->plan.n_steps = i + 1;
	made->plan.boundary = i + 1;
	made->executor.n_steps = i + 1;
	result_init(&made->executor.steps[i].result, kind);
}

/* A session with no steps yet, open in its journal. */
static inline void made_init(struct made *made)
{
	struct executor *executor = &made->executor;

	*made = (struct made){ .tree = tree_new(), .state = tree_new() };
	cr_assert_eq(host_open(made->tree.root, &made->host, NULL), 0);
	made->operator=(struct operator){
		.data = made, .tell = made_tell, .ask = made_ask, .progress = made_progress
	};
	made->args = (struct session_args){ .host = made->host,
					    .state = made->state.root,
					    .operator= & made->operator,
					    .cancelled = & made->cancelled,
					    .program = "coldswap" };
	*executor = (struct executor)EXECUTOR_INIT;
	executor->args = &made->args;
	executor->end = &made->end;
	executor->inhibitor_told = true;
	executor->identity.boot_id = strdup("boot-1");
	made->plan.steps = made->steps;
	executor->plan = &made->plan;
	cr_assert_eq(facts_new(made->host, &executor->own_facts, NULL), 0);
	executor->facts = executor->own_facts;
	cr_assert_eq(executor_make_steps(executor, MADE_STEPS, NULL), 0);
	executor->n_steps = 0;
	cr_assert_eq(statedir_open(made->state.root, STATEDIR_MAKE, &executor->dir, NULL), 0);
	cr_assert_eq(journal_open(made->state.root, JOURNAL_WRITE, &executor->journal, NULL), 0);
	cr_assert_eq(journal_begin(executor->journal, "{}", &executor->number, NULL), 0);
}

static inline void made_done(struct made *made)
{
	made->executor.plan = NULL;
	executor_done(&made->executor);
	session_end_done(&made->end);
	host_free(made->host);
	tree_done(&made->tree);
	tree_done(&made->state);
}

/* The types of the events so far, with their steps: "intent s0, outcome s0". */
static inline void made_events(struct made *made, char *ret, size_t size)
{
	CLEANUP(journal_events_done) struct journal_events events = { 0 };

	*ret = '\0';
	cr_assert_eq(journal_read(made->executor.journal, made->executor.number, &events, NULL), 0);
	for (size_t i = 1; i < events.n; i++) {
		size_t len = strlen(ret);

		snprintf(ret + len, size - len, "%s%s%s%s", len ? ", " : "", events.items[i].type,
			 events.items[i].step ? " " : "",
			 events.items[i].step ? events.items[i].step : "");
	}
}

#define EXPECT_EVENTS(made, expected)                                                              \
	do {                                                                                       \
		char events_[4096];                                                                \
                                                                                                   \
		made_events(made, events_, sizeof(events_));                                       \
		cr_expect_str_eq(events_, expected);                                               \
	} while (0)

#endif
