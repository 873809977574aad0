/* SPDX-License-Identifier: MIT */
/*
 * names.fstab: does every entry of fstab mean the same device after the work?
 *
 * Each reference is resolved as the machine stands and again after the
 * planned work was simulated (work/names.h); how bad a change is depends on
 * what the entry is for.  Entries that are no name of a device of this host
 * (network, bind, overlay, tmpfs, ZFS datasets) are none of its business.
 */
#include "step/names_fstab.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "probe/unit.h"

struct names_fstab_params {
	char **disks;
};

static const struct param_row params[] = {
	{ .name = "disks",
	  .type = PARAM_DISKS,
	  .offset = PARAM_OFFSET(names_fstab_params, disks),
	  .draft = DRAFT_WORK_DISKS,
	  .help = N_("Disks to count as worked on, beside those of the planned work.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "entries", OUTPUT_INT, N_("Number of entries read.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	const struct names_fstab_params *p = data;
	size_t n = strv_length(p->disks);

	buf_addf(ret, _("see that every entry of %s means the same device after the work"),
		 PATH_FSTAB);
	if (n)
		buf_addf(ret,
			 PLURAL("; %zu more disk counted as worked on",
				"; %zu more disks counted as worked on", n),
			 n);
	return buf_error(ret);
}

/* The line from its second field on. */
static const char *after_first_field(const char *text)
{
	text += strspn(text, " \t");
	text += strcspn(text, " \t");
	return text + strspn(text, " \t");
}

/* bcachefs names all its members in one field; the first tells how they are named. */
static char *reference_of(const struct fstab_entry *entry)
{
	size_t len = strlen(entry->spec);

	if (strcmp(entry->fstype, "bcachefs") == 0)
		len = strcspn(entry->spec, ":");
	return strndup(entry->spec, len);
}

static void report_malformed(struct fstab_check *check, const struct entry_view *view)
{
	struct finding *finding =
		result_find(check->ret, "malformed-line", VERDICT_FAIL, "%s", view->source);

	result_say(check->ret, finding, _("The line cannot be read: %s."),
		   view->entry->why ? view->entry->why : _("it is not in the form of fstab(5)"));
	result_remedy(check->ret, finding, "%s",
		      _("Correct the line; `findmnt --verify` shows what is wrong."));
	result_evidence(check->ret, finding, view->source, view->entry->text, NULL, NULL);
}

static int look_at(struct fstab_check *check, size_t index, struct error *err)
{
	struct entry_view *view = &check->views[index];
	const struct fstab_entry *entry = &check->fstab->items[index];
	AUTO_FREE char *spec = NULL;
	int r;

	view->entry = entry;
	if (asprintf(&view->source, "%s:%u", PATH_FSTAB, entry->line) < 0) {
		view->source = NULL;
		return error_oom(err);
	}
	if (entry->malformed) {
		report_malformed(check, view);
		return 0;
	}
	view->role = role_of(entry);
	view->where = after_first_field(entry->text);
	view->what = view->role.swap ? _("the swap") : entry->target;
	if (strcmp(entry->fstype, "zfs") == 0)
		return 0;
	spec = reference_of(entry);
	if (!spec)
		return error_oom(err);
	r = ref_resolve(check->step->facts, check->work, spec, &view->ref, err);
	if (r < 0)
		return r;
	judge_name(check, view);
	return judge_options(check, view, err);
}

static unsigned count_arrays(const struct blocks *blocks)
{
	unsigned n = 0;

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		n += block->disk == block && strncmp(block->name, "md", 2) == 0;
	}
	return n;
}

static void summarise(struct fstab_check *check)
{
	size_t n = check->fstab->n;
	struct finding *finding;

	if (check->ret->verdict == VERDICT_UNKNOWN) {
		result_summary(check->ret,
			       PLURAL("%zu entry read; what it means after the work is not known",
				      "%zu entries read; what each means after the work is not "
				      "known",
				      n),
			       n);
		return;
	}
	if (check->ret->verdict > VERDICT_PASS) {
		result_summary(check->ret,
			       PLURAL("%zu entry read; not each means the same device after the "
				      "work, or is there in time",
				      "%zu entries read; not each means the same device after the "
				      "work, or is there in time",
				      n),
			       n);
		return;
	}
	finding = result_find(check->ret, "stable", VERDICT_PASS, "%s", PATH_FSTAB);
	result_evidence(check->ret, finding, PATH_FSTAB, NULL, NULL, NULL);
	result_say(check->ret, finding, "%s",
		   _("Each entry means the same device after the work."));
	result_summary(check->ret,
		       PLURAL("%zu entry read; each means the same device after the work",
			      "%zu entries read; each means the same device after the work", n),
		       n);
}

static int look_at_all(struct fstab_check *check, struct error *err)
{
	int r = 0;

	result_output_int(check->ret, "entries", (int64_t)check->fstab->n);
	if (check->fstab->n == 0)
		return judge_without_entries(check, err);
	for (size_t i = 0; i < check->fstab->n && r == 0; i++) {
		if (*check->step->cancelled)
			return error_set(err, -ECANCELED, "cancelled");
		r = look_at(check, i, err);
	}
	if (r == 0)
		r = judge_mounts(check, err);
	if (r == 0)
		r = judge_md_configuration(check, err);
	if (r == 0)
		summarise(check);
	return r;
}

/* The step's work, and the disks that were named besides. */
static int count_in(const struct fstab_check *check, char *const *keys, struct work **ret,
		    struct error *err)
{
	size_t n = strv_length(keys);
	AUTO_FREE const struct block **disks = calloc(n + 1, sizeof(struct block *));

	if (!disks)
		return error_oom(err);
	for (size_t i = 0; i < n; i++) {
		disks[i] = blocks_by_key(check->blocks, keys[i]);
		if (!disks[i])
			return error_set(err, -ENOENT, _("no disk here has the key %s"), keys[i]);
	}
	return work_and_disks(check->step->work, disks, n, ret, err);
}

static int judge(struct fstab_check *check, const struct names_fstab_params *p, struct error *err)
{
	CLEANUP(cleanup_work) struct work *work = NULL;
	int r = count_in(check, p->disks, &work, err);

	if (r < 0)
		return r;
	check->work = work;
	check->systemd = unit_manager_runs(check->step->host, NULL) != 0;
	check->md_arrays = count_arrays(check->blocks);
	check->views = calloc(check->fstab->n + 1, sizeof(*check->views));
	r = check->views ? look_at_all(check, err) : error_oom(err);
	for (size_t i = 0; check->views && i < check->fstab->n; i++) {
		ref_done(&check->views[i].ref);
		free(check->views[i].source);
	}
	free(check->views);
	free(check->by_target);
	strv_free(check->duplicates);
	return r;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	static const struct fstab nothing;
	struct fstab_check check = { .step = step, .ret = ret };
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = facts_fstab(step->facts, &check.fstab, &why);

	if (r == -ENOENT) {
		error_done(&why);
		check.missing = true;
		check.fstab = &nothing;
		r = 0;
	}
	if (r == 0)
		r = facts_blocks(step->facts, &check.blocks, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r == 0)
		return judge(&check, data, err);
	result_unknown(ret, "fstab-unreadable", PATH_FSTAB, PATH_FSTAB, &why);
	result_summary(ret, _("%s could not be judged"), PATH_FSTAB);
	return 0;
}

const struct kind kind_names_fstab = {
	.name = "names.fstab",
	.class = KIND_CHECK,
	.title = N_("names in /etc/fstab"),
	.help = N_("Simulates the planned work and resolves every entry of /etc/fstab before and "
		   "after it: kernel names, by-path names that follow the port, UUIDs that two "
		   "devices carry, array numbers, names that say how a disk is attached. Also "
		   "says where a disk of the work that does not come up stops the boot, and "
		   "where nofail lets services start on an empty directory."),
	.deadline_s = 30,
	.params_size = sizeof(struct names_fstab_params),
	.params = params,
	.outputs = outputs,
	.findings = names_fstab_findings,
	.describe = describe,
	.run = run,
};
