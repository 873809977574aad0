/* SPDX-License-Identifier: MIT */
/* Mounts that cannot be compared: what one of the two captures does not tell. */
#include "step/mounts_expected.h"

#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"

void comparison_judge_malformed(struct comparison *comparison, const struct mounts *mounts,
				const char *root)
{
	for (char **line = mounts->malformed; line && *line; line++) {
		int digits = (int)strcspn(*line, ":");
		struct finding *finding =
			result_find(comparison->ret, "unreadable", VERDICT_UNKNOWN,
				    "%s" PATH_MOUNTINFO ":%.*s", root, digits, *line);

		result_say(comparison->ret, finding, "%s",
			   _("A line of the kernel's list of mounts cannot be read."));
		result_remedy(comparison->ret, finding, "%s", _("Capture the host again."));
		result_evidence(comparison->ret, finding, finding->subject, *line + digits + 2,
				NULL, NULL);
	}
}

/*
 * A block device has a major number; btrfs hides it behind 0:N.  Loop devices
 * (7) come and go, and pools are known by their name where a member is seen.
 */
static bool lies_on_device(const struct mount *mount)
{
	enum { MAJOR_LOOP = 7 };

	if (mount->major)
		return mount->major != MAJOR_LOOP;
	return mount->source && strcmp(mount->fstype, "btrfs") == 0 &&
	       path_is_below(mount->source, PATH_DEV);
}

void comparison_judge_no_device(struct comparison *comparison, const struct mount *mount)
{
	struct finding *finding;

	if (!lies_on_device(mount))
		return;
	finding = result_find(comparison->ret, "unreadable", VERDICT_UNKNOWN, "%s", mount->target);
	result_say(comparison->ret, finding,
		   _("Whether the filesystem at %s is the one of before is not known: the earlier "
		     "capture does not have its device."),
		   mount->target);
	result_remedy(comparison->ret, finding, _("Look by hand: findmnt %s."), mount->target);
	comparison_cite_before(comparison, finding, PATH_MOUNTINFO, mount->line,
			       mount->source ? mount->source : "none");
}
