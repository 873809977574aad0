/* SPDX-License-Identifier: MIT */
/* What files.quiescent can find. */
#include "base/intl.h"
#include "step/files_quiescent.h"

const struct finding_row files_quiescent_findings[] = {
	{ .id = "quiescent",
	  .title = N_("nobody has it open"),
	  .means = N_("The kernel granted a write lease on every file, the leases stood through a "
		      "scan of all processes that found no holder, and the database's own files "
		      "do not contradict.") },
	{ .id = "held",
	  .title = N_("somebody has it open for writing"),
	  .means = N_("A process has a file of it open, and may write."),
	  .harm = N_("A copy made now may be torn, and a power-off now leaves it as a crash does."),
	  .mend = N_("Stop the program in the way that it asks for: systemctl stop UNIT, scale the "
		     "workload to 0, docker stop. kill -9 is not the way.") },
	{ .id = "read-only",
	  .title = N_("somebody reads it"),
	  .means = N_("A process has a file of it open for reading alone, a backup for example."),
	  .harm = N_("It has nothing of its own to lose, but it keeps the filesystem from being "
		     "unmounted, and the last one to close an SQLite database may still write "
		     "its -wal back and delete it."),
	  .mend = N_("Let the backup finish, or stop it.") },
	{ .id = "mapped",
	  .title = N_("somebody has it mapped"),
	  .means = N_("A process has a file of it in its memory, and no descriptor open; or runs "
		      "from it."),
	  .harm = N_("What it writes into its memory still becomes part of the file."),
	  .mend = N_("Stop the program in the way that it asks for.") },
	{ .id = "former-generation",
	  .title = N_("somebody works on a deleted file"),
	  .means =
		  N_("The file was deleted, or replaced, while the process had it open: it goes on "
		     "writing to the old one, which has no name any more."),
	  .harm = N_(
		  "Committed data may exist in the deleted file alone. It ends with the process, "
		  "and closing the database may write old pages over new ones."),
	  .mend = N_("First copy the database and /proc/PID/fd/N of the deleted file aside; do not "
		     "run a checkpoint; then stop the program.") },
	{ .id = "copy-aside",
	  .title = N_("copy aside before it is stopped"),
	  .means = N_("A process works on a deleted file of a database."),
	  .harm = N_("Closing the database may write old pages over new ones, and ends the deleted "
		     "file."),
	  .mend = N_("Copy the database and /proc/PID/fd/N of the deleted file aside; run no "
		     "checkpoint and no VACUUM; then stop the program.") },
	{ .id = "loop",
	  .title = N_("a loop device lies on it"),
	  .means = N_("The kernel uses the file as a block device."),
	  .harm = N_("Whatever is mounted from it writes to the file."),
	  .mend = N_("Unmount what lies on it, then losetup -d /dev/loopN.") },
	{ .id = "swap",
	  .title = N_("it is used as swap space"),
	  .means = N_("The kernel swaps to the file."),
	  .harm = N_("It changes at any moment."),
	  .mend = N_("swapoff FILE, or leave it out: there is nothing in it to keep.") },
	{ .id = "mounted-elsewhere",
	  .title = N_("unmounted here, mounted elsewhere"),
	  .means = N_("The filesystem is not mounted where it should be, and is mounted in the "
		      "mount namespace of another process."),
	  .harm = N_("It is in use there, and nothing of it can be seen from here."),
	  .mend = N_("Stop the container or service whose namespace it is, or mount it here "
		     "again.") },
	{ .id = "not-mounted",
	  .title = N_("not on the filesystem that is meant"),
	  .means =
		  N_("The path lies below a mount point of /etc/fstab that nothing is mounted on."),
	  .harm = N_("What was looked at is the directory below it, and not the data."),
	  .mend = N_("Prove it before the filesystem is unmounted, or mount it again.") },
	{ .id = "mount-below",
	  .title = N_("something is mounted below it"),
	  .means = N_("Another filesystem, or another part of one, is mounted below what was "
		      "named. A look ends where something else is mounted."),
	  .harm = N_("Whoever has a file of it open was not looked for."),
	  .mend = N_("Name the mount point as well: path=/srv/app,/srv/app/data.") },
	{ .id = "intruded",
	  .title = N_("opened while it was looked at"),
	  .means = N_("A lease was broken: somebody opened a file during the scan."),
	  .harm = N_("Something comes back by itself; it may do so again at any moment."),
	  .mend = N_("Look for timers, watchers and health checks, and stop them.") },
	{ .id = "changing",
	  .title = N_("files come and go"),
	  .means = N_("The list of files was another one at the end of the look, or a file was "
		      "replaced by another of its name."),
	  .harm = N_("Somebody writes there, though nobody may be seen to hold a file."),
	  .mend = N_("Stop what writes there, timers and clean-up jobs too.") },
	{ .id = "lease-disagrees",
	  .title = N_("the witnesses disagree"),
	  .means = N_("The kernel, or the database itself, says that it is in use, and no process "
		      "shows it."),
	  .harm = N_("There is a holder that cannot be named, so it may be a writer."),
	  .mend = N_("Stop what serves files from inside the kernel (nfsd, ksmbd, an iSCSI target) "
		     "and programs that pass descriptors on.") },
	{ .id = "foreign-filesystem",
	  .title = N_("a filesystem whose answer does not count"),
	  .means = N_("The files lie on FUSE, an overlay or a network filesystem, or one that is "
		      "not known to keep the promise of a lease."),
	  .harm = N_("Others can reach the same files without this kernel seeing it."),
	  .mend = N_("Prove it where the files really lie.") },
	{ .id = "no-lease",
	  .title = N_("no lease was to be had"),
	  .means = N_("The kernel refused the question itself: no right, leases switched off, or "
		      "too many files."),
	  .harm = N_("One of the three witnesses is missing."),
	  .mend = N_("Be root, and see that sysctl fs.leases-enable is 1.") },
	{ .id = "not-scanned",
	  .title = N_("not every process could be looked at"),
	  .means = N_("A process could not be read, this is another pid namespace, /proc hides "
		      "processes, or it is a capture."),
	  .harm = N_("Whoever could not be looked at may have it open."),
	  .mend = N_("Be root on the machine itself, outside of containers.") },
	{ .id = "killed-not-closed",
	  .title = N_("killed, not closed"),
	  .means = N_("PostgreSQL's own record says that it runs, or was in the middle of "
		      "something, and no process has it open."),
	  .harm = N_("Its files are those of a crash: it has to recover at its next start, and a "
		     "copy of them too."),
	  .mend = N_("Start it again and stop it properly: pg_ctl stop -m fast.") },
	{ .id = "stale-pid",
	  .title = N_("a pid file without its process"),
	  .means = N_("postmaster.pid names a process that is not there."),
	  .harm = N_("The server did not end in good order."),
	  .mend = N_("Start it again and stop it properly.") },
	{ .id = "in-the-wal",
	  .title = N_("data that lives in the -wal alone"),
	  .means = N_("The write-ahead log of an SQLite database holds frames that need not be in "
		      "the database yet. That is no fault: the two belong together.") },
	{ .id = "hot-journal",
	  .title = N_("an unfinished transaction"),
	  .means = N_("The rollback journal of an SQLite database is hot, and nobody has it open."),
	  .harm = N_("The database without its -journal is damaged."),
	  .mend = N_("Copy and restore the two together, or let the program roll it back.") },
	{ .id = "state-unreadable",
	  .title = N_("the database's own state could not be read"),
	  .means = N_("Its log or control file is damaged, or of a version that is not known "
		      "here."),
	  .harm = N_("Whether it was closed in good order is not known."),
	  .mend = N_("Look at it with its own tools.") },
	{ .id = "still-held",
	  .title = N_("still held at the end of the wait"),
	  .means = N_("The time of `wait` is over, and somebody still has it open."),
	  .harm = N_("A wait that runs out proves nothing."),
	  .mend = N_("Stop who is named, then look again.") },
	{ .id = "not-covered",
	  .title = N_("no step ends this holder"),
	  .means = N_("A process has it open now, and none of the steps before the proof would end "
		      "it."),
	  .harm = N_("The session would stop at the proof, with the services down already."),
	  .mend = N_("Add a step before the proof that stops it: unit.stop, or one that scales the "
		     "workload.") },
	{ .id = "missing",
	  .title = N_("it is not there"),
	  .means = N_("A path that was named does not exist, or holds no file."),
	  .harm = N_("Nothing of it could be proved."),
	  .mend = N_("Correct the path, or mount what it lies on.") },
	{ .id = "unreadable",
	  .title = N_("could not be looked at"),
	  .means = N_("The files of it could not be listed, or it is not what its word says."),
	  .harm = N_("Whether anybody has it open is not known."),
	  .mend = N_("Be root, or correct the word before the path.") },
	{ .id = "search-cut",
	  .title = N_("the search for databases was cut"),
	  .means = N_("There are more directories than are searched for databases."),
	  .harm = N_("A database that was not found was not proved."),
	  .mend = N_("Name the databases: path.") },
	{ 0 },
};
