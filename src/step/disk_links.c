/* SPDX-License-Identifier: MIT */
/*
 * disk.links: after the work, is every disk on the port and at the speed that
 * was to be expected, and did nothing else move?
 */
#include "step/disk_links.h"

#include <errno.h>

#include "base/intl.h"

static const struct param_row params[] = { { 0 } };

static int describe(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("compare every disk's port, link speed and CRC errors with what "
			       "was recorded before, and look for link errors in this boot"));
}

static int count_disks(const struct blocks *blocks)
{
	int n = 0;

	for (size_t i = 0; i < blocks->n; i++)
		n += block_is_disk(blocks->items[i]) && blocks->items[i]->size > 0;
	return n;
}

static void sum_up(struct links *links)
{
	struct result *ret = links->now.ret;
	size_t n = links->n_pairs;

	if (ret->n_findings == 0) {
		result_skip(ret, "%s", _("The earlier capture has no disk."));
		return;
	}
	if (links_compare(links)) {
		result_output_int(ret, "disks", (int64_t)n);
		result_output_int(ret, "right", (int64_t)links->right);
		result_summary(ret,
			       PLURAL("%zu of %zu disk is where it should be.",
				      "%zu of %zu disks are where they should be.", n),
			       links->right, n);
		return;
	}
	result_output_int(ret, "disks", count_disks(links->blocks));
	result_summary(ret,
		       PLURAL("Nothing was recorded before; %zu SATA link was judged as it is.",
			      "Nothing was recorded before; %zu SATA links were judged as they "
			      "are.",
			      links->now.map->n_drives),
		       links->now.map->n_drives);
}

static int load(struct links *links, const char **ret_what, struct error *why)
{
	const struct step *step = links->now.step;
	int r;

	*ret_what = _("the ports of now");
	r = facts_blocks(step->facts, &links->blocks, why);
	if (r == 0)
		r = facts_portmap(step->facts, &links->now.map, why);
	if (r < 0 || !step->before)
		return r;
	*ret_what = _("the ports of the earlier capture");
	r = facts_blocks(step->before, &links->blocks_before, why);
	return r < 0 ? r : facts_portmap(step->before, &links->before.map, why);
}

static int judge(struct links *links, struct error *err)
{
	if (links_compare(links)) {
		if (blocks_pair(links->blocks_before, links->blocks, &links->pairs,
				&links->n_pairs) < 0)
			return error_oom(err);
		links_judge_places(links);
	} else {
		links_say_nothing_recorded(links, _("ports"));
	}
	links_judge_speeds(links);
	links_judge_crc(links);
	links_judge_log(links);
	sum_up(links);
	return links->now.failed < 0 ? error_oom(err) : 0;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(cleanup_advice) struct advice *advice = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(links_done)
	struct links links = { .now = { .step = step, .ret = ret } };
	const char *what;
	int r = load(&links, &what, &why);

	(void)data;
	if (r == 0 && !links_compare(&links))
		r = advice_make(step->facts, &advice, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(ret, "unreadable", what, NULL, &why);
		result_summary(ret, "%s", _("The ports could not be compared."));
		return 0;
	}
	links.now.advice = advice;
	return judge(&links, err);
}

const struct kind kind_disk_links = {
	.name = "disk.links",
	.class = KIND_CHECK,
	.title = N_("every disk on its port, at its speed"),
	.help = N_("After the work: compares each disk, known by its key, with what an earlier "
		   "capture recorded: its port against the one where the planned work should "
		   "have brought it, its link against the fastest seen on that port, its CRC "
		   "errors against their count before; nothing else may have moved, and this "
		   "boot's log may hold no link errors. Where nothing was recorded, the links are "
		   "judged as they are."),
	.flags = KIND_AFTER | KIND_CABLES | KIND_AT_BOOT,
	.deadline_s = 60,
	.params = params,
	.outputs = disk_links_outputs,
	.findings = disk_links_findings,
	.describe = describe,
	.run = run,
};
