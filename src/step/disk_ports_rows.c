/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "step/disk_ports.h"

const struct output_row disk_ports_outputs[] = {
	{ "sata", OUTPUT_BOOL, N_("The host has a SATA port.") },
	{ "held_back", OUTPUT_INT,
	  N_("Disks whose link is slower than drive and controller could do, deliberate limits "
	     "left out.") },
	{ "advice", OUTPUT_STRING, N_("What the port map advises: none, a move or a swap.") },
	{ "predicted", OUTPUT_STRING, N_("Port and link of each disk of the work after it.") },
	{ 0 },
};

const struct finding_row disk_ports_findings[] = {
	{ .id = "ports-read",
	  .title = N_("the port map was read"),
	  .means = N_("Controllers, ports, links and drives were read; no disk runs slower than it "
		      "could without its reason being told.") },
	{ .id = "no-sata",
	  .title = N_("no SATA port"),
	  .means = N_("The host has no SATA controller: its disks are on NVMe, USB, SAS or are "
		      "virtual. There is nothing to exchange.") },
	{ .id = "predicted",
	  .title = N_("where a disk will be"),
	  .means = N_(
		  "Port and link speed of a disk after the work. The link lies between the "
		  "fastest seen on that port and the limit of drive, controller and SControl.") },
	{ .id = "held-back-by-port",
	  .title = N_("a slower port"),
	  .means = N_("The link runs slower than drive and controller could, no limit is in force "
		      "and no CRC errors were counted: the port itself is of the slower "
		      "generation."),
	  .harm = N_("The disk cannot move more than the port's ceiling: 300 MB/s on 3 Gb/s, "
		     "whatever it could do."),
	  .mend = N_("Swap its cable with that of a disk that holds a faster port and does not "
		     "need it; `coldswap ports` lists the options and what each costs."),
	  .acceptable = true },
	{ .id = "held-back-by-cable",
	  .title = N_("a bad cable or contact"),
	  .means = N_("The link runs slower than it could, no limit is in force and link errors "
		      "were counted: cable or plugs are at fault, not the port."),
	  .harm = N_("Errors are repeated until they succeed, or until the link drops and with it "
		     "the disk. A swap of ports would carry the cable along."),
	  .mend = N_("Change the cable, seat both plugs, boot, and compare the CRC count: it never "
		     "resets, it must only stop growing."),
	  .acceptable = true },
	{ .id = "slowed-by-errors",
	  .title = N_("slowed down after errors"),
	  .means = N_("The kernel lowered the link's speed by itself after errors of this boot."),
	  .harm = N_("The link fails at full speed; the next step is a lost disk."),
	  .mend = N_("Change the cable and seat both plugs; the limit is gone after the next boot. "
		     "If it comes back, try another port."),
	  .acceptable = true },
	{ .id = "limited-by-software",
	  .title = N_("a limit in force"),
	  .means = N_("SControl or libata holds the link below what drive and controller could do, "
		      "and no general limit stands on the kernel's command line."),
	  .harm = N_("The disk stays slow on whatever port the limit is in force, and a swap does "
		     "not mend it."),
	  .mend = N_("Look for libata.force with a port number on the kernel's command line, and "
		     "for a SATA speed setting in the firmware's setup; a limit left by an error "
		     "is gone after a cold boot."),
	  .acceptable = true },
	{ .id = "drive-unknown",
	  .title = N_("the cause is not known"),
	  .means = N_("The link runs below what the controller could do, and neither smartctl nor "
		      "the drive's IDENTIFY data tells what the drive could do, or nobody tells "
		      "whether CRC errors were counted."),
	  .harm = N_("Whether port, cable or drive is at fault cannot be told; a swap may mend "
		     "nothing."),
	  .mend = N_("Install smartmontools and run coldswap as root.") },
	{ .id = "maybe-disabled",
	  .title = N_("ports that may only be switched off"),
	  .means = N_("A disk is held back, and the controller has ports outside its mask of "
		      "implemented ports. They are not wired, or disabled in the firmware's "
		      "setup; no software tells the two apart."),
	  .harm = N_("If one of them is a fast socket, one cable would do instead of two."),
	  .mend = N_("Look into the firmware's SATA settings before any exchange, and count the "
		     "sockets on the board."),
	  .acceptable = true },
	{ .id = "phantom-mask",
	  .title = N_("more ports than sockets"),
	  .means = N_("The controller announces more ports than its chip has sockets. The further "
		      "ones look like empty ports and lead nowhere."),
	  .harm = N_("A disk cannot be plugged into them; and one such card uses up many ata "
		     "numbers, so that those of later controllers shift when it goes."),
	  .mend = N_("Count the sockets on the card; take only the first ports for real."),
	  .acceptable = true },
	{ .id = "link-errors",
	  .title = N_("link errors in this boot"),
	  .means = N_("The kernel log of this boot has errors of a link that runs at full speed."),
	  .harm = N_("A cable that fails now and then fails more often after it was bent."),
	  .mend = N_("Change the cable while the machine is open."),
	  .acceptable = true },
	{ .id = "map-incomplete",
	  .title = N_("the port map has a hole"),
	  .means = N_("The kernel log, the ports of sysfs and the block devices do not fit: a "
		      "port, the place of a disk or the disk of a link is missing in one of "
		      "them."),
	  .harm = N_("What the map does not show may be the very disk or port of the work."),
	  .mend = N_("Run coldswap as root with all of /sys mounted. A drive that failed after "
		     "the boot looks the same: see the kernel log.") },
	{ .id = "log-incomplete",
	  .title = N_("the kernel log is missing or cut"),
	  .means = N_("Only the kernel log of the boot tells which ports are wired and what is "
		      "behind a link that is down, and it could not be read from its start."),
	  .harm = N_("A port that is not wired would look like a free one."),
	  .mend = N_("Read the log as root; when the ring buffer has lost the boot, keep the "
		     "journal, or boot once more.") },
	{ .id = "unreadable",
	  .title = N_("the ports could not be read"),
	  .means = N_("Block devices or the ports of sysfs could not be read."),
	  .harm = N_("Nothing can be said of ports and links."),
	  .mend = N_("Run coldswap as root on a host with /sys mounted.") },
	{ .id = "target-missing",
	  .title = N_("no such port"),
	  .means = N_("The work names a controller or a port that the host does not have."),
	  .harm = N_("The disk has nowhere to go."),
	  .mend = N_("Take a port that `coldswap ports` lists.") },
	{ .id = "target-dummy",
	  .title = N_("the port is not implemented"),
	  .means = N_("The port is outside the controller's mask (\"DUMMY\"): it is not wired, or "
		      "disabled in the firmware's setup."),
	  .harm = N_("A disk plugged in there does not appear."),
	  .mend = N_("Take another port, or enable this one in the firmware's setup first.") },
	{ .id = "target-phantom",
	  .title = N_("the port has no socket"),
	  .means = N_("The port is one of those that the chip announces beyond its sockets."),
	  .harm = N_("There is nothing to plug the cable into."),
	  .mend = N_("Take one of the first ports of the card.") },
	{ .id = "target-offline",
	  .title = N_("the port is switched off"),
	  .means = N_("SStatus DET is 4: the PHY of the port is offline, disabled by firmware or "
		      "kernel; an empty port has 0."),
	  .harm = N_("A disk plugged in there does not appear."),
	  .mend = N_("Take another port, or enable this one in the firmware's setup first.") },
	{ .id = "target-occupied",
	  .title = N_("the port is taken"),
	  .means = N_("Something is plugged into the port and stays there under the planned work."),
	  .harm = N_("A port takes one cable."),
	  .mend = N_("Name an exchange instead, or take a free port.") },
	{ .id = "target-no-link",
	  .title = N_("a device without a link"),
	  .means = N_("SStatus DET is 1: something is plugged into the port and its link does not "
		      "come up."),
	  .harm = N_("The port or what hangs on it is faulty; a good disk may not come up there "
		     "either."),
	  .mend = N_("See what is plugged in there, or take another port."),
	  .acceptable = true },
	{ .id = "target-unknown",
	  .title = N_("the port could not be judged"),
	  .means = N_("Whether the port is wired, free and usable is not known."),
	  .harm = N_("The disk may not appear there."),
	  .mend = N_("Make the kernel log of the boot readable, or take a port that is known.") },
	{ .id = "target-slower",
	  .title = N_("a slower port"),
	  .means = N_("The disk's link will be slower than now, and no disk gets a faster one for "
		      "it."),
	  .harm = N_("The disk's ceiling falls."),
	  .mend = N_("Take a port of the disk's speed."),
	  .acceptable = true },
	{ .id = "target-without-pmp",
	  .title = N_("the port cannot drive a multiplier"),
	  .means =
		  N_("All disks of a port multiplier go to a controller that does not support port "
		     "multipliers."),
	  .harm = N_("Only the first disk behind the multiplier appears, or none."),
	  .mend = N_("Take a port of a controller with the flag pmp.") },
	{ .id = "port-multiplier",
	  .title = N_("several disks on one cable"),
	  .means = N_("The port carries a port multiplier: touching its cable touches every disk "
		      "behind it."),
	  .harm = N_("Arrays that have several members there lose them all at once."),
	  .mend = N_("Stop what uses any of these disks, not only the one that is named."),
	  .acceptable = true },
	{ .id = "shared-port",
	  .title = N_("several disks share a port"),
	  .means = N_("Several disks are seen on one port without a multiplier being told of."),
	  .harm = N_("Which cable belongs to which disk cannot be told."),
	  .mend = N_("Follow the cables by hand before the power goes off."),
	  .acceptable = true },
	{ .id = "key-shared",
	  .title = N_("the disk cannot be told apart"),
	  .means = N_("A disk of the work shares its serial number or WWN with another disk, or "
		      "tells none, as another disk of its bus."),
	  .harm = N_("After the work nobody can prove which disk is where."),
	  .mend = N_("Mark the disk by hand, and unplug the other one that has the same serial; "
		     "give a virtual disk a serial number of its own.") },
	{ .id = "only-one",
	  .title = N_("without an identity, and alone"),
	  .means = N_("A disk of the work tells neither serial number nor WWN; no other disk of "
		      "its bus does so, so it cannot be mistaken.") },
	{ .id = "advice-kept-back",
	  .title = N_("a swap that is not advised"),
	  .means = N_("A swap would help a disk that is held back, but one of the two disks has "
		      "no identity of its own: its serial number is missing or doubled."),
	  .harm = N_("The disk stays slow; and a swap done all the same could not be proved "
		     "afterwards."),
	  .mend = N_(
		  "Compare `smartctl -i` with the labels; a capture may hold the data of one disk "
		  "twice."),
	  .acceptable = true },
	{ .id = "not-on-sata",
	  .title = N_("not on a SATA port"),
	  .means = N_("A disk of the exchange is not plugged into a SATA port."),
	  .harm = N_("Its cable does not fit, or its ports are those of an adapter that coldswap "
		     "does not read."),
	  .mend = N_("Exchange only disks that `coldswap ports` shows.") },
	{ 0 },
};
