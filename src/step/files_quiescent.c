/* SPDX-License-Identifier: MIT */
/*
 * files.quiescent: does nobody have these files open?
 *
 * Three witnesses that do not know of each other: the kernel's lease says
 * whether, the scan of all processes says who, and the database's own files
 * say in which state they were left.  It passes when the first two agree and
 * the third does not contradict; whatever keeps one of them from answering is
 * not known, and never a pass.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/parse.h"
#include "step/files_quiescent.h"
#include "sys/clock.h"

#define DEADLINE_S 900
#define WAIT_MAX_US (UINT64_C(600) * 1000000)
/* Of a step's time, for the last look. */
#define RESERVE_US (UINT64_C(2) * 1000000)

static int check_wait(const char *text, struct error *err)
{
	uint64_t us;

	if (parse_duration(text, &us) < 0 || us <= WAIT_MAX_US)
		return 0; /* what is no duration is told as that */
	return error_set(err, -EINVAL, "%s", _("wait is at most 10min"));
}

static const struct param_row params[] = {
	{ .name = "path",
	  .type = PARAM_STRINGS,
	  .check = dataset_check,
	  .offset = PARAM_OFFSET(quiescent_params, path),
	  .help = N_(
		  "Files, directories, or databases by kind: sqlite:FILE, postgres:DIR, etcd:DIR, "
		  "raft:DIR; the databases that are found when none is named.") },
	{ .name = "wait",
	  .type = PARAM_DURATION,
	  .fallback = "0s",
	  .check = check_wait,
	  .offset = PARAM_OFFSET(quiescent_params, wait),
	  .help = N_("How long to wait until the last one has let go, at most 10min; at its end "
		     "the step fails.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "files", OUTPUT_INT, N_("Number of files looked at.") },
	{ "holders", OUTPUT_INT,
	  N_("Number of processes that hold one, counted once a database.") },
	{ "quiescent", OUTPUT_BOOL, N_("Nobody has any of them open.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct quiescent_params *p = data;

	if (!p->path || !*p->path)
		return buf_adds(ret, _("prove that nobody has the databases open"));
	buf_adds(ret, _("prove that nobody has these open:"));
	for (char **path = p->path; *path; path++)
		buf_addf(ret, " %s", *path);
	return buf_error(ret);
}

static uint64_t wait_until(const struct step *step, const struct quiescent_params *p)
{
	uint64_t now = clock_monotonic_us(), until = now + p->wait;

	if (step->deadline_us && step->deadline_us < until + RESERVE_US)
		until = step->deadline_us > now + RESERVE_US ? step->deadline_us - RESERVE_US : now;
	return until;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	struct look look = { .step = step, .params = data };
	uint64_t until = wait_until(step, data);
	int r = quiet_look(&look, ret, err);

	if (r == 0 && look.params->wait && look.live)
		r = quiet_wait(&look, until, ret, err);
	if (r == 0)
		r = quiet_judge(&look, ret, err);
	quiet_look_done(&look);
	return r;
}

static int foresee(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	struct look look = { .step = step, .params = data };
	int r = quiet_look(&look, ret, err);

	if (r == 0)
		r = quiet_foresee(&look, ret, err);
	quiet_look_done(&look);
	return r;
}

const struct kind kind_files_quiescent = {
	.name = "files.quiescent",
	.class = KIND_CHECK,
	.title = N_("nobody has the databases open"),
	.help = N_("Proves that files are quiescent by three witnesses: the kernel grants a write "
		   "lease on each, no process of the host has one of them open or mapped, whatever "
		   "its namespace, and the database's own files do not contradict. Each holder is "
		   "named with its unit, pod and container, and with what would stop it. A "
		   "filesystem whose answer does not count, a process that could not be looked at "
		   "and a capture leave it not known. The leases are dropped at once: the proof "
		   "holds for its moment, and what copies the files makes its own."),
	.flags = KIND_VOLATILE | KIND_NEEDS_ROOT,
	.deadline_s = DEADLINE_S,
	.params_size = sizeof(struct quiescent_params),
	.params = params,
	.outputs = outputs,
	.findings = files_quiescent_findings,
	.describe = describe,
	.run = run,
	.foresee = foresee,
	.typical_s = 1,
};
