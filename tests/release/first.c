/* SPDX-License-Identifier: MIT */
/*
 * Preloaded where the first process of the machine may not be looked at (a
 * sandbox): the run then has a pid namespace of its own, whose processes are
 * all there are for it, and this says that it is the first one.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST_PID_NAMESPACE 4026531836u

typedef int stat_function(int dir, const char *path, struct stat *ret, int flags);

int fstatat(int dir, const char *path, struct stat *ret, int flags)
{
	stat_function *real = (stat_function *)dlsym(RTLD_NEXT, "fstatat");
	int r = real(dir, path, ret, flags);

	if (r == 0 && strcmp(path, "self/ns/pid") == 0)
		ret->st_ino = FIRST_PID_NAMESPACE;
	return r;
}
