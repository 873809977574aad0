/* SPDX-License-Identifier: MIT */
#include "work/placement.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/filetree.h"
#include "probe/fskind.h"
#include "work/names_fate.h"

#define DISKS_MAX 64

static const struct {
	const char *what;    /* with one hole: the path */
	const char *way_out; /* off a disk of the work */
} roles[] = {
	[PLACED_STATE] = { N_("The state directory %s"),
			   N_("Name a state directory on a disk that stays as it is: --state "
			      "DIR") },
	[PLACED_PROGRAM] = { N_("The program %s"),
			     N_("Copy coldswap to a disk that stays as it is, and run that "
				"copy.") },
	[PLACED_LIBRARY] = { N_("The library %s of this program"),
			     N_("Run coldswap on a system that lies on a disk that stays as it "
				"is.") },
	[PLACED_RUNBOOK] = { N_("The runbook %s"),
			     N_("Copy the runbook to a disk that stays as it is, and name that "
				"copy.") },
	[PLACED_KUBECONFIG] = { N_("The kubeconfig %s"),
				N_("Copy it to a disk that stays as it is, and name that copy.") },
	[PLACED_COPY] = { N_("The copy %s"),
			  N_("Choose a destination on a disk that stays as it is: copy_to=PATH") },
};

static const char *const fates[] = {
	[WORK_EXCHANGE] = N_("%s lies on %s, which the work plugs into another port."),
	[WORK_MOVE] = N_("%s lies on %s, which the work plugs into another port."),
	[WORK_REMOVE] = N_("%s lies on %s, which the work takes out."),
	[WORK_REPLACE] = N_("%s lies on %s, which the work replaces."),
	[WORK_RECABLE] = N_("%s lies on %s, whose cable the work changes."),
};

struct judging {
	struct facts *facts;
	const struct work *work;
	const struct blocks *blocks;
	const struct mounts *mounts;
	struct filetree *tree;
	struct work without; /* the same work if no disk of it came up again */
	struct placements *ret;
	struct error *err;
};

static int say(struct placement *placement, enum placement_fate fate, char **text,
	       const char *way_out)
{
	placement->fate = fate;
	placement->text = TAKE(*text);
	placement->way_out = strdup(way_out);
	return placement->text && placement->way_out ? 0 : -ENOMEM;
}

/* "The runbook PATH" into the first hole of `sentence`, `second` into the other. */
static char *compose(const struct placement *placement, const char *sentence, const char *second)
{
	AUTO_BUF what = BUF_INIT, text = BUF_INIT;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	buf_addf(&what, _(roles[placement->path.role].what), placement->path.path);
	buf_addf(&text, sentence, buf_text(&what), second);
#pragma GCC diagnostic pop
	return buf_error(&what) < 0 ? NULL : buf_take(&text);
}

static int settle(struct judging *judging, struct placement *placement, enum placement_fate fate,
		  const char *sentence, const char *second, const char *way_out)
{
	AUTO_FREE char *text = compose(placement, sentence, second);

	if (!text || say(placement, fate, &text, way_out) < 0)
		return error_oom(judging->err);
	return 0;
}

static bool is_among(const struct block *disk, const struct block *device)
{
	for (size_t i = 0; device && i < device->n_disks; i++)
		if (device->disks[i] == disk)
			return true;
	return false;
}

static bool is_root_disk(const struct judging *judging, const struct block *disk)
{
	const struct mount *root = mounts_at(judging->mounts, "/");

	return root && is_among(disk, blocks_of_mount(judging->blocks, root));
}

static const struct work_op *op_of(const struct work *work, const struct block *disk)
{
	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].disk == disk || work->ops[i].other == disk)
			return &work->ops[i];
	return NULL;
}

/* Worse than what is said of the path already? */
static int judge_disk(struct judging *judging, struct placement *placement,
		      const struct block *disk)
{
	const struct work_op *op = op_of(judging->work, disk);
	struct place_after after;
	AUTO_FREE char *name = NULL;
	enum placement_fate fate;

	work_place_after(judging->work, disk, &after);
	fate = after.present && is_root_disk(judging, disk) ? PLACEMENT_RISKY : PLACEMENT_REFUSED;
	if (fate == PLACEMENT_RISKY)
		judging->ret->on_moving_root = true;
	if (fate <= placement->fate)
		return 0;
	free(placement->text);
	free(placement->way_out);
	placement->text = placement->way_out = NULL;
	placement->disk = disk;
	if (block_describe(disk, &name) < 0)
		return error_oom(judging->err);
	return settle(
		judging, placement, fate,
		/* the disk that comes moves; the one that it replaces goes */
		_(fates[op->type == WORK_REPLACE && op->other == disk ? WORK_MOVE : op->type]),
		name,
		fate == PLACEMENT_RISKY
			? _("Keep the swap card at hand: should the root disk not come up, "
			    "it has the ports and the next command in print.")
			: _(roles[placement->path.role].way_out));
}

static int judge_device(struct judging *judging, struct placement *placement,
			const struct block *device)
{
	const struct simulation sim = { .facts = judging->facts,
					.work = &judging->without,
					.blocks = judging->blocks };
	int r = 0;

	if (!device || device->n_disks == 0)
		return settle(judging, placement, PLACEMENT_UNKNOWN,
			      _("%s lies on %s; on which disk that is cannot be told."),
			      placement->path.path, _(roles[placement->path.role].way_out));
	if (survival_of(&sim, device) == SURVIVES)
		return 0;
	for (size_t i = 0; r == 0 && i < device->n_disks; i++)
		if (work_touches(judging->work, device->disks[i]))
			r = judge_disk(judging, placement, device->disks[i]);
	return r;
}

