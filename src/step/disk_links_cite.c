/* SPDX-License-Identifier: MIT */
/* Evidence of two machines: what is now, and what an earlier capture recorded. */
#include "step/disk_links.h"

#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"

void links_cite_before(struct links *links, struct finding *finding, const char *source,
		       const char *observed)
{
	const char *root = host_root(facts_host(links->now.step->before));
	AUTO_BUF path = BUF_INIT;

	/* "DIR/coldswap/smart/sda.json:66": what has no file is told by its own name. */
	buf_adds(&path, root);
	if (*source != '/')
		buf_addc(&path, '/');
	buf_adds(&path, source);
	result_evidence(links->now.ret, finding, buf_text(&path), observed, NULL, NULL);
}

void links_cite_place(struct links *links, struct finding *finding, const struct block *disk,
		      bool before, const char *formula, const char *derived)
{
	AUTO_BUF source = BUF_INIT;

	buf_addf(&source, PATH_CLASS_BLOCK "/%s", disk->name);
	if (before)
		links_cite_before(links, finding, buf_text(&source), disk->devpath);
	else
		result_evidence(links->now.ret, finding, buf_text(&source), disk->devpath, formula,
				derived);
}

void links_say_nothing_recorded(struct links *links, const char *what)
{
	struct finding *finding =
		result_find(links->now.ret, "nothing-recorded", VERDICT_SKIP, "%s", what);

	result_say(links->now.ret, finding, "%s", _("Nothing was recorded before."));
}
