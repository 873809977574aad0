/* SPDX-License-Identifier: MIT */
/* One file of the copy: its lease, one pass over its bytes, its metadata. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/make.h"

struct through {
	struct sha *sha;
	char *buffer;
	int fd, error;
};

static char *through_room(void *data)
{
	return ((struct through *)data)->buffer;
}

static int through_take(void *data, uint64_t offset, const char *bytes, size_t len)
{
	struct through *through = data;
	size_t done = 0;

	if (sha_add(through->sha, bytes, len) < 0)
		return -EIO;
	while (bytes && done < len) {
		ssize_t n = pwrite(through->fd, bytes + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			through->error = -errno;
			return -ECANCELED;
		}
		done += (size_t)n;
	}
	return 0;
}

static int small(struct feed *feed, int fd, char *buffer, unsigned char ret[32], int *write_error)
{
	struct through through = { .sha = sha_new(), .buffer = buffer, .fd = fd };
	struct feed with = *feed;
	int r = through.sha ? 0 : -ENOMEM;

	with.data = &through;
	with.room = through_room;
	with.take = through_take;
	if (r == 0)
		r = feed_run(&with);
	feed->read = with.read;
	if (r == 0)
		r = sha_end(through.sha, ret);
	*write_error = through.error;
	sha_free(through.sha);
	/* On its way to the disk, while the next is read. */
	if (r == 0)
		(void)sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	return r;
}

/* 1: what an earlier attempt left holds the very bytes; 0: it does not. */
static int is_same(struct file_job *job, struct feed *feed, int fd, char *buffer)
{
	unsigned char left[32];
	uint64_t resident;
	struct feed old = {
		.run = feed->run, .path = feed->path, .fd = fd, .size = feed->size, .of_copy = true
	};
	int r;

	if (copyfs_drop_cache(fd, feed->size, &resident) < 0 || resident)
		return 0;
	r = feed_hash(&old, buffer, left);
	if (r == 0)
		r = feed_hash(feed, buffer, job->slot->entry.sha256);
	if (r < 0)
		return r;
	/* Counted once, however often it is read. */
	atomic_fetch_sub(&feed->run->done, feed->size);
	if (memcmp(left, job->slot->entry.sha256, sizeof(left)) == 0)
		return 1;
	atomic_fetch_sub(&feed->run->done, feed->size);
	feed->read = 0;
	return 0;
}

static int bytes_of(struct file_job *job, struct source *source, int fd, char *buffer, bool large)
{
	struct run *run = job->make->run;
	struct copy_entry *entry = &job->slot->entry;
	struct feed feed = { .run = run,
			     .source = source,
			     .path = source->path,
			     .fd = source->lease->fd,
			     .size = entry->size };
	int write_error = 0, r = job->taken_over ? is_same(job, &feed, fd, buffer) : 0;

	if (r == 1) {
		entry->data = feed.read;
		atomic_fetch_add(&run->taken_over, entry->size);
		return 0;
	}
	if (r == 0 && ftruncate(fd, 0) < 0)
		return run_system(run, -errno, source->path, "cannot write the copy of");
	(void)posix_fadvise(feed.fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	if (r == 0)
		r = large ? pipeline_run(&feed, fd, entry->sha256, &write_error)
			  : small(&feed, fd, buffer, entry->sha256, &write_error);
	if (r == 0 || write_error)
		r = write_error;
	if (r == 0 && ftruncate(fd, (off_t)entry->size) < 0)
		r = -errno;
	entry->data = feed.read;
	if (r < 0 && r != -ECANCELED)
		return run_system(run, r, source->path, "cannot write the copy of");
	return r;
}

static int metadata(struct file_job *job, const struct source *source, int fd)
{
	struct copyfs_node from = { .fd = source->lease->fd }, to = { .fd = fd };
	int r = meta_read_xattrs(&from, &job->slot->entry);

	if (r < 0)
		return run_unreadable(job->make->run, r, source->path);
	r = meta_apply(&to, &job->slot->entry, &source->lease->stat.st_atim);
	if (r < 0)
		return run_system(job->make->run, r, source->path,
				  "cannot give owner, mode, attributes and times to the copy of");
	return 0;
}

static int copy_from(struct file_job *job, struct source *source, char *buffer, bool large)
{
	struct run *run = job->make->run;
	int fd = job->taken_over ? copyfs_open_again(job->node->dst, job->name)
				 : copyfs_create(job->node->dst, job->name);
	int r;

	if (fd == -EEXIST) /* a file with several names, made by the walk */
		fd = copyfs_open_again(job->node->dst, job->name);
	if (fd < 0)
		return run_system(run, fd, source->path, "cannot make the copy of");
	entry_from_stat(&job->slot->entry, &source->lease->stat);
	r = bytes_of(job, source, fd, buffer, large);
	if (r == 0)
		r = metadata(job, source, fd);
	if (r == 0)
		r = source_check(source);
	if (r < 0) {
		close(fd);
		return r;
	}
	if (source->lease->answer != LEASE_GRANTED)
		atomic_fetch_add(&run->without_lease, 1);
	atomic_fetch_add(&run->files, 1);
	atomic_fetch_add(&run->bytes, job->slot->entry.size);
	atomic_fetch_add(&run->data, job->slot->entry.data);
	flush_put(job->make->flush, fd, job->node, job->name, job->slot->entry.data);
	return 0;
}

/* The source is what the walk saw, under a lease where there is one. */
static int open_source(struct file_job *job, size_t worker, const struct stat *seen,
		       struct source *ret)
{
	struct make *make = job->make;
	const char *path = job->slot->entry.path;
	AUTO_FREE char *what = NULL;
	int r = 0;

	if (source_is_held(make->run, seen, path, ret)) {
		;
	} else if (job->node->database) {
		return run_trouble(make->run, COPY_CHANGED, path, "%s",
				   _("it appeared after the proof"));
	} else {
		r = source_open(make->run, make->leases[worker], job->node->src, job->name, path,
				false, ret);
	}
	if (r < 0)
		return r;
	what = stat_difference(seen, &ret->lease->stat);
	if (!what)
		return 0;
	source_close(ret);
	return run_trouble(make->run, COPY_CHANGED, path, "%s", what);
}

static void copy(struct file_job *job, size_t worker, char *buffer, bool large)
{
	struct make *make = job->make;
	struct source source;
	struct stat seen;
	int r = run_is_over(make->run) ? -ECANCELED : 0;

	entry_to_stat(&job->slot->entry, &seen);
	if (r == 0)
		r = open_source(job, worker, &seen, &source);
	if (r == 0) {
		r = copy_from(job, &source, buffer, large);
		source_close(&source);
	}
	order_ready(make->order, job->slot, r < 0);
	node_unref(make, job->node);
	free(job->name);
	free(job);
}

void file_copy(void *data, size_t worker, void *job)
{
	struct make *make = data;

	copy(job, worker, make->buffers[worker], false);
}

void file_copy_large(void *data, size_t worker, void *job)
{
	AUTO_FREE char *buffer = feed_buffer();
	struct make *make = data;

	if (!buffer)
		run_system(make->run, -ENOMEM, NULL, "cannot copy");
	copy(job, COPY_WORKERS + worker, buffer, true);
}
