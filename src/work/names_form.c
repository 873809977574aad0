/* SPDX-License-Identifier: MIT */
#include "work/names_form.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/parse.h"
#include "probe/paths.h"

#define DEV_DIR PATH_DEV "/"

static const char *const tag_names[] = { "UUID", "LABEL", "PARTUUID", "PARTLABEL" };

static const struct {
	const char *dir;
	const char *tag;
} tag_dirs[] = {
	{ PATH_DEV_BY_UUID "/", "UUID" },
	{ PATH_DEV_BY_LABEL "/", "LABEL" },
	{ PATH_DEV_BY_PARTUUID "/", "PARTUUID" },
	{ PATH_DEV_BY_PARTLABEL "/", "PARTLABEL" },
};

static const struct {
	const char *dir;
	enum ref_form form;
} form_dirs[] = {
	{ PATH_DEV_BY_ID "/", REF_BY_ID },
	{ PATH_DEV_BY_PATH "/", REF_BY_PATH },
	{ PATH_DEV_MAPPER "/", REF_MAPPER },
	{ PATH_DEV_MD "/", REF_MD_NAME },
	{ PATH_DEV "/disk/by-diskseq/", REF_KERNEL_NAME }, /* counted anew by each boot */
	{ PATH_DEV "/block/", REF_KERNEL_NAME },           /* major:minor */
};

/*
 * Names that the kernel deals out in the order in which it finds things.
 * In a pattern 'a' before '?' is one or more small letters, '0' one or more
 * digits, and '?' makes the rest optional.
 */
static const struct {
	const char *pattern;
	enum ref_form form;
} kernel_names[] = {
	{ "sda?0", REF_KERNEL_NAME },      { "hda?0", REF_KERNEL_NAME },
	{ "vda?0", REF_KERNEL_NAME },      { "xvda?0", REF_KERNEL_NAME },
	{ "ubda?0", REF_KERNEL_NAME },     { "nvme0n0?p0", REF_KERNEL_NAME },
	{ "mmcblk0?p0", REF_KERNEL_NAME }, { "mmcblk0boot0", REF_KERNEL_NAME },
	{ "dasda?0", REF_KERNEL_NAME },    { "zd0?p0", REF_KERNEL_NAME },
	{ "bcache0?p0", REF_KERNEL_NAME }, { "rbd0?p0", REF_KERNEL_NAME },
	{ "dm-0", REF_DM_NUMBER },         { "md0?p0", REF_MD_NUMBER },
	{ "md_d0?p0", REF_MD_NUMBER },
};

/* Devices that no cable of a disk leads to. */
static const struct {
	const char *pattern;
	const char *reason;
} other_names[] = {
	{ "sr0", N_("a drive for removable media") },
	{ "scd0", N_("a drive for removable media") },
	{ "cdrom?0", N_("a drive for removable media") },
	{ "cdrw?0", N_("a drive for removable media") },
	{ "dvd?0", N_("a drive for removable media") },
	{ "dvdrw?0", N_("a drive for removable media") },
	{ "fd0", N_("a drive for removable media") },
	{ "floppy?0", N_("a drive for removable media") },
	{ "ram0", N_("memory") },
	{ "zram0", N_("memory") },
	{ "pmem0?p0", N_("memory") },
	{ "loop0?p0", N_("a file") },
	{ "nbd0?p0", N_("a network device") },
	{ "drbd0", N_("a replicated device with a number from its configuration") },
	{ "mtdblock0", N_("flash memory on the board") },
	{ "root", N_("whatever the kernel took as the root filesystem") },
	{ "gpt-auto-root", N_("whatever the kernel took as the root filesystem") },
	{ "fuse", N_("a filesystem of a program") },
	{ "null", N_("no device") },
};

static bool matches(const char *text, const char *pattern)
{
	for (; *pattern; pattern++) {
		size_t n;

		if (*pattern == '?') {
			if (!*text)
				return true;
			continue;
		}
		if (*pattern != '0' && !(*pattern == 'a' && pattern[1] == '?')) {
			if (*text++ != *pattern)
				return false;
			continue;
		}
		n = *pattern == '0' ? strspn(text, "0123456789")
				    : strspn(text, "abcdefghijklmnopqrstuvwxyz");
		if (!n)
			return false;
		text += n;
	}
	return !*text;
}

/* "/dev//disk/./by-id/x" -> "/dev/disk/by-id/x"; ".." takes a component back. */
static char *normalise(const char *path)
{
	char *out = malloc(strlen(path) + 2), *end = out;

	if (!out)
		return NULL;
	while (*path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && strncmp(path, "..", 2) == 0) {
			while (end > out && *--end != '/')
				;
		} else if (len && !(len == 1 && path[0] == '.')) {
			*end++ = '/';
			memcpy(end, path, len);
			end += len;
		}
		path += len;
	}
	if (end == out)
		*end++ = '/';
	*end = '\0';
	return out;
}

