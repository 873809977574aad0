/* SPDX-License-Identifier: MIT */
#include "copy/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intl.h"
#include "base/strv.h"
#include "copy/make.h"
#include "copy/place.h"
#include "copy/sweep.h"
#include "sys/clock.h"
#include "sys/io.h"

struct copying {
	const struct copy_job *job;
	struct run run;
	struct copy_place place;
	struct leases *leases[COPY_WORKERS + COPY_LARGE_WORKERS];
	struct manifest_writer *writer;
	struct copy_outcome *outcome;
};

void copy_outcome_done(struct copy_outcome *outcome)
{
	free(outcome->path);
	free(outcome->what);
	free(outcome->aside);
	strv_free(outcome->told);
	memset(outcome, 0, sizeof(*outcome));
}

/* Each worker has a set of its own: they take and drop leases at the same time. */
static int open_leases(struct copying *copying)
{
	size_t i;
	int r = run_hold(&copying->run, copying->job->roots, copying->job->n_roots);

	for (i = 0; r == 0 && i < ELEMENTS(copying->leases); i++) {
		struct error err = ERROR_INIT;

		r = leases_open(copying->job->host, &copying->leases[i], &err);
		error_done(&err);
		if (r < 0)
			r = run_system(&copying->run, r, NULL, "cannot take leases");
	}
	return r;
}

static int walk(void *of)
{
	return make_walk(of);
}

static int first_pass(struct copying *copying)
{
	struct run *run = &copying->run;
	struct make make = { .run = run,
			     .job = copying->job,
			     .dir = copying->place.dir,
			     .data = copying->place.data };
	struct phase phase = { .name = _("copying"),
			       .total = copying->job->total,
			       .data = copying->job->data,
			       .progress = copying->job->progress };
	struct error err = ERROR_INIT;
	int r;

	memcpy(make.leases, copying->leases, sizeof(make.leases));
	if (fstat(make.dir, &make.dir_stat) < 0)
		return run_system(run, -errno, copying->place.partial, "cannot look at");
	r = manifest_create(make.dir, copying->job->head, &copying->writer, &err);
	if (r < 0)
		r = run_system(run, r, copying->place.partial, "cannot make the manifest in");
	else if (order_new(run, copying->writer, &make.order) < 0)
		r = run_system(run, -ENOMEM, NULL, "cannot copy");
	error_done(&err);
	if (r == 0)
		r = run_phase(run, &phase, walk, &make);
	order_free(make.order);
	return r;
}

static int mismatch(void *data, const char *path, const char *what)
{
	return run_trouble(data, COPY_MISMATCH, path, "%s", what);
}

static int sweep(void *of)
{
	return sweep_run(of);
}

/* Along the manifest as far as it is written: all entries, not yet its end. */
static int pass_along(struct copying *copying, const struct sweep *kind, const char *name,
		      uint64_t total)
{
	CLEANUP(cleanup_manifest_reader) struct manifest_reader *reader = NULL;
	struct run *run = &copying->run;
	struct sweep with = *kind;
	struct phase phase = { .name = name,
			       .total = total,
			       .data = copying->job->data,
			       .progress = copying->job->progress };
	struct error err = ERROR_INIT;
	struct copy_head head;
	int r = manifest_flush(copying->writer, &err);

	if (r == 0)
		r = manifest_open_unfinished(copying->place.dir, &reader, &head, &err);
	error_done(&err);
	if (r < 0)
		return run_system(run, r, copying->place.partial, "cannot read the manifest in");
	with.run = run;
	with.dir = copying->place.dir;
	with.data = copying->place.data;
	with.reader = reader;
	with.head = &head;
	with.left_out = copying->job->left_out;
	with.leases = copying->leases;
	with.fault = mismatch;
	with.data_of_fault = run;
	r = run_phase(run, &phase, sweep, &with);
	copy_head_done(&head);
	return r;
}

static int read_back(struct copying *copying)
{
	struct sweep with = { .copy = true, .source_hash = true, .sync = true };

	return pass_along(copying, &with, _("reading back"), 2 * atomic_load(&copying->run.bytes));
}

static int look_again(struct copying *copying)
{
	struct sweep with = { .source_stat = true };
	int r = pass_along(copying, &with, _("looking at the sources again"), 0);

	return r < 0 ? r : run_check_held(&copying->run);
}