/* Gone with the power; of a runbook the journal keeps the text. */
static int judge_memory(struct judging *judging, struct placement *placement,
			const struct mount *mount)
{
	return settle(judging, placement,
		      placement->path.role == PLACED_RUNBOOK ? PLACEMENT_RISKY : PLACEMENT_REFUSED,
		      _("%s lies in memory (%s): it is gone when the power is."), mount->target,
		      _(roles[placement->path.role].way_out));
}

static int judge_mount(struct judging *judging, struct placement *placement,
		       const struct mount *mount)
{
	switch (fskind_of(mount->fstype)) {
	case FSKIND_MEMORY:
		return judge_memory(judging, placement, mount);
	case FSKIND_NETWORK:
		return settle(judging, placement, PLACEMENT_RISKY,
			      _("%s lies on another machine (%s)."),
			      mount->source ? mount->source : mount->fstype,
			      _("Make sure that the other machine stays up until the work is "
				"done."));
	case FSKIND_STACKED:
	case FSKIND_DEVICE:
		break;
	}
	if (judging->work->n == 0)
		return 0;
	return judge_device(judging, placement, blocks_of_mount(judging->blocks, mount));
}

/* The libraries of one mount have one fate: the first stands for them. */
static bool is_told_already(const struct judging *judging, const struct placement *placement,
			    const struct mount *mount)
{
	for (size_t i = 0; i < judging->ret->n; i++) {
		const struct placement *other = &judging->ret->items[i];

		if (placement->path.role == PLACED_LIBRARY && other->path.role == PLACED_LIBRARY &&
		    other->mount == mount)
			return true;
	}
	return false;
}

static int judge_path(struct judging *judging, const struct placed_path *path)
{
	struct placement *placement = &judging->ret->items[judging->ret->n];
	AUTO_FREE char *real = NULL;
	const struct mount *mount;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = filetree_resolve(judging->tree, path->path, &real, &why);

	*placement = (struct placement){ .path = *path };
	if (r == -ENOMEM)
		return error_oom(judging->err);
	mount = r < 0 ? NULL : mounts_over(judging->mounts, real);
	placement->mount = mount;
	if (mount && is_told_already(judging, placement, mount))
		return 0;
	judging->ret->n++;
	if (mount)
		r = judge_mount(judging, placement, mount);
	else
		r = settle(judging, placement, PLACEMENT_UNKNOWN,
			   _("%s cannot be followed to its disk: %s."),
			   r < 0 ? error_text(&why) : _("no mount holds it"),
			   _(roles[path->role].way_out));
	if (placement->fate > judging->ret->worst)
		judging->ret->worst = placement->fate;
	return r;
}

/* The work as it would be if each disk that it touches stayed away. */
static size_t all_gone(const struct work *work, struct work_op *ops)
{
	size_t n = 0;

	for (size_t i = 0; i < work->n; i++) {
		ops[n++] = (struct work_op){ .type = WORK_REMOVE, .disk = work->ops[i].disk };
		if (work->ops[i].other)
			ops[n++] =
				(struct work_op){ .type = WORK_REMOVE, .disk = work->ops[i].other };
	}
	return n;
}

static int judge_all(struct judging *judging, const struct placed_path *paths, size_t n)
{
	AUTO_FREE struct work_op *ops = calloc(2 * judging->work->n + 1, sizeof(*ops));
	int r = 0;

	judging->ret->items = calloc(n + 1, sizeof(*judging->ret->items));
	if (!ops || !judging->ret->items)
		return error_oom(judging->err);
	judging->without = (struct work){ .origin = WORK_GIVEN,
					  .blocks = judging->blocks,
					  .ops = ops,
					  .n = all_gone(judging->work, ops) };
	for (size_t i = 0; r == 0 && i < n; i++)
		r = judge_path(judging, &paths[i]);
	judging->without.ops = NULL;
	return r;
}

int placement_judge(struct facts *facts, const struct work *work, const struct placed_path *paths,
		    size_t n, struct placements *ret, struct error *err)
{
	CLEANUP(cleanup_filetree) struct filetree *tree = NULL;
	CLEANUP(placements_done) struct placements placements = { 0 };
	struct judging judging = { .facts = facts, .work = work, .ret = &placements, .err = err };
	int r;

	if ((r = facts_blocks(facts, &judging.blocks, err)) < 0 ||
	    (r = facts_mounts(facts, &judging.mounts, err)) < 0 ||
	    (r = filetree_open(facts_host(facts), &tree, err)) < 0)
		return r;
	judging.tree = tree;
	r = judge_all(&judging, paths, n);
	if (r < 0)
		return r;
	*ret = placements;
	placements = (struct placements){ 0 };
	return 0;
}

void placements_done(struct placements *placements)
{
	for (size_t i = 0; i < placements->n; i++) {
		free(placements->items[i].text);
		free(placements->items[i].way_out);
	}
	free(placements->items);
	*placements = (struct placements){ 0 };
}
