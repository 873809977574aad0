/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "copy/copy.h"
#include "copy/sweep.h"
#include "sys/io.h"

#define FAULTS_MAX 100

void copy_verdict_done(struct copy_verdict *verdict)
{
	size_t i;

	for (i = 0; i < verdict->n_faults; i++) {
		free(verdict->faults[i].path);
		free(verdict->faults[i].what);
	}
	free(verdict->faults);
	copy_head_done(&verdict->head);
	memset(verdict, 0, sizeof(*verdict));
}

static int keep(void *data, const char *path, const char *what)
{
	struct copy_verdict *verdict = data;
	struct copy_fault *fault;

	if (verdict->n_faults == FAULTS_MAX) {
		verdict->more++;
		return 0;
	}
	fault = &verdict->faults[verdict->n_faults];
	fault->path = strdup(path);
	fault->what = strdup(what);
	if (fault->path && fault->what) {
		verdict->n_faults++;
		return 0;
	}
	free(fault->path);
	free(fault->what);
	verdict->more++;
	return 0;
}

static int sweep(void *of)
{
	return sweep_run(of);
}

static int cannot(const char *dir, int code, struct error *err)
{
	error_set(err, code, "cannot open the copy %s: %s", dir, strerror(-code));
	error_hint(err, "%s",
		   code == -ENOENT ? _("check the name: there is no such directory")
				   : _("run as root, and name the directory itself"));
	return code;
}

/* Files and bytes of the copy: its manifest counts them. */
static int verify(const char *dir, int fd, struct run *run, const struct phase *phase,
		  struct copy_verdict *ret, struct error *err)
{
	CLEANUP(cleanup_manifest_reader) struct manifest_reader *reader = NULL;
	AUTO_FD data = copyfs_open_dir(fd, COPY_DATA);
	struct sweep with = { .run = run,
			      .dir = fd,
			      .data = data,
			      .head = &ret->head,
			      .copy = true,
			      .fault = keep,
			      .data_of_fault = ret };
	int r = manifest_open(fd, &reader, &ret->head, err);

	if (r < 0)
		return r;
	if (data < 0)
		return cannot(dir, data, err);
	with.reader = reader;
	r = run_phase(run, phase, sweep, &with);
	/* A file that cannot be read back is a fault like others, but the last one that is found. */
	if (run->trouble == COPY_MISMATCH)
		return keep(ret, run->path ? run->path : dir, run->what ? run->what : "");
	if (run->trouble == COPY_SYSTEM)
		return error_copy(err, &run->err);
	return r < 0 ? error_set(err, -ECANCELED, "the verification was stopped") : 0;
}

int copy_verify(const char *dir, const volatile sig_atomic_t *cancelled, void *data,
		void (*progress)(void *data, const struct copy_progress *progress),
		struct copy_verdict *ret, struct error *err)
{
	struct phase phase = { .name = _("reading back"), .data = data, .progress = progress };
	AUTO_FD fd = copyfs_open_path(dir);
	struct run run;
	int r;

	memset(ret, 0, sizeof(*ret));
	if (fd < 0)
		return cannot(dir, fd, err);
	r = run_init(&run, NULL, cancelled);
	ret->faults = calloc(FAULTS_MAX, sizeof(*ret->faults));
	if (r < 0 || !ret->faults)
		return error_oom(err);
	r = verify(dir, fd, &run, &phase, ret, err);
	ret->files = ret->head.files;
	ret->bytes = ret->head.bytes;
	ret->from_cache = atomic_load(&run.from_cache);
	run_done(&run);
	if (r < 0)
		copy_verdict_done(ret);
	return r;
}