/* udev writes bytes that a file name should not hold as \xNN. */
static char *decode_link(const char *text)
{
	char *out = malloc(strlen(text) + 1), *end = out;

	if (!out)
		return NULL;
	while (*text) {
		char hex[3] = { 0 };
		uint64_t byte;

		if (text[0] == '\\' && text[1] == 'x') {
			hex[0] = text[2];
			hex[1] = text[2] ? text[3] : '\0';
		}
		if (hex[1] && parse_hex_u64(hex, &byte) == 0 && byte) {
			*end++ = (char)byte;
			text += 4;
		} else {
			*end++ = *text++;
		}
	}
	*end = '\0';
	return out;
}

/* `"value"` and `'value'` lose their quotes, as mount(8) takes them. */
static char *unquote(const char *text)
{
	size_t len = strlen(text);

	if (len >= 2 && (text[0] == '"' || text[0] == '\'') && text[len - 1] == text[0])
		return strndup(text + 1, len - 2);
	return strdup(text);
}

static int parse_tag(const char *spec, struct ref_name *ret)
{
	const char *equals = strchr(spec, '=');

	for (size_t i = 0; equals && i < ELEMENTS(tag_names); i++) {
		size_t len = strlen(tag_names[i]);

		if ((size_t)(equals - spec) != len || strncmp(spec, tag_names[i], len) != 0)
			continue;
		ret->form = REF_TAG;
		ret->tag = tag_names[i];
		ret->value = unquote(equals + 1);
		return ret->value ? 1 : -ENOMEM;
	}
	return 0;
}

static int parse_dirs(struct ref_name *ret)
{
	for (size_t i = 0; i < ELEMENTS(tag_dirs); i++) {
		size_t len = strlen(tag_dirs[i].dir);

		if (strncmp(ret->path, tag_dirs[i].dir, len) != 0)
			continue;
		ret->form = REF_TAG;
		ret->tag = tag_dirs[i].tag;
		ret->value = decode_link(ret->path + len);
		return ret->value ? 1 : -ENOMEM;
	}
	for (size_t i = 0; i < ELEMENTS(form_dirs); i++)
		if (strncmp(ret->path, form_dirs[i].dir, strlen(form_dirs[i].dir)) == 0) {
			ret->form = form_dirs[i].form;
			return 1;
		}
	return 0;
}

/* Directories of /dev whose names say what they are; the rest are volume groups. */
static bool is_known_dir(const char *name)
{
	static const char *const known[] = { "disk",  "zvol", "bus",  "shm",    "pts",
					     "cciss", "rbd",  "drbd", "bcache", "input",
					     "fuse",  "net",  "loop", "ublk",   "nvme" };

	for (size_t i = 0; i < ELEMENTS(known); i++) {
		size_t len = strlen(known[i]);

		if (strncmp(name, known[i], len) == 0 && name[len] == '/')
			return true;
	}
	return false;
}

static void parse_dev(const char *name, struct ref_name *ret)
{
	const char *slash = strchr(name, '/');

	for (size_t i = 0; i < ELEMENTS(kernel_names); i++)
		if (matches(name, kernel_names[i].pattern)) {
			ret->form = kernel_names[i].form;
			return;
		}
	for (size_t i = 0; i < ELEMENTS(other_names); i++)
		if (matches(name, other_names[i].pattern)) {
			ret->form = REF_NOT_A_DEVICE;
			ret->reason = other_names[i].reason;
			return;
		}
	ret->form = REF_OTHER;
	ret->own = slash && !strchr(slash + 1, '/') && !is_known_dir(name);
}

int ref_name_parse(const char *spec, struct ref_name *ret, struct error *err)
{
	AUTO_FREE char *bare = unquote(spec);
	int r;

	*ret = (struct ref_name){ .form = REF_NOT_A_DEVICE };
	if (!bare)
		return error_oom(err);
	r = parse_tag(bare, ret);
	if (r == 0 && strncmp(bare, "ID=", 3) == 0) { /* libmount: a name of by-id */
		if (asprintf(&ret->path, "%s/%s", PATH_DEV_BY_ID, bare + 3) < 0) {
			ret->path = NULL;
			return error_oom(err);
		}
	} else if (r == 0 && bare[0] == '/') {
		ret->path = normalise(bare);
		if (!ret->path)
			return error_oom(err);
	}
	if (r == 0 && ret->path && strncmp(ret->path, DEV_DIR, strlen(DEV_DIR)) == 0) {
		r = parse_dirs(ret);
		if (r == 0)
			parse_dev(ret->path + strlen(DEV_DIR), ret);
	}
	if (r < 0) {
		ref_name_done(ret);
		return error_oom(err);
	}
	return 0;
}

void ref_name_done(struct ref_name *name)
{
	free(name->value);
	free(name->path);
	*name = (struct ref_name){ 0 };
}
