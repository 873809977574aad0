/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>

#include "sys/device.h"
#include "sys/kind_of_file.h"

int device_path(const char *name, char **ret)
{
	char *path, *at;

	if (asprintf(&path, "/dev/%s", name) < 0)
		return -ENOMEM;
	for (at = path; *at; at++)
		if (*at == '!')
			*at = '/';
	*ret = path;
	return 0;
}

int device_check(struct host *host, const char *device, struct error *err)
{
	struct stat st;
	int r = host_stat(host, device, &st, err);

	if (r < 0)
		return r;
	if (!S_ISBLK(st.st_mode))
		return error_set(err, -EINVAL, "%s is %s, not a block device", device,
				 kind_of_file(st.st_mode));
	return 0;
}
