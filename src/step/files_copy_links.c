/* SPDX-License-Identifier: MIT */
/* Links that leave their source: the copy has the link, and where is what it leads to? */
#include <string.h>

#include "base/intl.h"
#include "probe/fskind.h"
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
	static const char *const kernels[] = { "proc", "sysfs", "devpts", "cgroup2", NULL };
	const struct mount *mount = mounts_over(copying->to.mounts, path);

	if (!mount)
		return false;
	for (const char *const *type = kernels; *type; type++)
		if (strcmp(mount->fstype, *type) == 0)
			return true;
	return fskind_of(mount->fstype) == FSKIND_MEMORY;
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

void copying_links(struct copying *copying)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_leaving; k++)
			/* A link of what another source leaves out is not copied. */
			if (copying_owner(copying, set->leaving[k].path) == &copying->items[i])
				judge(copying, &set->leaving[k]);
	}
}
