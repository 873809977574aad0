/* SPDX-License-Identifier: MIT */
/*
 * Keys that the TPM gives out only while what the firmware measured is the
 * same.  PCR 1 takes in the firmware's configuration, boot variables and
 * devices; PCR 7 only the state of Secure Boot.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/names_boot.h"

#define PCR_CONFIGURATION 1

/* Is the number one of the list "1,7", "1+7", "[1,7]"? */
static bool lists_pcr(const char *list, unsigned wanted)
{
	for (list += strcspn(list, "0123456789"); *list;
	     list += strcspn(list, "0123456789\"'} \t")) {
		char *end;
		unsigned long pcr;

		if (*list < '0' || *list > '9')
			return false;
		pcr = strtoul(list, &end, 10);
		if (pcr == wanted)
			return true;
		if (*end != ',' && *end != '+')
			return false;
		list = end + 1;
	}
	return false;
}

static bool binds_configuration(const char *line)
{
	static const char *const keys[] = { "\"pcr_ids\":", "tpm2-pcrs=" };

	for (size_t i = 0; i < ELEMENTS(keys); i++) {
		const char *at = strstr(line, keys[i]);

		if (at && lists_pcr(at + strlen(keys[i]), PCR_CONFIGURATION))
			return true;
	}
	return false;
}

static int judge_text(struct boot_check *check, const char *path, const struct buf *text,
		      struct error *err)
{
	const char *start;
	size_t at = 0, len;
	unsigned number = 0;

	while (text_line(text, &at, &start, &len)) {
		AUTO_FREE char *line = strndup(start, len), *source = NULL;
		struct finding *finding;

		number++;
		if (!line || asprintf(&source, "%s:%u", path, number) < 0) {
			source = NULL;
			return error_oom(err);
		}
		if (line[strspn(line, " \t")] == '#' || !binds_configuration(line))
			continue;
		finding = result_find(check->ret, "tpm-pcr-1", VERDICT_WARN, "%s", source);
		result_say(check->ret, finding, "%s",
			   _("A disk key is bound to PCR 1, into which many boards measure boot "
			     "entries and devices: after the work the machine may ask for the "
			     "passphrase."));
		result_remedy(check->ret, finding, "%s",
			      _("Have the passphrase and a console at hand, or bind the key to PCR "
				"7 alone; bind it again after the work."));
		result_evidence(check->ret, finding, source, line, NULL, NULL);
	}
	return 0;
}

static int judge_path(struct boot_check *check, const char *path, const char *shown,
		      struct error *err)
{
	AUTO_BUF text = BUF_INIT_MAX((size_t)1 << 20);
	int r = host_read(check->step->host, path, text.max, &text, NULL);

	if (r == -ENOMEM)
		return error_oom(err);
	/* names.config judges crypttab and says when it cannot be read */
	return r < 0 ? 0 : judge_text(check, shown, &text, err);
}

int judge_tpm(struct boot_check *check, struct error *err)
{
	int r;

	if (!check->step->work->n)
		return 0;
	r = judge_path(check, PATH_CRYPTTAB, PATH_CRYPTTAB, err);
	if (r == 0 && !host_is_live(check->step->host))
		r = judge_path(check, PATH_CAPTURED_CLEVIS, &PATH_CAPTURED_CLEVIS[1], err);
	return r;
}
