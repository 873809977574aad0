/* SPDX-License-Identifier: MIT */
/* What run, resume and abort share: the host, the desk, and the last word. */
#ifndef COLDSWAP_CLI_SITTING_H
#define COLDSWAP_CLI_SITTING_H

#include "cli/console.h"
#include "cli/scene.h"
#include "exec/session.h"

struct sitting {
	struct scene scene;
	struct desk desk;
	struct session_args args;
	char *program; /* as a shell takes it */
	char *again;   /* the command that resumes */
};

/*
 * Each returns EXIT_SAFE, or says why not and returns the exit code to end
 * with.  First: is it root, and is all that is accepted to be accepted?
 */
int sitting_allowed(const struct call *call);
/* The running system, and a desk. */
int sitting_open(struct sitting *sitting, const struct call *call);
void sitting_done(struct sitting *sitting);
#define AUTO_SITTING CLEANUP(sitting_done) struct sitting

/* The last word: where the session stands and what goes on; `r` is what the call returned. */
int sitting_end(struct sitting *sitting, const struct call *call, int r, struct session_end *end,
		struct error *err);

/* All of a verb that takes up the open session: `act` is session_resume() or its brother. */
int sitting_with_open(struct call *call, int (*act)(const struct session_args *args,
						    struct session_end *ret, struct error *err));

#endif
