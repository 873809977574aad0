/* SPDX-License-Identifier: MIT */
/*
 * The three witnesses of files.quiescent, each made up: the calls of
 * sys/lease.h and probe/holders.h are defined here so that the linker leaves
 * the real ones out.  Those are tested with real processes in tests/holders.
 */
#ifndef COLDSWAP_TESTS_QUIET_MADE_H
#define COLDSWAP_TESTS_QUIET_MADE_H

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/facts.h"
#include "probe/holders.h"
#include "step/files_quiescent.h"
#include "step/kinds.h"
#include "sys/clock.h"
#include "work/work.h"

/* ---- leases --------------------------------------------------------------------------- */

static struct {
	enum lease_answer answer;
	int code;
	int open; /* what lease_take() gives */
	bool breaks;
	unsigned standing, taken;
} lease;

struct leases {
	struct lease items[2000];
	size_t n;
};

int leases_open(struct host *host, struct leases **ret, struct error *err)
{
	(void)host;
	(void)err;
	*ret = calloc(1, sizeof(**ret));
	return 0;
}

void leases_free(struct leases *leases)
{
	for (size_t i = 0; leases && i < leases->n; i++)
		close(leases->items[i].fd);
	if (leases)
		lease.standing = 0;
	free(leases);
}

int lease_take(struct leases *leases, const char *path, struct lease **ret, struct error *err)
{
	struct lease *item = &leases->items[leases->n];

	lease.taken++;
	if (lease.open < 0)
		return error_set(err, lease.open, "it is as it is");
	leases->n++;
	item->fd = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert_geq(item->fd, 0);
	fstat(item->fd, &item->stat);
	item->answer = lease.answer;
	item->code = lease.code;
	item->fstype = "ext4";
	lease.standing++;
	*ret = item;
	return 0;
}

/* Called by others alone; the real ones would come with all of their file. */
int lease_take_at(struct leases *leases, int dir_fd, const char *name, struct lease **ret,
		  struct error *err)
{
	(void)leases;
	(void)dir_fd;
	(void)name;
	(void)ret;
	return error_set(err, -ENOSYS, "not here");
}

void lease_drop(struct leases *leases, struct lease *item)
{
	(void)leases;
	(void)item;
}

int leases_poll_fd(const struct leases *leases)
{
	(void)leases;
	return -1;
}

int lease_stands(struct leases *leases, struct lease *item)
{
	(void)leases;
	return item->answer == LEASE_GRANTED && !lease.breaks;
}

size_t leases_broken(struct leases *leases)
{
	(void)leases;
	return lease.breaks;
}

size_t leases_fds(const struct leases *leases, const int **ret)
{
	(void)leases;
	*ret = NULL;
	return 0;
}

/* ---- holders -------------------------------------------------------------------------- */

struct made_holder {
	const char *path; /* the end of the file's */
	enum holder_type type;
	pid_t pid;
	bool writes;
	const char *unit, *pod, *cgroup;
};
static struct {
	struct made_holder items[3000];
	size_t n;
	const char *gap;
	unsigned scans;
	void (*on_scan)(void);
} made;

static bool ends_in(const char *text, const char *tail)
{
	size_t len = strlen(text), tail_len = strlen(tail);

	return len >= tail_len && strcmp(text + len - tail_len, tail) == 0;
}

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static void add(struct holders *ret, size_t asked, const struct made_holder *item)
{
	struct holder *holder = &ret->items[ret->n++];

	*holder = (struct holder){ .type = item->type,
				   .asked = asked,
				   .pid = item->pid,
				   .comm = copy("app"),
				   .fd = item->type == HOLDER_OPEN ? 7 : -1,
				   .writes = item->writes,
				   .unit = copy(item->unit),
				   .pod = copy(item->pod),
				   .cgroup = copy(item->cgroup),
				   .age_s = -1,
				   .source = copy("/proc/1/fd/7"),
				   .observed = copy("seen") };
	if (item->type == HOLDER_FORMER) {
		holder->text = copy("/x/a.db-wal (deleted)");
		holder->fd = 13;
	}
}

