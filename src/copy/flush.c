/* SPDX-License-Identifier: MIT */
/*
 * fsync(2) and close(2) of each file, by the descriptor that wrote it.
 *
 * Not at once: the first sync of a batch commits the filesystem's journal for
 * all that was written before, so that a thousand small files cost a few
 * commits.  A sync that fails is not tried again; it ends the copy.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "copy/make.h"

#define BATCH 256
#define BYTES ((uint64_t)32 << 20)
#define FLUSHERS 2

struct written {
	int fd;
	struct node *node;
	char *name;
	uint64_t bytes;
};

struct flush {
	struct make *make;
	pthread_mutex_t lock;
	pthread_cond_t filled, room;
	struct written files[BATCH];
	size_t first, n, batch;
	uint64_t bytes;
	bool ending, draining;
	pthread_t threads[FLUSHERS];
	size_t n_threads;
};

static void failed(struct flush *flush, const struct written *file, int code)
{
	AUTO_FREE char *path = node_path(file->node, file->name);

	atomic_store(&flush->make->run->untrusted, true);
	run_system(flush->make->run, code, path, "cannot write to the disk the copy of");
}

static void sync_one(struct flush *flush, struct written *file)
{
	int r = 0;

	if (!run_is_over(flush->make->run) && fsync(file->fd) < 0)
		r = -errno;
	if (close(file->fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		failed(flush, file, r);
	node_unref(flush->make, file->node);
	free(file->name);
}

/* A batch is begun when it is large enough, and then synced to its last file. */
static bool next(struct flush *flush, struct written *ret)
{
	pthread_mutex_lock(&flush->lock);
	for (;;) {
		if (flush->n >= flush->batch / 2 || flush->bytes >= BYTES / 2 || flush->ending)
			flush->draining = true;
		if (!flush->n)
			flush->draining = false;
		if (flush->n && flush->draining)
			break;
		if (flush->ending) {
			pthread_mutex_unlock(&flush->lock);
			return false;
		}
		pthread_cond_wait(&flush->filled, &flush->lock);
	}
	*ret = flush->files[flush->first];
	flush->first = (flush->first + 1) % BATCH;
	flush->n--;
	flush->bytes -= ret->bytes;
	pthread_cond_signal(&flush->room);
	pthread_mutex_unlock(&flush->lock);
	return true;
}

static void *run_flusher(void *data)
{
	struct written file;

	while (next(data, &file))
		sync_one(data, &file);
	return NULL;
}

int flush_new(struct make *make, struct flush **ret)
{
	struct flush *flush = calloc(1, sizeof(*flush));
	struct rlimit limit;

	if (!flush)
		return -ENOMEM;
	flush->make = make;
	flush->batch = BATCH;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < BATCH * 4)
		flush->batch = limit.rlim_cur / 8 + 1;
	pthread_mutex_init(&flush->lock, NULL);
	pthread_cond_init(&flush->filled, NULL);
	pthread_cond_init(&flush->room, NULL);
	*ret = flush;
	while (flush->n_threads < FLUSHERS) {
		if (pthread_create(&flush->threads[flush->n_threads], NULL, run_flusher, flush) !=
		    0)
			return -EAGAIN;
		flush->n_threads++;
	}
	return 0;
}

void flush_put(struct flush *flush, int fd, struct node *node, const char *name, uint64_t bytes)
{
	struct written file = { .fd = fd, .node = node_ref(node), .bytes = bytes };

	file.name = strdup(name);
	pthread_mutex_lock(&flush->lock);
	while (flush->n >= flush->batch || (flush->n && flush->bytes >= BYTES))
		pthread_cond_wait(&flush->room, &flush->lock);
	flush->files[(flush->first + flush->n++) % BATCH] = file;
	flush->bytes += bytes;
	pthread_cond_broadcast(&flush->filled);
	pthread_mutex_unlock(&flush->lock);
}

void flush_finish(struct flush *flush)
{
	size_t i;

	if (!flush)
		return;
	pthread_mutex_lock(&flush->lock);
	flush->ending = true;
	pthread_cond_broadcast(&flush->filled);
	pthread_mutex_unlock(&flush->lock);
	for (i = 0; i < flush->n_threads; i++)
		pthread_join(flush->threads[i], NULL);
	pthread_cond_destroy(&flush->filled);
	pthread_cond_destroy(&flush->room);
	pthread_mutex_destroy(&flush->lock);
	free(flush);
}
