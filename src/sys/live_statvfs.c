/* SPDX-License-Identifier: MIT */
/*
 * Room on the mounted filesystems, in the shape of coldswap/statvfs.json.
 * All of them: the local ones alone.  One by name: whatever it is, but what
 * a server answers for is asked by a child with a deadline, since statvfs(2)
 * on a server that is gone does not return.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/json.h"
#include "base/text.h"
#include "sys/child.h"
#include "sys/host_root.h"
#include "sys/live.h"
#include "sys/mountinfo.h"

#define MOUNTINFO "/proc/self/mountinfo"
#define MOUNTINFO_MAX ((size_t)8 << 20)
#define REMOTE_TIMEOUT_US 5000000

static int ask_kernel(struct host *host, const char *target, struct statvfs *ret, struct error *err)
{
	struct stat st;
	AUTO_FD fd = host_look(host, target, 0, &st, err);

	if (fd < 0)
		return fd;
	return fstatvfs(fd, ret) < 0 ? host_cannot(host, target, -errno, err) : 0;
}

static int ask_child(const struct host *host, const char *target, struct statvfs *ret,
		     struct error *err)
{
	AUTO_FREE char *program = NULL;
	AUTO_BUF output = BUF_INIT;
	uint64_t block, fragment, blocks, bfree, bavail, files, ffree, namemax, left;
	int r = child_find("stat", &program, err), status = 0;

	if (r == 0)
		r = host_time_left(host, REMOTE_TIMEOUT_US, &left, err);
	if (r < 0)
		return r;
	r = child_run((const char *const[]){ program, "-f", "-c", "%s %S %b %f %a %c %d %l", "--",
					     target, NULL },
		      left, 4096, &output, &status, err);
	if (r < 0)
		return r;
	if (status != 0 ||
	    sscanf(buf_text(&output),
		   "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &block, &fragment, &blocks, &bfree, &bavail, &files, &ffree, &namemax) != 8)
		return error_set(err, -ENODATA, "%s does not tell its room", target);
	*ret = (struct statvfs){ .f_bsize = block,
				 .f_frsize = fragment,
				 .f_blocks = blocks,
				 .f_bfree = bfree,
				 .f_bavail = bavail,
				 .f_files = files,
				 .f_ffree = ffree,
				 .f_favail = ffree,
				 .f_namemax = namemax };
	return 0;
}

static int put_room(json_t *table, const struct mountinfo_line *line, const struct statvfs *room,
		    struct error *err)
{
	const struct {
		const char *key;
		uint64_t value;
	} fields[] = {
		{ "f_bsize", room->f_bsize },   { "f_frsize", room->f_frsize },
		{ "f_blocks", room->f_blocks }, { "f_bfree", room->f_bfree },
		{ "f_bavail", room->f_bavail }, { "f_files", room->f_files },
		{ "f_ffree", room->f_ffree },   { "f_favail", room->f_favail },
		{ "f_flag", room->f_flag },     { "f_namemax", room->f_namemax },
	};
	AUTO_BUF key = BUF_INIT;
	AUTO_JSON entry = json_object();
	size_t i;
	int r = text_to_utf8(line->target, strlen(line->target), &key);

	if (r == 0)
		r = json_set_text(entry, "device", line->source);
	if (r == 0)
		r = json_set_text(entry, "fstype", line->fstype);
	for (i = 0; r == 0 && i < ELEMENTS(fields); i++)
		r = json_object_set_new(entry, fields[i].key,
					json_integer((json_int_t)fields[i].value));
	if (r == 0)
		r = json_object_set(table, buf_text(&key), entry);
	return r < 0 ? error_oom(err) : 0;
}

/* A mount point that cannot be entered is left out of the table of all. */
static int put_all(struct host *host, const struct mountinfo *mounts, json_t *table,
		   struct error *err)
{
	struct statvfs room;
	size_t i;

	for (i = 0; i < mounts->n; i++) {
		if (mountinfo_is_hidden(mounts, i) || !mountinfo_is_local(mounts, i) ||
		    ask_kernel(host, mounts->lines[i].target, &room, NULL) < 0)
			continue;
		if (put_room(table, &mounts->lines[i], &room, err) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int put_one(struct host *host, const struct mountinfo *mounts, const char *name,
		   json_t *table, struct error *err)
{
	struct statvfs room;
	size_t i = mounts->n;
	int r;

	while (i > 0 && strcmp(mounts->lines[i - 1].target, name) != 0)
		i--;
	if (i == 0)
		return error_set(err, -ENOENT, "nothing is mounted at %s", name);
	r = mountinfo_is_local(mounts, i - 1) ? ask_kernel(host, name, &room, err)
					      : ask_child(host, name, &room, err);
	return r < 0 ? r : put_room(table, &mounts->lines[i - 1], &room, err);
}

int live_statvfs(struct host *host, const char *name, struct buf *ret, char **ret_source,
		 struct error *err)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };
	AUTO_JSON table = json_object();
	AUTO_BUF text = BUF_INIT;
	int r = host_read(host, MOUNTINFO, MOUNTINFO_MAX, &text, err);

	if (r == 0)
		r = mountinfo_parse(buf_take(&text), &mounts, err);
	if (r == 0)
		r = name ? put_one(host, &mounts, name, table, err)
			 : put_all(host, &mounts, table, err);
	if (r == 0)
		r = json_print(table, ret, err);
	if (r < 0)
		return r;
	if (asprintf(ret_source, "statvfs%s%s", name ? " " : "", name ? name : "") >= 0)
		return 0;
	*ret_source = NULL;
	return error_oom(err);
}
