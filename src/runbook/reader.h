/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the runbook's parser share: rows of keys, each with the
 * function that takes its value.
 *
 * A function reports what is wrong and goes on, so that one pass finds every
 * error; only running out of memory ends it.  Rows are taken in their own
 * order, not the file's: what later rows refer to (vars before steps, a
 * step's kind before its parameters) is there by then.
 */
#ifndef COLDSWAP_RUNBOOK_READER_H
#define COLDSWAP_RUNBOOK_READER_H

#include "runbook/yaml.h"

struct reader {
	struct runbook *runbook;
	struct diagnostics *diags;
	bool oom;
};

struct key_row {
	const char *name;
	bool required;
	void (*take)(struct reader *reader, const struct yaml_node *value, void *into);
};

/*
 * Take the keys of a mapping by `rows` (ends with {0}).  Unknown and missing
 * keys are reported; `what` names the mapping in messages: "step".
 */
void keys_take(struct reader *reader, const struct yaml_node *mapping, const struct key_row *rows,
	       const char *what, void *into);

/* The node of a key, or NULL; a refused one is not found. */
const struct yaml_node *mapping_get(const struct yaml_node *mapping, const char *key);

/* Is the node of this type?  A refused node is not, silently. */
bool expect(struct reader *reader, const struct yaml_node *node, enum yaml_type type,
	    const char *what);
/* The text of a scalar that is not empty, or NULL when that was reported. */
const char *expect_text(struct reader *reader, const struct yaml_node *node, const char *what);
/* true or false into `ret`; else reported. */
void take_bool(struct reader *reader, const struct yaml_node *node, const char *what, bool *ret);
/* A copy; sets `oom`. */
char *keep_text(struct reader *reader, const char *text);
/* Grow an array by one zeroed element: its address, or NULL with `oom`. */
void *grow(struct reader *reader, void *array_address, size_t *n, size_t size);

/* One unknown word: "unknown WHAT 'WORD'", the nearest one, and the list. */
void unknown_word(struct reader *reader, struct position at, const char *what, const char *word,
		  const char *const *words, size_t n);

/* [a-z0-9-], not empty, at most 63 bytes. */
bool id_is_valid(const char *text);

/* Check the references of one text, which stands in step `step` (index; vars only: SIZE_MAX). */
#define NO_STEP ((size_t)-1)
void check_references(struct reader *reader, struct position at, const char *text, size_t step);

void take_vars(struct reader *reader, const struct yaml_node *value, void *into);
void take_work(struct reader *reader, const struct yaml_node *value, void *into);
void take_steps(struct reader *reader, const struct yaml_node *value, void *into);
void take_params(struct reader *reader, const struct yaml_node *value, void *into);
/* Report required parameters that the step does not give. */
void check_required(struct reader *reader, const struct runbook_step *step);
/* Check the condition of step `index`, once all steps are known. */
void check_when(struct reader *reader, size_t index);
/* Find the step that powers off and what each restore takes back; check both. */
void check_boundary(struct reader *reader);

/* The parameter type that checks a variable's value. */
enum param_type var_param_type(enum var_type type);
const char *var_type_name(enum var_type type);

#endif
