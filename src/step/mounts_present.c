/* SPDX-License-Identifier: MIT */
/*
 * mounts.present: is mounted what /etc/fstab says, from the device it means?
 *
 * What is missing now would be missing after the work too, and would then be
 * taken for the work's fault.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/facts.h"
#include "probe/paths.h"
#include "step.h"
#include "step/mounts_present.h"

struct mounts_present_params {
	char **mounts;
};

static const struct param_row params[] = {
	{ .name = "mounts",
	  .type = PARAM_PATHS,
	  .offset = PARAM_OFFSET(mounts_present_params, mounts),
	  .draft = DRAFT_MOUNTS,
	  .help = N_("Mount points to look at, such as /data; every entry of /etc/fstab without "
		     "noauto when none is named.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "entries", OUTPUT_INT, N_("Number of mounts and swap areas looked at.") },
	{ "present", OUTPUT_INT, N_("Number of those that are as they should be.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "present",
	  .title = N_("mounted as it should be"),
	  .means = N_("The filesystem is mounted, from the device that its entry means.") },
	{ .id = "not-mounted",
	  .title = N_("not mounted"),
	  .means = N_("An entry of /etc/fstab, or a mount point that was named, is not mounted. "
		      "An entry with nofail is allowed to be absent, and absent all the same."),
	  .harm = N_("Programs find an empty directory and write below it, on another disk; "
		     "after the work the absence would be taken for its fault."),
	  .mend = N_("Mount it and see why it was not: systemctl status of its mount unit, or "
		     "the kernel log."),
	  .acceptable = true },
	{ .id = "other-device",
	  .title = N_("mounted from another device"),
	  .means = N_("The mount point is in use, but not by the device that the entry means "
		      "now."),
	  .harm = N_("The next boot mounts the device of the entry: other data appears there."),
	  .mend = N_("Find out which of the two is right, and correct the entry or the mount."),
	  .acceptable = true },
	{ .id = "covered",
	  .title = N_("covered by another mount"),
	  .means = N_("The filesystem is mounted, but a later mount on a directory above hides "
		      "it."),
	  .harm = N_("Programs that open its path reach other data."),
	  .mend = N_("Unmount what covers it, and mount in the order of the paths."),
	  .acceptable = true },
	{ .id = "swap-inactive",
	  .title = N_("swap is not active"),
	  .means = N_("A swap entry of /etc/fstab is not in /proc/swaps."),
	  .harm = N_("The machine has less memory than it is meant to have, and the entry may "
		     "name a device that is gone."),
	  .mend = N_("Activate it with `swapon -a`, or remove the entry."),
	  .acceptable = true },
	{ .id = "malformed",
	  .title = N_("a line that mount cannot read"),
	  .means = N_("A line of /etc/fstab has too few fields, or fields that are no numbers."),
	  .harm = N_("mount(8) passes it over: what it was meant to mount stays absent."),
	  .mend = N_("Correct the line; a blank in a name is written \\040."),
	  .acceptable = true },
	{ .id = "unreadable",
	  .title = N_("could not be determined"),
	  .means = N_("/etc/fstab, the kernel's list of mounts, or the device of an entry could "
		      "not be read."),
	  .harm = N_("A mount that is missing would go unseen."),
	  .mend = N_("Run as root, or capture the host again.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct mounts_present_params *p = data;

	if (!p->mounts || !*p->mounts)
		return buf_adds(ret, _("see that every entry of /etc/fstab is mounted from the "
				       "device that it means"));
	buf_adds(ret, _("see that these are mounted:"));
	for (char **mount = p->mounts; *mount; mount++)
		buf_addf(ret, " %s", *mount);
	return buf_error(ret);
}

/* A mount point that was named and has no entry: mounted or not is all there is to say. */
static int judge_named(struct mounts_look *look, const struct fstab *fstab, const char *mount_point,
		       struct error *err)
{
	const struct fstab_entry *entry = fstab_at(fstab, mount_point);
	const struct mount *mount = mounts_at(look->mounts, mount_point);
	struct finding *finding;

