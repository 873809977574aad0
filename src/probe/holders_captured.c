/* SPDX-License-Identifier: MIT */
/*
 * In a capture: coldswap/openfiles.json, a list of {pid, fd or map, path,
 * dev, ino, nlink, mode, deleted}, and the mountinfo of the processes that it
 * holds.  A device is "MAJ:MIN".  A row may tell of its process, too: comm,
 * cgroup, age in seconds; what the capture's /proc/PID says goes before.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/json.h"
#include "base/json_place.h"
#include "base/parse.h"
#include "base/strv.h"
#include "probe/holders_internal.h"
#include "probe/mounts.h"
#include "probe/paths.h"
#include "sys/mountinfo.h"

#define OPEN_FILES_MAX ((size_t)32 << 20)
#define MOUNTINFO_MAX ((size_t)16 << 20)
#define DELETED " (deleted)"

/* As evidence names it: below the capture. */
static const char *const source_name = &PATH_CAPTURED_OPEN_FILES[1];

struct entry {
	pid_t pid;
	int fd; /* -1: a mapping */
	const char *path;
	size_t path_len; /* without what the kernel adds to a deleted one's */
	const char *mode;
	dev_t dev; /* 0: not told */
	ino_t ino;
	bool deleted, writes;
	const char *comm, *cgroup; /* or NULL */
	int64_t age_s;             /* -1: not told */
	unsigned line;
};

static dev_t read_device(const char *text)
{
	unsigned major, minor;

	return text && sscanf(text, "%u:%u", &major, &minor) == 2 ? makedev(major, minor) : 0;
}

static bool read_entry(const json_t *object, unsigned line, struct entry *ret)
{
	const json_t *fd = json_object_get(object, "fd");
	const json_t *nlink = json_object_get(object, "nlink");
	const json_t *age = json_object_get(object, "age");
	size_t cut = strlen(DELETED);

	*ret = (struct entry){
		.pid = (pid_t)json_integer_value(json_object_get(object, "pid")),
		.fd = json_is_integer(fd) ? (int)json_integer_value(fd) : -1,
		.path = json_text(object, "path"),
		.mode = json_text(object, "mode"),
		.dev = read_device(json_text(object, "dev")),
		.ino = (ino_t)json_integer_value(json_object_get(object, "ino")),
		.comm = json_text(object, "comm"),
		.cgroup = json_text(object, "cgroup"),
		.age_s = json_is_integer(age) && json_integer_value(age) >= 0
				 ? json_integer_value(age)
				 : -1,
		.line = line,
	};
	if (ret->pid <= 0 || !ret->path)
		return false;
	ret->path_len = strlen(ret->path);
	ret->deleted = json_is_true(json_object_get(object, "deleted")) ||
		       (json_is_integer(nlink) && json_integer_value(nlink) == 0);
	if (ret->path_len > cut && strcmp(ret->path + ret->path_len - cut, DELETED) == 0) {
		ret->path_len -= cut;
		ret->deleted = true;
	}
	/* A mode that is not told may be any. */
	ret->writes = !ret->mode || strchr(ret->mode, 'w');
	return true;
}

/* As the row says it, where the capture holds nothing of the process itself. */
static int attribute(struct host *host, const struct entry *entry, struct holder *holder)
{
	int r = holder_attribute(host, holder);

	if (r < 0)
		return r;
	if (!holder->comm && entry->comm) {
		holder->comm = strdup(entry->comm);
		if (!holder->comm)
			return -ENOMEM;
	}
	if (holder->age_s < 0)
		holder->age_s = entry->age_s;
	return !holder->cgroup && entry->cgroup ? holder_place(holder, entry->cgroup) : 0;
}

static int add(struct holders_made *made, const struct entry *entry, enum holder_of of,
	       size_t asked, bool former)
{
	struct holder *holder = holders_add(made);
	int r;

	if (!holder)
		return -ENOMEM;
	holder->of = of;
	holder->asked = asked;
	holder->pid = entry->pid;
	holder->fd = entry->fd;
	holder->writes = entry->writes;
	holder->type = former ? HOLDER_FORMER : entry->fd < 0 ? HOLDER_MAPPED : HOLDER_OPEN;
	holder->text = strdup(entry->path);
	if (asprintf(&holder->source, "%s:%u", source_name, entry->line) < 0)
		holder->source = NULL;
	r = asprintf(&holder->observed, "%s%s, %s, device %u:%u, inode %ju", entry->path,
		     entry->deleted && !entry->path[entry->path_len] ? DELETED : "",
		     entry->mode ? entry->mode : "mode not told", major(entry->dev),
		     minor(entry->dev), (uintmax_t)entry->ino);
	if (r < 0)
		holder->observed = NULL;
	if (!holder->text || !holder->source || !holder->observed)
		return -ENOMEM;
	return attribute(made->host, entry, holder);
}

static bool is_path(const struct entry *entry, const char *path)
{
	return strlen(path) == entry->path_len && memcmp(path, entry->path, entry->path_len) == 0;
}

static bool is_called(const struct entry *entry, const char *name)
{
	size_t len = strlen(name);

	return entry->path_len > len && entry->path[entry->path_len - len - 1] == '/' &&
	       memcmp(entry->path + entry->path_len - len, name, len) == 0;
}

