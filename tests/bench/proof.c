/* SPDX-License-Identifier: MIT */
/*
 * proof RUNS FILE...: what the proof that nobody holds the files costs, in
 * turns with a bare walk that only stats what stands in the same directories:
 * "lease proof walk" in ms by the clock and again of CPU, "max-rss-kib
 * descriptors"; medians.  The proof is
 * lease and walk together; the walks have as many threads as processors.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sys/lease.h"
#include "sys/procscan.h"

#define THREADS_MAX 16
#define PIDS_MAX 65536

enum clock { WALL, CPU, CLOCKS };

static double now_ms(enum clock clock)
{
	struct timespec t;

	clock_gettime(clock == WALL ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct pids {
	int items[PIDS_MAX];
	size_t n;
	atomic_size_t next;
};

static void stat_all(int pid, const char *below)
{
	char path[64], buffer[32768];
	struct stat st;
	ssize_t len;
	int dir;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, below);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	while ((len = getdents64(dir, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < len;) {
			struct dirent64 *entry = (struct dirent64 *)(void *)(buffer + at);

			if (entry->d_name[0] != '.')
				(void)!fstatat(dir, entry->d_name, &st, 0);
			at += entry->d_reclen;
		}
	close(dir);
}

static void *walk(void *data)
{
	struct pids *pids = data;
	size_t i;

	while ((i = atomic_fetch_add(&pids->next, 1)) < pids->n) {
		stat_all(pids->items[i], "fd");
		stat_all(pids->items[i], "map_files");
	}
	return NULL;
}

static void walk_bare(void)
{
	static struct pids pids;
	pthread_t threads[THREADS_MAX];
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	pids.n = 0;
	atomic_store(&pids.next, 0);
	while (dir && (entry = readdir(dir)) && pids.n < PIDS_MAX)
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			pids.items[pids.n++] = (int)strtol(entry->d_name, NULL, 10);
	if (dir)
		closedir(dir);
	n = n > THREADS_MAX ? THREADS_MAX : n;
	for (int i = 1; i < n; i++)
		pthread_create(&threads[i], NULL, walk, &pids);
	walk(&pids);
	for (int i = 1; i < n; i++)
		pthread_join(threads[i], NULL);
}

enum part { LEASE, PROOF, WALK, PARTS };

#define RUNS_MAX 101

struct figures {
	double took[PARTS][CLOCKS][RUNS_MAX];
	double start[CLOCKS];
	size_t descriptors;
};

static void start(struct figures *figures)
{
	for (int clock = 0; clock < CLOCKS; clock++)
		figures->start[clock] = now_ms(clock);
}

static void stop(struct figures *figures, enum part part, int run)
{
	for (int clock = 0; clock < CLOCKS; clock++)
		figures->took[part][clock][run] = now_ms(clock) - figures->start[clock];
}

static int prove(struct host *host, char **paths, size_t n, struct figures *figures, int run)
{
	AUTO_SCAN scan = { 0 };
	struct leases *leases = NULL;
	struct error err = ERROR_INIT;
	struct file_id *ids = calloc(n, sizeof(*ids));
	struct scan_question question = { .files = ids, .n_files = n };
	size_t granted = 0;
	int r;

	start(figures);
	r = leases_open(host, &leases, &err);

	for (size_t i = 0; i < n && r == 0; i++) {
		struct lease *lease = NULL;

		r = lease_take(leases, paths[i], &lease, &err);
		if (r < 0)
			break;
		granted += lease->answer == LEASE_GRANTED;
		ids[i] = (struct file_id){ lease->stat.st_dev, lease->stat.st_ino };
	}
	stop(figures, LEASE, run);
	if (r == 0) {
		question.n_own = leases_fds(leases, &question.own);
		r = procscan(host, &question, NULL, &scan, &err);
	}
	leases_free(leases);
	stop(figures, PROOF, run);
	figures->descriptors = scan.descriptors;
	if (r < 0)
		fprintf(stderr, "%s\n", error_text(&err));
	else if (granted != n || scan.n)
		fprintf(stderr, "%zu of %zu leases granted, %zu holders\n", granted, n, scan.n);
	error_done(&err);
	free(ids);
	return r < 0 || granted != n || scan.n;
}

int main(int argc, char **argv)
{
	static struct figures figures;
	int runs = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0, failed = 0;
	struct host *host = NULL;
	struct rusage usage;

	if (runs <= 0 || runs > RUNS_MAX || host_open(NULL, &host, NULL) < 0) {
		fprintf(stderr, "usage: proof RUNS FILE...\n");
		return 2;
	}
	for (int i = 0; i < runs && !failed; i++) {
		failed = prove(host, argv + 2, (size_t)argc - 2, &figures, i);
		start(&figures);
		walk_bare();
		stop(&figures, WALK, i);
	}
	for (int clock = 0; clock < CLOCKS; clock++)
		for (int part = 0; part < PARTS; part++) {
			qsort(figures.took[part][clock], (size_t)runs, sizeof(double), by_size);
			printf("%.2f ", figures.took[part][clock][runs / 2]);
		}
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld %zu\n", usage.ru_maxrss, figures.descriptors);
	host_free(host);
	return failed;
}
