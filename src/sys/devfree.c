/* SPDX-License-Identifier: MIT */
#include "sys/devfree.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/device.h"
#include "sys/io.h"

#define MOUNT_TEXT_MAX 256

static int check_live(struct host *host, const char *what, struct error *err)
{
	if (host_is_live(host))
		return 0;
	error_set(err, -EPERM, "%s: a capture has no devices and mounts nothing", what);
	error_hint(err, "run on the machine itself, without --root");
	return -EPERM;
}

static int cannot(const char *what, const char *path, int code, struct error *err)
{
	error_set(err, code, "cannot %s %s: %s", what, path, strerror(-code));
	if (code == -EACCES || code == -EPERM)
		error_hint(err, "run as root");
	else if (code == -EBUSY)
		error_hint(err, "see who is there: fuser -vm %s", path);
	else
		error_hint(err, "look at it: ls -l %s; findmnt %s", path, path);
	return code;
}

static int check_number(const char *path, const struct stat *st, dev_t expected, struct error *err)
{
	if (S_ISBLK(st->st_mode) && st->st_rdev == expected)
		return 0;
	error_set(err, -ESTALE, "%s is not the device that it was", path);
	error_hint(err, "see which devices there are now: lsblk");
	return -ESTALE;
}

int device_is_free(struct host *host, const char *name, dev_t expected, struct error *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_FD fd = -1;
	struct stat st;
	int r = check_live(host, name, err);

	if (r < 0)
		return r;
	if (device_path(name, &path) < 0)
		return error_oom(err);
	/* Looked at before it is opened: a FIFO of that name would be waited at. */
	if (stat(path, &st) < 0)
		return cannot("look at", path, -errno, err);
	r = check_number(path, &st, expected, err);
	if (r < 0)
		return r;
	fd = open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == EBUSY ? 0 : cannot("open", path, -errno, err);
	if (fstat(fd, &st) < 0)
		return cannot("look at", path, -errno, err);
	r = check_number(path, &st, expected, err);
	return r < 0 ? r : 1;
}

int mount_take_down(struct host *host, const char *mount_point, struct error *err)
{
	int r = check_live(host, mount_point, err);

	if (r < 0)
		return r;
	if (umount2(mount_point, UMOUNT_NOFOLLOW) == 0)
		return 0;
	return cannot("unmount", mount_point, -errno, err);
}

static int describe(struct libmnt_context *context, const char *mount_point, int code,
		    struct error *err)
{
	char text[MOUNT_TEXT_MAX] = "";
	int r;

	mnt_context_get_excode(context, code, text, sizeof(text));
	r = mnt_context_syscall_called(context) ? mnt_context_get_syscall_errno(context) : 0;
	r = r > 0 ? -r : code < 0 ? code : -EIO;
	error_set(err, r, "cannot mount %s: %s", mount_point, text[0] ? text : strerror(-r));
	error_hint(err, "try it by hand: mount %s; the reason: dmesg", mount_point);
	return r;
}

static int prepare(struct libmnt_context *context, const char *mount_point, const char *source,
		   const char *fstype, const char *options)
{
	int r = mnt_context_set_target(context, mount_point);

	if (!r && source)
		r = mnt_context_set_source(context, source);
	if (!r && fstype)
		r = mnt_context_set_fstype(context, fstype);
	if (!r && options)
		r = mnt_context_set_options(context, options);
	/* As given: no entry of fstab adds to it. */
	if (!r && source)
		r = mnt_context_set_optsmode(context, MNT_OMODE_NOTAB);
	return r;
}

int mount_put_up(struct host *host, const char *mount_point, const char *source, const char *fstype,
		 const char *options, struct error *err)
{
	struct libmnt_context *context;
	int r = check_live(host, mount_point, err);

	if (r < 0)
		return r;
	context = mnt_new_context();
	if (!context)
		return error_oom(err);
	r = prepare(context, mount_point, source, fstype, options);
	if (!r)
		r = mnt_context_mount(context);
	if (!r && !mnt_context_get_status(context))
		r = -EIO;
	if (r)
		r = describe(context, mount_point, r, err);
	mnt_free_context(context);
	return r;
}
