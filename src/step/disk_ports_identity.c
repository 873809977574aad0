/* SPDX-License-Identifier: MIT */
/*
 * Can the disks of the work be told apart, so that afterwards it can be proved which is where?
 * And does the port map keep an advice back because they cannot?
 */
#include "base/intl.h"
#include "probe/paths.h"
#include "step/disk_ports.h"

#define ALIKE_MAX 16

/* What the drive says of itself. */
static void cite_identity(struct board *board, struct finding *finding, const struct block *disk)
{
	AUTO_BUF source = BUF_INIT;
	AUTO_BUF observed = BUF_INIT;

	buf_addf(&source, "%s/%s", PATH_CLASS_BLOCK, disk->name);
	buf_addf(&observed, "serial number %s, WWN %s", disk->serial ? disk->serial : "none",
		 disk->wwn ? disk->wwn : "none");
	result_evidence(board->ret, finding, buf_text(&source), buf_text(&observed), NULL, NULL);
}

static void list_names(const struct block *const *disks, size_t n, struct buf *ret)
{
	for (size_t i = 0; i < n && i < ALIKE_MAX; i++)
		buf_addf(ret, "%s%s", i > 0 ? ", " : "", disks[i]->name);
	if (n > ALIKE_MAX)
		buf_adds(ret, ", ...");
}

/* The only one of its sort cannot be mistaken for another. */
static void say_alone(struct board *board, const struct block *disk)
{
	struct finding *finding =
		result_find(board->ret, "only-one", VERDICT_PASS, "%s", disk->name);

	result_say(board->ret, finding,
		   _("%s tells neither serial number nor WWN, but it is the only disk here (%s) "
		     "that does not."),
		   disk->name, bus_name(disk->bus));
	cite_identity(board, finding, disk);
}

static void say_alike(struct board *board, const struct block *disk,
		      const struct block *const *others, size_t n)
{
	AUTO_BUF names = BUF_INIT;
	struct finding *finding =
		result_find(board->ret, "key-shared", VERDICT_FAIL, "%s", disk->name);

	list_names(others, n, &names);
	if (disk->key == NULL)
		result_say(board->ret, finding,
			   _("%s tells neither serial number nor WWN, and neither does %s: after "
			     "the work they cannot be told apart."),
			   disk->name, buf_text(&names));
	else
		result_say(board->ret, finding,
			   _("%s has the same identity as %s: after the work they cannot be told "
			     "apart."),
			   disk->name, buf_text(&names));
	if (disk->key == NULL)
		result_remedy(board->ret, finding, "%s",
			      _("Mark the disk by hand and make sure by its cable; give a virtual "
				"disk a serial number of its own."));
	else
		result_remedy(board->ret, finding, "%s",
			      _("Mark the disk by hand and make sure by its cable; unplug the "
				"other one that has the same serial number."));
	cite_identity(board, finding, disk);
	for (size_t i = 0; i < n && i < ALIKE_MAX; i++)
		cite_identity(board, finding, others[i]);
}

void judge_identity(struct board *board, const struct block *disk)
{
	const struct block *others[ALIKE_MAX];
	size_t n = blocks_alike(board->step->work->blocks, disk, others, ALIKE_MAX);

	if (n > 0)
		say_alike(board, disk, others, n);
	else if (disk->key == NULL)
		say_alone(board, disk);
}

/* A trade that would be advised, if only its disks had names. */
static bool is_kept_back(const struct advice_option *option)
{
	return option->rejected && !option->touches_boot && !option->boot_unknown &&
	       option->other != NULL &&
	       (option->disk->key == NULL || option->disk->key_shared ||
		option->other->key == NULL || option->other->key_shared);
}

/* A swap is never advised of disks without an identity; the operator is told why. */
void judge_kept_back(struct board *board)
{
	for (size_t i = 0; i < board->advice->n_options; i++) {
		const struct advice_option *option = &board->advice->options[i];

		if (!is_kept_back(option) || work_touches(board->step->work, option->disk))
			continue;
		AUTO_FREE char *disk = disk_name(board, option->disk);
		AUTO_FREE char *other = disk_name(board, option->other);
		struct finding *finding =
			result_find(board->ret, "advice-kept-back", VERDICT_WARN, "%s, %s",
				    option->disk->name, option->other->name);
		result_say(board->ret, finding,
			   _("No swap of %s and %s is advised: by what the drives tell they "
			     "cannot be told apart, so nobody could prove afterwards which is "
			     "where."),
			   disk, other);
		result_remedy(board->ret, finding, "%s",
			      _("Leave the two where they are until each tells a serial number of "
				"its own: `smartctl -i` and the labels show which is right."));
		cite_identity(board, finding, option->disk);
		cite_identity(board, finding, option->other);
	}
}
