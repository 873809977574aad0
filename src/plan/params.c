/* SPDX-License-Identifier: MIT */
/* A step's parameters: references resolved, disks pinned to keys, texts typed. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "plan/planner.h"
#include "probe/paths.h"

void raw_done(struct raw_params *raw)
{
	for (size_t i = 0; i < raw->n; i++)
		runbook_value_done(&raw->values[i]);
	free(raw->values);
	*raw = (struct raw_params){ 0 };
}

int raw_copy_cells(const struct runbook_value *value, struct runbook_value *ret)
{
	size_t n = strv_length(value->items);

	ret->cells = calloc(n + 1, sizeof(*ret->cells));
	if (!ret->cells)
		return -ENOMEM;
	memcpy(ret->cells, value->cells, n * sizeof(*ret->cells));
	ret->n_entries = value->n_entries;
	return 0;
}

const char *raw_unset(const struct plan *plan, const struct raw_params *raw)
{
	for (size_t i = 0; i < raw->n; i++)
		for (char **item = raw->values[i].items; item && *item; item++)
			if (unset_var(plan, *item))
				return unset_var(plan, *item);
	return NULL;
}

bool raw_needs_outputs(const struct raw_params *raw)
{
	for (size_t i = 0; i < raw->n; i++)
		for (char **item = raw->values[i].items; item && *item; item++)
			if (needs_outputs(*item))
				return true;
	return false;
}

bool raw_needs_skipped(const struct planner *planner, const struct raw_params *raw)
{
	for (size_t i = 0; i < raw->n; i++)
		for (char **item = raw->values[i].items; item && *item; item++)
			if (needs_skipped(planner, *item))
				return true;
	return false;
}

static bool is_kernel_name(const struct block *disk, const char *text)
{
	static const char dev[] = PATH_DEV "/";

	if (!strncmp(text, dev, sizeof(dev) - 1))
		text += sizeof(dev) - 1;
	return !strcmp(text, disk->name);
}

/* A name of today means another disk after a reboot; its key does not. */
static int pin_disk(const struct planner *planner, const char *text, char **ret, struct error *err)
{
	/* A disk that is missing after the work was there before. */
	struct facts *facts = planner->before ? planner->before : planner->facts;
	const struct blocks *blocks;
	const struct block *disk;
	int r = facts_blocks(facts, &blocks, err);

	if (r)
		return r == -ENOENT ? -EIO : r; /* the host's fault, not the name's */
	r = facts_find_disk(facts, text, &disk, err);
	if (r)
		return r;
	disk = disk->disk; /* an operator may name a partition */
	if (!disk->key || disk->key_shared)
		return error_set(err, -ENODATA,
				 _("%s tells no serial or WWN of its own, so it cannot be known "
				   "again after the work"),
				 disk->name);
	if (is_kernel_name(disk, text)) {
		r = plan_note(planner->plan, err,
			      _("%s is a name of today; it is taken as the disk with the key %s."),
			      text, disk->key);
		if (r)
			return r;
	}
	*ret = strdup(disk->key);
	return *ret ? 0 : error_oom(err);
}

static int bind_item(const struct planner *planner, const struct param_row *row, const char *raw,
		     char **ret, struct error *err)
{
	AUTO_FREE char *text = NULL;
	int r = resolve_text(planner, raw, &text, err);

	if (!r)
		r = param_check_row(row, text, err);
	if (r)
		return r;
	if (param_item_type(row->type) == PARAM_DISK)
		return pin_disk(planner, text, ret, err);
	*ret = TAKE(text);
	return 0;
}

/* Usage errors go into the diagnostics and the rest is still looked at. */
static int bind_value(const struct planner *planner, const struct param_row *row,
		      const struct runbook_value *raw, struct runbook_value *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = 0;

	if (raw->cells && raw_copy_cells(raw, ret))
		return error_oom(err);
	for (size_t i = 0; raw->items && raw->items[i] && !r; i++) {
		char *item = NULL;
		const struct param_row *own = runbook_value_row(raw, row, i);
		struct position at = raw->places ? raw->places[i] : (struct position){ 0 };

		r = bind_item(planner, own, raw->items[i], &item, &why);
		if (is_usage(r)) {
			diagnose(planner->diags, at, own->name, &why);
			r = 0;
		} else if (!r && strv_take(&ret->items, item)) {
			r = error_oom(&why);
		}
	}
	return r ? (error_copy(err, &why), r) : 0;
}

static int describe(struct plan_step *step, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	char *made;

	if (step->kind->describe(step->params, &text) || buf_error(&text))
		return error_oom(err);
	made = buf_take(&text);
	if (!made)
		return error_oom(err);
	free(step->text);
	step->text = made;
	return 0;
}

static int parse(struct plan_step *step, const struct runbook_value *const *values,
		 struct error *err)
{
	int r;

	/* A kind without parameters still gets an address to its name. */
	step->params = calloc(1, step->kind->params_size ? step->kind->params_size : 1);
	if (!step->params)
		return error_oom(err);
	r = params_parse(step->kind, values, step->params, err);
	if (!r)
		return describe(step, err);
	free(TAKE(step->params));
	return r;
}

int bind_params(const struct planner *planner, struct plan_step *step, const struct raw_params *raw,
		struct error *err)
{
	AUTO_FREE const struct runbook_value **values = calloc(raw->n + 1, sizeof(*values));
	struct raw_params bound = { calloc(raw->n + 1, sizeof(*raw->values)), raw->n };
	size_t before = planner->diags->n;
	int r = values && bound.values ? 0 : error_oom(err);

	for (size_t i = 0; i < raw->n && !r; i++) {
		if (!raw->values[i].items)
			continue;
		values[i] = &bound.values[i];
		r = bind_value(planner, &step->kind->params[i], &raw->values[i], &bound.values[i],
			       err);
	}
	if (!r && planner->diags->n > before)
		r = error_set(err, -EINVAL, _("the parameters of '%s' are wrong"), step->id);
	if (!r)
		r = parse(step, values, err);
	if (bound.values)
		raw_done(&bound);
	return r;
}
