/* SPDX-License-Identifier: MIT */
/*
 * Command lines: what root=, resume= and their like mean after the work.
 *
 * The line that boots next counts most; where no loader's configuration is
 * told it is taken to be the one that runs.  Of a repeated parameter the last
 * is in force, and an empty one clears it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/names_boot.h"

enum purpose { PURPOSE_ROOT, PURPOSE_RESUME, PURPOSE_LUKS };

static const struct row {
	const char *name;
	enum purpose purpose;
	const char *tag;   /* the value is one of this tag */
	const char *until; /* the device ends at one of these */
	const char *key;   /* "source=" among comma-separated options */
} rows[] = {
	{ "root", PURPOSE_ROOT, NULL, NULL, NULL },
	{ "real_root", PURPOSE_ROOT, NULL, NULL, NULL },
	{ "mount.usr", PURPOSE_ROOT, NULL, NULL, NULL },
	{ "resume", PURPOSE_RESUME, NULL, NULL, NULL },
	{ "real_resume", PURPOSE_RESUME, NULL, NULL, NULL },
	{ "cryptdevice", PURPOSE_LUKS, NULL, ":", NULL },
	{ "cryptopts", PURPOSE_LUKS, NULL, ",", "source=" },
	{ "crypt_root", PURPOSE_LUKS, NULL, NULL, NULL },
	{ "rd.luks.uuid", PURPOSE_LUKS, "UUID", NULL, NULL },
	{ "luks.uuid", PURPOSE_LUKS, "UUID", NULL, NULL },
	{ "rd.luks.name", PURPOSE_LUKS, "UUID", "=", NULL },
	{ "luks.name", PURPOSE_LUKS, "UUID", "=", NULL },
};

