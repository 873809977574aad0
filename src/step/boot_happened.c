/* SPDX-License-Identifier: MIT */
/*
 * boot.happened: is it the same machine, booted anew since the capture, and
 * how did the shutdown before go?
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/facts.h"
#include "probe/identity.h"
#include "probe/shutdown.h"
#include "step.h"

static const struct param_row params[] = { { 0 } };

static const struct output_row outputs[] = {
	{ "booted", OUTPUT_BOOL, N_("The machine was booted since the earlier capture.") },
	{ 0 },
};

static const struct finding_row findings[] = {
	{ .id = "happened",
	  .title = N_("booted since"),
	  .means = N_("It is the machine of the earlier capture, and its boot id is another: it "
		      "was booted since.") },
	{ .id = "boot-not-happened",
	  .title = N_("not booted since"),
	  .means = N_("The boot id is the one of the earlier capture: the machine was not "
		      "powered off, or it slept and woke up."),
	  .harm = N_("Ports, links and mounts are those of before: nothing of the work can be "
		     "proved."),
	  .mend = N_("Power off, do the work, power on, and verify again. A machine that woke "
		     "from hibernation did not boot: shut it down.") },
	{ .id = "other-machine",
	  .title = N_("another machine"),
	  .means = N_("The machine-id is not the one of the earlier capture."),
	  .harm = N_("Everything would be compared with another machine's disks."),
	  .mend = N_("Name the capture of this machine with --before; after a new installation "
		     "there is none.") },
	{ .id = "unclean-shutdown",
	  .title = N_("the shutdown was not clean"),
	  .means = N_("A filesystem, an array or the journal had to be recovered in this boot: "
		      "it was not closed when the power went off."),
	  .harm = N_("What was not yet written is lost; a database recovers by itself, a copy "
		     "made of it before may be newer than it."),
	  .mend = N_("See that the databases have recovered before anything is started on top of "
		     "them, and why the machine did not shut down."),
	  .acceptable = true },
	{ .id = "shutdown-clean",
	  .title = N_("the shutdown was clean"),
	  .means = N_("Nothing had to be recovered in this boot.") },
	{ .id = "log-incomplete",
	  .title = N_("the kernel log is not complete"),
	  .means = N_("The kernel log could not be read, or its first lines are lost, so how the "
		      "last shutdown went cannot be told."),
	  .harm = N_("A recovery after an unclean shutdown would go unseen."),
	  .mend = N_("Read the log of the boot from the journal as root."),
	  .acceptable = true },
	{ .id = "unreadable",
	  .title = N_("could not be determined"),
	  .means = N_("The machine-id or the boot id is not told, now or in the earlier capture."),
	  .harm = N_("A boot that did not happen would go unseen."),
	  .mend = N_("Name the directory that `coldswap capture` wrote; capture again before the "
		     "next work.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("see that this machine was booted since the earlier capture, and "
			       "how its last shutdown went"));
}

struct look {
	const struct step *step;
	struct result *ret;
	struct identity now, before;
	const char *root; /* of the earlier capture */
};

static void look_done(struct look *look)
{
	identity_done(&look->now);
	identity_done(&look->before);
}

/* An id of now and of before, with the law that compares them. */
static void cite(struct look *look, struct finding *finding, const char *what, const char *now,
		 const char *before)
{
	AUTO_BUF source = BUF_INIT, law = BUF_INIT;

	buf_addf(&law, "%s now = %s before", what, what);
	result_evidence(look->ret, finding, look->now.source ? look->now.source : what,
			now ? now : "", buf_text(&law),
			!now || !before            ? _("not known")
			: strcmp(now, before) == 0 ? _("the same")
						   : _("different"));
	buf_addf(&source, "%s/%s", look->root, look->before.source ? look->before.source : what);
	result_evidence(look->ret, finding, buf_text(&source), before ? before : "", NULL, NULL);
}

static void say_not_told(struct look *look, const char *what, const char *now, const char *before)
{
	struct finding *finding = result_find(look->ret, "unreadable", VERDICT_UNKNOWN, "%s", what);

	if (now)
		result_say(look->ret, finding, _("The earlier capture does not tell the %s."),
			   what);
	else
		result_say(look->ret, finding, _("This host does not tell its %s."), what);
	result_remedy(look->ret, finding, "%s",
		      now ? _("Name the directory that `coldswap capture` wrote with --before.")
			  : _("Run coldswap as root, or capture the host again."));
	cite(look, finding, what, now, before);
}

/* False: there is no use in looking on. */
static bool judge_machine(struct look *look)
{
	const char *now = look->now.machine_id, *before = look->before.machine_id;
	struct finding *finding;

	if (!now || !before) {
		say_not_told(look, "machine_id", now, before);
		return true;
	}
	if (strcmp(now, before) == 0)
		return true;
	finding = result_find(look->ret, "other-machine", VERDICT_FAIL, "machine_id");
	result_say(look->ret, finding,
		   _("The earlier capture is of another machine (%s), not of this one (%s)."),
		   look->before.name ? look->before.name : before,
		   look->now.name ? look->now.name : now);
	result_remedy(look->ret, finding, "%s",
		      _("Name the capture of this machine with --before."));
	cite(look, finding, "machine_id", now, before);
	return false;
}

