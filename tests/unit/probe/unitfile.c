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
