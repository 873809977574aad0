/* SPDX-License-Identifier: MIT */
/*
 * Service units as their files define them: fragment and drop-ins merged as
 * systemd does, with the place of each line.
 *
 * Only the settings that say where a service's data lies, and what it waits
 * for, are kept.  A setting that goes over several lines (a final backslash)
 * gives one entry for each, so that a finding can quote the one at fault.
 *
 * What generators write counts, since they run again at the next boot.  What
 * `systemctl edit --runtime` and the like leave below /run is gone then: a
 * unit of that sort is not met here, and a drop-in's lines are `passing`.
 *
 * A template is met as its instances that a target wants, each with the
 * template's lines, its own drop-ins, and its specifiers (%i, %n) filled in.
 */
#ifndef COLDSWAP_PROBE_UNITFILE_H
#define COLDSWAP_PROBE_UNITFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct unitfile_line {
	const char *key; /* "ExecStart"; static */
	char *value;     /* this line's share of it */
	bool continued;  /* not the first line of its setting */
	bool passing;    /* of a file that the next boot does not find */
	char *source;    /* "/etc/systemd/system/k3s.service:9" */
	char *text;      /* the line as it stands */
};

struct unitfile {
	char *name;           /* "k3s.service", "postgresql@.service" */
	char *path;           /* of the fragment; NULL = drop-ins alone were found */
	bool masked;          /* a link to /dev/null, or empty */
	bool local;           /* something of it lies in the administrator's directory */
	bool template;        /* "postgresql@.service": its instances are met by themselves */
	char *end, *end_text; /* where the fragment's [Unit] ends: the header that follows it,
	                         or its own; NULL without either */
	struct unitfile_line *lines;
	size_t n;
};

struct unitfiles {
	struct unitfile *items;
	size_t n;
	char **wanted;     /* names in the .wants and .requires directories: enabled */
	char **unreadable; /* "PATH: why" */
	char **drop_dirs;  /* names of directories of drop-ins: "k3s.service.d", "service.d" */
};

int unitfiles_load(struct host *host, struct unitfiles **ret, struct error *err);
void unitfiles_free(struct unitfiles *files);
DEFINE_CLEANUP(unitfiles, unitfiles_free)

const struct unitfile *unitfiles_find(const struct unitfiles *files, const char *name);
/* The unit of a name, added if it is new; pointers to others may move.  NULL = no memory. */
struct unitfile *unitfiles_add(struct unitfiles *files, const char *name);
/* Is the unit, or an instance of the template, linked from a target? */
bool unitfiles_is_wanted(const struct unitfiles *files, const char *name);

/* Add one file's text to a unit. */
int unitfile_parse(struct unitfile *unit, const char *path, const char *text);
void unitfile_done(struct unitfile *unit);
/* The lines of a template, for one of its instances. */
int unitfile_copy_lines(const struct unitfile *from, struct unitfile *to);
/* Fill in the specifiers of all lines that name, or tell of, the unit. */
int unitfile_expand(struct unitfile *unit);
/* "%i" of "db@main.service" is "main"; what is not known stays as it is. */
int unit_expand(const char *unit, const char *text, char **ret);

/* "/mnt/my-data" -> "mnt-my\x2ddata.mount" */
int unit_name_of_mount(const char *mount_point, char **ret);

#endif