static bool judge_boot(struct look *look)
{
	const char *now = look->now.boot_id, *before = look->before.boot_id;
	struct finding *finding;
	bool same;

	if (!now || !before) {
		say_not_told(look, "boot_id", now, before);
		return false;
	}
	same = strcmp(now, before) == 0;
	result_output_bool(look->ret, "booted", !same);
	finding = result_find(look->ret, same ? "boot-not-happened" : "happened",
			      same ? VERDICT_FAIL : VERDICT_PASS, "boot_id");
	if (same)
		result_say(look->ret, finding, "%s",
			   _("The machine was not booted since the earlier capture."));
	else
		result_say(look->ret, finding, "%s",
			   _("The machine was booted since the earlier capture."));
	if (same)
		result_remedy(look->ret, finding, "%s",
			      _("Power off, do the work, power on, and verify again."));
	cite(look, finding, "boot_id", now, before);
	return !same;
}

/* ---- how the last shutdown went -------------------------------------------------- */

static void say_log(struct look *look, const char *source, const char *why, const char *remedy)
{
	struct finding *finding =
		result_find(look->ret, "log-incomplete", VERDICT_UNKNOWN, "kernel log");

	result_say(look->ret, finding, _("Whether the last shutdown was clean is not known: %s."),
		   why);
	result_remedy(look->ret, finding, "%s",
		      remedy ? remedy
			     : _("Read the log of the boot from the journal as root, or boot once "
				 "more and run coldswap before the log is full."));
	result_evidence(look->ret, finding, source, why, NULL, NULL);
}

static void say_unclean(struct look *look, const struct shutdown *shutdown)
{
	struct finding *finding =
		result_find(look->ret, "unclean-shutdown", VERDICT_WARN, "kernel log");

	result_say(look->ret, finding, "%s",
		   _("The last shutdown was not clean: what was open had to be recovered."));
	result_remedy(look->ret, finding, "%s",
		      _("See that the databases have recovered before anything is started on top "
			"of them."));
	for (size_t i = 0; i < shutdown->n; i++) {
		AUTO_BUF source = BUF_INIT;

		buf_addf(&source, "%s:%u", shutdown->source, shutdown->marks[i].line);
		result_evidence(look->ret, finding, buf_text(&source), shutdown->marks[i].text,
				NULL, NULL);
	}
}

/* What has no disk of its own, such as a container, has nothing that could be left open. */
static bool has_disks(struct facts *facts)
{
	const struct blocks *blocks;

	if (facts_blocks(facts, &blocks, NULL) < 0)
		return true;
	return blocks_have_disk(blocks);
}

static int judge_shutdown(struct look *look, struct error *err)
{
	CLEANUP(cleanup_shutdown) struct shutdown *shutdown = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct finding *finding;
	int r;

	if (!has_disks(look->step->facts))
		return 0;
	r = shutdown_load(look->step->host, &shutdown, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		say_log(look, "kernel log", error_text(&why), why.hint);
	} else if (shutdown->n > 0) {
		say_unclean(look, shutdown);
	} else if (!shutdown->from_start) {
		say_log(look, shutdown->source, _("its first lines are lost"), NULL);
	} else {
		finding = result_find(look->ret, "shutdown-clean", VERDICT_PASS, "kernel log");
		result_say(look->ret, finding, "%s",
			   _("Nothing had to be recovered: the last shutdown was clean."));
		result_evidence(look->ret, finding, shutdown->source, _("no line of a recovery"),
				NULL, NULL);
	}
	return 0;
}

/* ---- the kind ---------------------------------------------------------------------- */

static bool has(const struct result *result, const char *id)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(result->findings[i].id, id) == 0)
			return true;
	return false;
}

static void sum_up(struct result *ret)
{
	/* The first row counts whose findings are all there. */
	static const struct {
		const char *id, *also, *summary;
	} rows[] = {
		{ "boot.happened/other-machine", NULL,
		  N_("This is not the machine of the capture.") },
		{ "boot.happened/boot-not-happened", NULL,
		  N_("The machine was not booted since the capture.") },
		{ "boot.happened/happened", "boot.happened/unreadable",
		  N_("It is another boot than that of the capture; whether it is the same machine "
		     "is not known.") },
		{ "boot.happened/unreadable", NULL,
		  N_("Whether the machine was booted since the capture is not known.") },
		{ "boot.happened/happened", NULL, N_("The machine was booted since the capture.") },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (has(ret, rows[i].id) && (!rows[i].also || has(ret, rows[i].also))) {
			result_summary(ret, "%s", _(rows[i].summary));
			return;
		}
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(look_done)
	struct look look = {
		.step = step, .ret = ret, .now = IDENTITY_INIT, .before = IDENTITY_INIT
	};
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	(void)data;
	if (!step->before) {
		result_skip(ret, "%s", _("Nothing was recorded before."));
		return 0;
	}
	look.root = host_root(facts_host(step->before));
	r = identity_load(step->host, &look.now, &why);
	if (r == 0)
		r = identity_load(facts_host(step->before), &look.before, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		result_unknown(ret, "unreadable", _("identity"), NULL, &why);
	else if (judge_machine(&look) && judge_boot(&look))
		r = judge_shutdown(&look, err);
	sum_up(ret);
	return r == -ENOMEM ? r : 0;
}

const struct kind kind_boot_happened = {
	.name = "boot.happened",
	.class = KIND_CHECK,
	.title = N_("booted since the capture"),
	.help = N_("After the work: the machine-id must be the one of the earlier capture and the "
		   "boot id another one; and this boot's log must tell of no filesystem, array or "
		   "journal that had to be recovered because it was not closed."),
	.flags = KIND_AFTER | KIND_AT_BOOT,
	.deadline_s = 10,
	.params = params,
	.outputs = outputs,
	.findings = findings,
	.describe = describe,
	.run = run,
};
