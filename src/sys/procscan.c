/* SPDX-License-Identifier: MIT */
#include "sys/procscan.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "sys/host_root.h"
#include "sys/procscan_internal.h"

#define THREADS_MAX 16
#define STACK_BYTES ((size_t)256 << 10)
/* How often /proc is listed again for processes that were made meanwhile. */
#define ROUNDS_MAX 8

struct pids {
	pid_t *items;
	size_t n, capacity;
};

static int add_pid(struct scan_thread *thread, const char *name, void *data)
{
	struct pids *pids = data;
	uint64_t pid;

	(void)thread;
	if (parse_u64(name, &pid) < 0 || pid > INT32_MAX)
		return 0;
	if (pids->n == pids->capacity) {
		size_t capacity = pids->capacity ? pids->capacity * 2 : 1024;
		pid_t *more = reallocarray(pids->items, capacity, sizeof(*more));

		if (!more)
			return -ENOMEM;
		pids->items = more;
		pids->capacity = capacity;
	}
	pids->items[pids->n++] = (pid_t)pid;
	return 0;
}

/* Those that no round before has met. */
static int list_new(struct scan_thread *thread, struct idmap *met)
{
	struct scan_shared *shared = thread->shared;
	struct pids pids = { 0 };
	AUTO_FD dir = scan_open(shared->proc, ".", O_RDONLY | O_DIRECTORY);
	size_t n = 0;
	int r;

	free(shared->pids);
	shared->pids = NULL;
	shared->n_pids = 0;
	r = dir < 0 ? dir : scan_names(thread, dir, add_pid, &pids);
	for (size_t i = 0; i < pids.n && r >= 0; i++) {
		r = idmap_add(met, (uint64_t)pids.items[i], 0, 0);
		if (r > 0)
			pids.items[n++] = pids.items[i];
	}
	shared->pids = pids.items;
	shared->n_pids = n;
	atomic_store(&shared->next, 0);
	return r < 0 ? r : 0;
}

static void *walk(void *data)
{
	struct scan_thread *thread = data;
	struct scan_shared *shared = thread->shared;

	while (!thread->failed) {
		size_t i = atomic_fetch_add(&shared->next, 1);

		if (i >= shared->n_pids)
			break;
		if (shared->cancelled && *shared->cancelled)
			thread->failed = -ECANCELED;
		else
			scan_process(thread, shared->pids[i]);
	}
	return NULL;
}

static size_t count_threads(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

	return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (size_t)n;
}

