/* SPDX-License-Identifier: MIT */
/*
 * The command line: a row a verb, a row an option.
 *
 * The rows feed the parser, `--help` and the options of coldswap(8).  No word
 * is ever guessed: an unknown one is a usage error that names the nearest.
 * stdout holds the result, stderr the talk; only this layer prints.
 */
#ifndef COLDSWAP_CLI_CLI_H
#define COLDSWAP_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "buf.h"
#include "card.h"
#include "error.h"
#include "report.h"
#include "work/work.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

/* Which verbs an option is for. */
enum verb_bit {
	VERB_AUDIT = 1 << 0,
	VERB_PORTS = 1 << 1,
	VERB_CHECK = 1 << 2,
	VERB_PLAN = 1 << 3,
	VERB_LINT = 1 << 4,
	VERB_KINDS = 1 << 5,
	VERB_EXPLAIN = 1 << 6,
	VERB_HELP = 1 << 7,
	VERB_CAPTURE = 1 << 8,
	VERB_DRAFT = 1 << 9,
	VERB_VERIFY = 1 << 10,
	VERB_RUN = 1 << 11,
	VERB_RESUME = 1 << 12,
	VERB_ABORT = 1 << 13,
	VERB_STATUS = 1 << 14,
	VERB_REPORT = 1 << 15,
	VERB_CARD = 1 << 16,
	VERB_COPIES = 1 << 17,
	VERB_ALL = (1 << 18) - 1,
};

struct options {
	const char *root;   /* NULL = the running system */
	const char *before; /* an earlier capture; NULL = none */
	const char *state;  /* the state directory; NULL = the usual one */
	enum format format;
	char **vars; /* "NAME=VALUE" */
	struct work_request *work;
	size_t n_work;
	bool plain, quiet, no_color;
	bool facts;  /* kinds --facts */
	bool redact; /* capture --redact */
	bool boot;   /* verify --boot */
	bool step, yes;
	struct acceptance *accepted; /* each with its reason */
	size_t n_accepted;
	bool help, version;
};

/* One call of the program, parsed. */
struct call {
	const struct verb *verb; /* NULL: none was named */
	struct options options;
	const char **args; /* of the verb */
	size_t n_args;
	char *again;         /* the command line as a shell takes it */
	const char *program; /* as it was called */
	struct screen screen;
};

struct verb {
	const char *name;
	enum verb_bit bit;
	const char *args; /* "[RUNBOOK]", for the synopsis */
	size_t args_min, args_max;
	const char *help;              /* one sentence */
	int (*run)(struct call *call); /* returns the exit code */
};

struct option_row {
	const char *name;  /* without the dashes */
	const char *value; /* "DIR", or NULL for a flag */
	unsigned verbs;    /* of verb_bit */
	bool repeatable;
	const char *help;
	int (*set)(struct options *options, const char *value, struct error *err);
};

/* NULL past the end. */
const struct verb *verb_at(size_t index);
const struct verb *verb_find(const char *name);
const struct option_row *option_at(size_t index);

/* -EINVAL: a usage error, in words.  call_done() in every case. */
int call_parse(int argc, char **argv, struct call *ret, struct error *err);
void call_done(struct call *call);

/* How text is drawn on this output. */
struct screen cli_screen(const struct options *options, int fd);

int cli_main(int argc, char **argv);

/* The verbs: src/cli/VERB.c */
int verb_audit(struct call *call);
int verb_ports(struct call *call);
int verb_draft(struct call *call);
int verb_check(struct call *call);
int verb_plan(struct call *call);
int verb_card(struct call *call);
int verb_verify(struct call *call);
int verb_lint(struct call *call);
int verb_kinds(struct call *call);
int verb_explain(struct call *call);
int verb_capture(struct call *call);
int verb_run(struct call *call);
int verb_resume(struct call *call);
int verb_abort(struct call *call);
int verb_status(struct call *call);
int verb_report(struct call *call);
int verb_copies(struct call *call);
int verb_help(struct call *call);

#endif
