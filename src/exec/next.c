/* SPDX-License-Identifier: MIT */
/* The command that goes on. */
#include <string.h>

#include "base/shell.h"
#include "exec/session.h"
#include "sys/statedir.h"

int session_command(const char *program, const char *verb, const char *state, char **ret,
		    struct error *err)
{
	/* Whoever types it may stand in another directory. */
	AUTO_FREE char *absolute = state ? realpath(state, NULL) : NULL;
	AUTO_BUF text = BUF_INIT;

	if (absolute)
		state = absolute;
	(void)buf_addf(&text, "%s %s", program && *program ? program : "coldswap", verb);
	if (state && strcmp(state, STATEDIR_DEFAULT) != 0) {
		(void)buf_adds(&text, " --state ");
		(void)shell_word(state, &text);
	}
	*ret = buf_take(&text);
	return *ret ? 0 : error_oom(err);
}

int session_next(const struct session_view *view, const char *program, const char *state,
		 char **ret, struct error *err)
{
	*ret = NULL;
	if (view->phase == SESSION_CLOSED)
		return 0;
	return session_command(program, "resume", state, ret, err);
}
