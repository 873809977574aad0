/* SPDX-License-Identifier: MIT */
#include "cli/accept.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "cli/names.h"
#include "cli/scene.h"
#include "step.h"

static struct acceptance *last_of(const struct options *options)
{
	return options->n_accepted ? &options->accepted[options->n_accepted - 1] : NULL;
}

static int no_reason(const struct acceptance *acceptance, struct error *err)
{
	return error_set(err, -EINVAL,
			 _("--accept %s:%s has no reason: write --because TEXT after it"),
			 acceptance->finding, acceptance->subject);
}

int accept_add(struct options *options, const char *value, struct error *err)
{
	const char *colon = strchr(value, ':');
	struct acceptance *grown;
	int r;

	if (!colon || colon == value || !colon[1])
		return error_set(err, -EINVAL,
				 _("--accept takes ID:SUBJECT as a finding shows them, such as "
				   "'disk.smart/reallocated:sdc', not '%s'"),
				 value);
	if (strchr(value, '*') == colon + 1 && !colon[2])
		return error_set(
			err, -EINVAL, "%s",
			_("--accept takes one finding, and '*' is none: name its subject"));
	r = accept_paired(options, err);
	if (r < 0)
		return r;
	grown = reallocarray(options->accepted, options->n_accepted + 1, sizeof(*grown));
	if (!grown)
		return error_oom(err);
	options->accepted = grown;
	grown += options->n_accepted++;
	*grown = (struct acceptance){ .finding = strndup(value, (size_t)(colon - value)),
				      .subject = strdup(colon + 1) };
	return grown->finding && grown->subject ? 0 : error_oom(err);
}

int accept_because(struct options *options, const char *text, struct error *err)
{
	struct acceptance *last = last_of(options);

	if (!last || last->because)
		return error_set(err, -EINVAL, "%s",
				 _("--because says why a finding is accepted: write "
				   "--accept ID:SUBJECT before it"));
	if (!text[strspn(text, " \t")])
		return no_reason(last, err);
	last->because = strdup(text);
	return last->because ? 0 : error_oom(err);
}

int accept_paired(const struct options *options, struct error *err)
{
	const struct acceptance *last = last_of(options);

	return last && !last->because ? no_reason(last, err) : 0;
}

void accept_done(struct options *options)
{
	for (size_t i = 0; i < options->n_accepted; i++) {
		free(options->accepted[i].finding);
		free(options->accepted[i].subject);
		free(options->accepted[i].because);
	}
	free(options->accepted);
}

static int refuse(const char *id, const struct finding_row *row)
{
	struct error err = ERROR_INIT;

	if (row->harm)
		error_set(&err, -EINVAL, _("'%s' cannot be accepted: %s"), id, _(row->harm));
	else
		error_set(&err, -EINVAL, _("'%s' cannot be accepted: it is good news"), id);
	if (row->mend)
		error_hint(&err, "%s", _(row->mend));
	else
		error_hint(&err, "%s", _("Leave it out."));
	return scene_give_up(&err);
}

int accept_check(const struct options *options)
{
	for (size_t i = 0; i < options->n_accepted; i++) {
		const char *id = options->accepted[i].finding;
		const struct kind *kind;
		const struct finding_row *row = names_finding(id, &kind);

		if (!row)
			return names_no_finding(id);
		if (!row->acceptable)
			return refuse(id, row);
	}
	return EXIT_SAFE;
}
