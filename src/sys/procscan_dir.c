/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/procscan_internal.h"

/* A mount on a directory of a process would hide what it has open. */
int scan_open(int dir, const char *name, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH,
	};
	long fd = -1;

	for (int i = 0; i < 16; i++) {
		fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd < 0 ? -errno : (int)fd;
}

int scan_names(struct scan_thread *thread, int dir,
	       int (*each)(struct scan_thread *thread, const char *name, void *data), void *data)
{
	for (;;) {
		ssize_t len = getdents64(dir, thread->names, NAMES_BYTES);

		if (len <= 0)
			return len < 0 ? -errno : 0;
		if (thread->shared->cancelled && *thread->shared->cancelled)
			return -ECANCELED;
		for (ssize_t at = 0; at < len;) {
			const struct dirent64 *entry =
				(const struct dirent64 *)(const void *)(thread->names + at);
			int r = entry->d_name[0] == '.' ? 0 : each(thread, entry->d_name, data);

			if (r < 0)
				return r;
			at += entry->d_reclen;
		}
	}
}

bool scan_is_gone(int code)
{
	return code == -ENOENT || code == -ESRCH;
}
