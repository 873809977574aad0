/* SPDX-License-Identifier: MIT */
/* What mount.release can report. */
#include "base/intl.h"
#include "step/mount_release.h"

#define HARM_HELD                                                                                  \
	N_("A disk whose filesystem is still in use loses what was not written when its cable or " \
	   "its power goes.")

const struct finding_row mount_release_findings[] = {
	{ .id = "free",
	  .title = N_("the devices are free"),
	  .means =
		  N_("The filesystem is unmounted; the kernel grants exclusive use of every device "
		     "of it; no process has one open, and no mount namespace has it mounted.") },
	{ .id = "would-release",
	  .title = N_("would be unmounted"),
	  .means = N_("What the session will unmount, and the devices that are to be free then.") },
	{ .id = "covered",
	  .title = N_("in use, until a step ends that"),
	  .means = N_("A process has it in use now, and a step of the runbook ends that process "
		      "before this one's turn.") },
	{ .id = "not-covered",
	  .title = N_("in use, and no step ends that"),
	  .means =
		  N_("A process has it in use now, and no step of the runbook before this one ends "
		     "that process."),
	  .harm = N_("The session would stop here, because what is in use cannot be unmounted."),
	  .mend = N_("Add a step that stops it, before this one.") },
	{ .id = "needed",
	  .title = N_("the running system needs it"),
	  .means = N_("The running system lies on the filesystem, or coldswap's state, program, "
		      "libraries or copy does: it stays mounted until the shutdown."),
	  .harm = N_("Without it neither the system nor the session could go on."),
	  .mend = N_("Leave it out of mounts.") },
	{ .id = "no-device",
	  .title = N_("no device of this machine"),
	  .means = N_("The filesystem lies in memory, on another machine, or is served by a "
		      "program."),
	  .harm = N_("There is no device whose freedom could be proved."),
	  .mend = N_("Leave it out of mounts.") },
	{ .id = "not-told",
	  .title = N_("which devices is not told"),
	  .means = N_("It cannot be told which devices the filesystem is made of, or whether they "
		      "are free."),
	  .harm = N_("What is not known to be free may be in use."),
	  .mend = N_("Unmount or export it by hand, and leave it out of mounts.") },
	{ .id = "not-mounted",
	  .title = N_("nothing is mounted there"),
	  .means = N_("A mount point that was named, or was mounted before, has no such filesystem "
		      "mounted now."),
	  .harm = N_("What writes there writes to the disk below, and is hidden later."),
	  .mend = N_("Mount it: mount MOUNTPOINT; see dmesg for the reason where that fails.") },
	{ .id = "other-filesystem",
	  .title = N_("another filesystem is mounted there"),
	  .means =
		  N_("What is mounted at the place is not the filesystem that was there before, by "
		     "its UUID."),
	  .harm = N_("Services would work on the wrong data."),
	  .mend = N_("Unmount it, and mount the right one by its UUID.") },
	{ .id = "nested",
	  .title = N_("something is mounted on it"),
	  .means = N_("A filesystem that is not to be released is mounted on one that is."),
	  .harm = N_("A filesystem that carries a mount cannot be unmounted."),
	  .mend = N_("Name it in mounts as well, or stop what mounted it.") },
	{ .id = "no-way-back",
	  .title = N_("it could not be mounted again"),
	  .means = N_("Only a directory of the filesystem is mounted here (a bind mount), and its "
		      "root is not."),
	  .harm = N_("Taking the step back could not mount it again."),
	  .mend = N_("Unmount it by hand, and leave it out of mounts.") },
	{ .id = "busy",
	  .title = N_("in use: not unmounted"),
	  .means = N_("The kernel refuses to unmount it, because somebody uses it. It is never "
		      "unmounted by force, nor behind the back of who uses it."),
	  .harm = HARM_HELD,
	  .mend = N_("End what is named, with a step before this one.") },
	{ .id = "not-unmounted",
	  .title = N_("could not be unmounted"),
	  .means = N_("The kernel refuses to unmount it for another reason than use."),
	  .harm = HARM_HELD,
	  .mend = N_("See dmesg, and findmnt on the mount point.") },
	{ .id = "mounted",
	  .title = N_("mounted"),
	  .means = N_("The filesystem is mounted in this mount namespace."),
	  .harm = HARM_HELD,
	  .mend = N_("Let the session unmount it; if it came back by itself, stop what mounts it "
		     "(an automount unit, a desktop).") },
	{ .id = "automount",
	  .title = N_("mounted again when it is touched"),
	  .means = N_("An automount stands at the place: the next access mounts the filesystem "
		      "again."),
	  .harm = N_("The device may be in use again when the cable goes."),
	  .mend = N_("Stop the automount unit with a step before this one."),
	  .acceptable = true },
	{ .id = "device-held",
	  .title = N_("the kernel still holds the device"),
	  .means = N_(
		  "The filesystem is unmounted here, and exclusive use of its device is refused: "
		  "it is in use in another mount namespace, or by the kernel."),
	  .harm = HARM_HELD,
	  .mend = N_("End what is named with it.") },
	{ .id = "pinned",
	  .title = N_("held by nobody who is seen"),
	  .means = N_("Exclusive use of the device is refused, and no process is found that holds "
		      "it: a mount namespace that a bind mount keeps, or the kernel itself (swap, "
		      "an array, a volume, a loop device)."),
	  .harm = HARM_HELD,
	  .mend = N_("See findmnt -t nsfs, swapon, /proc/mdstat, dmsetup ls --tree, losetup -l.") },
	{ .id = "mounted-elsewhere",
	  .title = N_("mounted in another mount namespace"),
	  .means = N_("The filesystem is unmounted here, and a process has it mounted in a mount "
		      "namespace of its own: a container, or a service with a private view."),
	  .harm = HARM_HELD,
	  .mend = N_("Stop the container or the service that is named.") },
	{ .id = "device-open",
	  .title = N_("a process has the device open"),
	  .means = N_("A process has the block device itself open, past any filesystem."),
	  .harm = N_("It may write to the disk while its cable goes."),
	  .mend = N_("Stop the process that is named.") },
	{ .id = "held",
	  .title = N_("a process still uses it"),
	  .means = N_("A process uses files of the filesystem although it is unmounted here."),
	  .harm = HARM_HELD,
	  .mend = N_("Stop the process that is named.") },
	{ .id = "still-active",
	  .title = N_("the filesystem is still active"),
	  .means = N_("The kernel still has an entry of the filesystem below /sys/fs."),
	  .harm = HARM_HELD,
	  .mend = N_("End what is named with it.") },
	{ .id = "not-seen",
	  .title = N_("not every process could be looked at"),
	  .means = N_("A process that could not be looked at may have the device open."),
	  .harm = HARM_HELD,
	  .mend = N_("Run as root, on the machine itself.") },
	{ .id = "not-asked",
	  .title = N_("the device could not be asked"),
	  .means = N_("The device could not be opened, so the kernel did not say whether it is "
		      "free."),
	  .harm = HARM_HELD,
	  .mend = N_("Run as root, on the machine itself; see ls -l /dev.") },
	{ .id = "mounted-again",
	  .title = N_("mounted as before"),
	  .means =
		  N_("Every mount that was there before is there again, of the same filesystem.") },
	{ .id = "not-mounted-again",
	  .title = N_("could not be mounted again"),
	  .means = N_("The filesystem could not be mounted where it was before."),
	  .harm = N_("What writes there writes to the disk below, and is hidden later."),
	  .mend = N_("Mount it by hand: mount MOUNTPOINT; the reason is in dmesg.") },
	{ .id = "untouched",
	  .title = N_("nothing was unmounted"),
	  .means = N_("The session has not unmounted anything.") },
	{ .id = "unreadable",
	  .title = N_("could not be read"),
	  .means = N_("A list of the running system that the step needs could not be read."),
	  .harm = N_("What is not known to be free may be in use."),
	  .mend = N_("Run as root, on the machine itself.") },
	{ 0 },
};
