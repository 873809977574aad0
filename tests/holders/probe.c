/* SPDX-License-Identifier: MIT */
/*
 * probe [--own] PATH...: the lease's answer for each file, and who holds them:
 * "lease granted|held|unknown CODE PATH", "gap TEXT", "holder TEXT  [EVIDENCE]",
 * "scan PROCESSES US".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/strv.h"
#include "probe/holders.h"
#include "sys/lease.h"

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void tell_lease(const struct lease *lease, const char *path)
{
	static const char *const words[] = { "unknown", "held", "granted" };

	printf("lease %s %s %s %s\n", words[lease->answer],
	       lease->code ? strerrorname_np(-lease->code) : "0",
	       lease->fstype ? lease->fstype : "-", path);
}

static void tell_holders(const struct holders *holders)
{
	for (size_t i = 0; holders->gaps && holders->gaps[i]; i++)
		printf("gap %s\n", holders->gaps[i]);
	for (size_t i = 0; i < holders->n; i++) {
		AUTO_BUF text = BUF_INIT;

		holder_describe(&holders->items[i], &text);
		printf("holder %s  [%s: %s]\n", buf_text(&text), holders->items[i].source,
		       holders->items[i].observed);
	}
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct host *host = NULL;
	struct leases *leases = NULL;
	struct holders holders = { 0 };
	struct holders_file *files = calloc((size_t)argc, sizeof(*files));
	struct holders_asked asked = { .files = files };
	double start, leased, end;
	int r = host_open(NULL, &host, &err), code = 0;

	if (r == 0)
		r = leases_open(host, &leases, &err);
	start = now_us();
	for (int i = 1; i < argc && r == 0; i++) {
		struct lease *lease = NULL;
		struct stat st;

		if (lease_take(leases, argv[i], &lease, &err) < 0) {
			printf("lease failed %s\n", error_text(&err));
			if (stat(argv[i], &st) == 0)
				files[asked.n_files++] =
					(struct holders_file){ argv[i], st.st_dev, st.st_ino };
			continue;
		}
		if (argc < 20)
			tell_lease(lease, argv[i]);
		else
			code += lease->answer != LEASE_GRANTED;
		files[asked.n_files++] =
			(struct holders_file){ argv[i], lease->stat.st_dev, lease->stat.st_ino };
	}
	leased = now_us();
	if (r == 0) {
		asked.n_own = leases_fds(leases, &asked.own);
		r = holders_find(host, &asked, NULL, &holders, &err);
	}
	end = now_us();
	if (r < 0)
		printf("error %s\n", error_text(&err));
	tell_holders(&holders);
	printf("scan %zu processes, %d of %zu not granted, broken %zu, lease %.0f us, scan %.0f "
	       "us\n",
	       holders.processes, code, asked.n_files, leases ? leases_broken(leases) : 0,
	       leased - start, end - leased);
	holders_done(&holders);
	leases_free(leases);
	host_free(host);
	error_done(&err);
	free(files);
	return r < 0;
}
