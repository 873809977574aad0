/* SPDX-License-Identifier: MIT */
/*
 * rusage RUNS COMMAND...: "wall-ms cpu-ms max-rss-kib exit-code" of RUNS runs,
 * output thrown away; times are medians.  CPU time is what others on the
 * machine change least.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double ms_of(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static int run_once(char **argv, double *ret_ms, double *ret_cpu_ms)
{
	struct rusage usage;
	double start = now_ms();
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return -1;
	*ret_ms = now_ms() - start;
	*ret_cpu_ms = ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	int runs = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0, code = 0;
	double *took = runs > 0 ? calloc((size_t)runs, sizeof(*took)) : NULL;
	double *cpu = runs > 0 ? calloc((size_t)runs, sizeof(*cpu)) : NULL;
	struct rusage usage;

	if (!took || !cpu) {
		fprintf(stderr, "usage: rusage RUNS COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < runs; i++)
		code = run_once(argv + 2, &took[i], &cpu[i]);
	qsort(took, (size_t)runs, sizeof(*took), by_size);
	qsort(cpu, (size_t)runs, sizeof(*cpu), by_size);
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("%.1f %.1f %ld %d\n", took[runs / 2], cpu[runs / 2], usage.ru_maxrss, code);
	free(took);
	free(cpu);
	return 0;
}
