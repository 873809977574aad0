/* SPDX-License-Identifier: MIT */
/*
 * What lies in a source by its name and not by its bytes: links that leave it,
 * and what is mounted below it.  The copy has the link, or an empty directory;
 * where is the rest?
 */
#include <string.h>

#include "base/intl.h"
#include "probe/fskind.h"
#include "probe/mounts.h"
#include "step/files_copy.h"

static void say(struct copying *copying, const char *id, enum verdict verdict,
		const struct dataset_link *link, const char *words)
{
	struct finding *finding = result_find(copying->result, id, verdict, "%s", link->path);

	/* TRANSLATORS: "PATH leads to TARGET, which is copied too." */
	result_say(copying->result, finding, _("%s leads to %s, %s."), link->path, link->target,
		   words);
	if (verdict == VERDICT_FAIL)
		result_remedy(copying->result, finding,
			      _("Add it to the sources: {path: %s}; or with keep: recreatable and "
				"a reason."),
			      link->target);
	result_evidence(copying->result, finding, link->path, link->target, NULL, NULL);
}

/* What is on no disk is made anew at every boot. */
static bool is_on_no_disk(const struct copying *copying, const char *path)
{
	const struct mount *mount = mounts_over(copying->to.mounts, path);

	return mount && fskind_is_fleeting(mount->fstype);
}

static void judge(struct copying *copying, const struct dataset_link *link)
{
	const struct copy_item *owner;

	/* It leads nowhere today: nothing is lost with it. */
	if (link->dangling)
		return;
	owner = copying_owner(copying, link->target);
	if (owner && owner->recreatable)
		say(copying, "link-covered", VERDICT_PASS, link, _("which can be had again"));
	else if (owner)
		say(copying, "link-covered", VERDICT_PASS, link, _("which is copied too"));
	else if (is_on_no_disk(copying, link->target))
		say(copying, "link-covered", VERDICT_PASS, link, _("which is on no disk"));
	else
		say(copying, "leaving-link", VERDICT_FAIL, link,
		    _("which no source covers: the copy would hold the link alone"));
}

static void say_mount(struct copying *copying, const struct copy_item *item, const char *path,
		      enum verdict verdict, const char *words)
{
	struct finding *finding = result_find(
		copying->result, verdict == VERDICT_PASS ? "mount-covered" : "mount-below", verdict,
		"%s", path);
	const struct mount *mount = mounts_over(copying->to.mounts, path);
	AUTO_BUF observed = BUF_INIT;

	/* TRANSLATORS: "PATH is mounted below SOURCE, and is copied as a source." */
	result_say(copying->result, finding, _("%s is mounted below %s, %s."), path, item->given,
		   words);
	if (verdict == VERDICT_FAIL)
		result_remedy(copying->result, finding,
			      _("Add it to the sources: {path: %s}; or with keep: recreatable and "
				"a reason."),
			      path);
	if (mount)
		buf_addf(&observed, "%s %s", mount->fstype, mount->source);
	result_evidence(copying->result, finding, path, mount ? buf_text(&observed) : NULL, NULL,
			NULL);
}

/* A mount below a source that is no root of its own is told by the source that has it. */
static void judge_mount(struct copying *copying, const struct copy_item *item, const char *path)
{
	const struct copy_item *owner = copying_owner(copying, path);

	if (owner == item && is_on_no_disk(copying, path))
		say_mount(copying, item, path, VERDICT_PASS, _("and is on no disk"));
	else if (owner == item || !owner)
		say_mount(copying, item, path, VERDICT_FAIL,
			  _("and no source covers it: the copy would have nothing of it"));
	else if (owner->recreatable)
		say_mount(copying, item, path, VERDICT_PASS, _("and can be had again"));
	else if (dataset_begins_at(owner->set, path))
		say_mount(copying, item, path, VERDICT_PASS, _("and is copied as a source"));
}

void copying_links(struct copying *copying)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_leaving; k++)
			/* A link of what another source leaves out is not copied. */
			if (copying_owner(copying, set->leaving[k].path) == &copying->items[i])
				judge(copying, &set->leaving[k]);
		for (char **path = set ? set->mounts : NULL; path && *path; path++)
			judge_mount(copying, &copying->items[i], *path);
	}
}
