/* SPDX-License-Identifier: MIT */
/* The swap areas of before: active again? */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/mounts_expected.h"

static const struct block *device_of(const struct blocks *blocks, const char *source)
{
	const struct block *device[1] = { NULL };

	return blocks_by_path(blocks, source, device, 1) == 1 ? device[0] : NULL;
}

static bool same_area(const struct comparison *comparison, const struct swap *now,
		      const struct swap *before)
{
	const struct block *a = device_of(comparison->now.blocks, now->source);
	const struct block *b = device_of(comparison->before.blocks, before->source);

	if (now->file || before->file)
		return now->file == before->file && strcmp(now->source, before->source) == 0;
	if (!a || !b)
		return false;
	if (a->fs_uuid && b->fs_uuid)
		return strcmp(a->fs_uuid, b->fs_uuid) == 0;
	return a->part_uuid && b->part_uuid && strcmp(a->part_uuid, b->part_uuid) == 0;
}

static bool is_active(const struct comparison *comparison, const struct swap *before)
{
	const struct swaps *swaps = comparison->now.swaps;

	for (size_t i = 0; i < swaps->n; i++)
		if (same_area(comparison, &swaps->items[i], before))
			return true;
	return false;
}

/* Compressed memory is made anew at each boot; swap with a random key has no UUID to keep. */
static bool is_expected(const struct comparison *comparison, const struct swap *swap)
{
	const struct block *device = device_of(comparison->before.blocks, swap->source);

	return swap->file || (device && device->n_disks > 0 && device->fs_uuid && !device->dm_name);
}

static void judge(struct comparison *comparison, const struct swap *swap)
{
	struct finding *finding;

	comparison->entries++;
	if (is_active(comparison, swap)) {
		comparison->present++;
		finding = result_find(comparison->ret, "present", VERDICT_PASS, "swap");
		result_say(comparison->ret, finding, "%s", _("Swap is active as before."));
	} else {
		finding = result_find(comparison->ret, "swap-missing", VERDICT_WARN, "swap");
		result_say(comparison->ret, finding, _("Swap on %s (before) is not active now."),
			   swap->source);
		result_remedy(comparison->ret, finding, "%s",
			      _("Activate it with `swapon -a`, or remove the entry."));
	}
	comparison_cite_before(comparison, finding, PATH_SWAPS, swap->line, swap->source);
}

/* An earlier capture without the file had no swap; what is there must tell. */
static int load_before(struct comparison *comparison, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = facts_swaps(comparison->step->before, &comparison->before.swaps, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0 && r != -ENOENT)
		comparison_unreadable_before(comparison, PATH_SWAPS, &why);
	return 0;
}

static bool expects_any(const struct comparison *comparison)
{
	const struct swaps *before = comparison->before.swaps;

	for (size_t i = 0; before && i < before->n; i++)
		if (is_expected(comparison, &before->items[i]))
			return true;
	return false;
}

int swaps_compare(struct comparison *comparison, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = load_before(comparison, err);

	if (r < 0 || !expects_any(comparison))
		return r;
	r = facts_swaps(comparison->step->facts, &comparison->now.swaps, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(comparison->ret, "unreadable", PATH_SWAPS, NULL, &why);
		return 0;
	}
	for (size_t i = 0; i < comparison->before.swaps->n; i++)
		if (is_expected(comparison, &comparison->before.swaps->items[i]))
			judge(comparison, &comparison->before.swaps->items[i]);
	return 0;
}
