/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "probe/mdconf.h"
#include "tree.h"

static struct mdconf *load(const struct tree *tree)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct mdconf *conf = NULL;

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(mdconf_load(host, &conf, NULL), 0);
	return conf;
}

Test(mdconf, array_lines_in_every_spelling)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_mdconf) struct mdconf *conf = NULL;

	tree_file(
		&tree, "etc/mdadm/mdadm.conf",
		"# ARRAY /dev/md9 UUID=1:2:3:4\n\nDEVICE partitions\n"
		"ARRAY /dev/md/archive metadata=1.2\n   UUID=3C0f41aa:5be7d210:9a44c0de:00112233\n"
		"array /dev/md/0 name=host:0 # by name\n"
		"ARRAY /dev/md5 devices=/dev/sda1,/dev/sdb1\n"
		"ARRAY <ignore> UUID=00000000:00000000:00000000:00000000\n");
	conf = load(&tree);
	cr_assert_eq(conf->n, 4);
	cr_assert_eq(conf->first_line, 3);
	cr_assert_str_eq(conf->first_text, "DEVICE partitions");
	cr_assert_str_eq(mdconf_find(conf, "/dev/md/archive")->uuid,
			 "3c0f41aa5be7d2109a44c0de00112233");
	cr_assert_eq(mdconf_find(conf, "/dev/md/archive")->line, 4);
	cr_assert(mdconf_find(conf, "/dev/md0")->identified);
	cr_assert_not(mdconf_find(conf, "/dev/md5")->identified, "members move");
	cr_assert_null(mdconf_find(conf, "/dev/md9"), "a comment");
	cr_assert_null(conf->arrays[3].device);
}

Test(mdconf, files_beside_it_count_and_none_is_empty)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_mdconf) struct mdconf *none = load(&tree), *conf = NULL;

	cr_assert_eq(none->n, 0);
	cr_assert_null(none->file);
	tree_file(&tree, "etc/mdadm.conf", "MAILADDR root\r\n");
	tree_file(&tree, "etc/mdadm/mdadm.conf.d/a.conf", "ARRAY md7 UUID=a:b:c:d\n");
	tree_file(&tree, "etc/mdadm/mdadm.conf.d/a.bak", "ARRAY md8 UUID=a:b:c:d\n");
	conf = load(&tree);
	cr_assert_eq(conf->n, 1);
	cr_assert_str_eq(conf->file, "/etc/mdadm.conf");
	cr_assert_str_eq(conf->first_text, "MAILADDR root");
	cr_assert_not_null(mdconf_find(conf, "/dev/md7"));
}

Test(mdconf, a_file_that_cannot_be_read_is_an_error)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	struct mdconf *conf = NULL;

	tree_file(&tree, "etc/mdadm/mdadm.conf/x", "");
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_lt(mdconf_load(host, &conf, &err), 0);
	cr_assert(strstr(error_text(&err), "mdadm.conf"));
}
