/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "probe/fstab.h"
#include "tree.h"

static struct fstab *load(const char *text, size_t len)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree = tree_new();
	struct fstab *fstab = NULL;
	char path[512];
	FILE *file;

	tree_path(&tree, "etc/fstab", path);
	file = fopen(path, "w");
	cr_assert(file && fwrite(text, 1, len, file) == len && fclose(file) == 0);
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(fstab_load(host, &fstab, NULL), 0);
	return fstab;
}
#define LOAD(text) load(text, sizeof(text) - 1)

Test(fstab, fields_and_line_numbers)
{
	CLEANUP(cleanup_fstab)
	struct fstab *fstab = LOAD("# a comment\n\n  # another\nUUID=1\t/\text4\tdefaults\t0\t1\n"
				   "/dev/sdb1 /a\\040b ext4 ro,x=\"a,b\" 0 2\nLABEL=x none swap");

	cr_assert_eq(fstab->n, 3);
	cr_assert_eq(fstab->n_lines, 6);
	cr_assert_eq(fstab->items[0].line, 4);
	cr_assert_str_eq(fstab->items[0].spec, "UUID=1");
	cr_assert_str_eq(fstab->items[1].target, "/a b");
	cr_assert_str_eq(fstab->items[1].text, "/dev/sdb1 /a\\040b ext4 ro,x=\"a,b\" 0 2");
	cr_assert_eq(fstab_at(fstab, "/a b"), &fstab->items[1]);
	cr_assert_null(fstab_at(fstab, "/a"));
	cr_assert_eq(fstab->items[2].line, 6);
	cr_assert_str_eq(fstab->items[2].options, "defaults");
	cr_assert_str_eq(fstab->items[2].fstype, "swap");
}

Test(fstab, carriage_returns_are_line_ends)
{
	CLEANUP(cleanup_fstab)
	struct fstab *fstab =
		LOAD("# x\r\n\r\nUUID=1 / ext4 defaults 0 1\r\nUUID=2 /b ext4 ro\r\n");

	cr_assert_eq(fstab->n, 2);
	cr_assert_eq(fstab->items[1].line, 4);
	cr_assert_str_eq(fstab->items[1].options, "ro");
	cr_assert_str_eq(fstab->items[1].text, "UUID=2 /b ext4 ro");
}

Test(fstab, refused_lines_are_kept_with_the_reason)
{
	CLEANUP(cleanup_fstab)
	struct fstab *fstab =
		LOAD("UUID=1\nUUID=2 /b\nUUID=3 /c ext4 ro x\nUUID=4 /d ext4 ro 0 y\n"
		     "LABEL=\"my disk\" /e ext4 ro 0 2\n29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		     "Filename\tx y z\nUUID=5 /f ext4 ro 0 2\n");

	cr_assert_eq(fstab->n, 8);
	for (size_t i = 0; i < 7; i++) {
		cr_assert(fstab->items[i].malformed, "line %zu", i + 1);
		cr_assert(fstab->items[i].why && fstab->items[i].text);
		cr_assert_null(fstab->items[i].spec);
		cr_assert_eq(fstab->items[i].line, i + 1);
	}
	cr_assert(strstr(fstab->items[0].why, "mount point"));
	cr_assert(strstr(fstab->items[1].why, "filesystem type"));
	cr_assert(strstr(fstab->items[2].why, "fifth"));
	cr_assert(strstr(fstab->items[3].why, "sixth"));
	cr_assert_not(fstab->items[7].malformed);
}

Test(fstab, a_nul_byte_spoils_its_own_line_alone)
{
	CLEANUP(cleanup_fstab)
	struct fstab *fstab =
		LOAD("UUID=1 / ext4 ro 0 1\nUUID=2 /b\0 ext4 ro\nUUID=3 /c ext4 ro 0 2\n");

	cr_assert_eq(fstab->n, 3);
	cr_assert(fstab->items[1].malformed);
	cr_assert_str_eq(fstab->items[1].text, "UUID=2 /b\\0 ext4 ro");
	cr_assert_eq(fstab->items[2].line, 3);
	cr_assert_str_eq(fstab->items[2].target, "/c");
}

Test(fstab, a_very_long_line_does_not_shift_the_next)
{
	CLEANUP(cleanup_fstab) struct fstab *fstab = NULL;
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "UUID=1 /a ext4 ");
	for (int i = 0; i < 20000; i++)
		buf_addf(&text, "option%d,", i);
	buf_adds(&text, "ro 0 2\nUUID=2 /b ext4 ro 0 2\n");
	fstab = load(buf_text(&text), text.len);
	cr_assert_eq(fstab->n, 2);
	cr_assert(option_has(fstab->items[0].options, "option19999"));
	cr_assert_eq(fstab->items[1].line, 2);
}

Test(fstab, absent_and_empty)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_fstab) struct fstab *empty = LOAD("");
	AUTO_TREE tree = tree_new();
	struct fstab *fstab = NULL;

	cr_assert_eq(empty->n, 0);
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(fstab_load(host, &fstab, NULL), -ENOENT);
}

Test(fstab, options)
{
	const char *options = "rw,context=\"a,nofail\",device=/dev/a,device=/dev/b,x-y";
	AUTO_FREE char *second = NULL, *quoted = NULL, *none = NULL;

	cr_assert(option_has(options, "rw"));
	cr_assert(option_has(options, "x-y"));
	cr_assert_not(option_has(options, "nofail"), "it stands in quotes");
	cr_assert_not(option_has(options, "r"));
	cr_assert_not(option_has(NULL, "rw"));
	cr_assert_eq(option_value(options, "device", 1, &second), 1);
	cr_assert_str_eq(second, "/dev/b");
	cr_assert_eq(option_value(options, "context", 0, &quoted), 1);
	cr_assert_str_eq(quoted, "a,nofail");
	cr_assert_eq(option_value(options, "device", 2, &none), 0);
	cr_assert_eq(option_value(options, "rw", 0, &none), 0, "it has no value");
}
