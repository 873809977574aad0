/* SPDX-License-Identifier: MIT */
/*
 * The part of a draft that only a session does: what is stopped, the step that
 * powers off, the proofs and the restores behind it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "draft/sheet.h"
#include "draft/yaml_text.h"
#include "probe/paths.h"
#include "probe/unit.h"
#include "probe/users.h"

#define MAX_UNITS 32

/* ---- which services -------------------------------------------------------------- */

static int add_unit(const char *name, char ***units)
{
	if (!yaml_can_hold(name) || strv_has(*units, name) || strv_length(*units) == MAX_UNITS)
		return 0;
	return strv_add(units, name);
}

/* Databases and what runs containers: they write wherever their data lies. */
static int add_usual(struct sheet *sheet, char ***units)
{
	const char *name;
	int r = 0;

	if (unit_manager_runs(sheet->host, NULL) <= 0)
		return 0;
	for (size_t i = 0; r == 0 && (name = unit_usual(i)); i++) {
		CLEANUP(unit_done) struct unit unit = UNIT_INIT;

		r = unit_load(sheet->host, name, &unit, NULL);
		if (r == -ENOMEM)
			return r;
		r = r == 0 && unit.found && unit_is_active(&unit) ? add_unit(name, units) : 0;
	}
	return r;
}

/* What all the system lies on is used by all of it: nothing is to be stopped for that. */
static bool is_system(const char *mount_point)
{
	static const char *const places[] = { "/", PATH_USR, PATH_VAR, PATH_HOME };

	for (size_t i = 0; i < ELEMENTS(places); i++)
		if (strcmp(mount_point, places[i]) == 0)
			return true;
	return false;
}

static bool is_service(const struct user *user)
{
	size_t len = strlen(user->name);

	return user->type == USER_UNIT && !user->early && len > strlen(".service") &&
	       strcmp(user->name + len - strlen(".service"), ".service") == 0 &&
	       !strstr(user->name, "@.");
}

static int add_users_of(struct users *users, const char *mount_point, char ***units)
{
	struct user *list = NULL;
	size_t n = 0;
	int r = users_of(users, mount_point, NULL, &list, &n, NULL);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; r == 0 && i < n; i++)
		if (is_service(&list[i]))
			r = add_unit(list[i].name, units);
	user_list_free(list, n);
	return r;
}

