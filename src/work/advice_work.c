/* SPDX-License-Identifier: MIT */
/* The work that an advice comes to. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "work/advice.h"
#include "work/work.h"

static const struct advice_option *advised_option(const struct advice *advice)
{
	for (size_t i = 0; i < advice->n_options; i++)
		if (advice->options[i].advised)
			return &advice->options[i];
	return NULL;
}

static int move(struct facts *facts, const struct advice_option *option, struct work **ret,
		struct error *err)
{
	CLEANUP(work_request_done) struct work_request request = { .type = WORK_MOVE };
	const struct block *disk = option->disk;
	int r;

	request.disk = strdup(disk->key && !disk->key_shared ? disk->key : disk->name);
	request.position = strdup("ports");
	if (!request.disk || !request.position ||
	    asprintf(&request.to, "port %u of %s", option->port->index,
		     option->controller->address) < 0) {
		request.to = NULL;
		return error_oom(err);
	}
	r = work_resolve(facts, &request, 1, ret, err);
	if (!r)
		(*ret)->origin = WORK_ADVISED;
	return r;
}

int advice_work(struct facts *facts, const struct advice *advice, struct work **ret,
		struct error *err)
{
	const struct advice_option *option = advised_option(advice);

	if (advice->action == ADVICE_SWAP)
		return work_advised(facts, advice->disks[0], advice->disks[1], ret, err);
	if (advice->action == ADVICE_MOVE && option)
		return move(facts, option, ret, err);
	return error_set(err, -ENOENT, "no work is advised");
}