/* The caller's thread walks too; where no other can be made it walks alone. */
static void walk_all(struct scan_thread *threads, size_t n)
{
	pthread_t made[THREADS_MAX];
	pthread_attr_t attributes;
	sigset_t all, before;
	size_t i = 1;

	/* Signals of the operator and of leases are the caller's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_attr_init(&attributes) == 0) {
		pthread_attr_setstacksize(&attributes, STACK_BYTES);
		while (i < n && threads[0].shared->n_pids > i &&
		       pthread_create(&made[i], &attributes, walk, &threads[i]) == 0)
			i++;
		pthread_attr_destroy(&attributes);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	walk(&threads[0]);
	while (i > 1)
		pthread_join(made[--i], NULL);
}

static int add_ids(struct idmap *map, const dev_t *ids, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && r >= 0; i++)
		r = idmap_add(map, ids[i], 0, i);
	return r;
}

static int fill_maps(struct scan_shared *shared)
{
	const struct scan_question *q = shared->question;
	int r = add_ids(&shared->filesystems, q->filesystems, q->n_filesystems);

	if (r >= 0)
		r = add_ids(&shared->devices, q->devices, q->n_devices);
	if (r >= 0)
		r = add_ids(&shared->mounted, q->mounted, q->n_mounted);
	if (r >= 0)
		r = add_ids(&shared->asked, q->filesystems, q->n_filesystems);
	for (size_t i = 0; i < q->n_files && r >= 0; i++) {
		r = idmap_add(&shared->files, q->files[i].dev, q->files[i].ino, i);
		if (r >= 0)
			r = idmap_add(&shared->asked, q->files[i].dev, 0, i);
	}
	for (size_t i = 0; i < q->n_former && r >= 0; i++) {
		r = idmap_add(&shared->former, q->former[i].dev, 0, i);
		if (r >= 0)
			r = idmap_add(&shared->asked, q->former[i].dev, 0, i);
	}
	for (size_t i = 0; i < q->n_own && r >= 0; i++)
		r = idmap_add(&shared->own, (uint64_t)q->own[i], 0, i);
	return r < 0 ? r : 0;
}

/*
 * A raw device may be mapped with its descriptor closed, as a file may.  A
 * program that runs from a file has it mapped; its exe link says the same
 * once nothing of it is mapped any more.
 */
static struct scan_needs needs_of(const struct scan_question *q)
{
	bool files = q->n_files || q->n_former, filesystems = q->n_filesystems;

	return (struct scan_needs){
		.fds = files || filesystems || q->n_devices,
		.maps = files || filesystems || q->n_devices,
		.program = files || filesystems,
		.places = filesystems,
		.mounts = q->n_mounted,
	};
}

static void shared_done(struct scan_shared *shared)
{
	idmap_done(&shared->files);
	idmap_done(&shared->filesystems);
	idmap_done(&shared->devices);
	idmap_done(&shared->former);
	idmap_done(&shared->mounted);
	idmap_done(&shared->own);
	idmap_done(&shared->asked);
	idmap_done(&shared->namespaces);
	idmap_done(&shared->views);
	pthread_mutex_destroy(&shared->lock);
	free(shared->pids);
	if (shared->proc >= 0)
		close(shared->proc);
}

static void threads_done(struct scan_thread *threads, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		scan_done(&threads[i].found);
		free(threads[i].names);
	}
}

static int failure_of(const struct scan_thread *threads, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (threads[i].failed)
			return threads[i].failed;
	return 0;
}

static int walk_rounds(struct scan_shared *shared, struct host *host, struct scan_thread *threads,
		       size_t n)
{
	struct idmap met = { 0 };
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		threads[i].shared = shared;
		/* A list of threads is read while a list of descriptors is. */
		threads[i].names = malloc(2 * (size_t)NAMES_BYTES);
		if (!threads[i].names)
			return -ENOMEM;
	}
	scan_view(&threads[0], host);
	for (int round = 0; round < ROUNDS_MAX && r == 0; round++) {
		r = list_new(&threads[0], &met);
		if (r < 0 || !shared->n_pids)
			break;
		walk_all(threads, n);
		r = failure_of(threads, n);
	}
	idmap_done(&met);
	return r < 0 ? r : failure_of(threads, n);
}

static int scan_all(struct scan_shared *shared, struct host *host, struct scan *ret)
{
	struct scan_thread threads[THREADS_MAX] = { 0 };
	size_t n = count_threads();
	int r = fill_maps(shared);

	if (r == 0)
		r = walk_rounds(shared, host, threads, n);
	for (size_t i = 0; i < n && r == 0; i++)
		r = scan_unite(ret, &threads[i].found);
	threads_done(threads, n);
	return r;
}

int procscan(struct host *host, const struct scan_question *question,
	     const volatile sig_atomic_t *cancelled, struct scan *ret, struct error *err)
{
	struct scan_shared shared = {
		.question = question,
		.needs = needs_of(question),
		.cancelled = cancelled,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.self = getpid(),
	};
	AUTO_SCAN scan = { 0 };
	int r;

	if (!host_is_live(host)) {
		error_set(err, -EPERM, "a capture has no processes");
		error_hint(err, "run it on the machine itself");
		return -EPERM;
	}
	shared.proc = host_openat(host, "/proc", O_PATH | O_DIRECTORY);
	if (shared.proc < 0)
		return host_cannot(host, "/proc", shared.proc, err);
	r = scan_all(&shared, host, &scan);
	shared_done(&shared);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		return error_set(err, r, "cannot look at every process: %s", strerror(-r));
	scan_sort(&scan);
	*ret = scan;
	scan = (struct scan){ 0 };
	return 0;
}
