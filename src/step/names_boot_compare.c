/* SPDX-License-Identifier: MIT */
/* The command line that runs beside the one that boots next. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/names_boot.h"

/* The value in force: of the last of that name; NULL none. */
static char *value_in_force(const struct kernel_line *line, const char *name)
{
	struct kernel_params params;
	char *value = NULL;

	if (kernel_params_parse(line->args, &params, NULL) < 0)
		return NULL;
	for (size_t i = params.n; i-- > 0 && !value;)
		if (strcmp(params.items[i].name, name) == 0)
			value = strdup(params.items[i].value ? params.items[i].value : "");
	kernel_params_done(&params);
	return value;
}

/* Two names of one device are no difference. */
static int is_same(struct boot_check *check, const char *a, const char *b, bool *ret,
		   struct error *err)
{
	struct ref first, second;
	int r;

	*ret = strcmp(a, b) == 0;
	if (*ret)
		return 0;
	r = ref_resolve(check->step->facts, check->step->work, a, &first, err);
	if (r < 0)
		return r;
	r = ref_resolve(check->step->facts, check->step->work, b, &second, err);
	if (r == 0)
		*ret = first.n_before && second.n_before && first.before[0] == second.before[0];
	ref_done(&first);
	if (r == 0)
		ref_done(&second);
	return r;
}

static void report(struct boot_check *check, const struct kernel_line *running,
		   const struct kernel_line *next, const char *name, const char *now,
		   const char *then)
{
	struct finding *finding =
		result_find(check->ret, "cmdline-differs", VERDICT_WARN, "%s", next->source);

	result_say(
		check->ret, finding,
		_("The next boot has %s=%s, and this one was started with %s=%s: it has not been "
		  "tried."),
		name, then, name, now);
	result_remedy(check->ret, finding, "%s",
		      _("See that the next one is meant, and reboot once before any cable is "
			"touched."));
	result_evidence(check->ret, finding, next->source, next->text, NULL, NULL);
	result_evidence(check->ret, finding, running->source, running->text, NULL, NULL);
}

static int compare(struct boot_check *check, const struct kernel_line *running,
		   const struct kernel_line *next, const char *name, struct error *err)
{
	AUTO_FREE char *now = value_in_force(running, name), *then = value_in_force(next, name);
	bool same;
	int r;

	/* a parameter that one of them lacks is the initramfs' own affair */
	if (!now || !then || !*now || !*then || *then == '$')
		return 0;
	r = is_same(check, now, then, &same, err);
	if (r == 0 && !same)
		report(check, running, next, name, now, then);
	return r;
}

static const struct kernel_line *first_of(const struct boot_check *check, enum line_when when)
{
	const struct kernel_lines *lines = &check->loaders->lines;

	for (size_t i = 0; i < lines->n; i++)
		if (lines->items[i].when == when &&
		    (when != LINE_NEXT || line_boots_next(check, &lines->items[i])))
			return &lines->items[i];
	return NULL;
}

int compare_command_lines(struct boot_check *check, struct error *err)
{
	const struct kernel_line *running = first_of(check, LINE_RUNNING);
	const struct kernel_line *next = first_of(check, LINE_NEXT);
	int r;

	if (!running || !next)
		return 0;
	r = compare(check, running, next, "root", err);
	return r < 0 ? r : compare(check, running, next, "resume", err);
}
