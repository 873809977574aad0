/* SPDX-License-Identifier: MIT */
/* Inside of struct capture: for src/capture alone. */
#ifndef COLDSWAP_CAPTURE_COLLECT_H
#define COLDSWAP_CAPTURE_COLLECT_H

#include <jansson.h>

#include "base/strmap.h"
#include "buf.h"
#include "capture/capture.h"
#include "capture/entries.h"
#include "capture/mask.h"
#include "sys/record.h"

/* Below the capture's own directory. */
#define CAPTURED "/coldswap/"
#define CAPTURED_FILES CAPTURED "files.json"
#define CAPTURED_OPEN_FILES CAPTURED "openfiles.json"
#define CAPTURED_UNREADABLE CAPTURED "unreadable.tsv"

struct unread {
	char *path;
	int code;
};

struct capture {
	struct host *host;
	struct facts *facts;
	struct entries entries;
	struct unread *unread; /* what could not be read */
	size_t n_unread;
	struct strmap unread_places;
	struct strmap plain; /* paths that are no links, looked at already */
	json_t *files;       /* rows of files.json */
	struct strmap file_places;
	char **tops; /* for struct mask */
	struct mask mask;
	char *host_name; /* once it is redacted */
};

enum want {
	WANT_CONTENT = 1 << 0, /* of a file */
	WANT_PLACE = 1 << 1,   /* a directory, even where data alone lies */
	WANT_LINK = 1 << 2,    /* the link itself; with nothing else it is not followed */
	WANT_NAMES = 1 << 3,   /* links and directories in a directory */
	WANT_STAT = 1 << 4,    /* that it is there, and its size */
};

/*
 * Take one path of the host: the links on the way, and what stands at its end.
 * What is not there is no error; what cannot be read is noted.
 */
int collect_path(struct capture *capture, const char *path, unsigned want, struct error *err);
/* The rows of the table, on this host. */
int collect_rows(struct capture *capture, struct error *err);
/* What has no file, below coldswap/. */
int collect_facts(struct capture *capture, const struct recording *recording, struct error *err);
/* openfiles.json: who has the databases open. */
int collect_holders(struct capture *capture, struct error *err);
/* files.json and unreadable.tsv, once all else is taken. */
int collect_lists(struct capture *capture, struct error *err);
/* Ask what every capture needs, while answers are still noted. */
int collect_ask(struct capture *capture, struct error *err);

/* A file of the capture's own, masked as its path says. */
int collect_add(struct capture *capture, const char *path, const char *text, size_t len,
		struct error *err);
int collect_unread(struct capture *capture, const char *path, int code, struct error *err);
/* A row of files.json; a path is taken once. */
int collect_listed(struct capture *capture, const char *path, const char *type, uint64_t size,
		   struct error *err);

#endif
