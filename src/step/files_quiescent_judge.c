/* SPDX-License-Identifier: MIT */
/* Do the three witnesses agree? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/files_quiescent.h"

#define SHOWN 3

/* ---- leases -------------------------------------------------------------------------- */

/* Files of one set that one thing is to be said of. */
struct tally {
	size_t n;
	const struct quiet_file *first[SHOWN];
};

static void count(struct tally *tally, const struct quiet_file *file)
{
	if (tally->n < SHOWN)
		tally->first[tally->n] = file;
	tally->n++;
}

static void list(const struct tally *tally, struct buf *ret)
{
	for (size_t i = 0; i < tally->n && i < SHOWN; i++)
		buf_addf(ret, "%s%s", i ? ", " : "", tally->first[i]->data->path);
	if (tally->n > SHOWN)
		buf_addf(ret, _(" and %zu more"), tally->n - SHOWN);
}

static void cite_leases(const struct tally *tally, const char *observed, struct finding *finding,
			struct result *ret)
{
	for (size_t i = 0; i < tally->n && i < SHOWN; i++) {
		AUTO_BUF text = BUF_INIT;

		buf_adds(&text, observed);
		if (tally->first[i]->code)
			buf_addf(&text, ": %s", strerror(-tally->first[i]->code));
		if (tally->first[i]->fstype)
			buf_addf(&text, " (%s)", tally->first[i]->fstype);
		result_evidence(ret, finding, tally->first[i]->data->path, buf_text(&text), NULL,
				NULL);
	}
}

/* What is to be said of the files that one answer was given for. */
struct words {
	const char *id;
	enum verdict verdict;
	const char *says, *mend, *observed;
};

static const struct words disagrees = {
	"lease-disagrees", VERDICT_UNKNOWN,
	N_("The kernel says that somebody has it open, and no process shows it"),
	N_("Stop what serves files from inside the kernel (nfsd, ksmbd, an iSCSI target), and "
	   "programs that pass descriptors on; then look again."),
	"lease refused"
};
static const struct words foreign = {
	"foreign-filesystem", VERDICT_UNKNOWN,
	N_("It lies on a filesystem whose answer does not count, since others reach its files "
	   "behind it"),
	N_("Look where the files really lie: the filesystem below FUSE or an overlay, the server "
	   "of a network filesystem; and prove it there."),
	"no lease that counts"
};
static const struct words no_lease = {
	"no-lease", VERDICT_UNKNOWN, N_("The kernel gave no answer whether anybody has it open"),
	N_("Be root, and see that leases are on: sysctl fs.leases-enable=1; then look again."),
	"no lease"
};
static const struct words intruded = {
	"intruded", VERDICT_FAIL, N_("Somebody opened it while it was looked at"),
	N_("Something comes back by itself: look for timers, watchers and health checks, stop "
	   "them, then look again."),
	"lease broken"
};

static void say_tally(const struct look *look, size_t set, const struct tally *tally,
		      const struct words *words, struct result *ret)
{
	AUTO_BUF paths = BUF_INIT;
	struct finding *finding;

	if (!tally->n)
		return;
	finding = result_find(ret, words->id, words->verdict, "%s", look->sets[set]->given);
	list(tally, &paths);
	result_say(ret, finding, "%s: %s.", _(words->says), buf_text(&paths));
	result_remedy(ret, finding, "%s", _(words->mend));
	cite_leases(tally, words->observed, finding, ret);
}

static void judge_leases(const struct look *look, size_t set, struct result *ret)
{
	struct tally hidden = { 0 }, strange = { 0 }, none = { 0 }, broken = { 0 };

	for (size_t i = 0; i < look->n_files; i++) {
		const struct quiet_file *file = &look->files[i];

		if (file->set != set || !file->data)
			continue;
		if (file->broken)
			count(&broken, file);
		else if (file->answer == LEASE_HELD && !file->shown)
			count(&hidden, file);
		else if (file->answer == LEASE_UNKNOWN && file->code == -EOPNOTSUPP)
			count(&strange, file);
		else if (file->answer == LEASE_UNKNOWN && !file->gone)
			count(&none, file);
	}
	say_tally(look, set, &hidden, &disagrees, ret);
	say_tally(look, set, &strange, &foreign, ret);
	say_tally(look, set, &none, &no_lease, ret);
	say_tally(look, set, &broken, &intruded, ret);
}

