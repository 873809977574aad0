/* SPDX-License-Identifier: MIT */
/* The option rows, and what each does with its value. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "cli/accept.h"
#include "cli/cli.h"
#include "runbook.h"

static int set_root(struct options *options, const char *value, struct error *err)
{
	(void)err;
	options->root = value;
	return 0;
}

static int set_before(struct options *options, const char *value, struct error *err)
{
	(void)err;
	options->before = value;
	return 0;
}

static int set_state(struct options *options, const char *value, struct error *err)
{
	(void)err;
	options->state = value;
	return 0;
}

static int set_json(struct options *options, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	options->format = FORMAT_JSON;
	return 0;
}

static int set_format(struct options *options, const char *value, struct error *err)
{
	static const char *const formats[] = { [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json" };
	AUTO_BUF words = BUF_INIT;

	for (size_t i = 0; i < ELEMENTS(formats); i++) {
		if (strcmp(value, formats[i]) != 0)
			continue;
		options->format = (enum format)i;
		return 0;
	}
	suggest(value, formats, ELEMENTS(formats), &words);
	return error_set(err, -EINVAL, _("there is no format '%s'%s"), value, buf_text(&words));
}

static int set_var(struct options *options, const char *value, struct error *err)
{
	const char *equals = strchr(value, '=');

	if (!equals || equals == value)
		return error_set(err, -EINVAL, _("--var takes NAME=VALUE, not '%s'"), value);
	return strv_add(&options->vars, value) < 0 ? error_oom(err) : 0;
}

static struct work_request *add_work(struct options *options, enum work_type type)
{
	struct work_request *grown =
		reallocarray(options->work, options->n_work + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	options->work = grown;
	grown[options->n_work] = (struct work_request){ .type = type };
	return &grown[options->n_work++];
}

/* "A,B", "DISK=PORT" or "DISK": the first `first_len` bytes are the disk. */
static int set_work(struct options *options, enum work_type type, const char *position,
		    const char *value, size_t first_len, struct error *err)
{
	struct work_request *work = add_work(options, type);

	if (!work)
		return error_oom(err);
	work->disk = strndup(value, first_len);
	work->position = strdup(position);
	if (type == WORK_EXCHANGE)
		work->other = strdup(value + first_len + 1);
	if (type == WORK_MOVE)
		work->to = strdup(value + first_len + 1);
	if (!work->disk || !work->position || (type == WORK_EXCHANGE && !work->other) ||
	    (type == WORK_MOVE && !work->to))
		return error_oom(err);
	return 0;
}

static int set_exchange(struct options *options, const char *value, struct error *err)
{
	const char *comma = strchr(value, ',');

	if (!comma || comma == value || !comma[1] || strchr(comma + 1, ','))
		return error_set(err, -EINVAL, _("--exchange takes two disks, A,B, not '%s'"),
				 value);
	return set_work(options, WORK_EXCHANGE, "--exchange", value, (size_t)(comma - value), err);
}

static int set_move(struct options *options, const char *value, struct error *err)
{
	const char *equals = strchr(value, '=');

	if (!equals || equals == value || !equals[1])
		return error_set(err, -EINVAL,
				 _("--move takes DISK=PORT, such as "
				   "'SERIAL=port 3 of 0000:00:1f.2', not '%s'"),
				 value);
	return set_work(options, WORK_MOVE, "--move", value, (size_t)(equals - value), err);
}

static int set_remove(struct options *options, const char *value, struct error *err)
{
	return set_work(options, WORK_REMOVE, "--remove", value, strlen(value), err);
}

static int set_accept(struct options *options, const char *value, struct error *err)
{
	return accept_add(options, value, err);
}

static int set_because(struct options *options, const char *value, struct error *err)
{
	return accept_because(options, value, err);
}

#define FLAG_SETTER(member)                                                                        \
	static int set_##member(struct options *options, const char *value, struct error *err)     \
	{                                                                                          \
		(void)value;                                                                       \
		(void)err;                                                                         \
		options->member = true;                                                            \
		return 0;                                                                          \
	}
FLAG_SETTER(plain)
FLAG_SETTER(quiet)
FLAG_SETTER(no_color)
FLAG_SETTER(facts)
FLAG_SETTER(redact)
FLAG_SETTER(boot)
FLAG_SETTER(step)
FLAG_SETTER(yes)
FLAG_SETTER(help)
FLAG_SETTER(version)

