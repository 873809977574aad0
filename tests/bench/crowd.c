/* SPDX-License-Identifier: MIT */
/*
 * crowd PROCESSES DESCRIPTORS DIRECTORY: processes that have files open which
 * nobody asks about; "ready" when all have, until the standard input ends.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void open_all(const char *directory, long descriptors)
{
	char path[4096];

	for (long i = 0; i < descriptors; i++) {
		snprintf(path, sizeof(path), "%s/foreign-%ld", directory, i);
		if (open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) < 0) {
			perror(path);
			_exit(1);
		}
	}
}

int main(int argc, char **argv)
{
	long processes = argc == 4 ? strtol(argv[1], NULL, 10) : 0;
	struct rlimit limit;
	int ready[2];
	char byte = 0;

	if (processes <= 0 || pipe(ready) < 0) {
		fprintf(stderr, "usage: crowd PROCESSES DESCRIPTORS DIRECTORY\n");
		return 2;
	}
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (long i = 0; i < processes; i++) {
		if (fork() != 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		open_all(argv[3], strtol(argv[2], NULL, 10));
		if (write(ready[1], &byte, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	for (long i = 0; i < processes; i++)
		if (read(ready[0], &byte, 1) != 1)
			return 1;
	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0; /* and the kernel ends the others */
}
