/* SPDX-License-Identifier: MIT */
/*
 * mounts.expected: after the work, is every mount as before?
 *
 * By filesystem UUID, never by device name: kernel names are dealt anew.
 * Where nothing was recorded, /etc/fstab is all there is to go by.
 */
#include "step/mounts_expected.h"

#include <errno.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/mounts_present.h"

static const struct param_row params[] = { { 0 } };

static int describe(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("see that every filesystem that was mounted before is mounted "
			       "there again, and none of their directories lies empty"));
}

static int load(struct facts *facts, struct mounted *ret, struct error *why)
{
	int r = facts_blocks(facts, &ret->blocks, why);

	if (r == 0)
		r = facts_mounts(facts, &ret->mounts, why);
	return r;
}

void comparison_unreadable_before(struct comparison *comparison, const char *path,
				  const struct error *why)
{
	AUTO_BUF place = BUF_INIT;

	buf_addf(&place, "%s%s", host_root(facts_host(comparison->step->before)), path);
	result_unknown(comparison->ret, "unreadable", buf_text(&place), NULL, why);
}

/*
 * What fstab alone listed, such as a bind mount, is expected to be there again:
 * a list that is there and cannot be read hides it.  No list lists nothing.
 */
static int load_listed(struct comparison *comparison, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = facts_fstab(comparison->step->before, &comparison->before.fstab, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0 && r != -ENOENT)
		comparison_unreadable_before(comparison, PATH_FSTAB, &why);
	return 0;
}

static int judge_as_it_is(const struct step *step, struct result *ret, struct error *err)
{
	int r = mounts_judge_now(step, NULL, ret, err);
	struct finding *finding;

	if (r < 0)
		return r;
	finding = result_find(ret, "nothing-recorded", VERDICT_SKIP, "%s", _("mounts"));
	result_say(ret, finding, "%s", _("Nothing was recorded before."));
	return 0;
}

static void sum_up(struct comparison *comparison)
{
	struct result *ret = comparison->ret;

	result_output_int(ret, "entries", comparison->entries);
	result_output_int(ret, "present", comparison->present);
	if (ret->n_findings == 0)
		result_skip(ret, "%s", _("The earlier capture has no mount of a disk."));
	else
		result_summary(ret,
			       PLURAL("%lld of %lld mount is as before.",
				      "%lld of %lld mounts are as before.", comparison->entries),
			       (long long)comparison->present, (long long)comparison->entries);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct comparison comparison = { .step = step, .ret = ret };
	const char *what = _("the mounts of now");
	int r;

	(void)data;
	if (!step->before)
		return judge_as_it_is(step, ret, err);
	r = load(step->facts, &comparison.now, &why);
	if (r == 0) {
		what = _("the mounts of the earlier capture");
		r = load(step->before, &comparison.before, &why);
		/* What holds the list is mounted itself. */
		if (r == 0 && !comparison.before.mounts->n)
			r = error_set(&why, -ENODATA, PATH_MOUNTINFO " has no mount");
	}
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(ret, "unreadable", what, NULL, &why);
		result_summary(ret, "%s", _("The mounts could not be compared."));
		return 0;
	}
	r = load_listed(&comparison, err);
	if (r == 0)
		r = mounts_compare(&comparison, err);
	if (r == 0)
		r = swaps_compare(&comparison, err);
	if (r < 0)
		return r;
	sum_up(&comparison);
	return 0;
}

const struct kind kind_mounts_expected = {
	.name = "mounts.expected",
	.class = KIND_CHECK,
	.title = N_("every mount as before"),
	.help = N_("After the work: every filesystem of a disk that an earlier capture found "
		   "mounted must be mounted at the same place, by filesystem UUID, and swap must "
		   "be active; a mount point that lies on the filesystem above it is told apart "
		   "from one that is gone. Where nothing was recorded, /etc/fstab is compared with "
		   "what is mounted."),
	.flags = KIND_AFTER | KIND_AT_BOOT,
	.deadline_s = 10,
	.params = params,
	.outputs = mounts_expected_outputs,
	.findings = mounts_expected_findings,
	.describe = describe,
	.run = run,
};
