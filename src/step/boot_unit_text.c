/* SPDX-License-Identifier: MIT */
/*
 * The unit that verifies the next boot.
 *
 * DefaultDependencies=no: multi-user.target, which wants it, must not wait for
 * it, and it is to run where the boot ends in an emergency shell too, because
 * a disk is missing.  The ordering is all that is left of its dependencies,
 * and that holds whether what stands before it succeeded or not.
 *
 * The login notice is written by the unit, when the program has ended in
 * whatever way: a program that crashed, or is not there, leaves one as well.
 * It lies in /run, which can be written to while the root filesystem cannot.
 */
#include "step/boot_unit.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "sys/statedir.h"

bool boot_unit_is_plain(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._+,=@:-";

	return *path == '/' && strspn(path, plain) == strlen(path);
}

static void add_head(struct buf *text, int64_t session)
{
	buf_addf(text,
		 "# Written by coldswap, session %lld, which removes it at its end.\n"
		 "# By hand: systemctl disable " PATH_BOOT_UNIT_NAME "; rm " PATH_BOOT_UNIT "\n"
		 "[Unit]\n"
		 "Description=Verify cables and mounts after the work (coldswap session %lld)\n"
		 "Documentation=man:coldswap(8)\n"
		 "DefaultDependencies=no\n"
		 "After=sysinit.target local-fs.target\n"
		 "Conflicts=shutdown.target\n"
		 "Before=shutdown.target\n"
		 "CollectMode=inactive-or-failed\n\n",
		 (long long)session, (long long)session);
}

/* "$$" is a dollar sign for the shell, "%%" a percent sign. */
static void add_notice(struct buf *text, const char *program, const char *state, int64_t session)
{
	static const char *const cases[][2] = {
		{ "0", "the checks of this boot have PASSED" },
		{ "1", "a check of this boot has FAILED" },
		{ "3", "a check of this boot could NOT be determined" },
		{ "*", "this boot could NOT be verified" },
	};
	bool usual = strcmp(state, STATEDIR_DEFAULT) == 0;

	buf_adds(text, "ExecStopPost=-/bin/sh -c 'mkdir -p " PATH_LOGIN_NOTICE_DIR "; \\\n"
		       "  case \"$$EXIT_STATUS\" in");
	for (size_t i = 0; i < ELEMENTS(cases); i++)
		buf_addf(text, " %s) said=\"%s\";; \\\n ", cases[i][0], cases[i][1]);
	buf_addf(text,
		 " esac; \\\n"
		 "  printf \"%%%%s\\\\n\" \"coldswap, session %lld: $$said.\" \\\n"
		 "  \"What was found: journalctl -b -u " PATH_BOOT_UNIT_NAME "\" \\\n"
		 "  \"Go on, as root: %s resume%s%s\" >" PATH_LOGIN_NOTICE "'\n",
		 (long long)session, program, usual ? "" : " --state ", usual ? "" : state);
}

int boot_unit_text(const char *program, const char *state, int64_t session, char **ret)
{
	AUTO_BUF text = BUF_INIT;

	add_head(&text, session);
	buf_addf(&text,
		 "[Service]\n"
		 "Type=oneshot\n"
		 "ExecStart=%s verify --boot --state %s\n",
		 program, state);
	add_notice(&text, program, state, session);
	buf_adds(&text, "StandardInput=null\n"
			"StandardOutput=journal\n"
			"StandardError=journal\n"
			"TimeoutStartSec=15min\n\n"
			"[Install]\n"
			"WantedBy=multi-user.target\n");
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}
