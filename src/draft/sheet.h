/* SPDX-License-Identifier: MIT */
/* What the parts of a draft share; private to src/draft. */
#ifndef COLDSWAP_DRAFT_SHEET_H
#define COLDSWAP_DRAFT_SHEET_H

#include "probe/facts.h"
#include "probe/filetree.h"
#include "step.h"
#include "work/advice.h"
#include "work/work.h"

struct sheet {
	struct facts *facts;
	struct host *host;
	const struct blocks *blocks;
	const struct mounts *mounts; /* NULL: the kernel's list could not be read */
	struct filetree *tree;       /* NULL likewise */
	struct advice *advice;       /* NULL: the port map gave none; `no_advice` says why */
	struct error no_advice;
	struct work *work;  /* the advised, or a plain power cycle */
	char *move_up;      /* a name for the disks of the work; NULL where there is no such disk */
	char *move_down;    /* likewise */
	char *copy_to;      /* on a disk that stays as it is, or the usual place */
	char *copy_to_note; /* why not the usual place; NULL for it */
	struct buf *out;
};

/* What was found for one parameter. */
struct found {
	char **items;  /* none: nothing to name */
	bool literal;  /* names of the host, in which "${" is no reference */
	char *why_not; /* a sentence: why nothing is named; NULL where there is nothing */
};
void found_done(struct found *found);
/* -ENOMEM alone: what cannot be read is a reason to leave it to the kind's own search. */
int sheet_find(struct sheet *sheet, enum param_draft what, struct found *ret, struct error *err);

/*
 * A name of a disk that means it, and that a runbook can hold: its serial, WWN,
 * key, by-id or kernel name.  -ENOENT when none does.
 */
int sheet_name_disk(const struct sheet *sheet, const struct block *disk, char **ret,
		    struct error *err);
/* Take the advised work, and names for its disks. */
int sheet_take_work(struct sheet *sheet, struct error *err);
int sheet_choose_copy_to(struct sheet *sheet, struct error *err);

/* The parts of the text, in their order. */
int sheet_write_head(struct sheet *sheet, struct error *err);
void sheet_write_vars(struct sheet *sheet);
int sheet_write_work(struct sheet *sheet, struct error *err);
/* `suffix` of the id: what tells a kind's second step from its first. */
int sheet_write_step(struct sheet *sheet, const struct kind *kind, const char *suffix,
		     struct error *err);
/* A check that asks whether the steps before it have had their effect: it stands behind them. */
bool sheet_is_proof(const struct kind *kind);
/* From the question whether somebody is at the machine to the last proof after the boot. */
int sheet_write_session(struct sheet *sheet, struct error *err);

#endif
