/* SPDX-License-Identifier: MIT */
/* What names.fstab can find, for `explain`. */
#include "base/intl.h"
#include "step/names_fstab.h"

const struct finding_row names_fstab_findings[] = {
	{ .id = "stable",
	  .title = N_("names that survive the work"),
	  .means = N_("Every entry was resolved before and after the simulated work and means "
		      "the same device.") },
	{ .id = "kernel-name",
	  .title = N_("a kernel name"),
	  .means = N_("The entry names its device by the order in which the kernel finds disks."),
	  .harm = N_("After any boot the name may be another disk's: a required filesystem is not "
		     "found and the boot stops in emergency mode, or another one is mounted."),
	  .mend = N_("Name the filesystem by UUID=, as `blkid` shows it."),
	  .acceptable = true },
	{ .id = "swap-kernel-name",
	  .title = N_("swap by a kernel name"),
	  .means = N_("The entry names its swap by the order in which the kernel finds disks."),
	  .harm = N_(
		  "The boot waits 90 seconds for a device that is not there, and goes on without "
		  "swap; if the name is another disk's, swapon refuses what carries no swap."),
	  .mend = N_("Name the swap by UUID=."),
	  .acceptable = true },
	{ .id = "dm-number",
	  .title = N_("a device-mapper number"),
	  .means = N_("The entry names a volume by the order in which volumes are set up."),
	  .harm = N_("After a boot the number may be another volume's."),
	  .mend = N_("Name it by /dev/mapper/NAME or UUID=."),
	  .acceptable = true },
	{ .id = "by-path-other-disk",
	  .title = N_("a by-path name that becomes another disk"),
	  .means = N_("A by-path name follows the port; after the work another disk is on it."),
	  .harm = N_("Nothing fails: the wrong filesystem is mounted without a word, and what runs "
		     "next writes to it. nofail does not help."),
	  .mend = N_("Name the filesystem by UUID=.") },
	{ .id = "by-path-nothing",
	  .title = N_("a by-path name of a port that is left"),
	  .means =
		  N_("A by-path name follows the port; after the work nothing is on it, or no such "
		     "partition."),
	  .harm = N_("The filesystem is not found; a required one stops the boot."),
	  .mend = N_("Name the filesystem by UUID=."),
	  .acceptable = true },
	{ .id = "by-path-shared",
	  .title = N_("a by-path name of several disks"),
	  .means = N_("Disks behind one port multiplier claim the same by-path name."),
	  .harm = N_("It means whichever disk udev handled last, already today."),
	  .mend = N_("Name the filesystem by UUID=.") },
	{ .id = "other-device",
	  .title = N_("a name that becomes another device"),
	  .means = N_("After the work another device bears the name: a copy with the same UUID, or "
		      "the array that mdadm.conf gives the name to."),
	  .harm = N_("The wrong filesystem is mounted without a word."),
	  .mend = N_("Give each device a name of its own, or correct mdadm.conf.") },
	{ .id = "duplicate-tag",
	  .title = N_("a name that two devices carry"),
	  .means = N_("More than one device carries the UUID, label or id of the entry. Members of "
		      "one array or pool share theirs by right and are not counted."),
	  .harm = N_("Which of them is mounted depends on the order in which they are found, and "
		     "the work changes that: an old copy may come up as the real thing."),
	  .mend = N_(
		  "Give the copy a UUID and label of its own, or take it out before power-on.") },
	{ .id = "duplicate-device",
	  .title = N_("a copy of a filesystem in use"),
	  .means = N_("This device carries the same UUID or label as one that fstab means."),
	  .harm = N_("It may be mounted in the place of the original."),
	  .mend = N_("tune2fs -U random, xfs_admin -U generate, btrfstune -u or sgdisk -G on the "
		     "copy; or take it out.") },
	{ .id = "md-unlisted",
	  .title = N_("an array number without an ARRAY line"),
	  .means = N_("No ARRAY line gives the number to an array by its UUID."),
	  .harm = N_("Numbers are given out from 127 downwards in the order of discovery, so that "
		     "two arrays can trade theirs."),
	  .mend = N_(
		  "Name the filesystem by UUID=, or append `mdadm --detail --scan` to mdadm.conf "
		  "and rebuild the initramfs."),
	  .acceptable = true },
	{ .id = "md-no-array-lines",
	  .title = N_("mdadm.conf lists no array"),
	  .means = N_("Arrays are used by number, and mdadm.conf has no ARRAY line."),
	  .harm = N_("Every array is numbered by the order of discovery."),
	  .mend = N_("Append `mdadm --detail --scan` and rebuild the initramfs."),
	  .acceptable = true },
	{ .id = "bus-change",
	  .title = N_("a by-id name that says how the disk is attached"),
	  .means = N_("The prefix of the by-id name (ata-, usb-, scsi-) changes with the work."),
	  .harm = N_("The link is not made after the work."),
	  .mend = N_("Name the filesystem by UUID=."),
	  .acceptable = true },
	{ .id = "removed-disk",
	  .title = N_("a filesystem on a disk that is taken out"),
	  .means = N_("The work removes the disk that the entry needs."),
	  .harm = N_("A required entry stops the boot in emergency mode."),
	  .mend = N_("Take the line out, or add noauto, before the work."),
	  .acceptable = true },
	{ .id = "absent-device",
	  .title = N_("a device that is not there today"),
	  .means = N_("No device of this host has the name."),
	  .harm = N_("The next boot waits for it; a required entry stops it in emergency mode."),
	  .mend = N_("Plug the disk in, or take the line out."),
	  .acceptable = true },
	{ .id = "no-nofail",
	  .title = N_("a disk of the work without nofail"),
	  .means = N_("The entry is required at boot, and its disk's cable is touched."),
	  .harm = N_("A plug that is not seated well stops the boot in emergency mode, which a "
		     "server without a console does not come back from."),
	  .mend = N_("Add nofail and x-systemd.device-timeout=, and make what uses it wait by "
		     "RequiresMountsFor=."),
	  .acceptable = true },
	{ .id = "nofail-unguarded",
	  .title = N_("nofail, and something that does not wait"),
	  .means = N_(
		  "The boot goes on without the disk, and a unit, pod or volume uses a directory "
		  "below the mount point without waiting for it."),
	  .harm = N_("It starts on an empty directory: databases begin anew, and when the disk is "
		     "back there are two histories."),
	  .mend = N_(
		  "Add RequiresMountsFor=MOUNT to the unit, or to the kubelet's or k3s' unit for "
		  "pods.") },
	{ .id = "users-unreadable",
	  .title = N_("who uses the mount could not be read"),
	  .means = N_("Unit files or manifests may not be read by this user."),
	  .harm = N_("Something may start on an empty directory when the disk does not come up."),
	  .mend = N_("Be root.") },
	{ .id = "mount-below-moved",
	  .title = N_("a mount point below one on a disk of the work"),
	  .means = N_("The entry's mount point lies in a filesystem on a disk of the work."),
	  .harm = N_(
		  "With systemd it fails together with the one above; without, it is hidden when "
		  "it is mounted first."),
	  .mend = N_("Add nofail to both; without systemd keep parents above their children."),
	  .acceptable = true },
	{ .id = "btrfs-device-option",
	  .title = N_("device= by a name that does not survive"),
	  .means = N_("The mount options list members of the filesystem by such names."),
	  .harm = N_("The list is only scanned, but the mount fails when no such device is there."),
	  .mend = N_("Take the options out; udev scans members by itself."),
	  .acceptable = true },
	{ .id = "btrfs-degraded",
	  .title = N_("a standing degraded option"),
	  .means = N_("A filesystem of several members is mounted even when one is missing."),
	  .harm = N_(
		  "A cable that is not seated well is mounted read-write in silence; the members "
		  "diverge."),
	  .mend = N_("Take it out for the work; compare the number of members before and after."),
	  .acceptable = true },
	{ .id = "device-option",
	  .title = N_("a log device by a name that does not survive"),
	  .means = N_("logdev=, rtdev= or journal_path= names its device so."),
	  .harm = N_("The filesystem is not mounted without it."),
	  .mend = N_("Name the device by a link of by-id or by-partuuid."),
	  .acceptable = true },
	{ .id = "malformed-line",
	  .title = N_("a line that cannot be read"),
	  .means = N_("mount(8) does not understand the line."),
	  .harm = N_("What it was to mount is not mounted after the next boot."),
	  .mend = N_("Correct it; `findmnt --verify` shows what is wrong.") },
	{ .id = "tag-unreadable",
	  .title = N_("what a name means could not be determined"),
	  .means = N_("A signature, udev's data or a file that decides about the name could not be "
		      "read."),
	  .harm = N_("A duplicate, or another disk in its place, would go unseen."),
	  .mend = N_("Be root.") },
	{ .id = "unlisted-mount",
	  .title = N_("mounted, and by nobody that is known"),
	  .means = N_("fstab is missing or has no entry, no mount unit and no partition type "
		      "speaks for the mount point, and yet a filesystem of a disk is mounted "
		      "there."),
	  .harm = N_("After the next boot it may be absent, and what runs then writes to the "
		     "empty directory below it."),
	  .mend = N_("Find out what mounts it (a script, a service, fstab of another day), or "
		     "give it an entry by UUID=.") },
	{ .id = "by-mount-unit",
	  .title = N_("mounted by a unit"),
	  .means = N_("fstab has no entries; a mount unit of systemd names the device, and its "
		      "name means the same device after the work.") },
	{ .id = "by-partition-type",
	  .title = N_("mounted by its partition type"),
	  .means = N_("fstab has no entries; systemd finds the partition by its type on the disk "
		      "of the root (systemd-gpt-auto-generator(8)).") },
	{ .id = "fstab-unreadable",
	  .title = N_("fstab or the devices could not be read"),
	  .means = N_("The file, or the list of block devices, could not be read."),
	  .harm = N_("Nothing is known of the names in it."),
	  .mend = N_("Make it readable.") },
	{ 0 },
};
