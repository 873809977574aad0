/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "probe/unitfile.h"
#include "tree.h"

static struct unitfiles *load(const struct tree *tree)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct unitfiles *files = NULL;

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(unitfiles_load(host, &files, NULL), 0);
	return files;
}

static const struct unitfile_line *line(const struct unitfile *unit, const char *key, size_t index)
{
	for (size_t i = 0; i < unit->n; i++)
		if (strcmp(unit->lines[i].key, key) == 0 && index-- == 0)
			return &unit->lines[i];
	return NULL;
}

Test(unitfile, continued_settings_keep_the_place_of_each_line)
{
	struct unitfile unit = { 0 };

	cr_assert_eq(
		unitfile_parse(&unit, "/u",
			       "[Service]\nExecStart=/bin/a \\\n  server \\\n# a comment\n"
			       "  '--data-dir' \\\n  '/data/x'\nUser=root\nAfter = b.mount\r\n"),
		0);
	cr_assert_str_eq(line(&unit, "ExecStart", 0)->value, "/bin/a ");
	cr_assert_str_eq(line(&unit, "ExecStart", 3)->value, "'/data/x'");
	cr_assert_str_eq(line(&unit, "ExecStart", 3)->source, "/u:6");
	cr_assert(line(&unit, "ExecStart", 3)->continued);
	cr_assert_str_eq(line(&unit, "After", 0)->value, "b.mount");
	cr_assert_null(line(&unit, "User", 0), "not kept");
	unitfile_done(&unit);
}

Test(unitfile, precedence_drop_ins_and_resets)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_unitfiles) struct unitfiles *files = NULL;
	const struct unitfile *unit;

	tree_file(&tree, "usr/lib/systemd/system/a.service", "[Service]\nExecStart=/vendor\n");
	tree_file(&tree, "etc/systemd/system/a.service", "[Service]\nExecStart=/own\n");
	tree_file(&tree, "etc/systemd/system/a.service.d/20-b.conf",
		  "[Service]\nExecStart=/last\n");
	tree_file(&tree, "usr/lib/systemd/system/a.service.d/10-a.conf",
		  "[Service]\nExecStart=\nExecStart=/first\n");
	tree_link(&tree, "etc/systemd/system/m.service", "/dev/null");
	tree_link(&tree, "etc/systemd/system/alias.service", "/usr/lib/systemd/system/a.service");
	tree_link(&tree, "etc/systemd/system/x.target.wants/t@1.service", "/lib/t@.service");
	files = load(&tree);
	unit = unitfiles_find(files, "a.service");
	cr_assert_str_eq(line(unit, "ExecStart", 0)->value, "/first");
	cr_assert_str_eq(line(unit, "ExecStart", 1)->value, "/last");
	cr_assert(unit->local);
	cr_assert(unitfiles_find(files, "m.service")->masked);
	cr_assert(unitfiles_find(files, "alias.service")->masked, "it is met by its own name");
	cr_assert(unitfiles_is_wanted(files, "t@.service"));
	cr_assert_not(unitfiles_is_wanted(files, "a.service"));
}

Test(unitfile, mount_unit_names_are_escaped)
{
	static const char *const names[][2] = { { "/mnt/data", "mnt-data.mount" },
						{ "/srv/my-disk", "srv-my\\x2ddisk.mount" },
						{ "/a b/.c", "a\\x20b-.c.mount" },
						{ "/", "-.mount" } };

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		AUTO_FREE char *name = NULL;

		cr_assert_eq(unit_name_of_mount(names[i][0], &name), 0);
		cr_assert_str_eq(name, names[i][1]);
	}
}

/* What a generator writes comes again at the next boot; what lies in /run else does not. */
Test(unitfile, generated_and_passing)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_unitfiles) struct unitfiles *files = NULL;
	const struct unitfile *unit;

	tree_file(&tree, "etc/systemd/system/a.service", "[Service]\nExecStart=/a\n");
	tree_file(&tree, "run/systemd/generator/a.service.d/g.conf", "[Unit]\nAfter=g.mount\n");
	tree_file(&tree, "run/systemd/system/a.service.d/r.conf", "[Unit]\nAfter=r.mount\n");
	tree_file(&tree, "run/systemd/generator.late/s.service", "[Service]\nExecStart=/s\n");
	tree_file(&tree, "run/systemd/transient/t.service", "[Service]\nExecStart=/t\n");
	files = load(&tree);
	unit = unitfiles_find(files, "a.service");
	cr_assert_not(line(unit, "After", 0)->passing);
	cr_assert_str_eq(line(unit, "After", 1)->value, "r.mount");
	cr_assert(line(unit, "After", 1)->passing);
	cr_assert_not_null(unitfiles_find(files, "s.service"));
	cr_assert_null(unitfiles_find(files, "t.service"), "it is gone after the boot");
}

