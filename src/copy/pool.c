/* SPDX-License-Identifier: MIT */
/* Threads that take jobs from a queue of bounded length. */
#include <errno.h>
#include <stdlib.h>

#include "copy/run.h"

struct worker {
	struct pool *pool;
	size_t index;
	pthread_t thread;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t filled, room;
	void **jobs;
	size_t capacity, first, n;
	bool ending;
	pool_fn fn;
	void *data;
	struct worker *workers;
	size_t n_workers;
};

static void *take(struct pool *pool)
{
	void *job = NULL;

	pthread_mutex_lock(&pool->lock);
	while (!pool->n && !pool->ending)
		pthread_cond_wait(&pool->filled, &pool->lock);
	if (pool->n) {
		job = pool->jobs[pool->first];
		pool->first = (pool->first + 1) % pool->capacity;
		pool->n--;
		pthread_cond_signal(&pool->room);
	}
	pthread_mutex_unlock(&pool->lock);
	return job;
}

static void *work(void *data)
{
	struct worker *worker = data;
	void *job;

	while ((job = take(worker->pool)))
		worker->pool->fn(worker->pool->data, worker->index, job);
	return NULL;
}

int pool_start(size_t threads, size_t capacity, pool_fn fn, void *data, struct pool **ret)
{
	struct pool *pool = calloc(1, sizeof(*pool));
	size_t i;

	if (!pool)
		return -ENOMEM;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->filled, NULL);
	pthread_cond_init(&pool->room, NULL);
	pool->capacity = capacity;
	pool->fn = fn;
	pool->data = data;
	pool->jobs = calloc(capacity, sizeof(*pool->jobs));
	pool->workers = calloc(threads, sizeof(*pool->workers));
	for (i = 0; pool->jobs && pool->workers && i < threads; i++) {
		pool->workers[i] = (struct worker){ .pool = pool, .index = i };
		if (pthread_create(&pool->workers[i].thread, NULL, work, &pool->workers[i]) != 0)
			break;
		pool->n_workers++;
	}
	if (pool->n_workers < threads) {
		pool_finish(pool);
		return -EAGAIN;
	}
	*ret = pool;
	return 0;
}

void pool_put(struct pool *pool, void *job)
{
	pthread_mutex_lock(&pool->lock);
	while (pool->n == pool->capacity)
		pthread_cond_wait(&pool->room, &pool->lock);
	pool->jobs[(pool->first + pool->n++) % pool->capacity] = job;
	pthread_cond_signal(&pool->filled);
	pthread_mutex_unlock(&pool->lock);
}

void pool_finish(struct pool *pool)
{
	size_t i;

	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->ending = true;
	pthread_cond_broadcast(&pool->filled);
	pthread_mutex_unlock(&pool->lock);
	for (i = 0; i < pool->n_workers; i++)
		pthread_join(pool->workers[i].thread, NULL);
	pthread_cond_destroy(&pool->filled);
	pthread_cond_destroy(&pool->room);
	pthread_mutex_destroy(&pool->lock);
	free(pool->workers);
	free(pool->jobs);
	free(pool);
}