static int add_users(struct sheet *sheet, char ***units)
{
	CLEANUP(cleanup_users) struct users *users = NULL;
	AUTO_STRV char **below = NULL;
	int r;

	if (!sheet->work->n || !sheet->mounts)
		return 0;
	r = work_mount_points(sheet->work, sheet->mounts, &below);
	if (r == 0)
		r = users_load(sheet->host, &users, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (char **each = below; r == 0 && each && *each; each++)
		if (!is_system(*each))
			r = add_users_of(users, *each, units);
	return r;
}

/* ---- the steps ------------------------------------------------------------------- */

static void write_use(struct sheet *sheet, const char *id, const char *kind)
{
	buf_addf(sheet->out, "  - id: %s\n    use: %s\n", id, kind);
}

static void write_gate(struct sheet *sheet)
{
	buf_addc(sheet->out, '\n');
	yaml_comment(2,
		     _("Nothing was changed so far. A machine that is off answers nobody: somebody "
		       "has to be there for all that follows."),
		     sheet->out);
	write_use(sheet, "at-the-machine", "operator.confirm");
	buf_adds(sheet->out, "    with:\n      question: ");
	yaml_quote(_("The machine will be off, and only a hand at it can go on: is somebody there "
		     "who can open it, press its power button and read its screen?"),
		   sheet->out);
	buf_addc(sheet->out, '\n');
	buf_addc(sheet->out, '\n');
	yaml_comment(2,
		     _("The next boot judges itself before anybody has logged in, and says at the "
		       "login how to go on."),
		     sheet->out);
	write_use(sheet, "boot-unit", "boot.unit");
}

static void write_stops(struct sheet *sheet, char *const *units)
{
	buf_addc(sheet->out, '\n');
	yaml_comment(2,
		     strv_length(units)
			     ? _("CHECK: what writes to the disks is stopped in good order, and "
				 "stays stopped over the boot: it is not to start before its disks "
				 "are proved to be there.")
			     : _("No service was found that has to be stopped before the power "
				 "goes off. For one that writes to the disks add a step of "
				 "unit.stop and one of unit.hold here, and their session.restore "
				 "below."),
		     sheet->out);
	for (size_t i = 0; units && units[i]; i++) {
		static const char *const kinds[][2] = { { "stop", "unit.stop" },
							{ "hold", "unit.hold" } };

		for (size_t j = 0; j < ELEMENTS(kinds); j++) {
			buf_addf(sheet->out,
				 "  - id: %s-%zu\n    use: %s\n    with: {unit: ", kinds[j][0],
				 i + 1, kinds[j][1]);
			yaml_quote_literal(units[i], sheet->out);
			buf_adds(sheet->out, "}\n");
		}
	}
}

bool sheet_is_proof(const struct kind *kind)
{
	return kind->class == KIND_CHECK && !(kind->flags & KIND_AFTER) && kind->foresee;
}

/* What the stops were for. */
static int write_effect(struct sheet *sheet, struct error *err)
{
	const struct kind *kind;
	int r = 0;

	for (size_t i = 0; r == 0 && (kind = kind_at(i)); i++)
		if (sheet_is_proof(kind))
			r = sheet_write_step(sheet, kind, "", err);
	return r;
}

static void write_power_off(struct sheet *sheet)
{
	buf_addc(sheet->out, '\n');
	yaml_comment(2,
		     _("The swap card, the name of the host typed, every proof once more; then "
		       "the power goes off. What stands below is run by `coldswap resume`."),
		     sheet->out);
	write_use(sheet, "power-off", "power.off");
}

static int write_proofs(struct sheet *sheet, struct error *err)
{
	const struct kind *kind;
	int r = 0;

	for (size_t i = 0; r == 0 && (kind = kind_at(i)); i++)
		if (kind->class == KIND_CHECK && (kind->flags & KIND_AFTER))
			r = sheet_write_step(sheet, kind, "", err);
	return r;
}

static void write_restore(struct sheet *sheet, const char *id, const char *step)
{
	write_use(sheet, id, "session.restore");
	buf_addf(sheet->out, "    with: {step: %s}\n", step);
}

/* Each service is let go before it is started, the last one that was stopped first. */
static void write_restores(struct sheet *sheet, size_t n)
{
	buf_addc(sheet->out, '\n');
	yaml_comment(2,
		     n ? _("Only now, with every disk in its place, may the services start again.")
		       : _("What the session changed is taken back."),
		     sheet->out);
	for (; n; n--) {
		char id[32], step[32];

		snprintf(id, sizeof(id), "free-%zu", n);
		snprintf(step, sizeof(step), "hold-%zu", n);
		write_restore(sheet, id, step);
		snprintf(id, sizeof(id), "back-%zu", n);
		snprintf(step, sizeof(step), "stop-%zu", n);
		write_restore(sheet, id, step);
	}
	write_restore(sheet, "boot-unit-gone", "boot-unit");
}

/* What is asked on both sides. */
static int write_again(struct sheet *sheet, struct error *err)
{
	static const char *const names[] = { "net.link", "unit.state" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(names); i++) {
		const struct kind *kind = kind_find(names[i]);

		if (kind)
			r = sheet_write_step(sheet, kind, "-after", err);
	}
	return r;
}

int sheet_write_session(struct sheet *sheet, struct error *err)
{
	AUTO_STRV char **units = NULL;
	int r = add_usual(sheet, &units);

	if (r == 0)
		r = add_users(sheet, &units);
	if (r < 0)
		return error_oom(err);
	write_gate(sheet);
	write_stops(sheet, units);
	r = write_effect(sheet, err);
	if (r < 0)
		return r;
	write_power_off(sheet);
	r = write_proofs(sheet, err);
	if (r < 0)
		return r;
	write_restores(sheet, strv_length(units));
	return write_again(sheet, err);
}
