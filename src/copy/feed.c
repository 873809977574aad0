/* SPDX-License-Identifier: MIT */
/* The bytes of a file in order, holes told from data, and their SHA-256. */
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/run.h"

struct sha {
	EVP_MD_CTX *context;
};

struct sha *sha_new(void)
{
	struct sha *sha = calloc(1, sizeof(*sha));

	/* An openssl.cnf of this machine is no part of the program. */
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	if (!sha)
		return NULL;
	sha->context = EVP_MD_CTX_new();
	if (sha->context && EVP_DigestInit_ex(sha->context, EVP_sha256(), NULL) == 1)
		return sha;
	sha_free(sha);
	return NULL;
}

int sha_add(struct sha *sha, const char *bytes, size_t len)
{
	static const char zeros[16384];

	while (len > 0) {
		size_t n = bytes || len < sizeof(zeros) ? len : sizeof(zeros);

		if (EVP_DigestUpdate(sha->context, bytes ? bytes : zeros, n) != 1)
			return -EIO;
		len -= n;
	}
	return 0;
}

int sha_end(struct sha *sha, unsigned char ret[32])
{
	unsigned len = 0;

	return EVP_DigestFinal_ex(sha->context, ret, &len) == 1 && len == 32 ? 0 : -EIO;
}

void sha_free(struct sha *sha)
{
	if (!sha)
		return;
	EVP_MD_CTX_free(sha->context);
	free(sha);
}

/* Up to where what stands at `at` is of one kind. */
static uint64_t end_of(const struct feed *feed, uint64_t at, bool *ret_hole)
{
	off_t data = lseek(feed->fd, (off_t)at, SEEK_DATA), end;

	*ret_hole = false;
	if (data < 0 && errno == ENXIO) {
		*ret_hole = true;
		return feed->size;
	}
	if (data < 0)
		return feed->size;
	if ((uint64_t)data > at) {
		*ret_hole = true;
		return (uint64_t)data < feed->size ? (uint64_t)data : feed->size;
	}
	end = lseek(feed->fd, (off_t)at, SEEK_HOLE);
	return end <= (off_t)at || (uint64_t)end > feed->size ? feed->size : (uint64_t)end;
}

static int read_failed(struct feed *feed, int code)
{
	if (feed->of_copy)
		return run_trouble(feed->run, COPY_MISMATCH, feed->path, "%s",
				   code ? strerror(-code)
					: _("it is shorter than what was written"));
	if (code)
		return run_unreadable(feed->run, code, feed->path);
	return run_trouble(feed->run, COPY_CHANGED, feed->path, "%s", _("it became shorter"));
}

char *feed_buffer(void)
{
	return aligned_alloc(COPYFS_ALIGNED, COPY_CHUNK);
}

/* Bytes, 0 at the end, or -errno. */
static ssize_t read_some(struct feed *feed, char *into, uint64_t at, size_t len)
{
	size_t ask = len;
	ssize_t n;

	/* The last block of a file is asked for whole; the buffer has room for it. */
	if (feed->past_cache)
		ask = (len + COPYFS_ALIGNED - 1) / COPYFS_ALIGNED * COPYFS_ALIGNED;
	do
		n = pread(feed->fd, into, ask, (off_t)at);
	while (n < 0 && errno == EINTR);
	if (n >= 0)
		return (size_t)n < len ? n : (ssize_t)len;
	if (errno != EINVAL || !feed->past_cache)
		return -errno;
	/* After a short read, or on a device with larger blocks. */
	copyfs_read_past_cache(feed->fd, false);
	feed->past_cache = false;
	return read_some(feed, into, at, len);
}

static int feed_chunk(struct feed *feed, uint64_t at, size_t len, bool hole)
{
	char *room = hole ? NULL : feed->room(feed->data);
	size_t filled = 0;
	int r;

	if (!hole && !room)
		return -ECANCELED;
	while (!hole && filled < len) {
		ssize_t n = read_some(feed, room + filled, at + filled, len - filled);

		if (n <= 0)
			return read_failed(feed, (int)n);
		filled += (size_t)n;
	}
	r = feed->take(feed->data, at, room, len);
	feed->read += hole ? 0 : len;
	atomic_fetch_add(&feed->run->done, len);
	if (r == 0 && feed->source)
		r = source_stands(feed->source);
	return r;
}

int feed_run(struct feed *feed)
{
	uint64_t at = 0, end = 0;
	bool hole = false;
	int r = 0;

	while (r == 0 && at < feed->size) {
		size_t len;

		if (run_is_over(feed->run))
			return -ECANCELED;
		if (at == end)
			end = end_of(feed, at, &hole);
		len = end - at < COPY_CHUNK ? (size_t)(end - at) : COPY_CHUNK;
		r = feed_chunk(feed, at, len, hole);
		at += len;
	}
	return r;
}

struct hashing {
	struct sha *sha;
	char *buffer;
};

static char *hashing_room(void *data)
{
	return ((struct hashing *)data)->buffer;
}

static int hashing_take(void *data, uint64_t offset, const char *bytes, size_t len)
{
	(void)offset;
	return sha_add(((struct hashing *)data)->sha, bytes, len);
}

int feed_hash(struct feed *feed, char *buffer, unsigned char ret[32])
{
	struct hashing hashing = { .sha = sha_new(), .buffer = buffer };
	struct feed with = *feed;
	int r = hashing.sha ? 0 : -ENOMEM;

	with.data = &hashing;
	with.room = hashing_room;
	with.take = hashing_take;
	(void)posix_fadvise(feed->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	if (r == 0)
		r = feed_run(&with);
	feed->read = with.read;
	if (r == 0)
		r = sha_end(hashing.sha, ret);
	sha_free(hashing.sha);
	if (r < 0 && r != -ECANCELED)
		return run_system(feed->run, r, feed->path, "cannot hash");
	return r;
}
