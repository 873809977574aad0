/* SPDX-License-Identifier: MIT */
/* What `coldswap copies` found, for its two writers; private to copies*.c. */
#ifndef COLDSWAP_CLI_COPIES_H
#define COLDSWAP_CLI_COPIES_H

#include "copy/copy.h"
#include "report.h"

struct copies_answer {
	const char *dir; /* as it was given */
	struct copy_verdict verdict;
	bool no_manifest; /* it could not be read: the one fault says why */
};
void copies_answer_done(struct copies_answer *answer);

int copies_text(const struct copies_answer *answer, const struct screen *screen, struct buf *ret,
		struct error *err);
int copies_json(const struct copies_answer *answer, int exit_code, struct buf *ret,
		struct error *err);

#endif
