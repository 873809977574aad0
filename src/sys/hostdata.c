/* SPDX-License-Identifier: MIT */
#include "sys/hostdata.h"

#include <errno.h>

#include "sys/host_root.h"
#include "sys/kind_of_file.h"
#include "sys/record.h"

static bool is_mounted(int fd)
{
	struct statx x;

	return statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, 0, &x) == 0 &&
	       x.stx_attributes_mask & x.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

int host_lstat(struct host *host, const char *path, struct stat *ret, bool *ret_mounted,
	       struct error *err)
{
	AUTO_FD fd = host_look(host, path, O_NOFOLLOW, ret, err);

	host_note(host, path, TOUCH_STAT);
	if (fd < 0)
		return fd;
	*ret_mounted = is_mounted(fd);
	return 0;
}

int host_open_data(struct host *host, const char *path, struct error *err)
{
	struct stat st;
	AUTO_FD place = host_look(host, path, 0, &st, err);
	int fd;

	host_note(host, path, TOUCH_STAT);
	if (place < 0)
		return place;
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "%s is %s, not a regular file", path,
				 kind_of_file(st.st_mode));
	/* Only its owner and root may leave the access time alone. */
	fd = host_reopen(host, path, &st, O_NOATIME, NULL);
	return fd == -EPERM ? host_reopen(host, path, &st, 0, err)
	       : fd < 0     ? host_cannot(host, path, fd, err)
			    : fd;
}
