/* SPDX-License-Identifier: MIT */
/* One entry of the manifest, compared with what stands there. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/sweep.h"

static int compare_link(struct sweep *sweep, const struct snode *node,
			const struct copy_entry *entry, const char *name, const struct stat *st)
{
	char target[PATH_MAX + 1];
	struct stat first;
	ssize_t n;

	if (entry->type == ENTRY_HARD_LINK) {
		if (copyfs_look_deep(sweep->data, entry->target, &first) < 0 ||
		    first.st_ino != st->st_ino)
			return sweep_fault(sweep, entry->path,
					   _("it is no second name of the file that the manifest "
					     "says"));
		return 0;
	}
	n = readlinkat(node->dst, name, target, sizeof(target));
	if (n < 0 || (size_t)n != strlen(entry->target) ||
	    memcmp(target, entry->target, (size_t)n) != 0)
		return sweep_fault(sweep, entry->path, _("the link leads elsewhere"));
	return 0;
}

static int compare_copy(struct sweep *sweep, const struct snode *node,
			const struct copy_entry *entry, const char *name)
{
	struct copyfs_node place = { .fd = -1, .dir = node->dst, .name = name };
	AUTO_FREE char *what = NULL;
	struct stat st;
	bool mounted;
	int r;

	if (entry->type == ENTRY_SOCKET || entry->type == ENTRY_DEVICE || node->dst < 0)
		return 0;
	r = copyfs_look(node->dst, name, &st, &mounted);
	if (r < 0)
		return sweep_fault(sweep, entry->path,
				   r == -ENOENT ? _("it is missing") : strerror(-r));
	if (entry->type == ENTRY_SYMLINK || entry->type == ENTRY_HARD_LINK) {
		r = compare_link(sweep, node, entry, name, &st);
		if (r < 0 || entry->type == ENTRY_HARD_LINK)
			return r;
	}
	what = meta_difference(&place, entry, &st);
	return what ? sweep_fault(sweep, entry->path, what) : 0;
}

static int compare_source(struct sweep *sweep, const struct snode *node,
			  const struct copy_entry *entry, const char *name)
{
	AUTO_FREE char *what = NULL;
	struct stat then, now;
	bool mounted;
	int r = copyfs_look(node->src, name, &now, &mounted);

	if (r < 0)
		return run_unreadable(sweep->run, r, entry->path);
	entry_to_stat(entry, &then);
	what = stat_difference(&then, &now);
	return what ? run_trouble(sweep->run, COPY_CHANGED, entry->path, "%s", what) : 0;
}

int sweep_compare(struct sweep *sweep, struct snode *node, const struct copy_entry *entry,
		  const char *name)
{
	int r = sweep->copy ? compare_copy(sweep, node, entry, name) : 0;

	if (r == 0 && sweep->source_stat)
		r = compare_source(sweep, node, entry, name);
	return r;
}

/* FNV-1a, then mixed: sums of it tell sets of names apart. */
uint64_t sweep_name_sum(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ULL;
	hash ^= hash >> 32;
	return hash * 0x9e3779b97f4a7c15ULL;
}

static bool is_left_out(const struct sweep *sweep, const char *dir, const char *name)
{
	const char *const *left_out = sweep->left_out;
	size_t len = strlen(dir);

	for (; left_out && *left_out; left_out++)
		if (strncmp(*left_out, dir, len) == 0 && (*left_out)[len] == '/' &&
		    strcmp(*left_out + len + 1, name) == 0)
			return true;
	return false;
}

static int sum_names(const struct sweep *sweep, int fd, const char *path, bool mounts,
		     uint64_t *ret_n, uint64_t *ret_sum)
{
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(fd, &list);

	*ret_n = *ret_sum = 0;
	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		struct stat st;
		bool mounted = false;

		if (path && is_left_out(sweep, path, name))
			continue;
		if (mounts && copyfs_look(fd, name, &st, &mounted) == 0 && mounted)
			continue;
		(*ret_n)++;
		*ret_sum += sweep_name_sum(name);
	}
	return r;
}

static int source_names(struct sweep *sweep, const struct snode *node, const char *path)
{
	uint64_t n, sum;
	int r = sum_names(sweep, node->src, path, false, &n, &sum);

	/* Other filesystems are mounted on names that are no part of the copy. */
	if (r == 0 && (n != node->n_src || sum != node->sum_src))
		r = sum_names(sweep, node->src, path, true, &n, &sum);
	if (r < 0)
		return run_unreadable(sweep->run, r, path);
	if (n == node->n_src && sum == node->sum_src)
		return 0;
	return run_trouble(sweep->run, COPY_CHANGED, path,
			   _("the names in it changed: there were %llu, there are %llu"),
			   (unsigned long long)node->n_src, (unsigned long long)n);
}