static bool all_passed(const struct copy_head *head)
{
	size_t i;

	for (i = 0; i < head->n_checks; i++)
		if (!head->checks[i].passed)
			return false;
	return true;
}

static int finish(struct copying *copying)
{
	const struct copy_job *job = copying->job;
	struct run *run = &copying->run;
	struct error err = ERROR_INIT;
	int r;

	job->head->files = atomic_load(&run->files);
	job->head->bytes = atomic_load(&run->bytes);
	r = job->finish ? job->finish(job->data, copying->place.partial, job->head, &err) : 0;
	if (r == -EBADMSG || (r == 0 && !all_passed(job->head)))
		r = run_trouble(run, COPY_REJECTED, copying->place.partial, "%s",
				err.message ? err.message : _("a check of the copy failed"));
	else if (r < 0 && !atomic_exchange(&run->stopped, true)) {
		run->trouble = COPY_SYSTEM;
		run->code = r;
		error_copy(&run->err, &err);
	}
	error_done(&err);
	return r;
}

static int seal(struct copying *copying)
{
	struct error err = ERROR_INIT;
	struct run *run = &copying->run;
	int r;

	copying->job->head->complete = true;
	r = manifest_finish(copying->writer, copying->job->head, &err);
	error_done(&err);
	if (r < 0) {
		atomic_store(&run->untrusted, true);
		return run_system(run, r, copying->place.partial, "cannot finish the manifest in");
	}
	r = place_commit(&copying->place);
	if (r < 0) {
		atomic_store(&run->untrusted, true);
		return run_system(run, r, copying->job->dir, "cannot give the copy its name");
	}
	return 0;
}

static int all_passes(struct copying *copying)
{
	uint64_t start = clock_monotonic_us(), copied, verified;
	int r = open_leases(copying);

	r = r < 0 ? r : first_pass(copying);
	copied = clock_monotonic_us();
	copying->outcome->read_us = copied - start;
	r = r < 0 ? r : read_back(copying);
	verified = clock_monotonic_us();
	copying->outcome->verify_us = verified - copied;
	r = r < 0 ? r : finish(copying);
	r = r < 0 ? r : look_again(copying);
	return r < 0 ? r : seal(copying);
}

static void tell(struct run *run, struct copy_outcome *ret)
{
	ret->trouble = run->trouble;
	ret->path = TAKE(run->path);
	ret->what = TAKE(run->what);
	ret->files = atomic_load(&run->files);
	ret->bytes = atomic_load(&run->bytes);
	ret->data = atomic_load(&run->data);
	ret->taken_over = atomic_load(&run->taken_over);
	ret->from_cache = atomic_load(&run->from_cache);
	ret->without_lease = atomic_load(&run->without_lease);
	ret->told = TAKE(run->told);
}

static int end(struct copying *copying, int r, struct error *err)
{
	struct run *run = &copying->run;
	size_t i;

	manifest_writer_free(copying->writer);
	for (i = 0; i < ELEMENTS(copying->leases); i++)
		leases_free(copying->leases[i]);
	tell(run, copying->outcome);
	/* What a disk lost once is not built on. */
	if (atomic_load(&run->untrusted) || run->trouble == COPY_MISMATCH)
		place_discard(&copying->place);
	if (run->trouble == COPY_REJECTED)
		copying->outcome->aside = place_set_aside(&copying->place);
	if (run->trouble == COPY_SYSTEM && run->code) {
		r = run->code;
		error_copy(err, &run->err);
	} else if (run->trouble != COPY_FINE) {
		r = 0;
	} else if (r < 0) {
		r = error_set(err, -ECANCELED, "the copy was stopped");
		error_hint(err, _("run the step again: what is verified in %s is not copied twice"),
			   copying->place.partial);
	}
	place_done(&copying->place);
	run_done(run);
	return r;
}

int copy_make(const struct copy_job *job, struct copy_outcome *ret, struct error *err)
{
	struct copying copying = { .job = job, .outcome = ret };
	int r;

	memset(ret, 0, sizeof(*ret));
	r = run_init(&copying.run, job->host, job->cancelled);
	if (r < 0)
		return error_oom(err);
	r = place_open(&copying.place, job->dir, err);
	if (r < 0) {
		ret->trouble = COPY_SYSTEM;
		place_done(&copying.place);
		run_done(&copying.run);
		return r;
	}
	r = all_passes(&copying);
	return end(&copying, r, err);
}
