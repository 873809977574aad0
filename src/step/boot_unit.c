/* SPDX-License-Identifier: MIT */
/* boot.unit: have the next boot verify itself, and tell whoever logs in. */
#include "step/boot_unit.h"

#include <errno.h>
#include <string.h>

#include "probe/facts.h"
#include "probe/fskind.h"
#include "probe/paths.h"
#include "step/installed.h"
#include "step/unit_control.h"
#include "sys/hostfile.h"

#define LINK PATH_BOOT_UNIT_WANTS "/" PATH_BOOT_UNIT_NAME

static const struct param_row params[] = { { 0 } };
static const struct output_row outputs[] = { { 0 } };

struct boot_unit {
	struct control control;
	bool told; /* systemd answered last */
	struct installed installed;
	char *text;
};

static void boot_unit_done(struct boot_unit *unit)
{
	control_done(&unit->control);
	free(unit->text);
}

/* What was written once is taken from there; then the program of today is not asked. */
static int fill(struct boot_unit *unit, const struct step *step, struct result *ret,
		struct error *err)
{
	bool plain = step->program && step->state && boot_unit_is_plain(step->program) &&
		     boot_unit_is_plain(step->state);

	if (plain && boot_unit_text(step->program, step->state, step->session, &unit->text) < 0)
		return error_oom(err);
	unit->installed = (struct installed){
		.step = step,
		.ret = ret,
		.dir = PATH_BOOT_UNIT_WANTS,
		.items = { { PATH_BOOT_UNIT, unit->text ? unit->text : "", false },
			   { LINK, PATH_BOOT_UNIT, true } },
		.n = 2,
	};
	return installed_kept(&unit->installed, err);
}

static int boot_unit_open(const struct step *step, struct result *ret, struct boot_unit *unit,
			  struct error *err)
{
	int r = control_open(step, PATH_BOOT_UNIT_NAME, ret, &unit->control, err);

	unit->told = r > 0;
	return r < 0 ? r : fill(unit, step, ret, err);
}

/* ---- will the program be there? ------------------------------------------------------- */

static void say_no_program(struct result *ret, const char *path, const char *why)
{
	struct finding *finding = result_find(ret, "no-program", VERDICT_FAIL, "%s", path);

	result_say(ret, finding, "%s: %s", path, why);
	result_remedy(ret, finding, "%s",
		      _("Install coldswap on a disk of this host, and run that one."));
	result_evidence(ret, finding, path, why, NULL, NULL);
}

static const char *why_not(const struct step *step, const char *path, struct error *why)
{
	const struct mounts *mounts;
	const struct mount *mount;
	int r;

	if (!boot_unit_is_plain(path))
		return _("the path has characters that a unit file would have to quote");
	r = host_exists(step->host, path, why);
	if (r == 0)
		return _("it is not there");
	if (r > 0)
		r = facts_mounts(step->facts, &mounts, why);
	mount = r < 0 ? NULL : mounts_over(mounts, path);
	if (mount && fskind_of(mount->fstype) == FSKIND_MEMORY)
		return _("its filesystem forgets its files when the power goes");
	return NULL;
}

/* On which disk they lie is judged for all that a session needs, not here. */
static int check_paths(const struct step *step, struct result *ret, struct error *err)
{
	const struct {
		const char *path, *what;
	} rows[] = {
		{ step->program, _("the program") },
		{ step->state, _("the state directory") },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		CLEANUP(error_done) struct error why = ERROR_INIT;
		const char *path = rows[i].path, *words;

		words = path ? why_not(step, path, &why) : _("its path is not known");
		if (why.code == -ENOMEM)
			return error_oom(err);
		if (why.code < 0)
			result_unknown(ret, "unreadable", path, path, &why);
		else if (words)
			say_no_program(ret, path ? path : rows[i].what, words);
		if (why.code < 0 || words)
			return 0;
	}
	return 1;
}

/* ---- judging -------------------------------------------------------------------------- */

