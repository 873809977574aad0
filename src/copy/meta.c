/* SPDX-License-Identifier: MIT */
/* Owner, mode, extended attributes (access lists are such) and times. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/run.h"

/* Others are made up by filesystems ("btrfs.", "system.nfs4_acl") and cannot be given. */
static bool is_kept(const char *name)
{
	static const char *const kept[] = { "user.", "security.", "trusted.",
					    "system.posix_acl_access", "system.posix_acl_default" };
	size_t i;

	for (i = 0; i < ELEMENTS(kept); i++)
		if (strncmp(name, kept[i], strlen(kept[i])) == 0)
			return true;
	return false;
}

static int add(struct copy_entry *entry, const char *name, struct buf *value)
{
	struct xattr_entry *more =
		reallocarray(entry->xattrs, entry->n_xattrs + 1, sizeof(*entry->xattrs));
	struct xattr_entry *one;

	if (!more)
		return -ENOMEM;
	entry->xattrs = more;
	one = &more[entry->n_xattrs++];
	one->name = strdup(name);
	one->len = value->len;
	one->value = buf_take(value);
	return one->name && one->value ? 0 : -ENOMEM;
}

int meta_read_xattrs(const struct copyfs_node *node, struct copy_entry *ret)
{
	AUTO_BUF names = BUF_INIT;
	const char *name;
	int r = copyfs_xattr_list(node, &names);

	if (r == -EOPNOTSUPP)
		return 0;
	for (name = buf_text(&names); r == 0 && name < buf_text(&names) + names.len;
	     name += strlen(name) + 1) {
		AUTO_BUF value = BUF_INIT;

		if (!is_kept(name))
			continue;
		r = copyfs_xattr_get(node, name, &value);
		if (r == 0)
			r = add(ret, name, &value);
	}
	return r;
}

static bool has(const struct copy_entry *entry, const char *name)
{
	size_t i;

	for (i = 0; i < entry->n_xattrs; i++)
		if (strcmp(entry->xattrs[i].name, name) == 0)
			return true;
	return false;
}

/* Of an earlier attempt, or handed down by the directory's default list. */
static int remove_others(const struct copyfs_node *node, const struct copy_entry *entry)
{
	AUTO_BUF names = BUF_INIT;
	const char *name;
	int r = copyfs_xattr_list(node, &names);

	if (r == -EOPNOTSUPP)
		return 0;
	for (name = buf_text(&names); r == 0 && name < buf_text(&names) + names.len;
	     name += strlen(name) + 1)
		if (is_kept(name) && strncmp(name, "security.", 9) != 0 && !has(entry, name))
			r = copyfs_xattr_remove(node, name);
	return r;
}

static int give_owner(const struct copyfs_node *node, const struct copy_entry *entry)
{
	int r = node->fd >= 0 ? fchown(node->fd, entry->uid, entry->gid)
			      : fchownat(node->dir, node->name, entry->uid, entry->gid,
					 AT_SYMLINK_NOFOLLOW);

	return r < 0 ? -errno : 0;
}

static int give_mode(const struct copyfs_node *node, const struct copy_entry *entry)
{
	int r = 0;

	if (node->fd >= 0)
		r = fchmod(node->fd, entry->mode & 07777);
	else if (!S_ISLNK(entry->mode))
		r = fchmodat(node->dir, node->name, entry->mode & 07777, 0);
	return r < 0 ? -errno : 0;
}

int meta_apply(const struct copyfs_node *node, const struct copy_entry *entry,
	       const struct timespec *atime)
{
	struct timespec times[2] = { *atime, entry->mtime };
	size_t i;
	/* The owner first: changing it takes set-id bits and capabilities away. */
	int r = give_owner(node, entry);

	r = r < 0 ? r : remove_others(node, entry);
	r = r < 0 ? r : give_mode(node, entry);
	for (i = 0; r == 0 && i < entry->n_xattrs; i++)
		r = copyfs_xattr_set(node, entry->xattrs[i].name, entry->xattrs[i].value,
				     entry->xattrs[i].len);
	if (r < 0)
		return r;
	r = node->fd >= 0 ? futimens(node->fd, times)
			  : utimensat(node->dir, node->name, times, AT_SYMLINK_NOFOLLOW);
	return r < 0 ? -errno : 0;
}

static char *say(const char *fmt, ...) PRINTF_LIKE(1, 2);
static char *say(const char *fmt, ...)
{
	char *ret = NULL;
	va_list args;

	/* Never NULL: that would say that nothing differs. */
	do {
		va_start(args, fmt);
		if (vasprintf(&ret, fmt, args) < 0)
			ret = strdup("");
		va_end(args);
	} while (!ret);
	return ret;
}

/* A filesystem with whole seconds cuts the rest. */
static bool same_time(const struct timespec *told, const struct timespec *is)
{
	return told->tv_sec == is->tv_sec && (told->tv_nsec == is->tv_nsec || is->tv_nsec == 0);
}

static char *xattr_difference(const struct copyfs_node *node, const struct copy_entry *entry)
{
	size_t i;

	for (i = 0; i < entry->n_xattrs; i++) {
		const struct xattr_entry *told = &entry->xattrs[i];
		AUTO_BUF value = BUF_INIT;

		if (copyfs_xattr_get(node, told->name, &value) < 0)
			return say(_("its attribute %s is missing"), told->name);
		if (value.len != told->len || memcmp(buf_text(&value), told->value, told->len) != 0)
			return say(_("its attribute %s is another one"), told->name);
	}
	return NULL;
}

char *meta_difference(const struct copyfs_node *node, const struct copy_entry *entry,
		      const struct stat *st)
{
	if ((st->st_mode & S_IFMT) != (entry->mode & S_IFMT))
		return say("%s", _("it is of another type"));
	if (S_ISREG(st->st_mode) && (uint64_t)st->st_size != entry->size)
		return say(_("its size is %llu, the manifest says %llu"),
			   (unsigned long long)st->st_size, (unsigned long long)entry->size);
	if (st->st_uid != entry->uid || st->st_gid != entry->gid)
		return say(_("it belongs to %u:%u, the manifest says %u:%u"), st->st_uid,
			   st->st_gid, entry->uid, entry->gid);
	if (!S_ISLNK(st->st_mode) && st->st_mode != entry->mode)
		return say(_("its mode is %o, the manifest says %o"), st->st_mode & 07777,
			   entry->mode & 07777);
	if (!same_time(&entry->mtime, &st->st_mtim))
		return say(_("its mtime is %lld, the manifest says %lld"),
			   (long long)st->st_mtim.tv_sec, (long long)entry->mtime.tv_sec);
	return xattr_difference(node, entry);
}
