/* SPDX-License-Identifier: MIT */
#include "step/mounts_present.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "work/names.h"

static void cite_entry(struct mounts_look *look, struct finding *finding,
		       const struct fstab_entry *entry)
{
	char source[64];

	snprintf(source, sizeof(source), PATH_FSTAB ":%u", entry->line);
	result_evidence(look->result, finding, source, entry->text, NULL, NULL);
}

void mounts_cite(struct mounts_look *look, struct finding *finding, const struct mount *mount)
{
	AUTO_BUF observed = BUF_INIT;
	char source[64];

	snprintf(source, sizeof(source), PATH_MOUNTINFO ":%u", mount->line);
	buf_addf(&observed, "%s on %s type %s", mount->source ? mount->source : "none",
		 mount->target, mount->fstype);
	result_evidence(look->result, finding, source, buf_text(&observed), NULL, NULL);
}

static struct finding *find(struct mounts_look *look, const char *id, enum verdict verdict,
			    const struct fstab_entry *entry)
{
	struct finding *finding =
		result_find(look->result, id, verdict, PATH_FSTAB ":%u", entry->line);

	cite_entry(look, finding, entry);
	return finding;
}

static void say_malformed(struct mounts_look *look, const struct fstab_entry *entry)
{
	struct finding *finding = find(look, "malformed", VERDICT_WARN, entry);

	result_say(look->result, finding, _("Line %u of /etc/fstab is not mounted: %s."),
		   entry->line, entry->why);
	result_remedy(look->result, finding, _("Correct line %u of /etc/fstab."), entry->line);
}

static void say_present(struct mounts_look *look, const struct fstab_entry *entry, const char *what)
{
	struct finding *finding = find(look, "present", VERDICT_PASS, entry);

	result_say(look->result, finding, _("%s is there, from %s."), what, entry->spec);
	look->present++;
}

static void say_not_mounted(struct mounts_look *look, const struct fstab_entry *entry)
{
	bool optional = option_has(entry->options, "nofail");
	struct finding *finding =
		find(look, "not-mounted", optional ? VERDICT_WARN : VERDICT_FAIL, entry);

	if (optional)
		result_say(look->result, finding,
			   _("%s is not mounted; its entry has nofail, so nothing complained."),
			   entry->target);
	else
		result_say(look->result, finding, _("%s is not mounted, and the boot requires it."),
			   entry->target);
	result_remedy(look->result, finding, _("See why, then mount it: mount %s"), entry->target);
}

static void say_covered(struct mounts_look *look, const struct fstab_entry *entry,
			const struct mount *mount)
{
	struct finding *finding = find(look, "covered", VERDICT_FAIL, entry);

	result_say(look->result, finding, _("%s is mounted, but a later mount above covers it."),
		   entry->target);
	result_remedy(look->result, finding, _("Unmount what lies over %s."), entry->target);
	mounts_cite(look, finding, mount);
}

static void say_other_device(struct mounts_look *look, const struct fstab_entry *entry,
			     const struct mount *mount, const struct ref *ref)
{
	struct finding *finding = find(look, "other-device", VERDICT_FAIL, entry);
	const char *source = mount->source ? mount->source : mount->fstype;

	if (ref->n_before > 0)
		result_say(look->result, finding, _("%s is mounted from %s, but %s means %s now."),
			   entry->target, source, entry->spec, ref->before[0]->name);
	else
		result_say(look->result, finding,
			   _("%s is mounted from %s, but %s means no device now."), entry->target,
			   source, entry->spec);
	result_remedy(look->result, finding,
		      _("Find out which device belongs to %s, and correct the entry or the mount."),
		      entry->target);
	mounts_cite(look, finding, mount);
}

static void say_unknown(struct mounts_look *look, const struct fstab_entry *entry)
{
	struct finding *finding = find(look, "unreadable", VERDICT_UNKNOWN, entry);

	result_say(look->result, finding,
		   _("It could not be determined whether %s is mounted from the device that %s "
		     "means."),
		   entry->target, entry->spec);
	result_remedy(look->result, finding, "%s",
		      _("Run as root, so that devices can be asked what they carry."));
}

