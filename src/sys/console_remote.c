/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "sys/console.h"
#include "sys/io.h"

#define STAT_MAX ((size_t)4096)
#define DEPTH_MAX 64

/* Programs that a session over a network descends from. */
static const char *const servers[] = {
	"sshd", "sshd-session", "sshd-auth", "dropbear", "mosh-server", "in.telnetd", "telnetd",
};

/* The name and the parent of a process; 0 at the end, and for what cannot be read. */
static pid_t parent_of(pid_t pid, char name[32])
{
	AUTO_BUF text = BUF_INIT;
	char path[64], *first, *last;
	AUTO_FD fd = -1;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || io_read_all(fd, STAT_MAX, &text) < 0)
		return 0;
	first = text.data ? strchr(text.data, '(') : NULL;
	last = text.data ? strrchr(text.data, ')') : NULL;
	if (!first || !last || last < first || sscanf(last + 1, " %*c %d", &parent) != 1)
		return 0;
	*last = '\0';
	snprintf(name, 32, "%s", first + 1);
	return parent;
}

bool console_is_remote(const struct console *console)
{
	char name[32];
	pid_t pid = getpid();
	size_t i;
	int depth;

	(void)console;
	for (depth = 0; pid > 1 && depth < DEPTH_MAX; depth++) {
		pid = parent_of(pid, name);
		for (i = 0; pid && i < ELEMENTS(servers); i++)
			if (strcmp(name, servers[i]) == 0)
				return true;
	}
	return false;
}
