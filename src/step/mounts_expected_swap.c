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

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

enum hope { HOPE_NONE, HOPE_UNKNOWN, HOPE_SAME };

/* Compressed memory is made anew at each boot; swap with a random key has no UUID to keep. */
static enum hope hope_of(const struct comparison *comparison, const struct swap *swap)
{
	const struct block *device = device_of(comparison->before.blocks, swap->source);

	if (swap->file)
		return HOPE_SAME;
	if (!device)
		return starts(swap->source, PATH_DEV "/zram") ||
				       starts(swap->source, PATH_DEV "/dm-")
			       ? HOPE_NONE
			       : HOPE_UNKNOWN;
	if (device->n_disks == 0 || device->dm_name)
		return HOPE_NONE;
	return device->fs_uuid ? HOPE_SAME : HOPE_UNKNOWN;
}

static void say_unknown(struct comparison *comparison, const struct swap *swap)
{
	struct finding *finding =
		result_find(comparison->ret, "unreadable", VERDICT_UNKNOWN, "%s", swap->source);

	result_say(comparison->ret, finding,
		   _("Whether the swap area that was on %s is active is not known: the earlier "
		     "capture does not tell its UUID."),
		   swap->source);
	result_remedy(comparison->ret, finding, "%s",
		      _("Look by hand: swapon --show; capture as root the next time."));
	comparison_cite_before(comparison, finding, PATH_SWAPS, swap->line, swap->source);
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

static void say_all_unknown(struct comparison *comparison)
{
	const struct swaps *before = comparison->before.swaps;

	for (size_t i = 0; before && i < before->n; i++)
		if (hope_of(comparison, &before->items[i]) == HOPE_UNKNOWN)
			say_unknown(comparison, &before->items[i]);
}

static bool expects_any(const struct comparison *comparison)
{
	const struct swaps *before = comparison->before.swaps;

	for (size_t i = 0; before && i < before->n; i++)
		if (hope_of(comparison, &before->items[i]) == HOPE_SAME)
			return true;
	return false;
}

int swaps_compare(struct comparison *comparison, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = load_before(comparison, err);

	say_all_unknown(comparison);
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
		if (hope_of(comparison, &comparison->before.swaps->items[i]) == HOPE_SAME)
			judge(comparison, &comparison->before.swaps->items[i]);
	return 0;
}