static int match_file(struct holders_made *made, const struct entry *entry, size_t i)
{
	const struct holders_file *file = &made->asked->files[i];
	bool named = is_path(entry, file->path);

	if (file->ino && entry->ino == file->ino && entry->dev == file->dev)
		return add(made, entry, HOLDER_OF_FILE, i, false);
	if (!entry->deleted)
		return named ? add(made, entry, HOLDER_OF_FILE, i, false) : 0;
	if (named || (file->dev && entry->dev == file->dev &&
		      is_called(entry, holders_last_name(file->path))))
		return add(made, entry, HOLDER_OF_FILE, i, true);
	return 0;
}

static bool is_on(const struct entry *entry, const struct holders_filesystem *filesystem)
{
	if (entry->dev && (filesystem->major || filesystem->minor))
		return entry->dev == makedev(filesystem->major, filesystem->minor) ||
		       (filesystem->dev && entry->dev == filesystem->dev);
	return filesystem->mount_point && path_is_below(entry->path, filesystem->mount_point);
}

static int match(struct holders_made *made, const struct entry *entry)
{
	int r = 0;

	for (size_t i = 0; i < made->asked->n_files && r == 0; i++)
		r = match_file(made, entry, i);
	for (size_t i = 0; i < made->asked->n_filesystems && r == 0; i++)
		if (is_on(entry, &made->asked->filesystems[i]))
			r = add(made, entry, HOLDER_OF_FILESYSTEM, i, false);
	return r;
}

static int match_all(struct holders_made *made, const json_t *list, struct json_place place)
{
	bool known = json_place_first(&place);
	const json_t *object;
	size_t i;
	int r = 0;

	json_array_foreach (list, i, object) {
		struct entry entry;

		if (read_entry(object, place.line, &entry))
			r = match(made, &entry);
		else
			r = holders_gap(made, "%s:%u: no process or no path", source_name,
					place.line);
		if (r < 0)
			return r;
		known = known && json_place_next(&place);
	}
	return 0;
}

static int find_open(struct holders_made *made)
{
	struct error why = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON list = NULL;
	int r = host_read(made->host, PATH_CAPTURED_OPEN_FILES, OPEN_FILES_MAX, &text, &why);

	if (r == 0)
		r = json_parse(buf_text(&text), text.len, source_name, &list, &why);
	if (r == 0)
		r = json_is_array(list) ? match_all(made, list, json_place_of(text.data, text.len))
					: holders_gap(made, "%s: no list", source_name);
	else if (r != -ENOMEM && r != -ECANCELED)
		r = holders_gap(made, "%s", error_text(&why));
	error_done(&why);
	return r;
}

static int add_mount(struct holders_made *made, pid_t pid, const char *path,
		     const struct mountinfo_line *line, size_t asked)
{
	struct holder *holder = holders_add(made);

	if (!holder)
		return -ENOMEM;
	holder->of = HOLDER_OF_FILESYSTEM;
	holder->asked = asked;
	holder->type = HOLDER_MOUNT;
	holder->pid = pid;
	holder->text = strdup(line->target);
	holder->source = strdup(path);
	if (asprintf(&holder->observed, "%u:%u %s", line->major, line->minor, line->target) < 0)
		holder->observed = NULL;
	if (!holder->text || !holder->source || !holder->observed)
		return -ENOMEM;
	return holder_attribute(made->host, holder);
}

static int match_mount(struct holders_made *made, pid_t pid, const char *path,
		       const struct mountinfo_line *line)
{
	int r = 0;

	for (size_t i = 0; i < made->asked->n_filesystems && r == 0; i++)
		if (made->asked->filesystems[i].major == line->major &&
		    made->asked->filesystems[i].minor == line->minor)
			r = add_mount(made, pid, path, line, i);
	return r;
}

static int find_mounts_of(struct holders_made *made, pid_t pid)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;
	int r;

	if (asprintf(&path, PATH_PROCESS_FMT "/mountinfo", (int)pid) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	r = host_read(made->host, path, MOUNTINFO_MAX, &text, NULL);
	if (r == -ENOENT)
		return 0;
	if (r == 0)
		r = mountinfo_parse(buf_take(&text), &mounts, NULL);
	if (r < 0)
		return r == -ENOMEM || r == -ECANCELED
			       ? r
			       : holders_gap(made, "%s: %s", path, strerror(-r));
	for (size_t i = 0; i < mounts.n && r == 0; i++)
		r = match_mount(made, pid, path, &mounts.lines[i]);
	return r;
}

static int find_mounts(struct holders_made *made)
{
	AUTO_STRV char **names = NULL;
	unsigned pid;
	int r = host_list(made->host, PATH_PROC, &names, NULL);

	if (r < 0)
		return r == -ENOMEM || r == -ECANCELED ? r : 0;
	for (size_t i = 0; names && names[i] && r == 0; i++)
		if (parse_unsigned(names[i], &pid) == 0 && pid <= INT32_MAX)
			r = find_mounts_of(made, (pid_t)pid);
	return r;
}

int holders_find_captured(struct holders_made *made, struct error *err)
{
	int r = find_open(made);

	if (r == 0 && made->asked->n_filesystems)
		r = find_mounts(made);
	if (r == 0)
		r = holders_gap(made, "a capture cannot prove that nobody holds it");
	if (r == -ENOMEM)
		return error_oom(err);
	return r < 0 ? error_set(err, r, "cannot look for holders: %s", strerror(-r)) : 0;
}