/* ---- what keeps the scan from proving an absence ---------------------------------------- */

void quiet_judge_gaps(const struct look *look, struct result *ret)
{
	struct finding *finding;

	if (!look->live) {
		finding = result_find(ret, "not-scanned", VERDICT_UNKNOWN, "%s",
				      host_root(look->step->host));
		result_say(ret, finding, "%s",
			   _("A capture shows holders and cannot prove that there is none."));
		result_remedy(ret, finding, "%s",
			      _("Prove it on the machine itself: coldswap check files.quiescent"));
		result_evidence(ret, finding, "coldswap/openfiles.json", NULL, NULL, NULL);
		return;
	}
	if (!look->holders.gaps || !*look->holders.gaps)
		return;
	finding = result_find(ret, "not-scanned", VERDICT_UNKNOWN, PATH_PROC);
	result_say(ret, finding,
		   _("Not every process could be looked at (%s): one of those may "
		     "have it open."),
		   *look->holders.gaps);
	result_remedy(ret, finding, "%s",
		      _("Be root on the machine itself, outside of containers, with a /proc that "
			"hides nothing (mount option hidepid); then look again."));
	for (char **gap = look->holders.gaps; *gap; gap++)
		result_evidence(ret, finding, PATH_PROC, *gap, NULL, NULL);
}

static void judge_changed(const struct look *look, struct result *ret)
{
	struct finding *finding;

	if (!look->changed)
		return;
	finding = result_find(ret, "changing", VERDICT_FAIL, "path");
	result_say(ret, finding, "%s",
		   _("Files came, went or were replaced while they were looked at: somebody writes "
		     "there."));
	result_remedy(ret, finding, "%s",
		      _("Stop what writes there, timers and clean-up jobs too; then look again."));
	result_evidence(ret, finding, "path", _("another list of files at the end"), NULL, NULL);
}

/* ---- one database ------------------------------------------------------------------------ */

static void say_quiescent(const struct look *look, size_t set, struct result *ret)
{
	struct finding *finding =
		result_find(ret, "quiescent", VERDICT_PASS, "%s", look->sets[set]->given);
	AUTO_BUF lease = BUF_INIT, walk = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < look->n_files; i++)
		n += look->files[i].set == set && look->files[i].data;
	result_say(ret, finding,
		   PLURAL("Nobody has %s open: %zu file.", "Nobody has %s open: %zu files.", n),
		   look->sets[set]->given, n);
	buf_addf(&lease, "write lease granted for %zu of %zu, and standing after the scan", n, n);
	result_evidence(ret, finding, look->sets[set]->path, buf_text(&lease), NULL, NULL);
	buf_addf(&walk, "%zu processes, none has it", look->holders.processes);
	result_evidence(ret, finding, PATH_PROC, buf_text(&walk), NULL, NULL);
}

/* An empty directory is what lies below a mount point after the umount. */
static void say_empty(const struct look *look, size_t set, struct result *ret)
{
	struct finding *finding =
		result_find(ret, "missing", look->live ? VERDICT_FAIL : VERDICT_UNKNOWN, "%s",
			    look->sets[set]->given);

	result_say(ret, finding, _("%s holds no file: nothing of it could be proved."),
		   look->sets[set]->given);
	result_remedy(ret, finding, _("Correct the path %s, or mount what it lies on."),
		      look->sets[set]->path);
	result_evidence(ret, finding, look->sets[set]->path, _("no file"), NULL, NULL);
}

static bool blocks_now(const struct result *ret, size_t from)
{
	for (size_t i = from; i < ret->n_findings; i++)
		if (ret->findings[i].verdict >= VERDICT_UNKNOWN)
			return true;
	return false;
}

