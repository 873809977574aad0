/* SPDX-License-Identifier: MIT */
/* What every kind must declare, whichever there are. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "runbook.h"

/* "systemd says ..." is one too: the first letter proves nothing. */
static bool is_sentence(const char *text)
{
	size_t len = strlen(text);

	return len > 1 && text[len - 1] == '.';
}

static void check_params(const struct kind *kind)
{
	for (const struct param_row *row = kind->params; row && row->name; row++) {
		cr_expect(row->help && is_sentence(row->help), "%s %s: help", kind->name,
			  row->name);
		cr_expect(row->offset < kind->params_size, "%s %s: offset", kind->name, row->name);
		cr_expect(!row->required || !row->fallback, "%s %s: required with a default",
			  kind->name, row->name);
		cr_expect(!row->fallback ||
				  !param_check(param_item_type(row->type), row->fallback, NULL),
			  "%s %s: its own default is refused", kind->name, row->name);
	}
}

static void check_findings(const struct kind *kind)
{
	for (const struct finding_row *row = kind->findings; row && row->id; row++) {
		cr_expect(strspn(row->id, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
				  strlen(row->id),
			  "%s/%s", kind->name, row->id);
		cr_expect(kind_finding(kind, row->id) == row, "%s/%s is given twice", kind->name,
			  row->id);
		cr_expect(row->title && row->means && is_sentence(row->means), "%s/%s: means",
			  kind->name, row->id);
		cr_expect(!row->harm == !row->mend, "%s/%s: harm and mend go together", kind->name,
			  row->id);
		cr_expect(!row->harm || (is_sentence(row->harm) && is_sentence(row->mend)),
			  "%s/%s: harm and mend are sentences", kind->name, row->id);
	}
}

Test(kinds, every_kind_is_whole)
{
	const struct kind *kind;
	size_t n = 0;

	for (; (kind = kind_at(n)); n++) {
		cr_expect(kind_find(kind->name) == kind, "%s is given twice", kind->name);
		cr_expect(kind->title && kind->help && is_sentence(kind->help), "%s: help",
			  kind->name);
		cr_expect_eq(kind->deadline_s == 0, kind->class == KIND_GATE, "%s: deadline",
			     kind->name);
		cr_expect(kind->describe && kind->run, "%s: callbacks", kind->name);
		/* A restore finds what the undo of its step finds. */
		cr_expect(kind->findings && (kind->findings->id || (kind->flags & KIND_RESTORE)),
			  "%s: findings", kind->name);
		check_params(kind);
		check_findings(kind);
	}
	cr_expect_gt(n, 0);
	cr_expect_null(kind_at(n));
	cr_expect_null(kind_at((size_t)-1));
}

Test(kinds, a_kind_is_found_by_its_whole_name)
{
	cr_expect_null(kind_find("net"));
	cr_expect_null(kind_find("net.link2"));
	cr_expect_not_null(kind_find("net.link"));
}

Test(kinds, a_finding_is_found_with_or_without_its_kind)
{
	const struct kind *kind = kind_find("net.link");
	char id[128];

	snprintf(id, sizeof(id), "%s/%s", kind->name, kind->findings->id);
	cr_expect(kind_finding(kind, id) == kind->findings);
	cr_expect(kind_finding(kind, kind->findings->id) == kind->findings);
	cr_expect_null(kind_finding(kind, "invented"));
}
