/* SPDX-License-Identifier: MIT */
/* Where the copy goes: which disk and what filesystem. */
#include "step/destination.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/fskind.h"
#include "probe/paths.h"
#include "work/work.h"

int size_words(uint64_t bytes, char **ret)
{
	static const struct {
		uint64_t unit;
		const char *name;
		double tenths; /* below this many a tenth is worth saying */
	} units[] = {
		{ 1000000000000, "TB", 100 },
		{ 1000000000, "GB", 100 },
		{ 1000000, "MB", 10 },
		{ 1000, "kB", 10 },
	};
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < ELEMENTS(units) && !text.len; i++) {
		double value = (double)bytes / (double)units[i].unit;

		if (bytes >= units[i].unit)
			buf_addf(&text, value < units[i].tenths ? "%.1f %s" : "%.0f %s", value,
				 units[i].name);
	}
	if (!text.len)
		buf_addf(&text, "%llu bytes", (unsigned long long)bytes);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

int destination_find(struct destination *to, struct filetree *tree, const char *given,
		     struct error *err)
{
	int r = filetree_resolve(tree, given, &to->path, err);

	if (r < 0)
		return r;
	to->mount = mounts_over(to->mounts, to->path);
	if (!to->mount)
		return error_set(err, -ENOENT, "no mount is known below %s", given);
	to->device = blocks_of_mount(to->blocks, to->mount);
	return destination_below(to, tree) < 0 ? error_oom(err) : 0;
}

void destination_done(struct destination *to)
{
	free(to->path);
	to->path = NULL;
}

static struct finding *find(struct destination *to, const char *id, enum verdict verdict)
{
	const struct mount *mount = to->mount;
	struct finding *finding = result_find(to->result, id, verdict, "%s", to->path);
	AUTO_BUF observed = BUF_INIT;
	char source[64];

	snprintf(source, sizeof(source), PATH_MOUNTINFO ":%u", mount->line);
	buf_addf(&observed, "%s on %s type %s (%s)", mount->source ? mount->source : "none",
		 mount->target, mount->fstype, mount->options ? mount->options : "");
	result_evidence(to->result, finding, source, buf_text(&observed), NULL, NULL);
	return finding;
}

static void say_memory(struct destination *to)
{
	struct finding *finding = find(to, "dest-in-memory", VERDICT_FAIL);

	result_say(to->result, finding, _("%s lies in memory: the copy is gone when the power is."),
		   to->path);
	result_remedy(to->result, finding, _("Choose a destination on a disk: %s=PATH"), to->param);
}

static void say_stacked(struct destination *to)
{
	struct finding *finding = find(to, "dest-stacked", VERDICT_FAIL);

	result_say(to->result, finding,
		   _("%s lies on a filesystem of the type %s, which does not tell where its bytes "
		     "are."),
		   to->path, to->mount->fstype);
	result_remedy(to->result, finding,
		      _("Choose a destination on a filesystem of a disk: %s=PATH"), to->param);
}

static void say_network(struct destination *to)
{
	bool refused = to->network == NETWORK_REFUSED;
	struct finding *finding = find(to, "dest-network", refused ? VERDICT_FAIL : VERDICT_WARN);

	result_say(to->result, finding, _("%s lies on another machine (%s)."), to->path,
		   to->mount->source ? to->mount->source : "");
	if (refused)
		result_remedy(to->result, finding,
			      _("Choose a destination on a disk of this machine: %s=PATH; or allow "
				"it: allow_network: true"),
			      to->param);
	else
		result_remedy(
			to->result, finding, "%s",
			_("Make sure that the other machine stays up until the work is done."));
}

static void say_read_only(struct destination *to)
{
	struct finding *finding = find(to, "dest-read-only", VERDICT_FAIL);

	result_say(to->result, finding, _("The filesystem of %s is mounted read-only."), to->path);
	result_remedy(to->result, finding,
		      _("See the kernel log for the reason, or choose another destination: "
			"%s=PATH"),
		      to->param);
}

static void say_disk_unknown(struct destination *to)
{
	struct finding *finding = find(to, "dest-disk-unknown", VERDICT_UNKNOWN);

	result_say(to->result, finding, _("It is not known on which disk %s lies."), to->path);
	result_remedy(to->result, finding,
		      _("Choose a destination on a filesystem of a disk: %s=PATH"), to->param);
}

static int judge_disk(struct destination *to, struct error *err)
{
	const struct block *device = to->below;
	struct finding *finding;

	if (!device || device->n_disks == 0) {
		say_disk_unknown(to);
		return 0;
	}
	for (size_t i = 0; i < device->n_disks; i++) {
		AUTO_FREE char *disk = NULL;

		if (!work_touches(to->step->work, device->disks[i]))
			continue;
		if (block_describe(device->disks[i], &disk) < 0)
			return error_oom(err);
		finding = find(to, "dest-on-moved-disk", VERDICT_FAIL);
		result_say(to->result, finding, _("%s lies on %s, which the work touches."),
			   to->path, disk);
		result_remedy(to->result, finding,
			      _("Choose a destination on a disk that stays as it is: %s=PATH"),
			      to->param);
	}
	return 0;
}

void destination_nesting(struct destination *to, const char *source)
{
	bool inside = path_is_below(to->path, source);
	struct finding *finding;

	if (!inside && !path_is_below(source, to->path))
		return;
	finding = result_find(to->result, "nested", VERDICT_FAIL, "%s", to->path);
	result_say(to->result, finding,
		   inside ? _("%s lies inside %s, which is copied.")
			  : _("%s holds %s, which is copied."),
		   to->path, source);
	result_remedy(to->result, finding, _("Choose a destination outside all sources: %s=PATH"),
		      to->param);
	result_evidence(to->result, finding, source, NULL, NULL, NULL);
}

/* A disk made of memory, under a filesystem that does not know. */
static bool is_memory_disk(const struct block *device)
{
	return device && (strncmp(device->name, "zram", 4) == 0 ||
			  (strncmp(device->name, "ram", 3) == 0 && device->n_disks == 0));
}

int destination_judge(struct destination *to, struct error *err)
{
	const struct mount *mount = to->mount;
	enum fskind fskind = fskind_of(mount->fstype);

	if (option_has(mount->options, "ro"))
		say_read_only(to);
	if (fskind == FSKIND_NETWORK) {
		say_network(to);
		return 0;
	}
	if (fskind == FSKIND_MEMORY || is_memory_disk(to->device)) {
		say_memory(to);
		return 0;
	}
	if (fskind == FSKIND_STACKED) {
		say_stacked(to);
		return 0;
	}
	return judge_disk(to, err);
}