static const struct row *row_of(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* "8:2", "0802", "31:02": a device by its number. */
static bool is_device_number(const char *value)
{
	size_t hex = strspn(value, "0123456789abcdefABCDEF");

	return *value &&
	       (value[hex] == '\0' ? hex == strlen(value) && hex >= 3
				   : value[hex] == ':' && hex &&
					     value[hex + 1 +
						   strspn(value + hex + 1, "0123456789abcdefA"
									   "BCDEF")] == '\0');
}

/* The device of a parameter as ref_resolve() takes it; NULL where it names none. */
static char *device_of(const struct row *row, const char *value)
{
	char *spec = NULL;
	size_t len;

	if (row->key) {
		value = strstr(value, row->key);
		if (!value)
			return NULL;
		value += strlen(row->key);
	}
	if (row->tag && strncmp(value, "luks-", 5) == 0)
		value += 5;
	/* a tag holds "=" itself */
	len = row->until ? strcspn(value, row->until) : strlen(value);
	if (!len || value[0] == '$')
		return NULL;
	if (row->tag ? asprintf(&spec, "%s=%.*s", row->tag, (int)len, value) < 0
		     : asprintf(&spec, "%.*s", (int)len, value) < 0)
		return NULL;
	return spec;
}

/* One parameter of one line. */
struct param_view {
	struct boot_check *check;
	const struct kernel_line *line;
	const struct row *row;
	const char *value;
	char *spec;
	struct ref ref;
	bool overridden; /* a later one of the same name is in force */
	bool next;       /* its line is the one that boots next */
};

bool line_boots_next(const struct boot_check *check, const struct kernel_line *line)
{
	if (check->loaders->found)
		return line->when == LINE_NEXT && line->boots &&
		       loader_is_used(check, line->source);
	return line->when == LINE_RUNNING;
}

static enum verdict verdict_of(const struct param_view *view)
{
	bool fatal = view->row->purpose != PURPOSE_RESUME && view->next && !view->overridden;

	return fatal ? VERDICT_FAIL : VERDICT_WARN;
}

static void cite(const struct param_view *view, struct finding *finding)
{
	result_evidence(view->check->ret, finding, view->line->source, view->line->text, NULL,
			NULL);
	if (view->ref.why)
		result_evidence(view->check->ret, finding,
				view->spec[0] == '/' ? view->spec : "udev", view->ref.why, NULL,
				NULL);
}

static const char *effect(const struct param_view *view)
{
	if (view->overridden)
		return _("a later one of the same name overrides it on this line");
	if (view->line->when == LINE_TEMPLATE)
		return _("it gets into the command line when that is written next");
	if (view->line->when == LINE_INITRAMFS)
		return _("it was copied into the initramfs, which waits for the device");
	if (view->row->purpose == PURPOSE_RESUME)
		return _("the boot waits for it, or resumes from another disk");
	return view->next ? _("the boot stops in the initramfs, or starts from another disk")
			  : _("this is not the line that boots next");
}

static void advise(const struct param_view *view, struct finding *finding)
{
	static const char *const files[] = {
		[LINE_RUNNING] = N_("the configuration of the boot loader"),
		[LINE_NEXT] = N_("the entry (by /etc/default/grub and update-grub, where GRUB "
				 "writes it)"),
		[LINE_TEMPLATE] = N_("the file, then have the boot loader's configuration written"),
		[LINE_INITRAMFS] = N_("the file (RESUME=none where nothing hibernates), then run "
				      "update-initramfs -u"),
	};
	const struct block *device = view->ref.n_before == 1 ? view->ref.before[0] : NULL;

	if (device && device->fs_uuid)
		result_remedy(view->check->ret, finding,
			      _("Write UUID=%s in the place of %s in %s."), device->fs_uuid,
			      view->spec, _(files[view->line->when]));
	else
		result_remedy(view->check->ret, finding,
			      _("Name it by UUID= (`blkid` lists them) in the place of %s in %s."),
			      view->spec, _(files[view->line->when]));
}

static const char *kernel_name_id(const struct param_view *view)
{
	static const char *const ids[] = { [PURPOSE_ROOT] = "root-kernel-name",
					   [PURPOSE_RESUME] = "resume-kernel-name",
					   [PURPOSE_LUKS] = "luks-kernel-name" };

	return view->line->when == LINE_TEMPLATE ? "default-kernel-name" : ids[view->row->purpose];
}

static void kernel_name(const struct param_view *view)
{
	struct finding *finding = result_find(view->check->ret, kernel_name_id(view),
					      verdict_of(view), "%s", view->line->source);

	result_say(view->check->ret, finding,
		   _("%s=%s names a device by an order that each boot makes anew; %s."),
		   view->row->name, view->value, effect(view));
	advise(view, finding);
	cite(view, finding);
}

static void changed(const struct param_view *view)
{
	struct finding *finding = result_find(view->check->ret, "device-changes", verdict_of(view),
					      "%s", view->line->source);

	result_say(view->check->ret, finding,
		   _("After the work %s=%s may mean another device; %s."), view->row->name,
		   view->value, effect(view));
	advise(view, finding);
	cite(view, finding);
}

/* The system runs from it: what is read here is short, not the host. */
static bool is_running_root(const struct param_view *view)
{
	return view->line->when == LINE_RUNNING && view->row->purpose != PURPOSE_RESUME &&
	       view->ref.fate == FATE_ABSENT;
}

static void gone(const struct param_view *view)
{
	struct finding *finding;

	if (is_running_root(view))
		return;
	finding = result_find(view->check->ret, "device-missing", verdict_of(view), "%s",
			      view->line->source);
	result_say(view->check->ret, finding, _("After the work %s=%s means no device; %s."),
		   view->row->name, view->value, effect(view));
	if (view->ref.fate == FATE_REMOVED)
		result_remedy(view->check->ret, finding, "%s",
			      _("Leave the disk in, or take the parameter out before the work."));
	else
		advise(view, finding);
	cite(view, finding);
}

static void unsure(const struct param_view *view)
{
	struct finding *finding;

	if (!view->next)
		return;
	finding = result_find(view->check->ret, "device-unknown", VERDICT_UNKNOWN, "%s",
			      view->line->source);
	result_say(view->check->ret, finding,
		   _("What %s=%s means after the work could not be determined."), view->row->name,
		   view->value);
	result_remedy(view->check->ret, finding, "%s", _("Run coldswap as root."));
	cite(view, finding);
}

static const struct {
	enum ref_fate fate;
	void (*report)(const struct param_view *view);
} reports[] = {
	{ FATE_KERNEL_NAME, kernel_name },
	{ FATE_OTHER_DISK, changed },
	{ FATE_SHARED_PORT, changed },
	{ FATE_AMBIGUOUS, changed },
	{ FATE_MD_UNLISTED, changed },
	{ FATE_NOTHING, gone },
	{ FATE_ABSENT, gone },
	{ FATE_REMOVED, gone },
	{ FATE_BUS_CHANGE, gone },
	{ FATE_UNKNOWN, unsure },
};

/* Of what is overridden only the form of the name is worth a word. */
static void report(const struct param_view *view)
{
	for (size_t i = 0; i < ELEMENTS(reports); i++)
		if (reports[i].fate == view->ref.fate &&
		    (!view->overridden || view->ref.fate == FATE_KERNEL_NAME))
			reports[i].report(view);
}

static int resolve(struct param_view *view, struct error *err)
{
	int r = ref_resolve(view->check->step->facts, view->check->step->work, view->spec,
			    &view->ref, err);

	if (r == 0 && view->ref.fate == FATE_NO_DEVICE && is_device_number(view->spec))
		view->ref.fate = FATE_KERNEL_NAME;
	return r;
}

static int judge_param(struct boot_check *check, const struct kernel_line *line,
		       const struct kernel_params *params, size_t index, struct error *err)
{
	const struct kernel_param *param = &params->items[index];
	struct param_view view = { .check = check,
				   .line = line,
				   .row = row_of(param->name),
				   .value = param->value,
				   .next = line_boots_next(check, line) };
	int r;

	if (!view.row || !param->value || !*param->value)
		return 0;
	for (size_t i = index + 1; i < params->n && view.row->purpose != PURPOSE_LUKS; i++)
		view.overridden |= strcmp(params->items[i].name, param->name) == 0;
	view.spec = device_of(view.row, param->value);
	if (!view.spec)
		return 0;
	r = resolve(&view, err);
	if (r == 0)
		report(&view);
	ref_done(&view.ref);
	free(view.spec);
	return r;
}

/* GRUB_DISABLE_LINUX_UUID=true: update-grub writes root=/dev/sdX. */
static void judge_switch(struct boot_check *check, const struct kernel_line *line)
{
	struct finding *finding;

	if (line->when != LINE_TEMPLATE ||
	    strncmp(line->text, "GRUB_DISABLE_LINUX_UUID=", 24) != 0 ||
	    strcmp(line->args, "true") != 0)
		return;
	finding = result_find(check->ret, "default-no-uuid", VERDICT_WARN, "%s", line->source);
	result_say(check->ret, finding, "%s",
		   _("The next update-grub writes root= by a kernel name."));
	result_remedy(check->ret, finding, "%s", _("Take the line out, then run update-grub."));
	result_evidence(check->ret, finding, line->source, line->text, NULL, NULL);
}

static int judge_line(struct boot_check *check, const struct kernel_line *line, struct error *err)
{
	struct kernel_params params;
	int r = kernel_params_parse(line->args, &params, err);

	if (r < 0)
		return r;
	judge_switch(check, line);
	for (size_t i = 0; i < params.n && r == 0; i++)
		r = judge_param(check, line, &params, i, err);
	kernel_params_done(&params);
	return r;
}

static int report_unreadable(struct boot_check *check, struct error *err)
{
	char *const *notes = check->loaders->lines.unreadable;

	for (; notes && *notes; notes++) {
		AUTO_FREE char *path = strndup(*notes, strcspn(*notes, ":"));
		struct finding *finding;

		if (!path)
			return error_oom(err);
		finding = result_find(check->ret, "loader-unreadable", VERDICT_UNKNOWN, "%s", path);
		result_say(check->ret, finding, _("What boots next could not be read: %s."),
			   *notes);
		result_remedy(check->ret, finding, "%s", _("Run coldswap as root."));
		result_evidence(check->ret, finding, path, *notes, NULL, NULL);
	}
	return 0;
}

static void summarise(struct boot_check *check, size_t before)
{
	const struct kernel_lines *lines = &check->loaders->lines;
	const struct kernel_line *line = NULL;
	struct finding *finding;

	for (size_t i = 0; i < lines->n && !line; i++)
		if (line_boots_next(check, &lines->items[i]))
			line = &lines->items[i];
	if (!line) {
		finding = result_find(check->ret, "command-line-not-told", VERDICT_SKIP, "%s",
				      PATH_CMDLINE);
		result_say(check->ret, finding, "%s",
			   _("With which command line this machine boots is not told here."));
		result_evidence(check->ret, finding, PATH_CMDLINE, NULL, NULL, NULL);
		return;
	}
	if (check->ret->n_findings > before)
		return;
	finding = result_find(check->ret, "command-line-stable", VERDICT_PASS, "%s", line->source);
	result_say(
		check->ret, finding, "%s",
		check->loaders->found
			? _("Each device on the command line of the next boot is the same after "
			    "the work.")
			: _("Each device on the running command line is the same after the work; "
			    "no boot loader's configuration is told beside it."));
	result_evidence(check->ret, finding, line->source, line->text, NULL, NULL);
}

int judge_command_lines(struct boot_check *check, struct error *err)
{
	const struct kernel_lines *lines = &check->loaders->lines;
	size_t before = check->ret->n_findings;
	int r = report_unreadable(check, err);

	for (size_t i = 0; i < lines->n && r == 0; i++)
		r = judge_line(check, &lines->items[i], err);
	if (r == 0)
		r = compare_command_lines(check, err);
	if (r == 0)
		summarise(check, before);
	return r;
}
