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

/* The kind before the slash, or NULL. */
static const struct kind *kind_of(const char *id)
{
	AUTO_FREE char *name = strndup(id, strcspn(id, "/"));

	return name && strchr(id, '/') ? kind_find(name) : NULL;
}

/* Every id; of those that end in the part after the slash, one is enough. */
static int list_findings(const char *id, char ***ret, char **ret_same_end)
{
	for (size_t i = 0; kind_at(i); i++) {
		const struct kind *kind = kind_at(i);

		for (const struct finding_row *row = kind->findings; row->id; row++) {
			char *full;

			if (asprintf(&full, "%s/%s", kind->name, row->id) < 0)
				return -ENOMEM;
			if (!*ret_same_end && strcmp(row->id, id) == 0)
				*ret_same_end = strdup(full);
			if (strv_take(ret, full) < 0)
				return -ENOMEM;
		}
	}
	return 0;
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
	const struct kind *kind = kind_of(id);
	AUTO_STRV char **ids = NULL;
	AUTO_FREE char *same_end = NULL;
	struct error err = ERROR_INIT;
	const char *near;

	if (kind)
		return no_finding_of(kind, strchr(id, '/') + 1);
	list_findings(id, &ids, &same_end);
	near = nearest_word(id, (const char *const *)ids, strv_length(ids));
	if (same_end)
		near = same_end;
	if (near)
		error_set(&err, -EINVAL, _("there is no finding '%s'; did you mean '%s'?"), id,
			  near);
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
