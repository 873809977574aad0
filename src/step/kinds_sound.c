/* SPDX-License-Identifier: MIT */
/*
 * Does a kind keep the rules of step.h?  Asked at start-up, so that one that
 * does not never gets near a host.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/kinds.h"

static bool has(const char *text)
{
	return text && *text;
}

static const char *wrong_callbacks(const struct kind *kind)
{
	bool action = kind->class == KIND_ACTION && !(kind->flags & KIND_RESTORE);

	if (!kind->describe || !kind->run)
		return "it has no describe, or no run";
	if (action && !kind->verify)
		return "an action has no verify";
	if (!action && (kind->verify || kind->undo))
		return "what is no action has a verify or an undo";
	if (!kind->undo != !kind->describe_undo)
		return "undo and describe_undo do not go together";
	return NULL;
}

static const char *wrong_flags(const struct kind *kind)
{
	if ((kind->flags & KIND_BOUNDARY) && kind->class != KIND_GATE)
		return "a boundary is no gate";
	if ((kind->flags & KIND_RESTORE) && kind->class != KIND_ACTION)
		return "a restore is no action";
	if ((kind->flags & KIND_AT_BOOT) &&
	    (kind->class != KIND_CHECK || !(kind->flags & KIND_AFTER)))
		return "what the boot verifies is no check that stands after the work";
	if ((kind->flags & KIND_SETS_BOOT) && !kind->undo)
		return "what sets the boot up cannot be taken back";
	if (!kind->deadline_s != (kind->class == KIND_GATE))
		return "a gate has a deadline, or another kind none";
	return NULL;
}

static bool is_list(enum param_type type)
{
	return type == PARAM_STRINGS || type == PARAM_PATHS || type == PARAM_DISKS ||
	       type == PARAM_ENTRIES;
}

static const char *wrong_entry(const struct param_row *param)
{
	if ((param->type == PARAM_ENTRIES) != (param->entry && param->entry_size))
		return "a parameter has rows of entries, and is no list of them, or the reverse";
	for (const struct param_row *row = param->entry; row && row->name; row++)
		if (!has(row->help) || row->offset >= param->entry_size || is_list(row->type))
			return "a key of an entry has no words, or no place, or is a list";
	return NULL;
}

static const char *wrong_params(const struct kind *kind)
{
	const char *why = NULL;

	for (const struct param_row *row = kind->params; row->name && !why; row++) {
		if (!has(row->help) || row->offset >= kind->params_size)
			why = "a parameter has no words, or no place";
		else
			why = wrong_entry(row);
	}
	return why;
}

static const char *wrong_rows(const struct kind *kind)
{
	const char *why;

	if (!kind->params || !kind->outputs || !kind->findings)
		return "it has no table of parameters, outputs or findings";
	why = wrong_params(kind);
	if (why)
		return why;
	for (const struct output_row *row = kind->outputs; row->name; row++)
		if (!has(row->help))
			return "an output has no words";
	for (const struct finding_row *row = kind->findings; row->id; row++) {
		if (!has(row->title) || !has(row->means))
			return "a finding has no words";
		if (has(row->harm) != has(row->mend) || (row->acceptable && !has(row->harm)))
			return "a finding's harm and mend do not go together";
	}
	return NULL;
}

static const char *wrong(const struct kind *kind)
{
	const char *why = NULL;

	if (!has(kind->name) || !has(kind->title) || !has(kind->help))
		return "it has no name, title or help";
	why = wrong_callbacks(kind);
	if (!why)
		why = wrong_flags(kind);
	return why ? why : wrong_rows(kind);
}

int kind_sound(const struct kind *kind, struct error *err)
{
	const char *why = wrong(kind);

	if (!why)
		return 0;
	error_set(err, -EINVAL, _("the kind %s is not sound: %s"),
		  has(kind->name) ? kind->name : "?", why);
	error_hint(err, "%s", _("this is a fault of the program: install another version"));
	return -EINVAL;
}

int kinds_sound(struct error *err)
{
	const struct kind *kind;
	int r = 0;

	for (size_t i = 0; r == 0 && (kind = kind_at(i)); i++) {
		r = kind_sound(kind, err);
		if (r == 0 && kind_find(kind->name) != kind)
			r = error_set(err, -EINVAL, _("there are two kinds %s"), kind->name);
	}
	return r;
}
