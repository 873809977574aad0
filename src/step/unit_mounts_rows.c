/* SPDX-License-Identifier: MIT */
/* What unit.mounts can find, for `explain`. */
#include "base/intl.h"
#include "step/unit_mounts.h"

#define EMPTY_DIRECTORY                                                                            \
	N_("A plug that is not seated well is enough: the service starts on the empty directory "  \
	   "below the mount point, makes everything anew, and when the disk comes back there are " \
	   "two histories.")

const struct finding_row unit_mounts_findings[] = {
	{ .id = "waits",
	  .title = N_("a unit that waits for its data"),
	  .means = N_("RequiresMountsFor= (WorkingDirectory= and StateDirectory= imply it), "
		      "Requires= or BindsTo= with After= on the mount unit, or a condition that "
		      "only the mounted filesystem meets keeps it from starting without its "
		      "data.") },
	{ .id = "boot-stops",
	  .title = N_("a required mount stands before it"),
	  .means = N_("The unit does not wait for its filesystem, but fstab requires that: where "
		      "it is missing, the boot stops in emergency mode before any service. With "
		      "nofail added, the unit needs RequiresMountsFor=.") },
	{ .id = "not-waiting",
	  .title = N_("a unit that starts without its data"),
	  .means = N_("The unit uses a filesystem on a disk of the work that the boot can do "
		      "without, and nothing makes it wait for it. The line is where its [Unit] "
		      "section ends without the setting."),
	  .harm = EMPTY_DIRECTORY,
	  .mend = N_("Add RequiresMountsFor=PATH to its [Unit] section: `systemctl edit UNIT`."),
	  .acceptable = true },
	{ .id = "ordering-only",
	  .title = N_("a unit that waits for the attempt alone"),
	  .means = N_("After= orders the unit behind the mount. It does not make it depend on its "
		      "success, and neither does Wants=."),
	  .harm = EMPTY_DIRECTORY,
	  .mend = N_("Add RequiresMountsFor=PATH to its [Unit] section: `systemctl edit UNIT`."),
	  .acceptable = true },
	{ .id = "no-ordering",
	  .title = N_("a unit that does not wait for what it requires"),
	  .means = N_("Requires= or BindsTo= starts the mount together with the unit; without "
		      "After= neither waits for the other."),
	  .harm = N_("The service may open its files on the empty directory before the filesystem "
		     "is mounted over it."),
	  .mend = N_("Add RequiresMountsFor=PATH to its [Unit] section: `systemctl edit UNIT`."),
	  .acceptable = true },
	{ .id = "waits-until-reboot",
	  .title = N_("a unit that waits until the next boot only"),
	  .means = N_("What makes the unit wait is a file below /run, as `systemctl edit "
		      "--runtime` writes it."),
	  .harm = N_("The power cycle empties /run; after it the unit does not wait any more."),
	  .mend = N_("Write the same with `systemctl edit UNIT`, without --runtime."),
	  .acceptable = true },
	{ .id = "static-pod",
	  .title = N_("a static pod that makes its directory"),
	  .means = N_("The kubelet starts the pod from its manifest as soon as it runs, does not "
		      "wait for the filesystem, and makes the directory where it is missing."),
	  .harm = N_("etcd on an empty directory forms a new cluster: everything looks healthy, "
		     "and all objects are gone."),
	  .mend = N_("Add RequiresMountsFor=PATH to the kubelet's unit, or move the manifest away "
		     "for the first boot.") },
	{ .id = "units-unreadable",
	  .title = N_("units that could not be read"),
	  .means = N_("Some unit files, manifests or directories of databases may not be read, or "
		      "there are too many to search."),
	  .harm = N_("A service that starts on an empty directory would go unseen."),
	  .mend = N_("Run coldswap as root, or make the capture again as root.") },
	{ 0 },
};
