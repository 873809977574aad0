/* SPDX-License-Identifier: MIT */
/*
 * test.copy, a kind of the crash test's own program and of no other: a file is
 * copied in chunks into the step's scratch directory, synced, and renamed.
 *
 * It stands for what takes long, writes much, and must be whole or not there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "step.h"
#include "sys/io.h"

#define CHUNK ((size_t)256 << 10)
#define FILE_MAX ((size_t)64 << 20)

extern const struct kind kind_test_copy;

struct copy_params {
	char *from, *to;
	uint64_t pause; /* microseconds after each chunk: time to kill in */
};

static const struct param_row params[] = {
	{ .name = "from",
	  .type = PARAM_PATH,
	  .required = true,
	  .offset = PARAM_OFFSET(copy_params, from),
	  .help = "The file to copy." },
	{ .name = "to",
	  .type = PARAM_PATH,
	  .required = true,
	  .offset = PARAM_OFFSET(copy_params, to),
	  .help = "Its copy." },
	{ .name = "pause",
	  .type = PARAM_DURATION,
	  .fallback = "0s",
	  .offset = PARAM_OFFSET(copy_params, pause),
	  .help = "How long to wait after each chunk." },
	{ 0 },
};

static const struct output_row outputs[] = { { 0 } };

static const struct finding_row findings[] = {
	{ .id = "differs",
	  .title = "no whole copy",
	  .means = "The copy is not there, or its SHA-256 is not that of the file.",
	  .harm = "It cannot stand for the file.",
	  .mend = "Copy it again." },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct copy_params *p = data;

	return buf_addf(ret, "copy %s to %s", p->from, p->to);
}

static int describe_undo(const void *data, struct buf *ret)
{
	const struct copy_params *p = data;

	return buf_addf(ret, "remove %s", p->to);
}

static int failed(struct error *err, const char *what, const char *path)
{
	return error_set(err, -errno, "cannot %s %s: %s", what, path, strerror(errno));
}

static int write_chunk(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

static int copy_all(const struct step *step, const struct copy_params *p, int in, int out,
		    struct error *err)
{
	static char bytes[CHUNK];
	struct progress progress = { .what = p->to, .bytes = true };
	const struct timespec pause = { .tv_sec = (time_t)(p->pause / 1000000),
					.tv_nsec = (long)(p->pause % 1000000) * 1000 };
	struct stat st;
	ssize_t n;

	if (fstat(in, &st) < 0)
		return failed(err, "stat", p->from);
	progress.total = (uint64_t)st.st_size;
	while ((n = read(in, bytes, sizeof(bytes))) > 0) {
		if (*step->cancelled)
			return error_set(err, -ECANCELED, "stopped");
		if (write_chunk(out, bytes, (size_t)n) < 0)
			return failed(err, "write", p->to);
		progress.done += (uint64_t)n;
		step_progress(step, &progress);
		if (p->pause)
			nanosleep(&pause, NULL);
	}
	return n < 0 ? failed(err, "read", p->from) : 0;
}

/* A directory's names are on the disk only after this. */
static int sync_parent(const char *path, struct error *err)
{
	char dir[PATH_MAX];
	AUTO_FD fd = -1;

	snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 ? failed(err, "sync", dir) : 0;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	const struct copy_params *p = data;
	AUTO_FD in = -1;
	AUTO_FD out = -1;
	const char *scratch;
	char part[PATH_MAX];
	int r = step_may_change(step, err);

	if (!r)
		r = step_save_original(step, "to", "absent", err);
	if (!r)
		r = step_scratch_dir(step, &scratch, err);
	if (r)
		return r;
	snprintf(part, sizeof(part), "%s/part", scratch);
	in = open(p->from, O_RDONLY | O_CLOEXEC);
	out = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (in < 0 || out < 0)
		return failed(err, "open", in < 0 ? p->from : part);
	r = copy_all(step, p, in, out, err);
	if (r)
		return r;
	if (fsync(out) < 0)
		return failed(err, "sync", part);
	if (rename(part, p->to) < 0)
		return failed(err, "rename", part);
	r = sync_parent(p->to, err);
	if (!r)
		ret->verdict = VERDICT_PASS;
	return r;
}

static int undo(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	const struct copy_params *p = data;
	int r = step_may_change(step, err);

	if (r)
		return r;
	if (unlink(p->to) < 0 && errno != ENOENT)
		return failed(err, "remove", p->to);
	ret->verdict = VERDICT_PASS;
	return sync_parent(p->to, err);
}

/* "" where there is no such file. */
static int digest_of(const char *path, char ret[65], struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
	int r;

	*ret = '\0';
	if (fd < 0)
		return errno == ENOENT ? 0 : failed(err, "open", path);
	r = io_read_all(fd, FILE_MAX, &text);
	if (r < 0)
		return error_set(err, r, "cannot read %s: %s", path, strerror(-r));
	return sha256_hex(buf_text(&text), text.len, ret, err);
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	const struct copy_params *p = data;
	char from[65], to[65];
	bool yes;
	int r = digest_of(p->from, from, err);

	(void)step;
	if (!r)
		r = digest_of(p->to, to, err);
	if (r)
		return r;
	yes = effect == EFFECT_UNDONE ? !*to : *to && strcmp(from, to) == 0;
	*ret_standing = yes ? STANDING_YES : STANDING_NO;
	if (!yes)
		result_say(ret, result_find(ret, "differs", VERDICT_FAIL, "%s", p->to),
			   "The copy is not as it should be.");
	return 0;
}

const struct kind kind_test_copy = {
	.name = "test.copy",
	.class = KIND_ACTION,
	.title = "a copy",
	.help = "Copies a file in chunks, for the crash test.",
	.deadline_s = 60,
	.params_size = sizeof(struct copy_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.undo = undo,
	.describe_undo = describe_undo,
};