static size_t say_groups(const struct look *look, const struct quiet_group *groups, size_t n,
			 size_t set, struct result *ret)
{
	size_t said = 0;

	for (size_t i = 0; i < n; i++) {
		const char *id;

		if (groups[i].set != set)
			continue;
		id = quiet_group_id(look, &groups[i]);
		/* One who only reads is no proof on this machine, and no news in a capture. */
		quiet_say_group(look, &groups[i], id,
				!look->live && strcmp(id, "read-only") == 0 ? VERDICT_WARN
									    : VERDICT_FAIL,
				ret);
		said++;
	}
	return said;
}

static void sum_up(const struct look *look, const struct quiet_group *groups, size_t n,
		   struct result *ret)
{
	AUTO_BUF who = BUF_INIT;
	size_t shown = 0;
	pid_t last = -1;

	result_output_int(ret, "files", (int64_t)look->n_files);
	result_output_int(ret, "holders", (int64_t)n);
	result_output_bool(ret, "quiescent", ret->verdict <= VERDICT_WARN && look->looked);
	for (size_t i = 0; i < n; i++) {
		if (groups[i].items[0]->pid == last || shown++ >= SHOWN)
			continue;
		last = groups[i].items[0]->pid;
		buf_adds(&who, who.len ? ", " : "");
		quiet_name(groups[i].items[0], &who);
	}
	if (who.len)
		result_summary(ret, shown > SHOWN ? _("Held by %s and others.") : _("Held by %s."),
			       buf_text(&who));
	else if (ret->verdict == VERDICT_UNKNOWN)
		result_summary(ret, "%s",
			       _("Whether anybody has it open could not be determined."));
	else if (ret->verdict == VERDICT_FAIL)
		result_summary(ret, "%s", _("It is not quiescent."));
	else
		result_summary(ret,
			       PLURAL("Nobody has %zu place open.",
				      "Nobody has any of %zu places open.", look->n_sets),
			       look->n_sets);
}

int quiet_judge(struct look *look, struct result *ret, struct error *err)
{
	struct quiet_group *groups = NULL;
	size_t n = 0;
	bool whole;
	int r;

	/* Nothing to look at; what may not be looked for is no such proof. */
	if (look->n_sets == 0 && ret->n_findings == 0) {
		result_skip(ret, "%s", _("No database directory was found."));
		return 0;
	}
	r = quiet_judge_mounts(look, ret, err);
	if (r == 0)
		r = quiet_groups(look, &groups, &n, err);
	if (r < 0)
		return r;
	if (look->looked && look->n_sets) {
		judge_changed(look, ret);
		quiet_judge_gaps(look, ret);
	}
	whole = look->looked && !look->changed && look->live && !look->holders.gaps;
	for (size_t set = 0; look->looked && set < look->n_sets; set++) {
		size_t from = ret->n_findings, said = say_groups(look, groups, n, set, ret);

		if (look->live)
			judge_leases(look, set, ret);
		quiet_judge_states(look, set, said > 0, ret);
		quiet_judge_below(look, set, ret);
		if (!look->sets[set]->n_files)
			say_empty(look, set, ret);
		else if (whole && !said && !blocks_now(ret, from))
			say_quiescent(look, set, ret);
	}
	sum_up(look, groups, n, ret);
	quiet_groups_free(groups);
	return 0;
}

bool quiet_is_held(const struct look *look)
{
	if (look->changed)
		return true;
	for (size_t i = 0; i < look->holders.n; i++)
		if (look->holders.items[i].type != HOLDER_DIRECTORY &&
		    look->holders.items[i].type != HOLDER_MOUNT &&
		    look->holders.items[i].type != HOLDER_DEVICE)
			return true;
	for (size_t i = 0; i < look->n_files; i++)
		if (look->files[i].broken || look->files[i].answer == LEASE_HELD)
			return true;
	return false;
}