static bool is(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

static bool is_in_effect(const struct boot_unit *unit)
{
	const struct manager_unit *now = &unit->control.now;

	return unit->told && now->found && is(now->load, "loaded") &&
	       is(now->file_state, "enabled") && is(now->fragment_path, PATH_BOOT_UNIT) &&
	       !now->need_reload;
}

static bool is_gone(const struct boot_unit *unit)
{
	const struct manager_unit *now = &unit->control.now;

	return unit->told && (!now->found || is(now->load, "not-found")) &&
	       !is(now->active, "failed");
}

static void say_so(struct boot_unit *unit, const char *id, const char *words)
{
	struct result *ret = unit->installed.ret;
	struct finding *finding = result_find(ret, id, VERDICT_PASS, PATH_BOOT_UNIT_NAME);

	result_say(ret, finding, "%s", words);
	control_cite(&unit->control, finding);
	result_summary(ret, "%s", words);
}

static void say_not(struct boot_unit *unit, const char *id, const char *words)
{
	struct result *ret = unit->installed.ret;
	struct finding *finding = result_find(ret, id, VERDICT_FAIL, PATH_BOOT_UNIT_NAME);

	result_say(ret, finding, "%s", words);
	result_remedy(ret, finding, "%s",
		      _("Look at: systemctl cat " PATH_BOOT_UNIT_NAME "; then systemctl "
			"daemon-reload."));
	control_cite(&unit->control, finding);
}

static void judge_installed(struct boot_unit *unit, size_t n, enum standing *ret)
{
	if (n < unit->installed.n) {
		*ret = STANDING_NO;
		say_not(unit, "not-in-effect",
			n ? _("The unit of the next boot is there in part.")
			  : _("The unit of the next boot is not there."));
	} else if (is_in_effect(unit)) {
		*ret = STANDING_YES;
		say_so(unit, "installed", _("The next boot verifies cables and mounts by itself."));
	} else if (unit->told) {
		*ret = STANDING_NO;
		say_not(unit, "not-in-effect",
			_("The unit of the next boot is there, and systemd would not run it."));
	}
}

static void judge_removed(struct boot_unit *unit, size_t n, enum standing *ret)
{
	if (n > 0) {
		*ret = STANDING_NO;
		say_not(unit, "not-removed", _("The unit of the next boot is still there."));
	} else if (is_gone(unit)) {
		*ret = STANDING_YES;
		say_so(unit, "removed", _("The unit of the next boot is removed."));
	} else if (unit->told) {
		*ret = STANDING_NO;
		say_not(unit, "not-in-effect",
			_("The unit of the next boot is gone, and systemd still lists it."));
	}
}

static int judge(struct boot_unit *unit, bool installed, enum standing *ret, struct error *err)
{
	size_t n;
	int r = installed_look(&unit->installed, &n, err);

	*ret = STANDING_UNKNOWN;
	if (r < 0)
		return r;
	if (r == 0 && unit->installed.ret->verdict == VERDICT_FAIL)
		*ret = STANDING_NO;
	else if (r > 0 && installed)
		judge_installed(unit, n, ret);
	else if (r > 0)
		judge_removed(unit, n, ret);
	return 0;
}

/* ---- the callbacks ---------------------------------------------------------------------- */

static int reload(struct boot_unit *unit, struct error *err)
{
	int r = unit->told ? control_reload(&unit->control, err) : 0;

	unit->told = r > 0;
	return r < 0 ? r : 0;
}

static int install(struct boot_unit *unit, struct error *err)
{
	enum standing standing;
	int r = installed_put(&unit->installed, err);

	if (r <= 0)
		return r;
	r = reload(unit, err);
	return r < 0 ? r : judge(unit, true, &standing, err);
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(boot_unit_done) struct boot_unit unit = { 0 };
	struct finding *finding;
	int r = step_may_change(step, err);

	(void)data;
	if (r == 0)
		r = check_paths(step, ret, err);
	if (r <= 0)
		return r;
	r = boot_unit_open(step, ret, &unit, err);
	if (r < 0 || !unit.told)
		return r < 0 ? r : 0;
	if (unit.control.manager)
		return install(&unit, err);
	finding = result_find(ret, "no-systemd", VERDICT_FAIL, PATH_BOOT_UNIT_NAME);
	result_say(ret, finding, "%s", _("systemd does not run on this host."));
	result_remedy(ret, finding, "%s",
		      _("Verify by hand after the boot: coldswap verify --before DIR."));
	control_cite(&unit.control, finding);
	return 0;
}

static void say_untouched(struct boot_unit *unit)
{
	struct result *ret = unit->installed.ret;
	struct finding *finding = result_find(ret, "untouched", VERDICT_PASS, PATH_BOOT_UNIT_NAME);

	result_say(ret, finding, "%s", _("The session has not written it."));
	result_evidence(ret, finding, PATH_BOOT_UNIT, _("not written"), NULL, NULL);
	result_summary(ret, "%s", _("The session has not written it."));
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	CLEANUP(boot_unit_done) struct boot_unit unit = { 0 };
	int kept = boot_unit_open(step, ret, &unit, err);

	(void)data;
	*ret_standing = STANDING_UNKNOWN;
	if (kept < 0)
		return kept;
	if (kept > 0 || effect == EFFECT_WANTED)
		return judge(&unit, effect == EFFECT_WANTED, ret_standing, err);
	say_untouched(&unit);
	*ret_standing = STANDING_YES;
	return 0;
}

/* What it says is over.  In /run, it is gone with the next boot anyway. */
static int remove_notice(const struct step *step, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *text = NULL;
	int r = hostfile_read(step->host, PATH_LOGIN_NOTICE, &text, &why);

	if (r == 0 && strncmp(text, "coldswap,", strlen("coldswap,")) == 0)
		r = hostfile_remove(step->host, PATH_LOGIN_NOTICE, text, &why);
	return r == -ENOMEM || r == -ECANCELED ? error_copy(err, &why) : 0;
}

/*
 * Wrong cables make it fail at the boot, and the host would be called degraded
 * ever after.  Before its file goes: what is left half-done is seen by that.
 */
static int forget_failure(struct boot_unit *unit, struct error *err)
{
	if (!unit->told || !unit->control.manager)
		return 0;
	return manager_reset_failed(unit->control.manager, PATH_BOOT_UNIT_NAME, err);
}

static int take_back(struct boot_unit *unit, struct error *err)
{
	enum standing standing;
	int r = forget_failure(unit, err);

	if (r == 0)
		r = installed_remove(&unit->installed, err);
	if (r <= 0)
		return r;
	r = remove_notice(unit->installed.step, err);
	if (r == 0)
		r = reload(unit, err);
	return r < 0 ? r : judge(unit, false, &standing, err);
}

static int undo(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	CLEANUP(boot_unit_done) struct boot_unit unit = { 0 };
	int r = step_may_change(step, err);

	(void)data;
	if (r == 0)
		r = boot_unit_open(step, ret, &unit, err);
	if (r > 0)
		return take_back(&unit, err);
	if (r == 0)
		say_untouched(&unit);
	return r;
}

static int describe(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("have the next boot verify cables and mounts by itself, and leave "
			       "a notice for whoever logs in"));
}

static int describe_undo(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("remove the unit that verifies the boot"));
}

const struct kind kind_boot_unit = {
	.name = "boot.unit",
	.class = KIND_ACTION,
	.title = N_("a unit that verifies the next boot"),
	.help = N_("Installs and enables coldswap-verify.service: once the filesystems are mounted "
		   "it runs boot.happened, disk.links and mounts.expected, writes what they found "
		   "to the journal and leaves a notice for whoever logs in. Nothing waits for it, "
		   "and a boot that ends in an emergency shell runs it too. Taking it back removes "
		   "the unit. power.off refuses without it."),
	.flags = KIND_SETS_BOOT,
	.deadline_s = 120,
	.params = params,
	.outputs = outputs,
	.findings = boot_unit_findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.undo = undo,
	.describe_undo = describe_undo,
	.typical_s = 1,
};
