/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "step/mounts_expected.h"

const struct output_row mounts_expected_outputs[] = {
	{ "entries", OUTPUT_INT, N_("Number of mounts and swap areas that should be there.") },
	{ "present", OUTPUT_INT, N_("Number of those that are as they should be.") },
	{ 0 },
};

const struct finding_row mounts_expected_findings[] = {
	{ .id = "present",
	  .title = N_("mounted as before"),
	  .means = N_("The same filesystem, by its UUID, is mounted where it was before; where "
		      "nothing was recorded: the one that its entry of /etc/fstab means.") },
	{ .id = "mount-missing",
	  .title = N_("a mount of before is missing"),
	  .means = N_("What was mounted before is not mounted now."),
	  .harm = N_("Programs do not find their data, or start anew without it."),
	  .mend = N_("See that its disk is there (disk.links), then mount it; systemctl status "
		     "of its mount unit tells why it was not.") },
	{ .id = "mount-empty-directory",
	  .title = N_("a mount point without its mount"),
	  .means = N_("The directory where a filesystem was mounted lies on the filesystem "
		      "above it now."),
	  .harm = N_("Programs find an empty directory and fill it: a database starts anew, and "
		     "its data lands on another disk, hidden once the mount is back."),
	  .mend = N_("Stop what uses it, look at what was written below it, then mount it.") },
	{ .id = "mount-other-filesystem",
	  .title = N_("another filesystem is mounted there"),
	  .means = N_("The mount point is in use, but by a filesystem with another UUID than "
		      "before, or by another part of it."),
	  .harm = N_("Programs work on other data."),
	  .mend = N_("Stop what uses it, unmount it, and see by which name its entry calls the "
		     "device: a kernel name or a port path means another disk after the work.") },
	{ .id = "mount-gone-as-planned",
	  .title = N_("gone with its disk"),
	  .means = N_("The work took out the disk that the filesystem lies on.") },
	{ .id = "swap-missing",
	  .title = N_("swap of before is missing"),
	  .means = N_("A swap area that was active before is not active now."),
	  .harm = N_("The machine has less memory than it is meant to have."),
	  .mend = N_("Activate it with `swapon -a`, and see by which name its entry calls the "
		     "device."),
	  .acceptable = true },
	{ .id = "covered",
	  .title = N_("covered by another mount"),
	  .means = N_("The filesystem is mounted, but a later mount on a directory above hides "
		      "it."),
	  .harm = N_("Programs that open its path reach other data."),
	  .mend = N_("Unmount what covers it, and mount in the order of the paths.") },
	/* ---- where nothing was recorded: as mounts.present judges ---- */
	{ .id = "not-mounted",
	  .title = N_("not mounted"),
	  .means = N_("An entry of /etc/fstab is not mounted. An entry with nofail is allowed to "
		      "be absent, and absent all the same."),
	  .harm = N_("Programs find an empty directory and write below it, on another disk."),
	  .mend = N_("Mount it and see why it was not: systemctl status of its mount unit, or "
		     "the kernel log."),
	  .acceptable = true },
	{ .id = "other-device",
	  .title = N_("mounted from another device"),
	  .means = N_("The mount point is in use, but not by the device that its entry of "
		      "/etc/fstab means now."),
	  .harm = N_("Programs work on other data, or the next boot brings other data there."),
	  .mend = N_("Find out which of the two is right, and correct the entry or the mount."),
	  .acceptable = true },
	{ .id = "swap-inactive",
	  .title = N_("swap is not active"),
	  .means = N_("A swap entry of /etc/fstab is not in /proc/swaps."),
	  .harm = N_("The machine has less memory than it is meant to have."),
	  .mend = N_("Activate it with `swapon -a`, or remove the entry."),
	  .acceptable = true },
	{ .id = "malformed",
	  .title = N_("a line that mount cannot read"),
	  .means = N_("A line of /etc/fstab has too few fields, or fields that are no numbers."),
	  .harm = N_("mount(8) passes it over: what it was meant to mount stays absent."),
	  .mend = N_("Correct the line; a blank in a name is written \\040."),
	  .acceptable = true },
	{ .id = "nothing-recorded",
	  .title = N_("nothing was recorded before"),
	  .means = N_("No earlier capture was named, so there is nothing to compare with.") },
	{ .id = "unreadable",
	  .title = N_("could not be determined"),
	  .means = N_("What is mounted now or was mounted before, or which filesystem it is, "
		      "could not be read."),
	  .harm = N_("A mount that is missing would go unseen."),
	  .mend = N_("Run as root; name the directory that `coldswap capture` wrote.") },
	{ 0 },
};
