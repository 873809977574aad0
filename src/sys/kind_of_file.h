/* SPDX-License-Identifier: MIT */
/* "a directory", "a FIFO", ...: what stands where a file was expected. */
#ifndef COLDSWAP_SYS_KIND_OF_FILE_H
#define COLDSWAP_SYS_KIND_OF_FILE_H

#include <sys/stat.h>

static inline const char *kind_of_file(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *words;
	} kinds[] = {
		{ S_IFREG, "a regular file" },  { S_IFDIR, "a directory" },
		{ S_IFIFO, "a FIFO" },          { S_IFSOCK, "a socket" },
		{ S_IFBLK, "a block device" },  { S_IFCHR, "a character device" },
		{ S_IFLNK, "a symbolic link" },
	};

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((mode & S_IFMT) == kinds[i].type)
			return kinds[i].words;
	return "a file of no known type";
}

#endif
