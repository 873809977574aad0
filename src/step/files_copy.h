/* SPDX-License-Identifier: MIT */
/* The parts of files.copy; private to files_copy*.c. */
#ifndef COLDSWAP_STEP_FILES_COPY_H
#define COLDSWAP_STEP_FILES_COPY_H

#include "copy/copy.h"
#include "probe/dataset.h"
#include "step.h"
#include "step/destination.h"

struct files_copy_entry {
	char *path; /* "sqlite:/…", or a path */
	char *keep; /* "irreplaceable", "recreatable" */
	char *reason;
};

struct files_copy_params {
	char *to;
	struct param_entries sources; /* struct files_copy_entry */
	bool allow_network;
};

/* A source, resolved. */
struct copy_item {
	char *given;  /* as the runbook says it, or the search */
	char *path;   /* links resolved; of a database its own */
	char *reason; /* or NULL */
	bool recreatable;
	struct dataset *set;   /* of what is copied; NULL where it could not be read */
	uint64_t bytes, files; /* that are this source's own, and no other's */
	bool known;
};

/* What one look at the host has at hand. */
struct copying {
	const struct step *step;
	struct result *result;
	const struct files_copy_params *params;
	struct filetree *tree;
	struct destination to;
	struct copy_item *items;
	size_t n;
	uint64_t bytes, files, directories; /* to be copied */
	uint64_t left_out;
	bool known; /* all of it could be read */
};

/*
 * All that can be said before a byte is copied, by reading alone: sources,
 * what is left out and why, links that leave, what nobody classified, the
 * destination.  What stands in the way is a finding.
 */
int copying_look(struct copying *copying, struct error *err);
void copying_done(struct copying *copying);

/* files_copy_sources.c: the entries, or the databases that are found. */
int copying_find(struct copying *copying, struct error *err);
/* files_copy_classes.c: to whom a path belongs, by the longest name; NULL: to nobody. */
const struct copy_item *copying_owner(const struct copying *copying, const char *path);
/* Is something that is classified below it? */
bool copying_is_above(const struct copying *copying, const char *path);
int copying_classify(struct copying *copying, struct error *err);
/* files_copy_links.c: links that leave, and what is mounted below a source. */
void copying_links(struct copying *copying);
/* files_copy_rest.c: bytes on the disks of the work that no entry names. */
int copying_rest(struct copying *copying, struct error *err);

/* files_copy_make.c: make it; what came of it is findings and outputs. */
int copying_make(struct copying *copying, const char *dir, struct error *err);
/* files_copy_trouble.c: why there is none, and who is in the way. */
void copying_trouble(struct copying *copying, const struct copy_outcome *outcome,
		     const struct copy_head *head, const char *dir);
/* files_copy_checks.c: validators and RESTORE.md, before the copy gets its name. */
int copying_finish(void *data, const char *dir, struct copy_head *head, struct error *err);
/* files_copy_stands.c: does the copy that this step made stand, and are its sources as it is? */
int copying_stands(const struct step *step, const char *dir, enum standing *ret_standing,
		   struct result *ret, struct error *err);

#endif
