/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "step/unit_control.h"

const struct output_row unit_control_outputs[] = {
	{ "was_active", OUTPUT_BOOL,
	  N_("Whether the unit was active before the session changed it.") },
	{ "left", OUTPUT_INT, N_("Processes in its control group once it was stopped.") },
	{ 0 },
};

const struct finding_row unit_control_findings[] = {
	{ .id = "stopped",
	  .title = N_("inactive"),
	  .means = N_("The unit is inactive, and systemd has no job for it. That alone is no proof "
		      "that nothing of it runs, nor that its files are quiescent.") },
	{ .id = "started",
	  .title = N_("active"),
	  .means = N_("The unit is active, and systemd has no job for it.") },
	{ .id = "untouched",
	  .title = N_("nothing to take back"),
	  .means = N_("The session did not change the unit: it was as it should be already.") },
	{ .id = "not-stopped",
	  .title = N_("it did not stop"),
	  .means = N_("The unit is not inactive. What the job ended with is told, but the state "
		      "that systemd gives afterwards is what counts."),
	  .harm = N_("What it works on is not at rest: a copy of it would be torn, and the power "
		     "would be cut under it."),
	  .mend = N_(
		  "Look into `journalctl -b -u UNIT`, see that it stops by `systemctl stop UNIT`, "
		  "then go on.") },
	{ .id = "not-started",
	  .title = N_("it did not start"),
	  .means = N_("The unit is not active. What the job ended with is told, but the state that "
		      "systemd gives afterwards is what counts. A unit that does its work and ends "
		      "is not active afterwards either."),
	  .harm = N_("What it serves is gone."),
	  .mend = N_(
		  "Look into `journalctl -b -u UNIT`; see that what it needs is mounted and that "
		  "no hold lies on it.") },
	{ .id = "active-again",
	  .title = N_("something started it again"),
	  .means = N_("The unit was stopped and is active: its InvocationID is that of another "
		      "start."),
	  .harm = N_("It writes while it is taken to be at rest."),
	  .mend = N_(
		  "Stop what starts it first: its socket, timer or path unit, or a program that "
		  "watches it. unit.hold keeps it down, but starts nothing and stops nothing.") },
	{ .id = "job-pending",
	  .title = N_("systemd is at work on it"),
	  .means = N_("A job is queued for the unit, so its state is about to change."),
	  .harm = N_("What is read now says nothing of what it will be."),
	  .mend = N_("Wait until `systemctl list-jobs` no longer lists it, then go on.") },
	{ .id = "ended-badly",
	  .title = N_("stopped, and not well"),
	  .means =
		  N_("The unit is in the state failed: it ended with an error, or systemd ended it "
		     "by force because it did not end in time."),
	  .harm = N_("What it had open may need recovery when it is started again."),
	  .mend = N_("Look into `journalctl -b -u UNIT` before anything is copied."),
	  .acceptable = true },
	{ .id = "triggered",
	  .title = N_("another unit may start it"),
	  .means = N_("A socket, timer or path unit that starts this one is active."),
	  .harm = N_(
		  "The next connection, or the time, starts the unit in the middle of the work."),
	  .mend = N_("Stop that unit first, with a step of its own."),
	  .acceptable = true },
	{ .id = "left-running",
	  .title = N_("processes of it still run"),
	  .means = N_("The unit is inactive and its control group is not empty. With "
		      "KillMode=process systemd ends the main process alone, with KillMode=none "
		      "nothing; with Delegate=yes the unit keeps control groups of its own, as a "
		      "container runtime does for its pods."),
	  .harm = N_("They go on writing: inactive is no proof of quiescence."),
	  .mend = N_("Put a check behind it that what they work on is quiescent (files.quiescent); "
		     "or end them first.") },
	{ .id = "left-nothing",
	  .title = N_("no process of it is left"),
	  .means = N_("The unit's control group is empty.") },
	{ .id = "left-unknown",
	  .title = N_("whether something is left is not known"),
	  .means = N_("The processes in the unit's control group could not be listed."),
	  .harm = N_("One that goes on writing would go unseen."),
	  .mend = N_("Be root; see that the control groups are mounted.") },
	{ .id = "absent",
	  .title = N_("no such unit"),
	  .means = N_("systemd says that there is no unit of that name, or does not run at all. "
		      "There is nothing to stop then; what was to be started is missing."),
	  .harm = N_("What it should run does not run."),
	  .mend = N_("Correct the name, or install again what brings the unit; `systemctl "
		     "list-unit-files` lists those that exist.") },
	{ .id = "invalid-name",
	  .title = N_("not the name of a unit"),
	  .means = N_("The text cannot be a unit's name."),
	  .harm = N_("No unit was stopped or started."),
	  .mend = N_("Write it as `systemctl list-units` does, such as k3s.service.") },
	{ .id = "unreadable",
	  .title = N_("systemd did not tell"),
	  .means = N_("systemd could not be asked, or gave no answer."),
	  .harm = N_("Whether the unit runs is not known."),
	  .mend = N_("Be root; see that `systemctl status` answers.") },
	/* ---- foreseen of unit.stop ---- */
	{ .id = "kill-mode",
	  .title = N_("processes of it go on"),
	  .means = N_("The unit's KillMode is process or none: systemd ends its main process "
		      "alone, or nothing. k3s is one, so that containers go on while it restarts."),
	  .harm = N_("The unit is inactive then, and what it started goes on to write."),
	  .mend = N_("Let a step before it end the workloads, and one behind it prove that they "
		     "are gone.") },
	{ .id = "docker-backend",
	  .title = N_("its containers are Docker's"),
	  .means = N_("k3s runs with --docker: its containers are started and kept by Docker, and "
		      "nothing below the sockets of k3s tells of them."),
	  .harm = N_("They go on when k3s is stopped, and Docker may start them again."),
	  .mend = N_("Scale the workloads to 0, and see that docker ps lists no k8s_ container.") },
	{ .id = "would-stay",
	  .title = N_("what goes on when it is stopped"),
	  .means = N_("Processes of the unit, containers that they started among them, that the "
		      "stop of the unit does not end, nor a step before it."),
	  .harm = N_("They go on to write to what is taken to be at rest."),
	  .mend = N_("End them before the unit: scale the workloads to 0, docker stop. A "
		     "k3s-killall.sh kills, unmounts and removes, and is not for this.") },
	{ .id = "stayed",
	  .title = N_("it is stopped, and goes on"),
	  .means = N_("The unit is inactive and processes of it still run, containers that they "
		      "started among them. To stop it again ends none of them."),
	  .harm = N_(
		  "They write to what is taken to be at rest; at the power-off they are killed."),
	  .mend = N_("Start the unit, scale the workloads to 0, then stop it.") },
	{ .id = "killall-removes",
	  .title = N_("a script that removes what it unmounts"),
	  .means = N_("The k3s-killall.sh that is installed removes a path after it was "
		      "unmounted. With two mounts stacked on one path that deletes the files of "
		      "the lower one."),
	  .harm = N_("Live data is deleted, and every container is killed before it can close "
		     "what it has open."),
	  .mend = N_("Do not run it: scale the workloads to 0, then stop the unit.") },
	{ .id = "killall-unmounts",
	  .title = N_("a script that unmounts a filesystem of its own"),
	  .means = N_("The k3s-killall.sh that is installed unmounts everything below the data "
		      "of k3s, a filesystem that was mounted there by the operator too."),
	  .harm = N_("What is written there afterwards lands in the directory below it."),
	  .mend = N_(
		  "Do not run it: mount.release unmounts, and proves that the device is free.") },
	{ .id = "killall-leaves",
	  .title = N_("mounts that a script does not know"),
	  .means = N_("The k3s-killall.sh that is installed does not unmount where these are "
		      "mounted."),
	  .harm = N_("They stay in use, though it looks as if all were cleaned up."),
	  .mend = N_(
		  "Do not run it: mount.release unmounts, and proves that the device is free.") },
	{ 0 },
};
