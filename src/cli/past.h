/* SPDX-License-Identifier: MIT */
/* A session as its journal tells it; nothing is changed by looking. */
#ifndef COLDSWAP_CLI_PAST_H
#define COLDSWAP_CLI_PAST_H

#include "cli/cli.h"
#include "exec/session.h"

struct past_copies; /* past_copies.c: the copies that are left, and where they were looked for */

struct past {
	struct host *host;
	struct journal *journal;
	struct session_view view;
	struct report report;
	struct report_session session;
	const char *state; /* borrowed from the call */
	char *next, *running, *broken;
	char **changes;
	struct past_copies *copies;
	bool found; /* the view is filled */
};
#define PAST_INIT                                                                                  \
	{                                                                                          \
		0                                                                                  \
	}

/*
 * `number` 0: the open session, else the last one.  -ENOENT: there is none;
 * `past` is then as it was, and past_json() says so.
 */
int past_open(struct past *past, const struct call *call, int64_t number, struct error *err);
/* The journal alone.  -ENOENT: there never was a session. */
int past_journal(struct past *past, const struct call *call, struct error *err);
/*
 * Compute the chain anew.  One that does not fit is told within what is shown,
 * which may still be read; past_whole() is for what would act on it: -EUCLEAN.
 */
int past_check(struct past *past, struct error *err);
int past_whole(struct past *past, struct error *err);
/* The copies that sessions left on this machine; the world is asked, not the journal. */
int past_copies(struct past *past, struct error *err);
void past_copies_free(struct past_copies *copies);
int past_json(struct past *past, struct buf *ret, struct error *err);
void past_done(struct past *past);
#define AUTO_PAST CLEANUP(past_done) struct past

/* The state directory of this call. */
const char *past_state(const struct call *call);

/* What a view says of its session, for a list; borrows from it. */
struct report_session past_summary(const struct session_view *view);

#endif
