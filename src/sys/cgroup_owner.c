/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sys/cgroup.h"

#define ID_DIGITS 64 /* of a container */
#define ID_SHOWN 12
#define UID_LENGTH 36 /* of a pod; a static pod's is 32 digits without dashes */
#define UID_PLAIN 32

static size_t hex_length(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

/*
 * "kubepods-burstable-podUID.slice" with '_' for '-', since '-' parts slices,
 * or plain "podUID".
 */
static bool read_pod(const char *name, size_t len, char ret[UID_LENGTH + 1])
{
	const char *at = NULL, *next = name;
	size_t n = 0;

	while ((next = strstr(next, "pod")) && next < name + len) {
		at = next + 3;
		next = at;
	}
	if (!at)
		return false;
	while (n < UID_LENGTH && at + n < name + len &&
	       (isxdigit((unsigned char)at[n]) || at[n] == '_' || at[n] == '-')) {
		ret[n] = (char)(at[n] == '_' ? '-' : at[n]);
		n++;
	}
	ret[n] = '\0';
	if (n != UID_LENGTH && n != UID_PLAIN)
		return false;
	return at + n == name + len || at[n] == '.';
}

/* "cri-containerd-ID.scope", "docker-ID.scope", or plain "ID". */
static bool read_container(const char *name, size_t len, char ret[ID_SHOWN + 1])
{
	size_t i;

	for (i = 0; i + ID_DIGITS <= len; i++) {
		if ((i == 0 || name[i - 1] == '-') && hex_length(name + i) == ID_DIGITS) {
			memcpy(ret, name + i, ID_SHOWN);
			ret[ID_SHOWN] = '\0';
			return true;
		}
	}
	return false;
}

/* The innermost of each counts: containers nest. */
int cgroup_owner(const char *path, char **ret)
{
	char pod[UID_LENGTH + 1] = "", container[ID_SHOWN + 1] = "";
	char found_pod[UID_LENGTH + 1], found_container[ID_SHOWN + 1];
	size_t len;

	*ret = NULL;
	for (; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (read_pod(path, len, found_pod))
			memcpy(pod, found_pod, sizeof(pod));
		if (read_container(path, len, found_container))
			memcpy(container, found_container, sizeof(container));
	}
	if (!*pod && !*container)
		return 0;
	if (asprintf(ret, "%s%s%s%s%s", *pod ? "pod " : "", pod, *pod && *container ? ", " : "",
		     *container ? "container " : "", container) >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}
