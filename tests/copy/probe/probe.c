/* SPDX-License-Identifier: MIT */
/*
 * copyprobe make DIR [-d] ROOT... | verify DIR | list PARENT
 *
 * One call of src/copy a command, for tests/copy/run.  -d: the roots after it
 * are databases.  COPYPROBE_LEFT_OUT names a path that is left out,
 * COPYPROBE_REJECT lets finish() refuse, COPYPROBE_PAUSE waits for a byte on
 * standard input at each phase.  "phase NAME" is said on standard
 * error when one begins, the outcome as KEY VALUE lines on standard output.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy/copy.h"
#include "sys/process.h"

static const char *const troubles[] = {
	[COPY_FINE] = "fine",         [COPY_SYSTEM] = "system",
	[COPY_INTRUDED] = "intruded", [COPY_CHANGED] = "changed",
	[COPY_UNPROVED] = "unproved", [COPY_UNREADABLE] = "unreadable",
	[COPY_MISMATCH] = "mismatch", [COPY_REJECTED] = "rejected",
};

struct seen {
	const char *phase;
	bool reject, pause;
};

static void progress(void *data, const struct copy_progress *now)
{
	struct seen *seen = data;

	if (seen->phase && strcmp(seen->phase, now->phase) == 0)
		return;
	seen->phase = now->phase;
	fprintf(stderr, "phase %s\n", now->phase);
	fflush(stderr);
	if (seen->pause)
		(void)getchar();
}

static int finish(void *data, const char *dir, struct copy_head *head, struct error *err)
{
	(void)dir;
	(void)head;
	if (((struct seen *)data)->reject)
		return error_set(err, -EBADMSG, "the test refuses it");
	return 0;
}

static void tell(const struct copy_outcome *outcome)
{
	size_t i;

	printf("trouble %s\n", troubles[outcome->trouble]);
	printf("path %s\n", outcome->path ? outcome->path : "");
	printf("what %s\n", outcome->what ? outcome->what : "");
	printf("aside %s\n", outcome->aside ? outcome->aside : "");
	printf("files %llu\n", (unsigned long long)outcome->files);
	printf("bytes %llu\n", (unsigned long long)outcome->bytes);
	printf("data %llu\n", (unsigned long long)outcome->data);
	printf("taken_over %llu\n", (unsigned long long)outcome->taken_over);
	printf("from_cache %llu\n", (unsigned long long)outcome->from_cache);
	printf("without_lease %llu\n", (unsigned long long)outcome->without_lease);
	printf("copy_us %llu\n", (unsigned long long)outcome->read_us);
	printf("verify_us %llu\n", (unsigned long long)outcome->verify_us);
	for (i = 0; outcome->told && outcome->told[i]; i++)
		printf("told %s\n", outcome->told[i]);
}

static int failed(const struct error *err)
{
	printf("error %s\n", error_text(err));
	printf("hint %s\n", err->hint ? err->hint : "");
	return 1;
}

static int make(struct host *host, const char *dir, char *const *args)
{
	struct seen seen = { .reject = getenv("COPYPROBE_REJECT"),
			     .pause = getenv("COPYPROBE_PAUSE") };
	const char *left_out[] = { getenv("COPYPROBE_LEFT_OUT"), NULL };
	struct copy_source_row source = { .given = strdup("test") };
	struct copy_head head = { .version = strdup("test"),
				  .host = strdup("test"),
				  .created = strdup("2026-12-01T00:00:00Z"),
				  .session = 7,
				  .sources = &source,
				  .n_sources = 1 };
	struct copy_root roots[64];
	struct copy_outcome outcome;
	struct error err = ERROR_INIT;
	struct copy_job job = { .host = host,
				.roots = roots,
				.left_out = left_out,
				.dir = dir,
				.head = &head,
				.cancelled = process_cancelled(),
				.data = &seen,
				.progress = progress,
				.finish = finish };
	bool database = false;
	int r;

	for (; *args && job.n_roots < 64; args++) {
		if (strcmp(*args, "-d") == 0)
			database = true;
		else
			roots[job.n_roots++] =
				(struct copy_root){ .path = *args, .database = database };
	}
	r = copy_make(&job, &outcome, &err);
	tell(&outcome);
	if (r < 0)
		failed(&err);
	r = r < 0 ? 1 : outcome.trouble == COPY_FINE ? 0 : 2;
	free(source.given);
	free(head.version);
	free(head.host);
	free(head.created);
	copy_outcome_done(&outcome);
	error_done(&err);
	return r;
}

static int verify(const char *dir)
{
	struct seen seen = { 0 };
	struct copy_verdict verdict;
	struct error err = ERROR_INIT;
	size_t i;

	if (copy_verify(dir, process_cancelled(), &seen, progress, &verdict, &err) < 0)
		return failed(&err);
	for (i = 0; i < verdict.n_faults; i++)
		printf("fault %s: %s\n", verdict.faults[i].path, verdict.faults[i].what);
	printf("files %llu\nbytes %llu\nfrom_cache %llu\n", (unsigned long long)verdict.files,
	       (unsigned long long)verdict.bytes, (unsigned long long)verdict.from_cache);
	i = verdict.n_faults;
	copy_verdict_done(&verdict);
	return i ? 2 : 0;
}

static int list(const char *parent)
{
	static const char *const states[] = { "whole", "partial", "superseded", "failed" };
	struct copy_found *found;
	struct error err = ERROR_INIT;
	size_t i, n;

	if (copies_in(parent, &found, &n, &err) < 0)
		return failed(&err);
	for (i = 0; i < n; i++)
		printf("%s %s %llu %lld\n", states[found[i].state], found[i].dir,
		       (unsigned long long)found[i].bytes, (long long)found[i].session);
	copies_free(found, n);
	return 0;
}

/* process_harden() reduces the environment: what is the test's is given back. */
static int keep_environment(void)
{
	static const char *const names[] = { "COPYPROBE_LEFT_OUT", "COPYPROBE_REJECT",
					     "COPYPROBE_PAUSE" };
	char *values[ELEMENTS(names)];
	struct error err = ERROR_INIT;
	size_t i;
	int r;

	for (i = 0; i < ELEMENTS(names); i++)
		values[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
	r = process_harden(&err);
	for (i = 0; i < ELEMENTS(names); i++) {
		if (values[i])
			setenv(names[i], values[i], 1);
		free(values[i]);
	}
	error_done(&err);
	return r;
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct host *host;
	int code;

	if (argc < 3)
		return 3;
	if (strcmp(argv[1], "verify") == 0)
		return process_harden(&err) < 0 ? 3 : verify(argv[2]);
	if (strcmp(argv[1], "list") == 0)
		return list(argv[2]);
	if (keep_environment() < 0 || host_open(NULL, &host, &err) < 0)
		return failed(&err);
	code = make(host, argv[2], argv + 3);
	host_free(host);
	return code;
}