Test(unitfile, instances_have_their_template_and_their_drop_ins)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_unitfiles) struct unitfiles *files = NULL;
	const struct unitfile *unit;

	tree_file(&tree, "lib/systemd/system/db@.service",
		  "[Unit]\nRequiresMountsFor=/srv/%I\n[Service]\nExecStart=/db %i %% %n\n");
	tree_file(&tree, "etc/systemd/system/db@.service.d/a.conf", "[Unit]\nAfter=a.mount\n");
	tree_file(&tree, "etc/systemd/system/db@x-1.service.d/b.conf", "[Unit]\nAfter=b.mount\n");
	tree_file(&tree, "etc/systemd/system/db@x-1.service.d/a.conf", "[Unit]\nAfter=c.mount\n");
	tree_file(&tree, "etc/systemd/system/service.d/z.conf", "[Unit]\nAfter=z.mount\n");
	tree_link(&tree, "run/systemd/generator/m.target.wants/db@x-1.service",
		  "/lib/systemd/system/db@.service");
	files = load(&tree);
	unit = unitfiles_find(files, "db@x-1.service");
	cr_assert_not_null(unit);
	cr_assert_str_eq(line(unit, "RequiresMountsFor", 0)->value, "/srv/x/1");
	cr_assert_str_eq(line(unit, "ExecStart", 0)->value, "/db x-1 % db@x-1.service");
	cr_assert_str_eq(line(unit, "After", 0)->value, "c.mount", "the more special one wins");
	cr_assert_str_eq(line(unit, "After", 1)->value, "b.mount");
	cr_assert_str_eq(line(unit, "After", 2)->value, "z.mount");
	cr_assert(unitfiles_find(files, "db@.service")->template);
}

Test(unitfile, a_setting_that_is_not_kept_goes_on_too)
{
	struct unitfile unit = { 0 };

	cr_assert_eq(
		unitfile_parse(&unit, "/u",
			       "Description=x \\\nAfter=a.mount\nAfter=b.mount \\\n\f\nAfter=c\n"),
		0);
	cr_assert_eq(unit.n, 2);
	cr_assert_str_eq(line(&unit, "After", 0)->value, "b.mount ");
	cr_assert_str_eq(line(&unit, "After", 1)->value, "c");
	unitfile_done(&unit);
}

/* A missing setting is missing where its section ends. */
Test(unitfile, where_the_unit_section_ends)
{
	static const struct {
		const char *text, *end;
	} rows[] = {
		{ "[Unit]\nAfter=x\n\n[Service]\nExecStart=/a\n[Install]\n", "/u:4" },
		{ "[Service]\nExecStart=/a\n", "/u:1" },
		{ "[Service]\nExecStart=/a\n[Unit]\nAfter=x\n", "/u:3" },
		{ "[Service]\n[Unit]\nAfter=x\n[Install]\n[X]\n", "/u:4" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct unitfile unit = { .path = strdup("/u") };

		cr_assert_eq(unitfile_parse(&unit, "/u", rows[i].text), 0);
		cr_assert_str_eq(unit.end, rows[i].end, "%zu: %s", i, unit.end);
		unitfile_done(&unit);
	}
}

Test(unitfile, specifiers)
{
	static const struct {
		const char *text, *expanded;
	} rows[] = {
		{ "%i %I %p %P %N", "a-b a/b db db db@a-b" },
		{ "%S/%p", "/var/lib/db" },
		{ "%f", "/a/b" },
		{ "100%% %Z %", "100% %Z %" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_FREE char *expanded = NULL;

		cr_assert_eq(unit_expand("db@a-b.service", rows[i].text, &expanded), 0);
		cr_assert_str_eq(expanded, rows[i].expanded);
	}
	AUTO_FREE char *escaped = NULL;

	cr_assert_eq(unit_expand("db@my\\x2ddb.service", "/%I", &escaped), 0);
	cr_assert_str_eq(escaped, "/my-db");
}
