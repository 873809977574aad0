/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/udev.h"

static struct udev_entry *parse(const char *text, size_t len, bool bare)
{
	struct udev_entry *entry = NULL;

	cr_assert_eq(udev_parse(text, len, bare, &entry, NULL), 0);
	return entry;
}

Test(udev, links_and_properties_are_told_apart)
{
	static const char text[] = "S:disk/by-id/ata-X\nI:12345\nL:10\nE:ID_MODEL=X\nE:broken\n"
				   "G:systemd\nS:disk/by-uuid/1\nE:A=b=c\nV:1";
	CLEANUP(cleanup_udev_entry) struct udev_entry *entry = parse(text, strlen(text), false);

	cr_assert_eq(strv_length(entry->links), 2);
	cr_assert_str_eq(entry->links[1], "disk/by-uuid/1");
	cr_assert_eq(strv_length(entry->properties), 2);
	cr_assert_str_eq(udev_get(entry, "ID_MODEL"), "X");
	cr_assert_str_eq(udev_get(entry, "A"), "b=c");
	cr_assert_null(udev_get(entry, "ID_MOD"));
	cr_assert_null(udev_get(NULL, "ID_MODEL"));
}

Test(udev, bare_properties_and_no_final_newline)
{
	static const char text[] = "ID_FS_TYPE=ext4\nID_FS_TYPE=xfs\nnothing\nID_FS_UUID=1";
	CLEANUP(cleanup_udev_entry) struct udev_entry *entry = parse(text, strlen(text), true);

	cr_assert_str_eq(udev_get(entry, "ID_FS_TYPE"), "xfs", "the later one counts");
	cr_assert_str_eq(udev_get(entry, "ID_FS_UUID"), "1");
}

Test(udev, hostile_bytes_are_kept)
{
	static const char text[] = "E:ID_FS_LABEL=\x1b[31m\xff\nE:A=1\0E:B=2\nE:C=3\n";
	CLEANUP(cleanup_udev_entry) struct udev_entry *entry = parse(text, sizeof(text) - 1, false);

	cr_assert_str_eq(udev_get(entry, "ID_FS_LABEL"), "\x1b[31m\xff");
	cr_assert_str_eq(udev_get(entry, "A"), "1");
	cr_assert_null(udev_get(entry, "B"));
	cr_assert_str_eq(udev_get(entry, "C"), "3");
}

Test(udev, lines_are_bounded)
{
	struct udev_entry *entry = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;

	for (int i = 0; i <= UDEV_MAX_LINES; i++)
		buf_adds(&text, "S:a\n");
	cr_assert_eq(udev_parse(buf_text(&text), text.len, false, &entry, &err), -EFBIG);
	cr_assert_null(entry);
}

Test(udev, decoding)
{
	static const struct {
		const char *encoded, *plain;
	} rows[] = {
		{ "my\\x20disk", "my disk" },
		{ "X\\x20\\x20\\x20", "X" },
		{ "\\x20\\x20", NULL },
		{ "", NULL },
		{ "a\\x00b", "a\\x00b" },
		{ "a\\xg0", "a\\xg0" },
		{ "a\\x1", "a\\x1" },
		{ "\\xe2\\x80\\xae", "\xe2\x80\xae" },
		{ "back\\x5cslash", "back\\slash" },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		AUTO_FREE char *plain = NULL;

		cr_assert_eq(udev_decode(rows[i].encoded, &plain), 0);
		if (rows[i].plain)
			cr_assert_str_eq(plain, rows[i].plain, "%s", rows[i].encoded);
		else
			cr_assert_null(plain, "%s", rows[i].encoded);
	}
}
