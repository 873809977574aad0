/* SPDX-License-Identifier: MIT */
/*
 * Where a cold copy goes, judged: which disk, what filesystem, how much room.
 * Shared by the kinds that say whether a copy can be made and that make it.
 *
 * Refused: a disk that the work touches (through partitions, arrays, mapped
 * devices, every member of a btrfs or zfs), memory (tmpfs, ramfs, zram),
 * overlay and FUSE, which hide where their bytes are; what is mounted
 * read-only; a place in a source or around one; too few bytes or inodes.
 */
#ifndef COLDSWAP_STEP_DESTINATION_H
#define COLDSWAP_STEP_DESTINATION_H

#include "base/intl.h"
#include "probe/facts.h"
#include "probe/filetree.h"
#include "step.h"

enum destination_network {
	NETWORK_WARNED,  /* told: a report only */
	NETWORK_REFUSED, /* fails, unless the operator allows it */
	NETWORK_ALLOWED,
};

struct destination {
	/* in */
	const struct step *step;
	struct result *result;
	const struct mounts *mounts;
	const struct blocks *blocks;
	const char *param; /* of the kind, for remedies: "copy_to" */
	enum destination_network network;
	/* out */
	char *path; /* links resolved; what does not exist yet as it stands */
	const struct mount *mount;
	const struct block *device; /* NULL: on no block device that is known */
	/* Whose disks it lies on: of a loop device what its file lies on; NULL: not known. */
	const struct block *below;
};

int destination_find(struct destination *to, struct filetree *tree, const char *given,
		     struct error *err);
void destination_done(struct destination *to);
/* destination_loop.c: fills in `below`; -ENOMEM alone is an error. */
int destination_below(struct destination *to, struct filetree *tree);

/* Can a copy stand there: its disk and its filesystem.  What cannot is a finding. */
int destination_judge(struct destination *to, struct error *err);
/* Does it lie in this source, or around it?  Then that is a finding. */
void destination_nesting(struct destination *to, const char *source);

struct destination_room {
	uint64_t bytes, inodes; /* in: what is copied */
	/* out */
	bool known, fits;
	uint64_t need, available;        /* bytes, with the reserve */
	char *sum_text, *available_text; /* "669 MB" */
};
/* Bytes with a reserve, and inodes: a finding each where they do not fit, one where they do. */
int destination_judge_room(struct destination *to, struct destination_room *room,
			   struct error *err);
void destination_room_done(struct destination_room *room);

/* "669 MB", "63.5 GB": decimal units, as disks are sold and design.md counts. */
int size_words(uint64_t bytes, char **ret);

/* Rows that each such kind has. */
#define DESTINATION_ROWS                                                                           \
	{ .id = "room",                                                                            \
	  .title = N_("there is room for the copy"),                                               \
	  .means = N_("The destination has the bytes and inodes that the copy needs.") },          \
		{ .id = "dest-on-moved-disk",                                                      \
		  .title = N_("the copy would lie on a disk that the work touches"),               \
		  .means = N_("The destination is on a disk whose port, cable or presence the "    \
			      "work changes."),                                                    \
		  .harm = N_("If that disk does not come back, the copy is gone with it: it "      \
			     "protects from nothing."),                                            \
		  .mend = N_("Choose a destination on a disk that stays as it is.") },             \
		{ .id = "dest-disk-unknown",                                                       \
		  .title = N_("the destination's disk is not known"),                              \
		  .means = N_("It could not be determined on which disk the destination lies."),   \
		  .harm = N_("It may be one that the work touches."),                              \
		  .mend = N_("Choose a destination on a filesystem of a disk, or run as root.") }, \
		{ .id = "dest-in-memory",                                                          \
		  .title = N_("the copy would lie in memory"),                                     \
		  .means = N_("The destination's filesystem is a tmpfs or ramfs, or lies on "      \
			      "zram."),                                                            \
		  .harm = N_("The copy is gone when the power is."),                               \
		  .mend = N_("Choose a destination on a disk.") },                                 \
		{ .id = "dest-stacked",                                                            \
		  .title = N_("the destination's filesystem lies on another one"),                 \
		  .means = N_("The destination is on an overlay or on FUSE: where its bytes are "  \
			      "is not told, nor when they are on a disk."),                        \
		  .harm = N_("It may be a disk that the work touches, or memory; that the copy "   \
			     "was written cannot be proved."),                                     \
		  .mend = N_("Choose a destination on a filesystem of a disk.") },                 \
		{ .id = "dest-network",                                                            \
		  .title = N_("the destination is on another machine"),                            \
		  .means = N_("The destination's filesystem is mounted over the network."),        \
		  .harm = N_("The copy is as safe as that machine, and out of reach while this "   \
			     "one has no network."),                                               \
		  .mend = N_("Make sure that the other machine stays up, or choose a disk "        \
			     "here."),                                                             \
		  .acceptable = true },                                                            \
		{ .id = "dest-read-only",                                                          \
		  .title = N_("the destination cannot be written"),                                \
		  .means = N_("The destination's filesystem is mounted read-only."),               \
		  .harm = N_("The copy cannot be made; a filesystem that turned read-only has "    \
			     "errors."),                                                           \
		  .mend = N_("See the kernel log for the reason, or choose another "               \
			     "destination.") },                                                    \
		{ .id = "nested",                                                                  \
		  .title = N_("destination and source lie in each other"),                         \
		  .means = N_("The destination is inside a directory that is copied, or holds "    \
			      "one."),                                                             \
		  .harm = N_("The copy would copy itself, or overwrite its source."),              \
		  .mend = N_("Choose a destination outside all sources.") },                       \
		{ .id = "no-room",                                                                 \
		  .title = N_("not enough room"),                                                  \
		  .means = N_("The destination has fewer bytes free than the copy and its "        \
			      "reserve need."),                                                    \
		  .harm = N_("The copy ends in the middle, with the services down."),              \
		  .mend = N_("Free the missing bytes, or choose another destination.") },          \
	{                                                                                          \
		.id = "no-inodes", .title = N_("not enough inodes"),                               \
		.means = N_("The destination's filesystem can hold fewer new files than are "      \
			    "copied."),                                                            \
		.harm = N_("The copy ends in the middle, with the services down."),                \
		.mend = N_("Choose another destination.")                                          \
	}

#endif
