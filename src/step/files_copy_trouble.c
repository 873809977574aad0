/* SPDX-License-Identifier: MIT */
/* Why there is no copy: which file, what was seen of it, and who is there. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/holders.h"
#include "step/files_copy.h"

static const struct {
	const char *id;
	enum verdict verdict;
	const char *words, *remedy;
} troubles[] = {
	[COPY_INTRUDED] = { "intruded", VERDICT_FAIL,
			    N_("it is open, or was opened while it was copied"),
			    N_("Stop the program that is named, then: coldswap resume") },
	[COPY_CHANGED] = { "changed", VERDICT_FAIL, N_("it is not what it was"),
			   N_("Stop what writes to it, then: coldswap resume") },
	[COPY_UNPROVED] = { "unproved", VERDICT_UNKNOWN,
			    N_("that nobody writes to it cannot be proved"),
			    N_("Copy it where its filesystem really lies, such as on its "
			       "server.") },
	[COPY_UNREADABLE] = { "source-unreadable", VERDICT_FAIL, N_("it cannot be read"),
			      N_("See the kernel log and the disk's SMART values; save what can "
				 "be read by other means first.") },
	[COPY_MISMATCH] = { "mismatch", VERDICT_FAIL, N_("it does not read back as it was written"),
			    N_("Choose another destination, and have its disk and the memory "
			       "tested.") },
	[COPY_REJECTED] = { "rejected", VERDICT_FAIL, N_("the copy of it does not open"),
			    N_("Look at the database itself before the power goes off.") },
};

/* Who has it open now: an intruder stays, or is gone, and then it is only told that he was there. */
static void name_holders(struct copying *copying, const char *path, struct finding *finding)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(holders_done) struct holders holders = { 0 };
	struct holders_file file = { .path = path };
	const struct holders_asked asked = { .files = &file, .n_files = 1 };
	struct stat st;

	if (host_stat(copying->step->host, path, &st, &why) < 0)
		return;
	file.dev = st.st_dev;
	file.ino = st.st_ino;
	if (holders_find(copying->step->host, &asked, copying->step->cancelled, &holders, &why) < 0)
		return;
	for (size_t i = 0; i < holders.n; i++) {
		AUTO_BUF words = BUF_INIT;

		if (holder_describe(&holders.items[i], &words) < 0)
			continue;
		if (i == 0)
			result_say(copying->result, finding, _("%s: it was held by %s."), path,
				   buf_text(&words));
		result_evidence(copying->result, finding, holders.items[i].source, buf_text(&words),
				NULL, NULL);
	}
}

/* What a validator said against, of the copy that it rejected. */
static const struct copy_check *failed_check(const struct copy_head *head)
{
	for (size_t i = 0; i < head->n_checks; i++)
		if (!head->checks[i].passed)
			return &head->checks[i];
	return NULL;
}

static void sum_up(struct result *ret, const struct copy_outcome *outcome)
{
	result_summary(ret, "%s",
		       outcome->aside ? _("The copy does not stand its own checks; it is kept "
					  "aside.")
				      : _("There is no copy: what it was made of was not proved "
					  "to stand still, or not to be read back."));
}

void copying_trouble(struct copying *copying, const struct copy_outcome *outcome,
		     const struct copy_head *head, const char *dir)
{
	const struct copy_check *check =
		outcome->trouble == COPY_REJECTED ? failed_check(head) : NULL;
	const char *path = check ? check->path : outcome->path ? outcome->path : dir;
	const char *what = check ? check->text : outcome->what;
	struct result *ret = copying->result;
	struct finding *finding;

	if ((size_t)outcome->trouble >= ELEMENTS(troubles) || !troubles[outcome->trouble].id)
		return;
	if (!what)
		what = _("it is not told why");
	finding = result_find(ret, troubles[outcome->trouble].id,
			      troubles[outcome->trouble].verdict, "%s", path);
	/* TRANSLATORS: "PATH: it is not what it was: its size was 1, is 2." */
	result_say(ret, finding, _("%s: %s: %s."), path, _(troubles[outcome->trouble].words), what);
	result_remedy(ret, finding, "%s", _(troubles[outcome->trouble].remedy));
	result_evidence(ret, finding, check ? check->what : path, what, NULL, NULL);
	if (outcome->aside)
		result_evidence(ret, finding, outcome->aside, _("kept aside"), NULL, NULL);
	if (outcome->trouble == COPY_INTRUDED || outcome->trouble == COPY_CHANGED)
		name_holders(copying, path, finding);
	sum_up(ret, outcome);
}
