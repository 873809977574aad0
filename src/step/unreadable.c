/* SPDX-License-Identifier: MIT */
#include "step/unreadable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"

#define MAX_CITED 8

static void cite(struct result *result, struct finding *finding, const char *note)
{
	const char *colon = strstr(note, ": ");
	AUTO_FREE char *path = strndup(note, colon ? (size_t)(colon - note) : strlen(note));

	if (!path)
		result->failed = -ENOMEM;
	else
		result_evidence(result, finding, path, colon ? colon + 2 : NULL, NULL, NULL);
}

void unreadable_cite(struct result *result, struct finding *finding, const struct host *host,
		     char *const *notes)
{
	result_remedy(result, finding, "%s",
		      host_is_live(host) ? _("Run coldswap as root.")
					 : _("Make the capture again as root."));
	for (size_t i = 0; i < MAX_CITED && notes && notes[i]; i++)
		cite(result, finding, notes[i]);
}
