/* SPDX-License-Identifier: MIT */
/* The first pass: threads, buffers and leases of the walk. */
#include "copy/make.h"

#include <errno.h>
#include <stdlib.h>

#define QUEUE_SMALL 64
#define QUEUE_LARGE 8

static int start(struct make *make)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < COPY_WORKERS; i++) {
		make->buffers[i] = feed_buffer();
		r = make->buffers[i] ? 0 : -ENOMEM;
	}
	if (r == 0)
		r = flush_new(make, &make->flush);
	if (r == 0)
		r = pool_start(COPY_WORKERS, QUEUE_SMALL, file_copy, make, &make->small);
	if (r == 0)
		r = pool_start(COPY_LARGE_WORKERS, QUEUE_LARGE, file_copy_large, make,
			       &make->large);
	return r;
}

/* In this order: who copies hands on to who syncs. */
static void stop(struct make *make)
{
	size_t i;

	pool_finish(make->small);
	pool_finish(make->large);
	flush_finish(make->flush);
	links_free(make->links);
	for (i = 0; i < COPY_WORKERS; i++)
		free(make->buffers[i]);
}

int make_walk(struct make *make)
{
	size_t i;
	int r = start(make);

	if (r < 0)
		r = run_system(make->run, r, NULL, "cannot start copying");
	for (i = 0; r == 0 && i < make->job->n_roots; i++)
		r = tree_visit_root(make, &make->job->roots[i]);
	stop(make);
	return r;
}
