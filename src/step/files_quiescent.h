/* SPDX-License-Identifier: MIT */
/*
 * The parts of files.quiescent; private to files_quiescent*.c.
 *
 * A look takes a lease on every file, holds them all while every process is
 * scanned, reads the databases' own state through the leases' descriptors, and
 * drops the lot.  What it saw is judged afterwards, and more than once where
 * it is waited for.
 */
#ifndef COLDSWAP_STEP_FILES_QUIESCENT_H
#define COLDSWAP_STEP_FILES_QUIESCENT_H

#include "probe/dataset.h"
#include "probe/dbstate.h"
#include "probe/filetree.h"
#include "probe/holders.h"
#include "step.h"
#include "sys/lease.h"

struct quiescent_params {
	char **path;
	uint64_t wait;
};

extern const struct finding_row files_quiescent_findings[];

/* What was seen of one file; hard links are one file. */
struct quiet_file {
	size_t set;
	const struct datafile *data;   /* NULL: it is not there, its former generations may be */
	char *sibling;                 /* of those, its path */
	const struct datafile *beside; /* likewise, its database */
	enum lease_answer answer;
	int code;                 /* of LEASE_UNKNOWN */
	const char *fstype;       /* static, or NULL */
	bool broken, gone, shown; /* shown: the scan has a holder of it */
};

/* What a database's own files tell. */
struct quiet_state {
	size_t set;
	const struct datafile *data;
	int code; /* why it could not be read; 0 */
	char *why;
	union {
		struct sqlite_wal wal;
		bool hot;
		struct bbolt_meta bbolt;
		struct pg_control pg;
		pid_t pid;
	};
};

struct look {
	const struct step *step;
	const struct quiescent_params *params;
	bool live, named;
	struct filetree *tree;
	struct dataset **sets;
	size_t n_sets;
	struct quiet_file *files;
	size_t n_files;
	struct quiet_state *states;
	size_t n_states;
	struct holders holders;
	bool looked;  /* to the end: what is said of holders and leases counts */
	bool changed; /* other files, or others in their place, when it was over */
};

/* Fills in the sets; what is not there or could not be listed is a finding. */
int quiet_find_sets(struct look *look, struct result *ret, struct error *err);

/*
 * Finds the databases, or takes those that are named, and looks.  What is not
 * there or could not be read is a finding of `ret`, as is a search that found
 * no end.  Negative: -ENOMEM, -ECANCELED.
 */
int quiet_look(struct look *look, struct result *ret, struct error *err);
void quiet_look_done(struct look *look);

/* Everything that the look tells, as findings. */
int quiet_judge(struct look *look, struct result *ret, struct error *err);
/* The same, of what is left to the session: whom does no earlier step end? */
int quiet_foresee(struct look *look, struct result *ret, struct error *err);

/* Does each path that was named lie on the filesystem that fstab puts there? */
int quiet_judge_mounts(const struct look *look, struct result *ret, struct error *err);
/* What is mounted below what was looked at, and was not looked at itself. */
void quiet_judge_below(const struct look *look, size_t set, struct result *ret);
/* Processes that could not be looked at; a capture as a whole. */
void quiet_judge_gaps(const struct look *look, struct result *ret);

/* The own state of each database; `held`: by set. */
int quiet_read_states(struct look *look, struct lease *const *leases, struct error *err);
void quiet_judge_states(struct look *look, size_t set, bool held, struct result *ret);

/* One process, or the kernel, and all that it has of one database. */
struct quiet_group {
	size_t set;
	const struct holder **items;
	size_t n;
};
/* By set, then process, then sort of finding; freed by the caller, items too (one block). */
int quiet_groups(const struct look *look, struct quiet_group **ret, size_t *ret_n,
		 struct error *err);
void quiet_groups_free(struct quiet_group *groups);
const char *quiet_group_id(const struct look *look, const struct quiet_group *group);
void quiet_say_group(const struct look *look, const struct quiet_group *group, const char *id,
		     enum verdict verdict, struct result *ret);
/* "postgres (pid 812)" */
void quiet_name(const struct holder *holder, struct buf *ret);
/* What would stop it, in one sentence. */
void quiet_remedy(const struct holder *holder, struct buf *ret);

/* Are the holders still those of the look?  1, 0, or a negative errno.  It opens no file. */
int quiet_is_as_seen(const struct look *look, struct error *err);
/* Until nobody has anything open, or the deadline: the last look stays in `look`. */
int quiet_wait(struct look *look, uint64_t deadline_us, struct result *ret, struct error *err);
/* Does anybody have anything of it open, as far as the look tells? */
bool quiet_is_held(const struct look *look);

#endif