int holders_find(struct host *host, const struct holders_asked *asked,
		 const volatile sig_atomic_t *cancelled, struct holders *ret, struct error *err)
{
	(void)host;
	(void)cancelled;
	(void)err;
	made.scans++;
	if (made.on_scan)
		made.on_scan();
	*ret = (struct holders){ .items = calloc(made.n + 1, sizeof(*ret->items)) };
	for (size_t i = 0; i < asked->n_files; i++)
		for (size_t j = 0; j < made.n; j++)
			if (ends_in(asked->files[i].path, made.items[j].path))
				add(ret, i, &made.items[j]);
	if (made.gap) {
		ret->gaps = calloc(2, sizeof(char *));
		ret->gaps[0] = copy(made.gap);
	}
	return 0;
}

void holders_done(struct holders *holders)
{
	for (size_t i = 0; i < holders->n; i++) {
		free(holders->items[i].comm);
		free(holders->items[i].unit);
		free(holders->items[i].pod);
		free(holders->items[i].cgroup);
		free(holders->items[i].source);
		free(holders->items[i].observed);
		free(holders->items[i].text);
	}
	free(holders->items);
	if (holders->gaps)
		free(holders->gaps[0]);
	free(holders->gaps);
	*holders = (struct holders){ 0 };
}

int holder_describe(const struct holder *holder, struct buf *ret)
{
	return buf_addf(ret, "app (pid %d), %s", (int)holder->pid,
			holder->writes ? "writing" : "reading");
}

/* ---- a directory of files ------------------------------------------------------------- */

static char dir[64];

static void setup(void)
{
	memset(&made, 0, sizeof(made));
	lease.answer = LEASE_GRANTED;
	lease.code = lease.open = 0;
	lease.breaks = false;
	lease.taken = lease.standing = 0;
	strcpy(dir, "/tmp/coldswap-quiet-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	cr_assert_eq(system(command), 0);
}

static void write_file(const char *name, const void *bytes, size_t len)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "we");
	cr_assert_not_null(file);
	fwrite(bytes, 1, len, file);
	fclose(file);
}

static volatile sig_atomic_t cancelled;

static int
call_of(int (*callback)(const struct step *, const void *, struct result *, struct error *),
	const char *word, uint64_t wait_us, const struct step_ahead *ahead, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	char text[128];
	char *paths[] = { text, NULL };
	const struct quiescent_params params = { paths, wait_us };
	struct step step = { .id = "proof", .cancelled = &cancelled, .ahead = ahead };
	int r;

	snprintf(text, sizeof(text), "%s%s", word, dir);
	if (ends_in(word, ":"))
		strcat(text, "/a.db");
	cr_assert_eq(host_open(NULL, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	step.host = host;
	step.facts = facts;
	step.deadline_us = clock_monotonic_us() + 60000000;
	result_init(ret, &kind_files_quiescent);
	r = callback(&step, &params, ret, NULL);
	cr_expect_eq(ret->failed, 0);
	cr_expect_eq(lease.standing, 0, "every lease is dropped");
	return r;
}

static const struct finding *find(const struct result *ret, const char *id)
{
	char full[64];

	snprintf(full, sizeof(full), "files.quiescent/%s", id);
	for (size_t i = 0; i < ret->n_findings; i++)
		if (strcmp(ret->findings[i].id, full) == 0)
			return &ret->findings[i];
	return NULL;
}

static void expect(const struct result *ret, const char *id, enum verdict verdict)
{
	const struct finding *finding = find(ret, id);

	cr_assert_not_null(finding, "%s: %s", id, ret->summary);
	cr_expect_eq(finding->verdict, verdict, "%s", id);
	cr_expect_gt(finding->n_evidence, 0, "%s", id);
	cr_expect(verdict <= VERDICT_PASS || finding->remedy, "%s", id);
	cr_expect(!verdict || ret->verdict >= verdict);
}

#define RESULT CLEANUP(result_done) struct result

#endif
