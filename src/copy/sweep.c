/* SPDX-License-Identifier: MIT */
#include "copy/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strv.h"

void snode_unref(struct snode *node)
{
	while (node && atomic_fetch_sub(&node->refs, 1) == 1) {
		struct snode *up = node->up;

		if (node->src >= 0)
			close(node->src);
		if (node->dst >= 0)
			close(node->dst);
		free(node->name);
		free(node);
		node = up;
	}
}

int sweep_fault(struct sweep *sweep, const char *path, const char *what)
{
	int r;

	pthread_mutex_lock(&sweep->lock);
	r = sweep->fault(sweep->data_of_fault, path, what);
	pthread_mutex_unlock(&sweep->lock);
	return r;
}

static bool of_source(const struct sweep *sweep)
{
	return sweep->source_hash || sweep->source_stat;
}

static int push(struct sweep *sweep, const char *name, size_t path_len, bool real, int src, int dst)
{
	struct snode *node = calloc(1, sizeof(*node));

	if (node)
		node->name = strdup(name);
	if (!node || !node->name) {
		free(node);
		if (src >= 0)
			close(src);
		if (dst >= 0)
			close(dst);
		return run_system(sweep->run, -ENOMEM, name, "cannot verify");
	}
	atomic_init(&node->refs, 1);
	node->src = src;
	node->dst = dst;
	node->real = real;
	node->path_len = path_len;
	node->up = sweep->top;
	if (node->up)
		atomic_fetch_add(&node->up->refs, 1);
	sweep->top = node;
	return 0;
}

/* The path of what is on the stack: names only, so that depth costs what it must. */
static char *path_of(const struct snode *node)
{
	char *path = malloc(node->path_len + 1);
	size_t at = node->path_len;

	if (!path)
		return NULL;
	path[at] = '\0';
	for (; node; node = node->up) {
		at -= strlen(node->name);
		memcpy(path + at, node->name, strlen(node->name));
		if (at)
			path[--at] = '/';
	}
	return path;
}

static int pop(struct sweep *sweep)
{
	struct snode *node = sweep->top;
	int r = 0;

	if (node->real && !run_is_over(sweep->run)) {
		AUTO_FREE char *path = path_of(node);

		r = path ? sweep_names(sweep, node, path)
			 : run_system(sweep->run, -ENOMEM, NULL, "cannot verify");
		if (r == 0 && sweep->sync && fsync(node->dst) < 0 && errno != EINVAL)
			r = run_system(sweep->run, -errno, path, "cannot write to the disk");
	}
	sweep->top = node->up;
	snode_unref(node);
	return r;
}

/* Does the entry lie right in the directory on top?  Then its name. */
static const char *name_in(const struct snode *node, const char *path)
{
	size_t len = strlen(path);
	const struct snode *up = node;
	size_t at;

	if (len <= node->path_len + 1 || path[node->path_len] != '/' ||
	    strchr(path + node->path_len + 1, '/'))
		return NULL;
	at = node->path_len;
	for (; up; up = up->up) {
		size_t n = strlen(up->name);

		at -= n;
		if (memcmp(path + at, up->name, n) != 0)
			return NULL;
		if (at && path[--at] != '/')
			return NULL;
	}
	return path + node->path_len + 1;
}

static int open_deep(int data, const char *path)
{
	int fd = dup(data);

	while (fd >= 0) {
		AUTO_FREE char *name = NULL;
		int next;

		path += strspn(path, "/");
		if (!*path)
			return fd;
		name = strndup(path, strcspn(path, "/"));
		next = name ? copyfs_open_dir(fd, name) : -ENOMEM;
		close(fd);
		fd = next;
		path += strcspn(path, "/");
	}
	return fd;
}

/* Nothing is open, and a root comes. */
static int open_above(struct sweep *sweep, const char *path)
{
	AUTO_FREE char *above = strdup(path);
	char *slash = above ? strrchr(above, '/') : NULL;
	int src = -1, dst;

	if (!slash)
		return run_system(sweep->run, -ENOMEM, path, "cannot verify");
	*slash = '\0';
	dst = open_deep(sweep->data, above);
	if (dst < 0)
		return sweep_fault(sweep, path, strerror(-dst));
	if (of_source(sweep))
		src = copyfs_open_path(*above ? above : "/");
	if (of_source(sweep) && src < 0) {
		close(dst);
		return run_unreadable(sweep->run, src, path);
	}
	return push(sweep, above, strlen(above), false, src, dst);
}