int sweep_names(struct sweep *sweep, const struct snode *node, const char *path)
{
	AUTO_FREE char *what = NULL;
	uint64_t n, sum;
	int r = sweep->source_stat ? source_names(sweep, node, path) : 0;

	if (r < 0 || !sweep->copy || node->dst < 0)
		return r;
	r = sum_names(sweep, node->dst, NULL, false, &n, &sum);
	if (r < 0)
		return sweep_fault(sweep, path, strerror(-r));
	if (n == node->n_dst && sum == node->sum_dst)
		return 0;
	if (asprintf(&what, _("it holds %llu names, the manifest tells %llu others"),
		     (unsigned long long)n, (unsigned long long)node->n_dst) < 0)
		what = NULL;
	return sweep_fault(sweep, path, what ? what : "");
}

/* From the device: what the cache keeps after all is counted. */
static int hash_from_device(struct sweep *sweep, struct sweep_job *job, const struct source *source,
			    int fd, char *buffer, unsigned char ret[32])
{
	struct feed feed = { .run = sweep->run,
			     .source = source,
			     .path = job->entry.path,
			     .fd = fd,
			     .size = job->entry.size,
			     .of_copy = !source };
	uint64_t resident = 0;
	int r = copyfs_drop_cache(fd, feed.size, &resident);

	if (r < 0)
		return source ? run_unreadable(sweep->run, r, feed.path)
			      : run_system(sweep->run, r, feed.path,
					   "cannot read back the copy of");
	if (resident && !source)
		atomic_fetch_add(&sweep->run->from_cache, feed.size);
	/* Without a copy of each page in the cache it takes half the time of the processor. */
	feed.past_cache = true;
	copyfs_read_past_cache(fd, true);
	r = feed.size >= COPY_LARGE ? pipeline_hash(&feed, ret) : feed_hash(&feed, buffer, ret);
	copyfs_read_past_cache(fd, false);
	return r;
}

static void hex(const unsigned char bytes[32], char ret[65])
{
	size_t i;

	for (i = 0; i < 32; i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

static int check_copy(struct sweep *sweep, struct sweep_job *job, char *buffer)
{
	int fd = copyfs_open_file(job->node->dst, job->name), r;
	unsigned char now[32];
	char is[65], told[65];
	AUTO_FREE char *what = NULL;

	if (fd < 0)
		return sweep_fault(sweep, job->entry.path, strerror(-fd));
	r = hash_from_device(sweep, job, NULL, fd, buffer, now);
	close(fd);
	if (r < 0 || memcmp(now, job->entry.sha256, sizeof(now)) == 0)
		return r;
	hex(now, is);
	hex(job->entry.sha256, told);
	if (asprintf(&what, _("its SHA-256 is %s, the manifest says %s"), is, told) < 0)
		what = NULL;
	return sweep_fault(sweep, job->entry.path, what ? what : "");
}

static int check_source(struct sweep *sweep, struct sweep_job *job, size_t worker, char *buffer)
{
	AUTO_FREE char *what = NULL;
	struct source source;
	unsigned char now[32];
	struct stat then;
	int r = 0;

	entry_to_stat(&job->entry, &then);
	if (!source_is_held(sweep->run, &then, job->entry.path, &source))
		r = source_open(sweep->run, sweep->leases[worker], job->node->src, job->name,
				job->entry.path, false, &source);
	if (r < 0)
		return r;
	what = stat_difference(&then, &source.lease->stat);
	if (what)
		r = run_trouble(sweep->run, COPY_CHANGED, job->entry.path, "%s", what);
	if (r == 0)
		r = hash_from_device(sweep, job, &source, source.lease->fd, buffer, now);
	if (r == 0 && memcmp(now, job->entry.sha256, sizeof(now)) != 0)
		r = run_trouble(sweep->run, COPY_CHANGED, job->entry.path, "%s",
				_("its content is another one when it is read a second time"));
	if (r == 0)
		r = source_check(&source);
	source_close(&source);
	return r;
}

void sweep_job_run(void *data, size_t worker, void *untyped)
{
	struct sweep *sweep = data;
	struct sweep_job *job = untyped;

	if (!run_is_over(sweep->run)) {
		if (job->of_source)
			(void)check_source(sweep, job, worker, sweep->buffers[worker]);
		else if (job->node->dst >= 0)
			(void)check_copy(sweep, job, sweep->buffers[worker]);
	}
	snode_unref(job->node);
	copy_entry_done(&job->entry);
	free(job);
}
