/* SPDX-License-Identifier: MIT */
/*
 * events STATE: append to the open session what the lines of the standard
 * input say: "TYPE STEP BODY", with "-" for no step.  A session gets as far as
 * a test wants it without the machine going through it.
 */
#include <stdio.h>
#include <string.h>

#include "journal.h"

static int fail(const struct error *err)
{
	fprintf(stderr, "events: %s\n", error_text(err));
	return 1;
}

int main(int argc, char **argv)
{
	CLEANUP(cleanup_journal) struct journal *journal = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char line[4096], type[64], step[64];
	int64_t session;
	int at;

	if (argc != 2 || journal_open(argv[1], JOURNAL_WRITE, &journal, &err) < 0 ||
	    journal_current(journal, &session, &err) < 0)
		return fail(&err);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%63s %63s %n", type, step, &at) != 2)
			return fail(&err);
		if (journal_append(journal, session, type, strcmp(step, "-") == 0 ? NULL : step,
				   line + at, &err) < 0)
			return fail(&err);
	}
	return 0;
}
