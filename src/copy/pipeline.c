/* SPDX-License-Identifier: MIT */
/* A large file: one thread reads, one hashes, one writes (or none), over a ring of buffers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy/make.h"

#define RING 8
/* Where nothing is written: every worker may have one. */
#define RING_HASHED 4
/* So much is written back before more is made dirty: a stop never waits for long. */
#define WINDOW ((uint64_t)8 << 20)

struct piece {
	uint64_t offset;
	size_t len;
	bool hole;
};

struct pipeline {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	struct piece pieces[RING];
	char *buffers;
	size_t ring, read, hashed, written; /* the ring's pieces; those so far */
	bool ended;
	struct sha *sha;
	int fd, hash_error, write_error;
};

static char *room(void *data)
{
	struct pipeline *pipe = data;
	size_t at;
	int r;

	pthread_mutex_lock(&pipe->lock);
	while (pipe->read - pipe->hashed == pipe->ring ||
	       (pipe->fd >= 0 && pipe->read - pipe->written == pipe->ring))
		pthread_cond_wait(&pipe->moved, &pipe->lock);
	at = pipe->read % pipe->ring;
	r = pipe->write_error;
	pthread_mutex_unlock(&pipe->lock);
	return r < 0 ? NULL : pipe->buffers + at * COPY_CHUNK;
}

static int take(void *data, uint64_t offset, const char *bytes, size_t len)
{
	struct pipeline *pipe = data;

	/* A hole asked for no room. */
	if (!bytes && !room(data))
		return -ECANCELED;
	pthread_mutex_lock(&pipe->lock);
	pipe->pieces[pipe->read % pipe->ring] =
		(struct piece){ .offset = offset, .len = len, .hole = !bytes };
	pipe->read++;
	pthread_cond_broadcast(&pipe->moved);
	pthread_mutex_unlock(&pipe->lock);
	return 0;
}

/* The next piece for one of the two; false at the end. */
static bool next(struct pipeline *pipe, const size_t *so_far, struct piece *ret, const char **bytes)
{
	bool more;

	pthread_mutex_lock(&pipe->lock);
	while (*so_far == pipe->read && !pipe->ended)
		pthread_cond_wait(&pipe->moved, &pipe->lock);
	more = *so_far < pipe->read;
	if (more) {
		*ret = pipe->pieces[*so_far % pipe->ring];
		*bytes = ret->hole ? NULL : pipe->buffers + *so_far % pipe->ring * COPY_CHUNK;
	}
	pthread_mutex_unlock(&pipe->lock);
	return more;
}

static void step(struct pipeline *pipe, size_t *so_far, int *error, int r)
{
	pthread_mutex_lock(&pipe->lock);
	if (r < 0 && *error == 0)
		*error = r;
	(*so_far)++;
	pthread_cond_broadcast(&pipe->moved);
	pthread_mutex_unlock(&pipe->lock);
}

static void *hash(void *data)
{
	struct pipeline *pipe = data;
	const char *bytes = NULL;
	struct piece piece;

	while (next(pipe, &pipe->hashed, &piece, &bytes))
		step(pipe, &pipe->hashed, &pipe->hash_error, sha_add(pipe->sha, bytes, piece.len));
	return NULL;
}

static int write_piece(int fd, const struct piece *piece, const char *bytes)
{
	size_t done = 0;

	while (bytes && done < piece->len) {
		ssize_t n =
			pwrite(fd, bytes + done, piece->len - done, (off_t)(piece->offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return 0;
}

/* Start the last window on its way, and wait for the one before the one before it. */
static int write_back(int fd, uint64_t end)
{
	int r = sync_file_range(fd, (off_t)(end - WINDOW), (off_t)WINDOW, SYNC_FILE_RANGE_WRITE);

	if (r == 0 && end >= 3 * WINDOW)
		r = sync_file_range(fd, (off_t)(end - 3 * WINDOW), (off_t)WINDOW,
				    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					    SYNC_FILE_RANGE_WAIT_AFTER);
	return r < 0 && errno != EINVAL && errno != ENOSYS && errno != ESPIPE ? -errno : 0;
}

static void *put(void *data)
{
	struct pipeline *pipe = data;
	const char *bytes = NULL;
	struct piece piece;
	uint64_t back = WINDOW;

	while (next(pipe, &pipe->written, &piece, &bytes)) {
		/* After an error the ring is only emptied; this thread alone writes the word. */
		int r = pipe->write_error ? 0 : write_piece(pipe->fd, &piece, bytes);

		for (; r == 0 && !pipe->write_error && bytes && piece.offset + piece.len >= back;
		     back += WINDOW)
			r = write_back(pipe->fd, back);
		step(pipe, &pipe->written, &pipe->write_error, r);
	}
	return NULL;
}

static void end(struct pipeline *pipe)
{
	pthread_mutex_lock(&pipe->lock);
	pipe->ended = true;
	pthread_cond_broadcast(&pipe->moved);
	pthread_mutex_unlock(&pipe->lock);
}

static int run_threads(struct pipeline *pipe, struct feed *feed)
{
	pthread_t hasher, writer;
	bool writes;
	int r;

	if (pthread_create(&hasher, NULL, hash, pipe) != 0)
		return -EAGAIN;
	writes = pipe->fd >= 0 && pthread_create(&writer, NULL, put, pipe) == 0;
	r = writes || pipe->fd < 0 ? feed_run(feed) : -EAGAIN;
	end(pipe);
	pthread_join(hasher, NULL);
	if (writes)
		pthread_join(writer, NULL);
	return r;
}

int pipeline_run(struct feed *feed, int fd, unsigned char ret[32], int *ret_write_error)
{
	struct pipeline pipe = { .fd = fd, .ring = fd >= 0 ? RING : RING_HASHED };
	struct feed with = *feed;
	int r = -ENOMEM;

	pthread_mutex_init(&pipe.lock, NULL);
	pthread_cond_init(&pipe.moved, NULL);
	pipe.buffers = aligned_alloc(COPYFS_ALIGNED, pipe.ring * COPY_CHUNK);
	pipe.sha = sha_new();
	with.data = &pipe;
	with.room = room;
	with.take = take;
	if (pipe.buffers && pipe.sha)
		r = run_threads(&pipe, &with);
	feed->read = with.read;
	if (r == 0)
		r = pipe.hash_error;
	if (r == 0)
		r = sha_end(pipe.sha, ret);
	*ret_write_error = pipe.write_error;
	sha_free(pipe.sha);
	free(pipe.buffers);
	pthread_cond_destroy(&pipe.moved);
	pthread_mutex_destroy(&pipe.lock);
	return r;
}

int pipeline_hash(struct feed *feed, unsigned char ret[32])
{
	int none, r;

	(void)posix_fadvise(feed->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	r = pipeline_run(feed, -1, ret, &none);
	if (r < 0 && r != -ECANCELED)
		return run_system(feed->run, r, feed->path, "cannot hash");
	return r;
}
