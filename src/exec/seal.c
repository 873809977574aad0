/* SPDX-License-Identifier: MIT */
#include "exec/seal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "capture/capture.h"
#include "exec/hearing.h"
#include "sys/treesum.h"

/* What a crash left of a session that never was. */
static int make_place(struct executor *executor, struct error *err)
{
	AUTO_FREE char *name = NULL;
	int64_t count = 0;
	int r = journal_count(executor->journal, &count, err);

	if (r)
		return r;
	executor->number = count + 1;
	if (asprintf(&name, "%lld", (long long)executor->number) < 0) {
		name = NULL;
		return error_oom(err);
	}
	r = statedir_clear(executor->dir, name, err);
	return r ? r
		 : statedir_session(executor->dir, (uint64_t)executor->number, &executor->place,
				    err);
}

static int write_down(struct facts *facts, const char *dir, struct error *err)
{
	CLEANUP(cleanup_capture) struct capture *capture = NULL;
	struct capture_written written = { 0 };
	int r = capture_collect(facts, &capture, err);

	return r ? r : capture_write(capture, dir, &written, NULL, err);
}

static int listen_to(const char *root, struct hearing *hearing, const char *dir,
		     const struct executor *executor, struct error *err)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	int r = host_open(root, &host, err);

	if (!r)
		r = facts_new(host, &facts, err);
	if (!r && dir)
		r = capture_begin(host, err);
	if (!r)
		r = hearing_run(facts, NULL, executor->args->cancelled, hearing, err);
	if (!r && dir)
		r = write_down(facts, dir, err);
	return r;
}

int seal_check(const char *path, const char *sha256, struct error *err)
{
	char now[65];
	int r;

	/* A session of a coldswap that kept no hash of it. */
	if (!sha256)
		return 0;
	r = treesum(path, now, err);
	if (r < 0 || strcmp(now, sha256) == 0)
		return r;
	error_set(err, -EUCLEAN,
		  _("%s is not what was recorded (SHA-256 of the tree was %.12s, is %.12s)"), path,
		  sha256, now);
	error_hint(err, "%s", _("put it back from a copy, if there is one"));
	return -EUCLEAN;
}

int seal_make(struct executor *executor, struct error *err)
{
	AUTO_FREE char *dir = NULL;
	AUTO_HEARING machine = { 0 };
	int r = make_place(executor, err);

	if (r)
		return r;
	if (asprintf(&dir, "%s/before", executor->place) < 0) {
		dir = NULL;
		return error_oom(err);
	}
	r = listen_to(NULL, &machine, dir, executor, err);
	if (r && r != -ECANCELED && r != -ENOMEM)
		error_wrap(err, "%s",
			   _("the machine as it is before the work cannot be recorded, and "
			     "without that no session begins"));
	return r;
}
