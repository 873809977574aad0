/* SPDX-License-Identifier: MIT */
/*
 * A runbook: variables, the planned work, an ordered list of steps; parsed
 * from YAML by our strict layer over libyaml's events.
 *
 * Bounds: 256 KiB, depth 32.  Refused: aliases and anchors, tags, merge keys,
 * duplicate keys, a second document, unknown keys, unknown kinds and
 * parameters.  Every error of a file is reported, each with its line and
 * column, what is wrong, and what is allowed ("did you mean ...").
 *
 * Values stay text until the plan resolves `${...}`: types come from the
 * kind's parameter rows, never from the look of the text.  `$${` stands for
 * the two characters `${`.
 */
#ifndef COLDSWAP_RUNBOOK_H
#define COLDSWAP_RUNBOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "buf.h"
#include "error.h"
#include "step.h"

struct position {
	unsigned line, column; /* from 1; 0 = not from a file */
};

/* What is wrong with a runbook, all of it. */
struct diagnostic {
	struct position at;
	char *message; /* "unknown parameter 'disk'; did you mean 'disks'?" */
};

struct diagnostics {
	char *file; /* as errors name it */
	struct diagnostic *items;
	size_t n;
	bool truncated; /* more than 100 */
	int failed;     /* sticky -ENOMEM: something is wrong, and could not be kept */
};

/* Never lost: a failed allocation sets `failed`.  Nothing is sound while either is set. */
static inline bool diagnostics_any(const struct diagnostics *diags)
{
	return diags->n || diags->failed;
}

void diagnostics_add(struct diagnostics *diags, struct position at, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/*
 * "FILE:LINE:COL: message" lines in the order of the file; what is not from
 * a file comes first, without a position.  The text is inert.
 */
int diagnostics_print(const struct diagnostics *diags, struct buf *ret);
void diagnostics_done(struct diagnostics *diags);

enum var_type { VAR_STRING, VAR_BOOL, VAR_INT, VAR_SIZE, VAR_DURATION, VAR_PATH, VAR_DISK };

struct runbook_var {
	char *name;
	enum var_type type;
	char *help;     /* or NULL */
	char *fallback; /* `default:`, or NULL = must be given */
	struct position at;
};

/* What one scalar is in a list of mappings. */
struct runbook_cell {
	size_t entry; /* the number of its mapping, from 0; never falls */
	const struct param_row *row;
};

/* A scalar, a list of scalars, or a list of mappings: all their scalars, in order. */
struct runbook_value {
	bool is_list;
	char **items;               /* one for a scalar; NULL-terminated */
	struct position *places;    /* of each item */
	struct runbook_cell *cells; /* of each item of a PARAM_ENTRIES; else NULL */
	size_t n_entries;           /* likewise; else 0 */
	struct position at;
};

void runbook_value_done(struct runbook_value *value);
/* Whose text item `i` is: the entry's row, or the parameter's own. */
const struct param_row *runbook_value_row(const struct runbook_value *value,
					  const struct param_row *row, size_t i);

struct runbook_param {
	char *name;
	const struct param_row *row;
	struct position at;
	struct runbook_value value;
};

enum work_word {
	WORK_WORD_EXCHANGE,
	WORK_WORD_MOVE,
	WORK_WORD_REMOVE,
	WORK_WORD_REPLACE,
	WORK_WORD_RECABLE,
	WORK_WORD_POWER_CYCLE
};

struct runbook_work {
	enum work_word word;
	char *disk, *other, *to; /* with ${...} unresolved */
	struct position at;
};

enum on_warn { ON_WARN_CONTINUE, ON_WARN_ASK };

struct runbook_step {
	char *id;
	const struct kind *kind;
	char *title; /* or NULL: the kind's */
	char *when;  /* "efi", "not systemd", "STEP.output"; or NULL */
	enum on_warn on_warn;
	char *timeout; /* or NULL */
	bool keep;
	size_t restores; /* KIND_RESTORE: the earlier step that it names; else SIZE_MAX */
	struct runbook_param *params;
	size_t n_params;
	struct position at, when_at;
};

struct runbook {
	char *name;
	char *title;
	char *file;      /* where it was read; "built-in audit" */
	char sha256[65]; /* of the bytes */
	struct runbook_var *vars;
	size_t n_vars;
	struct runbook_work *work;
	size_t n_work;
	bool work_given; /* the key `work:` stands in the file */
	struct runbook_step *steps;
	size_t n_steps;
	size_t boundary; /* the step that powers off; n_steps = there is none */
};

/*
 * Parse `len` bytes.  0 and *ret when the runbook is sound; -EINVAL with
 * `diags` filled when it is not (*ret stays NULL).
 */
int runbook_parse(const char *text, size_t len, const char *file, struct runbook **ret,
		  struct diagnostics *diags, struct error *err);
/*
 * Read a file of the operator ("-" is not supported), then parse.  A word that
 * names no file may be that of an installed runbook: "disk-port-swap".
 */
int runbook_load(const char *path, struct runbook **ret, struct diagnostics *diags,
		 struct error *err);
/*
 * Likewise what is about to be run: -EINVAL without diagnostics when somebody
 * other than root or this process's user could have written it.
 */
int runbook_load_trusted(const char *path, struct runbook **ret, struct diagnostics *diags,
			 struct error *err);
/* The runbooks that are compiled in: runbooks/audit.yaml, runbooks/post-reboot.yaml. */
enum builtin { BUILTIN_AUDIT, BUILTIN_POST_REBOOT };
int runbook_builtin(enum builtin which, struct runbook **ret, struct diagnostics *diags,
		    struct error *err);
void runbook_free(struct runbook *runbook);
DEFINE_CLEANUP(runbook, runbook_free)

/*
 * Turn texts into a kind's parameter struct.  `values[i]` belongs to
 * kind->params[i] (NULL = the fallback).  Disks must be pinned keys already.
 * On -EINVAL the error names the parameter and what is allowed.
 */
int params_parse(const struct kind *kind, const struct runbook_value *const *values, void *ret,
		 struct error *err);
void params_done(const struct kind *kind, void *params);
/* PARAM_PATHS is a list of PARAM_PATH; a type that is no list is its own item type. */
bool param_is_list(enum param_type type);
enum param_type param_item_type(enum param_type type);
/* Is this one text right for the type?  For `lint`; -EINVAL says why not. */
int param_check(enum param_type type, const char *text, struct error *err);
/* And for the parameter, an item of whose value it is? */
int param_check_row(const struct param_row *row, const char *text, struct error *err);

/* The nearest word of a list within a small edit distance, or NULL. */
const char *nearest_word(const char *word, const char *const *words, size_t n);
/* "; did you mean 'disks'?" when one is near, and the list of what is allowed. */
int suggest(const char *word, const char *const *words, size_t n, struct buf *ret);

#endif