/* 1 yes, 0 no, -1 cannot be told. */
static int means(const struct ref *ref, const struct block *device)
{
	if (ref->fate == FATE_UNKNOWN && ref->n_before == 0)
		return -1;
	if (!device)
		return ref->n_before > 0 ? 0 : -1;
	for (size_t i = 0; i < ref->n_before && i < ELEMENTS(ref->before); i++)
		if (block_shares_filesystem(ref->before[i], device))
			return 1;
	if (ref->n_before > ELEMENTS(ref->before))
		return -1;
	return ref->n_before == 0 && !device->tags_known ? -1 : 0;
}

static int judge_device(struct mounts_look *look, const struct fstab_entry *entry,
			const struct mount *mount, struct error *err)
{
	struct ref ref = { 0 };
	int r = ref_resolve(look->step->facts, look->step->work, entry->spec, &ref, err);
	int right = 1;

	if (r < 0)
		return r;
	if (ref.form != REF_NOT_A_DEVICE)
		right = means(&ref, blocks_of_mount(look->blocks, mount));
	if (right == 1)
		say_present(look, entry, entry->target);
	else if (right == 0)
		say_other_device(look, entry, mount, &ref);
	else
		say_unknown(look, entry);
	ref_done(&ref);
	return 0;
}

/* The path as the kernel shows it: links resolved, no slash at the end. */
static int real_target(struct mounts_look *look, const char *target, char **ret, struct error *err)
{
	size_t len = strlen(target);

	if (host_realpath(look->step->host, target, ret, NULL) == 0)
		return 0;
	while (len > 1 && target[len - 1] == '/')
		len--;
	*ret = strndup(target, len);
	return *ret ? 0 : error_oom(err);
}

int mounts_judge_mount(struct mounts_look *look, const struct fstab_entry *entry, struct error *err)
{
	AUTO_FREE char *target = NULL;
	const struct mount *mount;
	int r = real_target(look, entry->target, &target, err);

	if (r < 0)
		return r;
	mount = mounts_at(look->mounts, target);
	if (mount && strcmp(mount->fstype, "autofs") == 0 && strcmp(entry->fstype, "autofs") != 0)
		/* Mounted at its first use; until then there is nothing to compare. */
		say_present(look, entry, entry->target);
	else if (mount)
		return judge_device(look, entry, mount, err);
	else if (mounts_hidden_at(look->mounts, target))
		say_covered(look, entry, mounts_hidden_at(look->mounts, target));
	else
		say_not_mounted(look, entry);
	return 0;
}

static bool is_swap_of(const struct mounts_look *look, const struct swap *swap,
		       const struct ref *ref, const char *spec)
{
	const struct block *device[1] = { NULL };

	if (strcmp(swap->source, spec) == 0)
		return true;
	if (blocks_by_path(look->blocks, swap->source, device, 1) != 1)
		return false;
	for (size_t i = 0; i < ref->n_before && i < ELEMENTS(ref->before); i++)
		if (ref->before[i] == device[0])
			return true;
	return false;
}

static int judge_swap(struct mounts_look *look, const struct fstab_entry *entry, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct swaps *swaps = NULL;
	struct finding *finding;
	struct ref ref = { 0 };
	bool active = false;
	int r = facts_swaps(look->step->facts, &swaps, &why);

	if (r < 0) {
		result_unknown(look->result, "unreadable", PATH_SWAPS, PATH_SWAPS, &why);
		return r == -ENOMEM ? error_oom(err) : 0;
	}
	r = ref_resolve(look->step->facts, look->step->work, entry->spec, &ref, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < swaps->n; i++)
		active |= is_swap_of(look, &swaps->items[i], &ref, entry->spec);
	ref_done(&ref);
	if (active) {
		say_present(look, entry, _("Swap"));
		return 0;
	}
	finding = find(look, "swap-inactive", VERDICT_WARN, entry);
	result_say(look->result, finding, _("Swap on %s is not active."), entry->spec);
	result_remedy(look->result, finding, "%s",
		      _("Activate it with `swapon -a`, or remove the entry."));
	return 0;
}

int mounts_judge_entry(struct mounts_look *look, const struct fstab_entry *entry, struct error *err)
{
	if (entry->malformed) {
		say_malformed(look, entry);
		return 0;
	}
	if (option_has(entry->options, "noauto"))
		return 0;
	if (strcmp(entry->fstype, "swap") == 0) {
		look->entries++;
		return judge_swap(look, entry, err);
	}
	/* "none" and the like are mounted nowhere; "ignore" is fstab's word for a comment. */
	if (*entry->target != '/' || strcmp(entry->fstype, "ignore") == 0)
		return 0;
	look->entries++;
	return mounts_judge_mount(look, entry, err);
}
