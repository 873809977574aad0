/* SPDX-License-Identifier: MIT */
/*
 * What is proved of a disk that moved, by the end of the cables that was
 * exchanged.
 *
 * At the board the cable stays with its disk: what its link does otherwise
 * than before is the port's doing.  At the drives the disk gets another's
 * port and cable together, and where both ends were unplugged nobody knows
 * which cable it hangs on.
 */
#include "step/disk_links.h"

#include <string.h>

#include "base/intl.h"

void links_say_end(struct links *links, const char *name)
{
	const char *end = links->now.step->exchanged_end;
	struct result *ret = links->now.ret;
	struct finding *finding;
	bool port;

	if (!end)
		return;
	port = strcmp(end, "board") == 0;
	finding = result_find(ret, port ? "port-changed" : "port-and-cable-changed", VERDICT_PASS,
			      "%s", name);
	result_say(ret, finding,
		   port ? _("%s kept its data cable and changed its port: what its link does "
			    "otherwise than before, the port does.")
		   : strcmp(end, "drives") == 0
			   ? _("%s changed port and data cable together: what its link does "
			       "otherwise than before, one of the two does.")
			   : _("%s changed its port, and perhaps its data cable: what its link "
			       "does otherwise than before, one of the two does."),
		   name);
	result_evidence(ret, finding, _("the operator's answer"), end, NULL, NULL);
	result_output_string(ret, "end", end);
	result_output_string(ret, "proved", port ? "port" : "port-or-cable");
}
