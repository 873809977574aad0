/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "sys/host_root.h"
#include "sys/live.h"
#include "sys/record.h"

#define NAME_LENGTH_MAX 255
#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

enum name_rule {
	NAME_NONE,   /* the fact is about the host */
	NAME_DEVICE, /* kernel name: "sda", "cciss!c0d0" */
	NAME_UNIT,
	NAME_MOUNT, /* absolute path, or NULL for all */
};

struct fact {
	const char *dir, *suffix; /* of the capture's file, around the name */
	enum name_rule rule;
	size_t max;
	live_function *live;
	const char *hint; /* what to do when a capture lacks it */
};

static const struct fact facts[] = {
	[HOST_FACT_IDENTITY] = { "coldswap/host", ".json", NAME_NONE, 64 * KIB, live_identity,
				 "write coldswap/host.json: {\"name\", \"machine_id\", "
				 "\"boot_id\"}" },
	[HOST_FACT_KERNEL_LOG] = { "coldswap/kernel", ".log", NAME_NONE, 32 * MIB, live_klog,
				   "add the machine's kernel log to the capture: dmesg as root" },
	[HOST_FACT_STATVFS] = { "coldswap/statvfs", ".json", NAME_MOUNT, 4 * MIB, live_statvfs,
				"add coldswap/statvfs.json to the capture" },
	[HOST_FACT_SMART] = { "coldswap/smart/", ".json", NAME_DEVICE, 4 * MIB, live_smart,
			      "make the capture again as root, with smartmontools installed" },
	[HOST_FACT_UNIT] = { "coldswap/systemd/", ".json", NAME_UNIT, 4 * MIB, live_unit, NULL },
	[HOST_FACT_MEASURES] = { "coldswap/measures", ".json", NAME_NONE, 4 * MIB, NULL, NULL },
	[HOST_FACT_TAGS] = { "dev/", "", NAME_DEVICE, 64 * KIB, live_tags, NULL },
	[HOST_FACT_FILES] = { "coldswap/files", ".json", NAME_NONE, 32 * MIB, NULL, NULL },
};

static bool is_name(const char *name, const char *more)
{
	size_t len = strlen(name), i;

	if (!len || len > NAME_LENGTH_MAX || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	for (i = 0; i < len; i++)
		if (!isascii((unsigned char)name[i]) ||
		    (!isalnum((unsigned char)name[i]) && !strchr(more, name[i])))
			return false;
	return true;
}

/* A name becomes a part of a path or an argument: it must not lead elsewhere. */
static bool name_fits(enum name_rule rule, const char *name)
{
	switch (rule) {
	case NAME_NONE:
		return !name;
	case NAME_MOUNT:
		return !name || name[0] == '/';
	case NAME_DEVICE:
		return name && name[0] != '-' && is_name(name, "._-!:+@");
	case NAME_UNIT:
		return name && is_name(name, "._-\\:@");
	}
	return false;
}

/* Keep one mount point of the capture's table. */
static int pick_mount(const struct buf *all, const char *name, struct buf *ret, struct error *err)
{
	AUTO_JSON table = NULL;
	AUTO_JSON one = json_object();
	json_t *room;
	int r = json_parse(buf_text(all), all->len, "coldswap/statvfs.json", &table, err);

	if (r < 0)
		return r;
	room = json_object_get(table, name);
	if (!room)
		return error_set(err, -ENOENT, "coldswap/statvfs.json has no entry for %s", name);
	if (json_object_set(one, name, room) < 0)
		return error_oom(err);
	return json_print(one, ret, err);
}

static int captured(struct host *host, const struct fact *fact, const char *name, struct buf *ret,
		    char **ret_source, struct error *err)
{
	bool pick = fact->rule == NAME_MOUNT && name;
	AUTO_FREE char *path = NULL;
	AUTO_BUF all = BUF_INIT;
	int r;

	if (asprintf(&path, "/%s%s%s", fact->dir, fact->rule == NAME_MOUNT || !name ? "" : name,
		     fact->suffix) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = host_read(host, path, fact->max, pick ? &all : ret, err);
	if (r == -ENOENT) {
		error_set(err, r, "the capture does not hold %s", path + 1);
		if (fact->hint)
			error_hint(err, "%s", fact->hint);
	}
	if (r == 0 && pick)
		r = pick_mount(&all, name, ret, err);
	if (r < 0)
		return r;
	*ret_source = strdup(path + 1);
	return *ret_source ? 0 : error_oom(err);
}

static void note(struct host *host, enum host_fact fact, const char *name, int code,
		 const struct buf *text, size_t start)
{
	const struct told told = { .fact = fact,
				   .name = (char *)(uintptr_t)name,
				   .code = code,
				   .text = code == 0 && text->data ? text->data + start : NULL,
				   .len = code == 0 ? text->len - start : 0 };

	if (host->recording)
		host_note_fact(host, &told);
}

int host_fact(struct host *host, enum host_fact fact, const char *name, struct buf *ret,
	      char **ret_source, struct error *err)
{
	const struct fact *row = &facts[fact];
	AUTO_FREE char *source = NULL;
	size_t start = ret->len;
	int r;

	if (!name_fits(row->rule, name))
		return error_set(err, -EINVAL, "'%s' is no name that a host can have here",
				 name ? name : "");
	if (!host->live)
		r = captured(host, row, name, ret, &source, err);
	else if (row->live)
		r = row->live(host, name, ret, &source, err);
	else
		r = error_set(err, -ENOENT, "a running host holds no %s%s", row->dir, row->suffix);
	note(host, fact, name, r, ret, start);
	if (r < 0)
		return r;
	if (ret_source)
		*ret_source = TAKE(source);
	return 0;
}
