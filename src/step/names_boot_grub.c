/* SPDX-License-Identifier: MIT */
/* grub.cfg: files that are read from "the first disk", and what is searched for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/names_boot.h"

static bool boots(const struct grub *grub, int entry)
{
	return entry < 0 || grub->entries[entry].boots;
}

/* One finding for each `set root`: fatal when what boots depends on it. */
static bool is_first_use(const struct grub *grub, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (grub->uses[i].root_line == grub->uses[index].root_line)
			return false;
	return true;
}

static const struct grub_use *worst_use(const struct grub *grub, size_t index)
{
	const struct grub_use *first = &grub->uses[index];

	for (size_t i = index; i < grub->n_uses; i++)
		if (grub->uses[i].root_line == first->root_line && boots(grub, grub->uses[i].entry))
			return &grub->uses[i];
	return first;
}

static int judge_use(struct boot_check *check, const struct grub *grub, size_t index,
		     struct error *err)
{
	const struct grub_use *use = worst_use(grub, index);
	const char *title = use->entry >= 0 ? grub->entries[use->entry].title : NULL;
	bool fatal = boots(grub, use->entry);
	AUTO_FREE char *source = NULL;
	struct finding *finding;

	if (asprintf(&source, "%s:%u", grub->path, use->root_line) < 0) {
		source = NULL;
		return error_oom(err);
	}
	finding = result_find(check->ret, "grub-root-hd", fatal ? VERDICT_FAIL : VERDICT_WARN, "%s",
			      source);
	result_say(check->ret, finding,
		   title ? _("GRUB takes the files of \"%s\" from a disk by its number in the "
			     "firmware's list, and nothing searches for the filesystem after that.")
			 : _("GRUB takes its files%s from a disk by its number in the firmware's "
			     "list, and nothing searches for the filesystem after that."),
		   title ? title : "");
	result_remedy(check->ret, finding, "%s",
		      _("Put `search --no-floppy --fs-uuid --set=root UUID` behind the line, or "
			"have `update-grub` write the file anew."));
	result_evidence(check->ret, finding, source, use->root_text, NULL, NULL);
	return 0;
}

static void report_search(struct boot_check *check, const char *source,
			  const struct grub_search *search, const struct ref *ref)
{
	bool absent = ref->fate != FATE_AMBIGUOUS && ref->fate != FATE_OTHER_DISK;
	struct finding *finding =
		result_find(check->ret, absent ? "grub-search-absent" : "grub-search-doubled",
			    absent || ref->touched ? VERDICT_FAIL : VERDICT_WARN, "%s", source);

	result_say(check->ret, finding,
		   absent ? _("GRUB searches for %s, which no device of this host has after the "
			      "work.")
			  : _("GRUB searches for %s, and more than one device has it: which it "
			      "starts from follows the order of the disks."),
		   search->tag);
	result_remedy(
		check->ret, finding, "%s",
		absent ? _("Have `update-grub` write the file anew, with the disk plugged in.")
		       : _("Give the copy a UUID of its own, or take it out before power-on."));
	result_evidence(check->ret, finding, source, search->text, NULL, NULL);
	if (ref->why)
		result_evidence(check->ret, finding, source, ref->why, NULL, NULL);
}

/* What a search of the entry that boots finds; hints are no more than that. */
static int judge_search(struct boot_check *check, const struct grub *grub,
			const struct grub_search *search, struct error *err)
{
	static const enum ref_fate bad[] = { FATE_AMBIGUOUS, FATE_OTHER_DISK, FATE_ABSENT,
					     FATE_REMOVED, FATE_NOTHING };
	AUTO_FREE char *source = NULL;
	struct ref ref;
	int r;

	if (!boots(grub, search->entry))
		return 0;
	if (asprintf(&source, "%s:%u", grub->path, search->line) < 0) {
		source = NULL;
		return error_oom(err);
	}
	r = ref_resolve(check->step->facts, check->step->work, search->tag, &ref, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ELEMENTS(bad); i++)
		if (ref.fate == bad[i])
			report_search(check, source, search, &ref);
	ref_done(&ref);
	return 0;
}

/* The branches of one `if` search for the same: once is enough. */
static bool is_repeated(const struct grub *grub, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (boots(grub, grub->searches[i].entry) &&
		    strcmp(grub->searches[i].tag, grub->searches[index].tag) == 0)
			return true;
	return false;
}

static int judge_file(struct boot_check *check, const struct grub *grub, struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < grub->n_uses && r == 0; i++)
		if (is_first_use(grub, i))
			r = judge_use(check, grub, i, err);
	for (size_t i = 0; i < grub->n_searches && r == 0; i++)
		if (!is_repeated(grub, i))
			r = judge_search(check, grub, &grub->searches[i], err);
	return r;
}

/* "(hd0) /dev/sda": grub-install writes to the disk that bears the name then. */
static int judge_map_line(struct boot_check *check, const char *path, unsigned number,
			  const char *line, struct error *err)
{
	AUTO_FREE char *device = NULL, *source = NULL;
	struct finding *finding;
	struct ref ref;
	bool moves;
	int r;

	if (sscanf(line, " (%*[^)]) %ms", &device) != 1)
		return 0;
	r = ref_resolve(check->step->facts, check->step->work, device, &ref, err);
	if (r < 0)
		return r;
	moves = ref.fate == FATE_KERNEL_NAME || ref.fate == FATE_OTHER_DISK;
	ref_done(&ref);
	if (!moves)
		return 0;
	if (asprintf(&source, "%s:%u", path, number) < 0) {
		source = NULL;
		return error_oom(err);
	}
	finding = result_find(check->ret, "grub-device-map", VERDICT_WARN, "%s", source);
	result_say(check->ret, finding,
		   _("The map of GRUB's tools names %s, which may be another disk after the work: "
		     "the next grub-install writes there."),
		   device);
	result_remedy(check->ret, finding, _("Delete %s, or name the disk by /dev/disk/by-id/."),
		      path);
	result_evidence(check->ret, finding, source, line, NULL, NULL);
	return 0;
}

static int judge_map(struct boot_check *check, const char *path, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	const char *start;
	size_t at = 0, len;
	unsigned number = 0;
	int r = kernel_lines_read(&check->loaders->lines, check->step->host, path, &text, err);

	if (r <= 0)
		return r;
	for (r = 0; r == 0 && text_line(&text, &at, &start, &len);) {
		AUTO_FREE char *line = strndup(start, len);

		number++;
		r = line ? judge_map_line(check, path, number, line, err) : error_oom(err);
	}
	return r;
}

int judge_grub(struct boot_check *check, struct error *err)
{
	int r = judge_map(check, PATH_GRUB "/device.map", err);

	if (r == 0)
		r = judge_map(check, PATH_GRUB_REDHAT "/device.map", err);

	for (size_t i = 0; i < check->loaders->n_grubs && r == 0; i++)
		if (loader_is_used(check, check->loaders->grubs[i]->path))
			r = judge_file(check, check->loaders->grubs[i], err);
	return r;
}
