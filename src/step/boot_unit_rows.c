/* SPDX-License-Identifier: MIT */
#include "step/boot_unit.h"
#include "step/installed.h"

const struct finding_row boot_unit_findings[] = {
	{ .id = "installed",
	  .title = N_("the next boot verifies itself"),
	  .means = N_("The unit is there and enabled, and systemd has read it.") },
	{ .id = "removed",
	  .title = N_("the unit is gone"),
	  .means = N_("The unit and its link are gone, and systemd knows of none.") },
	{ .id = "no-program",
	  .title = N_("the program would not be found at boot"),
	  .means =
		  N_("The unit cannot name the program or the state directory: the path is not "
		     "known, is not there, has characters that a unit file would have to quote, or "
		     "lies on a filesystem that forgets its files."),
	  .harm = N_("After the boot nobody would be told whether the cables are right."),
	  .mend = N_("Install coldswap (`make install` puts it into /usr/local/bin) and run that "
		     "one.") },
	{ .id = "no-systemd",
	  .title = N_("systemd does not run here"),
	  .means = N_("Without systemd there is nothing that would run the unit."),
	  .harm = N_("After the boot nobody would be told whether the cables are right."),
	  .mend = N_("Use a runbook without this step and without power.off, and run `coldswap "
		     "verify --before DIR` by hand after the boot.") },
	INSTALLED_ROWS,
	{ 0 },
};
