/* SPDX-License-Identifier: MIT */
/* A kind after the work, run on two captures: what is now, and what was before. */
#ifndef COLDSWAP_TESTS_PAIR_H
#define COLDSWAP_TESTS_PAIR_H

#include <stdarg.h>

#include "sata.h"
#include "step.h"

struct pair {
	struct tree now, before;
};

static inline void pair_done(struct pair *pair)
{
	tree_done(&pair->now);
	tree_done(&pair->before);
}
#define AUTO_PAIR CLEANUP(pair_done) struct pair

/* Identity of a machine and of its boot. */
static inline void pair_identity(const struct tree *tree, const char *machine, const char *boot)
{
	char text[256];

	snprintf(text, sizeof(text), "{\"name\": \"h\", \"machine_id\": %s, \"boot_id\": %s}\n",
		 machine, boot);
	tree_file(tree, "coldswap/host.json", text);
}

/* What the operator said of the cables; NULL: nobody asked. */
static const char *pair_end;

/* `request` NULL: no work was named.  `recorded` false: there is nothing before. */
static inline void pair_run(const struct pair *pair, const struct kind *kind, bool recorded,
			    struct work_request *request, struct result *ret)
{
	AUTO_MACHINE now = machine_open(&pair->now);
	AUTO_MACHINE before = machine_open(&pair->before);
	struct step step = { .id = "after", .host = now.host, .facts = now.facts };

	cr_assert_eq(machine_work(recorded ? &before : &now, request, request ? 1 : 0, NULL), 0);
	step.exchanged_end = pair_end;
	step.before = recorded ? before.facts : NULL;
	step.work = recorded ? before.work : now.work;
	result_init(ret, kind);
	cr_assert_eq(kind->run(&step, NULL, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
}

static inline const struct finding *pair_find(const struct result *result, const char *id,
					      const char *subject)
{
	const struct finding_row *row = kind_finding(result->kind, id);

	cr_assert(row, "no row %s", id);
	for (size_t i = 0; i < result->n_findings; i++) {
		const char *slash = strrchr(result->findings[i].id, '/');

		if (strcmp(slash + 1, id) == 0 &&
		    (!subject || strcmp(result->findings[i].subject, subject) == 0))
			return &result->findings[i];
	}
	return NULL;
}

/* The verdict of a finding; -1: it was not found. */
static inline int pair_verdict(const struct result *result, const char *id, const char *subject)
{
	const struct finding *finding = pair_find(result, id, subject);

	return finding ? (int)finding->verdict : -1;
}

#endif
