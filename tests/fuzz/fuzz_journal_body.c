/* SPDX-License-Identifier: MIT */
/*
 * Events of a session, one a line: "TYPE STEP BODY", STEP "-" for none.  They
 * follow on a good opening, if the first is none itself.  Either each fits, and
 * what they come to can be told, or the one that does not is named.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "exec/fold.h"
#include "fuzz.h"

#define ROW(id, kind, restores)                                                                    \
	"{\"id\":\"" id "\",\"kind\":\"" kind "\",\"title\":\"t\",\"text\":\"x\",\"after\":false," \
	"\"keep\":false,\"restores\":" restores ",\"state\":\"ready\",\"reason\":null,"            \
	"\"estimate_ms\":1,\"measured\":false}"

#define PLAN                                                                                       \
	ROW("check", "names.fstab", "null")                                                        \
	"," ROW("stop", "unit.stop", "null") "," ROW("off", "operator.confirm",                    \
						     "null") "," ROW("back", "unit.start", "1")

static const char opening[] =
	"opened - {\"runbook\":{\"name\":\"n\",\"file\":\"f\",\"sha256\":\"s\",\"text\":\"t\"},"
	"\"vars\":{},\"work\":[],\"host\":{},\"plan\":[" PLAN "],\"boundary\":2}";

#define MOST 64

static char *cut(char **rest, char at)
{
	char *word = *rest, *end = strchr(word, at);

	*rest = end ? end + 1 : word + strlen(word);
	if (end)
		*end = '\0';
	return word;
}

static void add(struct journal_events *events, char *line)
{
	struct journal_event *event = &events->items[events->n++];
	static char at[] = "2026-11-30T12:00:00.000000Z";

	*event = (struct journal_event){ .seq = (int64_t)events->n, .session = 1, .at = at };
	event->type = cut(&line, ' ');
	event->step = cut(&line, ' ');
	event->body = line;
	if (strcmp(event->step, "-") == 0)
		event->step = NULL;
}

static void told(const struct session_view *view)
{
	CLEANUP(report_done) struct report report = { 0 };
	AUTO_STRV char **changes = NULL;
	AUTO_FREE char *next = NULL;

	MUST(session_report(view, &report, NULL) == 0);
	MUST(report.n_steps == view->plan->n_steps);
	MUST(session_changes(view, &changes, NULL) == 0);
	MUST(session_next(view, "coldswap", NULL, &next, NULL) == 0);
	MUST(!next == (view->phase == SESSION_CLOSED));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *first = strdup(opening), *text = strndup((const char *)data, size);
	struct journal_event items[MOST + 1];
	struct journal_events events = { items, 0 };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	CLEANUP(session_view_done) struct session_view view = { 0 };
	char *rest = text;

	MUST(first && text);
	if (strncmp(text, "opened ", 7) != 0)
		add(&events, first);
	while (*rest && events.n < MOST)
		add(&events, cut(&rest, '\n'));
	if (fold_events(&events, &view, &err) == 0) {
		told(&view);
		return 0;
	}
	MUST(err.code == -EBADMSG && err.message);
	MUST(!events.n || err.hint);
	MUST(!view.plan);
	return 0;
}