#define ON_HOST (VERB_AUDIT | VERB_PORTS | VERB_CHECK | VERB_PLAN | VERB_VERIFY | VERB_CAPTURE)
#define WITH_JSON (VERB_ALL & ~(VERB_HELP | VERB_DRAFT | VERB_CAPTURE | VERB_CARD))
#define ON_WORK (VERB_AUDIT | VERB_CHECK | VERB_PLAN | VERB_VERIFY | VERB_CARD | VERB_RUN)
#define ACTING (VERB_RUN | VERB_RESUME | VERB_ABORT)
#define LOOKING (VERB_STATUS | VERB_REPORT)

static const struct option_row rows[] = {
	{ "root", "DIR", ON_HOST | VERB_DRAFT | VERB_CARD, false,
	  N_("Read the host from DIR, a capture of another machine, instead of this one."),
	  set_root },
	{ "before", "DIR", VERB_VERIFY, false,
	  N_("Compare with DIR, a capture of this machine from before the work."), set_before },
	{ "exchange", "A,B", ON_WORK, true,
	  N_("The planned work: disks A and B trade ports. A disk is named by serial, WWN, by-id "
	     "name or mount point."),
	  set_exchange },
	{ "move", "DISK=PORT", ON_WORK, true,
	  N_("The planned work: DISK goes to PORT, such as 'port 3 of 0000:00:1f.2'."), set_move },
	{ "remove", "DISK", ON_WORK, true, N_("The planned work: DISK is taken out."), set_remove },
	{ "var", "NAME=VALUE", VERB_AUDIT | VERB_PLAN | VERB_VERIFY | VERB_CARD | VERB_RUN, true,
	  N_("Give a variable of the runbook its value."), set_var },
	{ "state", "DIR", ACTING | LOOKING | VERB_CARD | VERB_VERIFY | VERB_PLAN, false,
	  N_("Keep, or look for, the journal of the sessions in DIR instead of "
	     "/var/lib/coldswap."),
	  set_state },
	{ "step", NULL, VERB_RUN | VERB_RESUME, false, N_("Ask before each step."), set_step },
	{ "yes", NULL, ACTING, false,
	  N_("Answer the questions that the runbook allows to be answered so; never that for the "
	     "power-off."),
	  set_yes },
	{ "accept", "ID:SUBJECT", VERB_RUN | VERB_RESUME, true,
	  N_("Live with one finding that can be lived with; it is asked for again before the "
	     "power-off, and stands on the card and in the report."),
	  set_accept },
	{ "because", "TEXT", VERB_RUN | VERB_RESUME, true,
	  N_("Why the finding of the --accept before it is accepted."), set_because },
	{ "boot", NULL, VERB_VERIFY, false,
	  N_("Run only what can be judged while the machine starts, once no mount or device is "
	     "waited for any more; for the unit of the next boot."),
	  set_boot },
	{ "json", NULL, WITH_JSON, false, N_("Print one JSON document."), set_json },
	{ "format", "FORMAT", WITH_JSON, false, N_("Print text (the default) or json."),
	  set_format },
	{ "plain", NULL, VERB_ALL, false,
	  N_("One fact a line, without drawing or wrapping: for screen readers."), set_plain },
	{ "quiet", NULL, ON_HOST | VERB_LINT | LOOKING | VERB_COPIES, false,
	  N_("Print the closing sentence alone."), set_quiet },
	{ "no-color", NULL, VERB_ALL, false, N_("No colour; the variable NO_COLOR does it too."),
	  set_no_color },
	{ "facts", NULL, VERB_KINDS, false, N_("List the facts that a runbook's 'when' can ask."),
	  set_facts },
	{ "redact", NULL, VERB_CAPTURE, false,
	  N_("Give serials, WWNs, UUIDs, labels, addresses and the host itself other names, the "
	     "same everywhere."),
	  set_redact },
	{ "help", NULL, VERB_ALL, false, N_("Say how coldswap, or one verb, is used."), set_help },
	{ "version", NULL, VERB_ALL, false, N_("Print the version."), set_version },
};

const struct option_row *option_at(size_t index)
{
	return index < ELEMENTS(rows) ? &rows[index] : NULL;
}
