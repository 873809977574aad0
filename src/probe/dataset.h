/* SPDX-License-Identifier: MIT */
/*
 * A database, or a part of a tree, as a runbook names it, and all the files
 * that it consists of.
 *
 *	/srv/app		a file, or every file below a directory
 *	sqlite:PATH		the resolved file, its -wal, -shm and -journal, and
 *				the super-journal that the -journal names
 *	postgres:DIR		the directory, what pg_wal and pg_tblspc/N lead to
 *	etcd:DIR		the directory, what links at member, member/snap and
 *				member/wal lead to
 *	raft:DIR		the directory that holds vault.db and raft/ of Vault
 *				or OpenBao, what links at those lead to
 *
 * A path without a word that leads to a SQLite database is one: without its
 * -wal it would be half of one.
 *
 * Links are resolved once, here.  A link inside a tree is not followed: one
 * that leaves the tree is told, and what it leads to is no part of it.  Nor is
 * what is mounted below a root (a subvolume of btrfs that is not mounted is):
 * it is told, too, and is a source of its own.
 *
 * In any tree the databases are found, so that their states are read and their
 * copies validated: a cluster of PostgreSQL by PG_VERSION beside
 * global/pg_control, SQLite and bbolt by the first hundred bytes of files
 * whose name, neighbours or size are those of a database.
 */
#ifndef COLDSWAP_PROBE_DATASET_H
#define COLDSWAP_PROBE_DATASET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "probe/filetree.h"

enum database { DATABASE_NONE, DATABASE_SQLITE, DATABASE_POSTGRES, DATABASE_ETCD, DATABASE_RAFT };

/* Which one a text names; *ret_path is the path behind the word, inside `text`. */
enum database dataset_word(const char *text, const char **ret_path);
const char *database_name(enum database database); /* "SQLite", "PostgreSQL", ...; "files" */
/* A row's check(): a known word or none, and an absolute, normalised path.  -EINVAL. */
int dataset_check(const char *text, struct error *err);

/* A directory or file that belongs to it: a source of the copy. */
struct dataset_root {
	char *path; /* links resolved */
	bool directory;
	const char *role; /* "write-ahead log", "tablespace": for the operator; NULL = itself */
	char *by;         /* the link that leads here from another root; or NULL */
};

/* A file whose state tells of the database. */
enum datafile_role {
	DATAFILE_PLAIN,
	DATAFILE_SQLITE,  /* the database itself */
	DATAFILE_WAL,     /* -wal */
	DATAFILE_SHM,     /* -shm: nothing durable */
	DATAFILE_JOURNAL, /* -journal */
	DATAFILE_SUPER,   /* the super-journal that it names */
	DATAFILE_BBOLT,   /* vault.db, raft.db, member/snap/db */
	DATAFILE_PG_CONTROL,
	DATAFILE_PG_PID, /* postmaster.pid */
};

struct datafile {
	char *path; /* links resolved */
	enum datafile_role role;
	uint64_t size;
	dev_t dev; /* as stat(2) tells; of a capture, as files.json does */
	ino_t ino; /* 0: a capture that does not tell */
	mode_t mode;
	nlink_t nlink; /* 0: a capture that does not tell */
};

struct dataset_link {
	char *path, *target; /* a link below a root, and what it leads to, resolved */
	bool dangling;
};

struct dataset {
	char *given; /* "sqlite:/var/lib/rancher/k3s/server/db/state.db" */
	char *path;  /* of it, links resolved */
	enum database database;
	struct dataset_root *roots; /* none lies in another */
	size_t n_roots;
	struct datafile *files; /* every regular file of the roots, by path */
	size_t n_files;
	struct dataset_link *leaving; /* links that leave every root */
	size_t n_leaving;
	char **mounts;   /* what is mounted below a root, and no part of it; or NULL */
	uint64_t bytes;  /* of all files; one of several names counts once */
	uint64_t others; /* sockets, devices and FIFOs, which hold no data */
	/*
	 * Files that have a name more outside of the roots.  A lease covers the
	 * file by whatever name it is opened; a copy cannot keep that name.
	 */
	uint64_t linked_elsewhere;
};

/*
 * -ENOENT: it is not there; -EINVAL: it is not what its word says (no
 * PG_VERSION in postgres:DIR); -EFBIG over FILETREE_MAX_ENTRIES; -ECANCELED.
 * What cannot be looked into is an error, never left out in silence.
 */
int dataset_load(struct filetree *tree, const char *text, const volatile sig_atomic_t *cancelled,
		 struct dataset **ret, struct error *err);
/* Is `path` one of its roots? */
bool dataset_begins_at(const struct dataset *set, const char *path);
void dataset_free(struct dataset *set);
DEFINE_CLEANUP(dataset, dataset_free)

#endif
