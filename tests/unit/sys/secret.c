/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/secret.h"

/* The flags of the mapping that holds an address, as smaps says them. */
static void flags_of(const void *address, char ret[512])
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[512];
	unsigned long from, to;
	bool here = false;

	*ret = '\0';
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			here = (unsigned long)address >= from && (unsigned long)address < to;
		if (here && strncmp(line, "VmFlags:", 8) == 0)
			snprintf(ret, 512, "%s", line);
	}
	if (maps)
		fclose(maps);
}

Test(secret, is_locked_and_undumpable)
{
	AUTO_SECRET secret = SECRET_INIT;
	char flags[512];

	cr_assert_eq(secret_make(&secret, 4096, NULL), 0);
	cr_expect_gt(secret.capacity, 4096, "a NUL has room, too");
	strcpy(secret.text, "share");
	flags_of(secret.text, flags);
#ifndef __SANITIZE_ADDRESS__ /* which makes mlock(2) do nothing */
	cr_expect_not_null(strstr(flags, " lo"), "locked: %s", flags);
#endif
	cr_expect_not_null(strstr(flags, " dd"), "not dumped: %s", flags);
	cr_expect_not_null(strstr(flags, " wf"), "wiped on fork: %s", flags);
}

Test(secret, a_child_gets_nothing)
{
	AUTO_SECRET secret = SECRET_INIT;
	int status;
	pid_t pid;

	cr_assert_eq(secret_make(&secret, 5, NULL), 0);
	strcpy(secret.text, "share");
	pid = fork();
	if (pid == 0)
		_exit(*secret.text ? 1 : 0);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0);
	cr_expect_str_eq(secret.text, "share");
	secret_done(&secret);
	cr_expect_null(secret.text);
	secret_done(&secret);
}

#ifndef __SANITIZE_ADDRESS__
Test(secret, without_locked_memory_there_is_none)
{
	const struct rlimit none = { 0, 0 };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_SECRET secret = SECRET_INIT;
	int status;
	pid_t pid;

	/* CAP_IPC_LOCK passes over the limit. */
	pid = fork();
	if (pid == 0) {
		if (setrlimit(RLIMIT_MEMLOCK, &none) < 0 || (geteuid() == 0 && setuid(65534) < 0))
			_exit(2);
		_exit(secret_make(&secret, 5, &err) == -EPERM && err.hint && !secret.text ? 0 : 1);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0);
}
#endif