	look->entries++;
	if (entry)
		return mounts_judge_mount(look, entry, err);
	finding = result_find(look->result, mount ? "present" : "not-mounted",
			      mount ? VERDICT_PASS : VERDICT_FAIL, "%s", mount_point);
	if (mount) {
		result_say(look->result, finding,
			   _("%s is mounted; /etc/fstab has no entry for it."), mount_point);
		mounts_cite(look, finding, mount);
		look->present++;
		return 0;
	}
	result_say(look->result, finding,
		   _("%s is not mounted, and /etc/fstab has no entry for it."), mount_point);
	result_remedy(look->result, finding, _("Mount %s, or take it out of the runbook."),
		      mount_point);
	result_evidence(look->result, finding, PATH_MOUNTINFO, NULL, NULL, NULL);
	return 0;
}

static int judge_all(struct mounts_look *look, char *const *named, const struct fstab *fstab,
		     struct error *err)
{
	int r = 0;

	for (char *const *mount = named; r == 0 && mount && *mount; mount++)
		r = judge_named(look, fstab, *mount, err);
	for (size_t i = 0; r == 0 && !(named && *named) && i < fstab->n; i++)
		r = mounts_judge_entry(look, &fstab->items[i], err);
	return r;
}

/* A mount may stand in a line that cannot be read: then absence proves nothing. */
static void judge_malformed(struct mounts_look *look)
{
	for (char **line = look->mounts->malformed; line && *line; line++) {
		int digits = (int)strcspn(*line, ":");
		struct finding *finding = result_find(look->result, "unreadable", VERDICT_UNKNOWN,
						      PATH_MOUNTINFO ":%.*s", digits, *line);

		result_say(look->result, finding,
			   _("A line of the kernel's list of mounts cannot be read."));
		result_remedy(look->result, finding, "%s", _("Capture the host again."));
		result_evidence(look->result, finding, finding->subject, *line + digits + 2, NULL,
				NULL);
	}
}

static void sum_up(struct mounts_look *look)
{
	result_output_int(look->result, "entries", look->entries);
	result_output_int(look->result, "present", look->present);
	if (look->result->n_findings == 0)
		result_skip(look->result, _("/etc/fstab has no entry that is mounted at boot."));
	else
		result_summary(
			look->result,
			PLURAL("%lld of %lld entry is mounted from the device that it means.",
			       "%lld of %lld entries are mounted from the devices that they "
			       "mean.",
			       look->entries),
			(long long)look->present, (long long)look->entries);
}

int mounts_judge_now(const struct step *step, char *const *points, struct result *ret,
		     struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct mounts_look look = { .step = step, .result = ret };
	const struct fstab *fstab = NULL;
	const char *source = PATH_FSTAB;
	bool named = points && *points;
	int r = facts_fstab(step->facts, &fstab, &why);

	if (r == -ENOENT && !named) {
		result_skip(ret, _("This host has no /etc/fstab."));
		return 0;
	}
	if (r == 0 || (r == -ENOENT && named)) {
		source = PATH_MOUNTINFO;
		r = facts_mounts(step->facts, &look.mounts, &why);
	}
	if (r == 0) {
		source = PATH_CLASS_BLOCK;
		r = facts_blocks(step->facts, &look.blocks, &why);
	}
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(ret, "unreadable", source, source, &why);
		result_summary(ret, _("What is mounted could not be determined."));
		return 0;
	}
	judge_malformed(&look);
	r = judge_all(&look, points, fstab, err);
	if (r == 0)
		sum_up(&look);
	return r;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	const struct mounts_present_params *p = data;

	return mounts_judge_now(step, p->mounts, ret, err);
}

const struct kind kind_mounts_present = {
	.name = "mounts.present",
	.class = KIND_CHECK,
	.title = N_("what /etc/fstab asks for is mounted"),
	.help = N_("Compares every entry of /etc/fstab without noauto with the kernel's list of "
		   "mounts: it must be mounted, and from the device that its name means now, by "
		   "filesystem UUID or device number. Swap entries must be active. An entry that "
		   "systemd mounts at its first use is right while it waits."),
	.deadline_s = 10,
	.params_size = sizeof(struct mounts_present_params),
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
};
