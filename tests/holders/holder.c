/* SPDX-License-Identifier: MIT */
/*
 * holder MODE PATH [NAME]: hold a file in one of the ways there are, say
 * "ready PID" (the number that /proc knows it by) and wait to be killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static int must_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		die(path);
	return fd;
}

static void map_and_close(const char *path, int flags, int protection)
{
	int fd = must_open(path, flags);

	if (mmap(NULL, 1, protection, MAP_SHARED, fd, 0) == MAP_FAILED)
		die("mmap");
	close(fd);
}

static void hold_ro(char *path)
{
	must_open(path, O_RDONLY);
}

static void hold_rw(char *path)
{
	must_open(path, O_RDWR);
}

static void hold_map_ro(char *path)
{
	map_and_close(path, O_RDONLY, PROT_READ);
}

static void hold_map_rw(char *path)
{
	map_and_close(path, O_RDWR, PROT_READ | PROT_WRITE);
}

/* In a socket's queue: no table of descriptors has it. */
static void hold_in_flight(char *path)
{
	int fd = must_open(path, O_RDWR), pair[2];
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = { .msg_iov = &vector,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(int));
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0 ||
	    sendmsg(pair[0], &message, 0) < 0)
		die("SCM_RIGHTS");
	close(fd);
}

static void replace(char *path)
{
	if (unlink(path) < 0)
		die("unlink");
	close(must_open(path, O_RDWR | O_CREAT | O_EXCL));
}

/* The path is another file afterwards. */
static void hold_deleted(char *path)
{
	must_open(path, O_RDWR);
	replace(path);
}

static void hold_deleted_map(char *path)
{
	hold_map_rw(path);
	replace(path);
}

static void tell(void)
{
	char self[32] = "";

	/* In a pid namespace of its own its number here is another one. */
	if (readlink("/proc/self", self, sizeof(self) - 1) < 0)
		die("/proc/self");
	printf("ready %s\n", self);
	fflush(stdout);
}

static void wait_for_the_end(void)
{
	for (;;)
		pause();
}

static void *hold_in_a_thread(void *path)
{
	/* A table of its own, which the leader's does not show. */
	if (unshare(CLONE_FILES) < 0)
		die("unshare");
	must_open(path, O_RDWR);
	tell();
	wait_for_the_end();
	return NULL;
}

static void *wait_in_a_thread(void *unused)
{
	(void)unused;
	tell();
	wait_for_the_end();
	return NULL;
}

static void hold_by_thread(char *path)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, hold_in_a_thread, path) != 0)
		die("pthread_create");
	wait_for_the_end();
}

/* The leader's entry in /proc shows no descriptors any more. */
static void hold_behind_a_zombie(char *path)
{
	pthread_t thread;

	must_open(path, O_RDWR);
	if (pthread_create(&thread, NULL, wait_in_a_thread, NULL) != 0)
		die("pthread_create");
	pthread_exit(NULL);
}

static void map_behind_a_zombie(char *path)
{
	pthread_t thread;

	hold_map_rw(path);
	if (pthread_create(&thread, NULL, wait_in_a_thread, NULL) != 0)
		die("pthread_create");
	pthread_exit(NULL);
}

static const struct {
	const char *name;
	void (*hold)(char *path);
} modes[] = {
	{ "ro", hold_ro },
	{ "rw", hold_rw },
	{ "map-ro", hold_map_ro },
	{ "map-rw", hold_map_rw },
	{ "in-flight", hold_in_flight },
	{ "deleted", hold_deleted },
	{ "deleted-map", hold_deleted_map },
	{ "thread", hold_by_thread },
	{ "zombie", hold_behind_a_zombie },
	{ "zombie-map", map_behind_a_zombie },
};

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: holder MODE PATH [NAME]\n");
		return 2;
	}
	/* It never outlives the test. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc > 3)
		prctl(PR_SET_NAME, argv[3]);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].name, argv[1]) != 0)
			continue;
		modes[i].hold(argv[2]);
		tell();
		wait_for_the_end();
	}
	fprintf(stderr, "%s: no such mode\n", argv[1]);
	return 2;
}
