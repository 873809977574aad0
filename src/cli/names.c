/* SPDX-License-Identifier: MIT */
#include "cli/names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "cli/scene.h"
#include "runbook.h"

int names_no_kind(const char *name)
{
	AUTO_STRV char **names = NULL;
	AUTO_BUF words = BUF_INIT;
	struct error err = ERROR_INIT;

	for (size_t i = 0; kind_at(i); i++)
		if (strv_add(&names, kind_at(i)->name) < 0)
			break;
	suggest(name, (const char *const *)names, strv_length(names), &words);
	error_set(&err, -EINVAL, _("there is no kind '%s'%s"), name, buf_text(&words));
	error_hint(&err, "%s", _("See: coldswap kinds"));
	return scene_give_up(&err);
}

/* What stands before the slash; NULL when there is no slash. */
static char *kind_part(const char *id)
{
	return strchr(id, '/') ? strndup(id, strcspn(id, "/")) : NULL;
}

static const struct kind *kind_of(const char *id)
{
	AUTO_FREE char *name = kind_part(id);

	return name ? kind_find(name) : NULL;
}

/* A word that is the end of an id: the whole id of the first such finding. */
static char *whole_id(const char *end)
{
	char *id = NULL;

	for (size_t i = 0; kind_at(i); i++)
		if (kind_finding(kind_at(i), end) &&
		    asprintf(&id, "%s/%s", kind_at(i)->name, end) >= 0)
			return id;
	return NULL;
}

/* The kind is right: its own findings are all there is to choose from. */
static int no_finding_of(const struct kind *kind, const char *id)
{
	const char *ids[128];
	AUTO_BUF words = BUF_INIT;
	struct error err = ERROR_INIT;
	size_t n = 0;

	for (; kind->findings[n].id && n < ELEMENTS(ids); n++)
		ids[n] = kind->findings[n].id;
	suggest(id, ids, n, &words);
	error_set(&err, -EINVAL, _("%s has no finding '%s'%s"), kind->name, id, buf_text(&words));
	return scene_give_up(&err);
}

int names_no_finding(const char *id)
{
	AUTO_FREE char *part = kind_part(id), *whole = whole_id(id);
	const struct kind *kind = kind_of(id);
	struct error err = ERROR_INIT;

	if (kind)
		return no_finding_of(kind, strchr(id, '/') + 1);
	if (part)
		return names_no_kind(part);
	if (whole)
		error_set(&err, -EINVAL, _("there is no finding '%s'; did you mean '%s'?"), id,
			  whole);
	else
		error_set(&err, -EINVAL, _("there is no finding '%s'"), id);
	error_hint(&err, "%s", _("'coldswap kinds KIND' lists the findings of a kind."));
	return scene_give_up(&err);
}

const struct finding_row *names_finding(const char *id, const struct kind **ret_kind)
{
	const struct kind *kind = kind_of(id);

	if (!kind)
		return NULL;
	*ret_kind = kind;
	return kind_finding(kind, id);
}
