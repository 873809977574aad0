/* SPDX-License-Identifier: MIT */
/*
 * What a kind puts below systemd's own directory of /etc and takes away again:
 * a file, and at most a link to it.
 *
 * Before the first change the text is kept, and whether the directory was
 * there; so what is removed is what was written, even by another version of
 * the program.  What stands there and was not written by this session is
 * another's: it is told and left alone.
 *
 * Only a file on the root filesystem is seen by systemd when it starts.
 *
 * Calls give 1, go on; 0, `ret` says why not; a negative errno only for
 * -ENOMEM, -ECANCELED and what the session itself failed with.
 */
#ifndef COLDSWAP_STEP_INSTALLED_H
#define COLDSWAP_STEP_INSTALLED_H

#include "base/intl.h"
#include "step.h"

#define INSTALLED_MAX 2

struct installed_item {
	const char *path;
	const char *text; /* of the file; of a link: where it points to */
	bool link;
};

struct installed {
	const struct step *step;
	struct result *ret;
	const char *dir;                            /* the directory that may have to be made */
	struct installed_item items[INSTALLED_MAX]; /* the first is a file, which is kept */
	size_t n;
};

/*
 * Keep what undo needs, then write all of it.  Nothing is changed unless all of
 * it lies on the root filesystem and nobody else's stands there.
 */
int installed_put(struct installed *installed, struct error *err);
/* Take the text that was kept in the place of today's: 1, or 0 when none was. */
int installed_kept(struct installed *installed, struct error *err);
/* In the other order. */
int installed_remove(struct installed *installed, struct error *err);

/* How many of the items stand there as they were written?  What is otherwise is said. */
int installed_look(struct installed *installed, size_t *ret_n, struct error *err);

/* Rows that every such kind has. */
#define INSTALLED_ROWS                                                                             \
	{ .id = "untouched",                                                                       \
	  .title = N_("nothing to take back"),                                                     \
	  .means = N_("The session wrote no such file.") },                                        \
		{ .id = "foreign",                                                                 \
		  .title = N_("a file of that name that is not ours"),                             \
		  .means = N_("Something else stands where the file is to be, or the file was "    \
			      "changed since it was written. It is left as it is."),               \
		  .harm = N_("What it says counts in the place of what the session wanted."),      \
		  .mend = N_(                                                                      \
			  "Look at it. One that an earlier session left behind may be removed: "   \
			  "`rm FILE`, then `systemctl daemon-reload`.") },                         \
		{ .id = "not-written",                                                             \
		  .title = N_("it could not be written"),                                          \
		  .means = N_("The file could not be made, or not made durable."),                 \
		  .harm = N_("The next boot goes on as if there were none."),                      \
		  .mend = N_("Be root; see that the root filesystem is mounted for writing and "   \
			     "has room.") },                                                       \
		{ .id = "not-removed",                                                             \
		  .title = N_("it could not be removed"),                                          \
		  .means = N_("The file is still there."),                                         \
		  .harm = N_("It keeps its effect, boot after boot."),                             \
		  .mend = N_("Be root; see that the root filesystem is mounted for writing, then " \
			     "run the command again, or remove the file by hand.") },              \
		{ .id = "not-on-root",                                                             \
		  .title = N_("not on the root filesystem"),                                       \
		  .means = N_("The directory lies on a filesystem that is mounted after systemd "  \
			      "has read its files, or that forgets them."),                        \
		  .harm = N_("At the next boot systemd does not see the file."),                   \
		  .mend = N_("Have /etc on the root filesystem of this host. Where the initramfs " \
			     "mounts /etc, its line in /etc/fstab says so by the option "          \
			     "x-initrd.mount, and that will do.") },                               \
		{ .id = "not-in-effect",                                                           \
		  .title = N_("systemd does not go by it"),                                        \
		  .means = N_("The file is there, and what systemd tells of the unit is not what " \
			      "the file says; or the file is gone and systemd goes by it still."), \
		  .harm = N_("The next boot may go otherwise than it is meant to."),               \
		  .mend = N_("See which files systemd reads for it: `systemctl cat UNIT`; then "   \
			     "`systemctl daemon-reload`.") },                                      \
	{                                                                                          \
		.id = "unreadable", .title = N_("could not be determined"),                        \
		.means = N_("systemd could not be asked, or the file or the list of mounts not "   \
			    "be read."),                                                           \
		.harm = N_("Whether the next boot goes by it is not known."),                      \
		.mend = N_("Be root; see that `systemctl status` answers.")                        \
	}

#endif
