/* SPDX-License-Identifier: MIT */
/*
 * The journal's own calls, for tests/journal/run:
 *
 *	write STATE MARK [N]  open; begin a session if none is open; N times an event and an
 *	                      original, with MARK in their bodies
 *	open STATE            open to write, and close
 *	read STATE            open to look; check the chain; each event on a line; "none"
 *
 * "ack WHAT" follows each call that succeeded.  A failure is "error ERRNO TEXT", and
 * "hint TEXT"; then the exit code is 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "journal.h"

static int fail(const struct error *err)
{
	printf("error %s %s\n", strerrorname_np(-err->code), error_text(err));
	if (err->hint)
		printf("hint %s\n", err->hint);
	return 1;
}

static void ack(const char *mark, int i, const char *what)
{
	printf("ack %s-%d-%s\n", mark, i, what);
	fflush(stdout);
}

static int write_pair(struct journal *journal, int64_t session, const char *mark, int i,
		      struct error *err)
{
	char body[128], key[128];
	int r;

	snprintf(body, sizeof(body), "{\"mark\":\"%s-%d-event\"}", mark, i);
	if ((r = journal_append(journal, session, "intent", "step", body, err)) < 0)
		return r;
	ack(mark, i, "event");
	snprintf(key, sizeof(key), "%s-%d-original", mark, i);
	if ((r = journal_save_original(journal, session, "step", key, "active", err)) < 0)
		return r;
	ack(mark, i, "original");
	return 0;
}

static int do_write(const char *state, const char *mark, int n, struct error *err)
{
	CLEANUP(cleanup_journal) struct journal *journal = NULL;
	int64_t session = 0;
	char body[128];
	int r;

	if ((r = journal_open(state, JOURNAL_WRITE, &journal, err)) < 0 ||
	    (r = journal_current(journal, &session, err)) < 0)
		return r;
	if (!session) {
		snprintf(body, sizeof(body), "{\"mark\":\"%s-0-begin\"}", mark);
		if ((r = journal_begin(journal, body, &session, err)) < 0)
			return r;
		ack(mark, 0, "begin");
	}
	for (int i = 1; i <= n; i++)
		if ((r = write_pair(journal, session, mark, i, err)) < 0)
			return r;
	return 0;
}

static int do_open(const char *state, struct error *err)
{
	CLEANUP(cleanup_journal) struct journal *journal = NULL;

	return journal_open(state, JOURNAL_WRITE, &journal, err);
}

static int do_read(const char *state, struct error *err)
{
	CLEANUP(cleanup_journal) struct journal *journal = NULL;
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	int r = journal_open(state, JOURNAL_LOOK, &journal, err);

	if (r == -ENOENT) {
		puts("none");
		return 0;
	}
	if (r < 0 || (r = journal_check(journal, NULL, err)) < 0 ||
	    (r = journal_read(journal, 0, &events, err)) < 0)
		return r;
	for (size_t i = 0; i < events.n; i++)
		printf("%" PRId64 " %s %.*s\n", events.items[i].seq, events.items[i].type,
		       (int)strcspn(events.items[i].body, "\n"), events.items[i].body);
	return 0;
}

int main(int argc, char **argv)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	int r = -EINVAL;

	if (argc >= 4 && strcmp(argv[1], "write") == 0)
		r = do_write(argv[2], argv[3], argc > 4 ? atoi(argv[4]) : 1, &err);
	else if (argc == 3 && strcmp(argv[1], "open") == 0)
		r = do_open(argv[2], &err);
	else if (argc == 3 && strcmp(argv[1], "read") == 0)
		r = do_read(argv[2], &err);
	else
		error_set(&err, r, "usage: write STATE MARK [N] | open STATE | read STATE");
	return r < 0 ? fail(&err) : 0;
}
