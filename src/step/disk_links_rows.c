/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "step/disk_links.h"

const struct output_row disk_links_outputs[] = {
	{ "disks", OUTPUT_INT, N_("Disks that the earlier capture recorded; of now without one.") },
	{ "right", OUTPUT_INT, N_("Disks that are where the work should have brought them.") },
	{ "end", OUTPUT_STRING,
	  N_("Which end of the data cables was exchanged, once a disk has moved and the operator "
	     "was asked: drives, board or both.") },
	{ "proved", OUTPUT_STRING,
	  N_("What a difference of its link is put down to: port, or port-or-cable.") },
	{ 0 },
};

const struct finding_row disk_links_findings[] = {
	/* ---- places ---- */
	{ .id = "right",
	  .title = N_("where it should be"),
	  .means = N_("The disk, known by its key, is on the port where the planned work should "
		      "have brought it; or on its old one where the work did not touch it.") },
	{ .id = "port-changed",
	  .title = N_("another port, the same cable"),
	  .means = N_("The cables were exchanged at the board, so the disk kept its data cable. A "
		      "link that is better or worse than before is so because of the port.") },
	{ .id = "port-and-cable-changed",
	  .title = N_("another port, and another cable"),
	  .means = N_("The cables were exchanged at the drives, or unplugged at both ends, so the "
		      "disk hangs on another port and another data cable. A link that is better or "
		      "worse than before is so because of one of the two; to exchange the cables "
		      "alone would tell which.") },
	{ .id = "not-moved",
	  .title = N_("not moved"),
	  .means = N_("The work names the disk, and it is where it was before."),
	  .harm = N_("What the work was for has not come about: the disk keeps its old link."),
	  .mend = N_("Power off and plug the cables as planned; compare the serial on the label "
		     "with the one named here.") },
	{ .id = "wrong-port",
	  .title = N_("on a wrong port"),
	  .means = N_("The work names the disk, and it went to another port than planned."),
	  .harm = N_("Its link may be slower than predicted, and another disk is where it should "
		     "be."),
	  .mend = N_("Power off and plug its cable into the port that is named here.") },
	{ .id = "wrong-disk-moved",
	  .title = N_("a disk that was not to be touched"),
	  .means = N_("The disk is on another port than before, and the work does not name it."),
	  .harm = N_("The wrong cable was pulled: its names by port mean another disk now, and "
		     "its link may be slower."),
	  .mend = N_("Power off and plug its cable back into the port that is named here.") },
	{ .id = "moved",
	  .title = N_("on another port than before"),
	  .means = N_("The disk is on another port than before, and nobody said what was to "
		      "move."),
	  .harm = N_("If it was not meant to move, a wrong cable was pulled."),
	  .mend = N_("Compare with your plan, or run verify again with the work named, such as "
		     "--exchange A,B.") },
	{ .id = "missing",
	  .title = N_("a disk is missing"),
	  .means = N_("A disk that was there before is not there now, and the work does not take "
		      "it out."),
	  .harm = N_("Its filesystems are not mounted; arrays and pools run without a member."),
	  .mend = N_("Power off and seat its data and power plugs. A port that was wired and now "
		     "is a DUMMY comes back with a cold boot.") },
	{ .id = "new-disk",
	  .title = N_("a disk that was not there"),
	  .means = N_("A disk is there that was not there before."),
	  .harm = N_("It may have taken the port of another; its filesystems may carry the tags "
		     "of others."),
	  .mend = N_("Make sure that it is meant to be there.") },
	{ .id = "not-recognised",
	  .title = N_("a disk without an identity"),
	  .means = N_("A disk of before tells neither serial number nor WWN, or another one has "
		      "the same, so it cannot be found again."),
	  .harm = N_("A disk on a wrong port, or one that is missing, would go unseen."),
	  .mend = N_("Capture and verify as root; else make sure by the labels on the disks.") },
	/* ---- links ---- */
	{ .id = "link-right",
	  .title = N_("as fast as predicted"),
	  .means = N_("The link is not slower than the fastest one seen on this port before, as "
		      "far as the drive can do it.") },
	{ .id = "slower-than-predicted",
	  .title = N_("slower than predicted"),
	  .means = N_("The link is slower than one that this port has had before, and the drive "
		      "could do more."),
	  .harm = N_("The disk moves less than it could; a link that came up slow is often one "
		     "with a bad contact."),
	  .mend = N_("Power off, seat both plugs of the data cable, or change it.") },
	{ .id = "slower-than-possible",
	  .title = N_("slower than possible"),
	  .means = N_("The link is slower than drive and controller could do. Nothing was "
		      "recorded before, so it may have been so all along."),
	  .harm = N_("The disk moves less than it could."),
	  .mend = N_("`coldswap ports` tells by what it is held back.") },
	{ .id = "link-unknown",
	  .title = N_("a link of unknown speed"),
	  .means =
		  N_("Neither sysfs nor the kernel log tells how fast the link is; or it is slower "
		     "than the drive, on a port that the earlier capture does not have."),
	  .harm = N_("A link that came up slow would go unseen."),
	  .mend = N_("Read the log of the boot from the journal as root.") },
	/* ---- errors ---- */
	{ .id = "crc-unchanged",
	  .title = N_("no new CRC errors"),
	  .means = N_("The drive's count of CRC errors is what it was before. It never goes "
		      "down: a high count that stands still is history.") },
	{ .id = "crc-grown",
	  .title = N_("new CRC errors"),
	  .means = N_("The same drive counts more CRC errors than before."),
	  .harm = N_("Data is damaged on its way over the cable and sent again; at worst the "
		     "link drops, and the disk with it."),
	  .mend = N_("Seat both plugs of the data cable, or change it; then capture, put some "
		     "traffic on the disk and verify against that capture.") },
	{ .id = "crc-unknown",
	  .title = N_("CRC errors are not told"),
	  .means = N_("The drive's count of CRC errors was not recorded before, or cannot be read "
		      "now."),
	  .harm = N_("A bad cable would go unseen."),
	  .mend = N_("Install smartmontools and run coldswap as root.") },
	{ .id = "link-errors",
	  .title = N_("link errors in this boot"),
	  .means = N_("The kernel log of this boot tells of errors on the link. It is a failure "
		      "where the earlier boot had none on this disk, else a warning."),
	  .harm = N_("Errors are repeated until they succeed, or until the link drops and with it "
		     "the disk."),
	  .mend = N_("Seat both plugs of the data cable, or change it.") },
	{ .id = "log-incomplete",
	  .title = N_("the kernel log is not complete"),
	  .means = N_("The kernel log could not be read, or its first lines are lost."),
	  .harm = N_("Link errors of this boot would go unseen."),
	  .mend = N_("Read the log of the boot from the journal as root.") },
	/* ---- what there is to compare ---- */
	{ .id = "nothing-recorded",
	  .title = N_("nothing was recorded before"),
	  .means = N_("No earlier capture was named, so there is nothing to compare with.") },
	{ .id = "unreadable",
	  .title = N_("could not be determined"),
	  .means = N_("The disks or ports of now, or those of the earlier capture, could not be "
		      "read."),
	  .harm = N_("A disk on a wrong port would go unseen."),
	  .mend = N_("Run as root; name the directory that `coldswap capture` wrote.") },
	{ 0 },
};