static int enter(struct sweep *sweep, const struct copy_entry *entry, const char *name)
{
	struct snode *node = sweep->top;
	int dst = copyfs_open_dir(node->dst, name), src = -1;

	if (dst < 0 && sweep->copy)
		sweep_fault(sweep, entry->path, strerror(-dst));
	if (of_source(sweep))
		src = node->real ? copyfs_open_dir(node->src, name) : copyfs_open_path(entry->path);
	if (of_source(sweep) && src < 0) {
		if (dst >= 0)
			close(dst);
		return run_unreadable(sweep->run, src, entry->path);
	}
	return push(sweep, name, strlen(entry->path), true, src, dst);
}

static int put_job(struct sweep *sweep, const struct copy_entry *entry, bool source)
{
	struct sweep_job *job = calloc(1, sizeof(*job));

	if (!job)
		return run_system(sweep->run, -ENOMEM, entry->path, "cannot verify");
	*job = (struct sweep_job){ .sweep = sweep, .node = sweep->top, .of_source = source };
	job->entry = *entry;
	job->entry.xattrs = NULL;
	job->entry.n_xattrs = 0;
	job->entry.target = NULL;
	job->entry.path = strdup(entry->path);
	if (!job->entry.path) {
		free(job);
		return run_system(sweep->run, -ENOMEM, entry->path, "cannot verify");
	}
	job->name = strrchr(job->entry.path, '/') + 1;
	atomic_fetch_add(&sweep->top->refs, 1);
	pool_put(sweep->pool, job);
	return 0;
}

static int handle(struct sweep *sweep, const struct copy_entry *entry)
{
	const char *name;
	int r = 0;

	while (r == 0 && sweep->top && !name_in(sweep->top, entry->path))
		r = pop(sweep);
	if (r == 0 && !sweep->top)
		r = open_above(sweep, entry->path);
	if (r < 0 || !sweep->top)
		return r;
	name = name_in(sweep->top, entry->path);
	if (!sweep->top->real && strv_add(&sweep->roots, entry->path) < 0)
		return run_system(sweep->run, -ENOMEM, entry->path, "cannot verify");
	sweep->top->n_src++;
	sweep->top->sum_src += sweep_name_sum(name);
	if (entry->type != ENTRY_SOCKET && entry->type != ENTRY_DEVICE) {
		sweep->top->n_dst++;
		sweep->top->sum_dst += sweep_name_sum(name);
	}
	r = sweep_compare(sweep, sweep->top, entry, name);
	if (r == 0 && entry->type == ENTRY_FILE && sweep->copy)
		r = put_job(sweep, entry, false);
	if (r == 0 && entry->type == ENTRY_FILE && sweep->source_hash)
		r = put_job(sweep, entry, true);
	if (r == 0 && entry->type == ENTRY_DIRECTORY)
		r = enter(sweep, entry, name);
	return r;
}

static int run_entries(struct sweep *sweep)
{
	struct copy_entry entry;
	struct error err = ERROR_INIT;
	int r = 0;

	while (r >= 0 && !run_is_over(sweep->run)) {
		r = manifest_next(sweep->reader, &entry, sweep->head, &err);
		if (r <= 0)
			break;
		r = handle(sweep, &entry);
		copy_entry_done(&entry);
	}
	if (err.code && !atomic_exchange(&sweep->run->stopped, true)) {
		sweep->run->trouble = COPY_SYSTEM;
		sweep->run->code = err.code;
		error_copy(&sweep->run->err, &err);
	}
	error_done(&err);
	while (sweep->top)
		if (pop(sweep) < 0)
			r = -ECANCELED;
	if (r >= 0 && sweep->copy && !run_is_over(sweep->run))
		r = sweep_above(sweep);
	strv_free(TAKE(sweep->roots));
	return r;
}

int sweep_run(struct sweep *sweep)
{
	bool hashes = sweep->copy || sweep->source_hash;
	size_t i;
	int r = 0;

	pthread_mutex_init(&sweep->lock, NULL);
	for (i = 0; hashes && r == 0 && i < COPY_WORKERS; i++) {
		sweep->buffers[i] = feed_buffer();
		r = sweep->buffers[i] ? 0 : -ENOMEM;
	}
	if (r == 0 && hashes)
		r = pool_start(COPY_WORKERS, 32, sweep_job_run, sweep, &sweep->pool);
	if (r < 0)
		r = run_system(sweep->run, r, NULL, "cannot verify the copy");
	else
		r = run_entries(sweep);
	pool_finish(sweep->pool);
	sweep->pool = NULL;
	for (i = 0; i < COPY_WORKERS; i++)
		free(sweep->buffers[i]);
	pthread_mutex_destroy(&sweep->lock);
	return run_is_over(sweep->run) ? -ECANCELED : r;
}
