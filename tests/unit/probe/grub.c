/* SPDX-License-Identifier: MIT */
#include "probe/grub.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Written by grub-mkconfig 2.06 of Debian for two kernels, GRUB_DEFAULT=saved, a root on hd0,gpt2. */
#define MKCONFIG "tests/fuzz/corpus/grub/mkconfig"

static struct grub *parse_as(const char *text, const char *saved, const char *next)
{
	AUTO_BUF buf = BUF_INIT;
	struct grub *grub = NULL;

	buf_adds(&buf, text);
	cr_assert_eq(grub_parse("/boot/grub/grub.cfg", &buf, saved, next, &grub, NULL), 0);
	return grub;
}
#define PARSE(text) CLEANUP(cleanup_grub) struct grub *grub = parse_as(text, NULL, NULL)

/* "ENTRY:LINE<ROOT_LINE; ..." of the files that come from a disk by its number. */
static const char *uses(const struct grub *grub)
{
	static char text[512];

	text[0] = '\0';
	for (size_t i = 0; i < grub->n_uses; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d:%u<%u",
			 i ? "; " : "", grub->uses[i].entry, grub->uses[i].line,
			 grub->uses[i].root_line);
	return text;
}

static int boots(const struct grub *grub)
{
	int found = -1;

	for (size_t i = 0; i < grub->n; i++)
		if (grub->entries[i].boots) {
			cr_assert_eq(found, -1);
			found = (int)i;
		}
	return found;
}

static char *mkconfig(void)
{
	static char text[65536];
	FILE *file = fopen(MKCONFIG, "r");

	cr_assert_not_null(file, "run from the top of the sources");
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

Test(grub, reads_what_grub_mkconfig_writes)
{
	PARSE(mkconfig());

	cr_assert_eq(grub->n, 5);
	cr_assert_str_eq(uses(grub), "");
	cr_assert_str_eq(grub->entries[0].title, "Debian GNU/Linux");
	cr_assert_str_eq(grub->entries[0].path, "0");
	cr_assert_str_eq(grub->entries[1].path, "1>0");
	cr_assert_str_eq(grub->entries[4].path, "1>3");
	cr_assert_str_eq(grub->entries[0].linux_args,
			 "root=UUID=3f0c5a86-7d0b-4a3e-9c54-1e2b8f6d7a90 ro quiet");
	cr_assert_eq(grub->entries[0].linux_line, 114);
	cr_assert_str_eq(grub->fallback, "${saved_entry}");
	cr_assert_eq(boots(grub), 0);
	cr_assert_eq(grub->n_searches, 12);
	cr_assert_str_eq(grub->searches[0].tag, "UUID=3f0c5a86-7d0b-4a3e-9c54-1e2b8f6d7a90");
}

Test(grub, the_saved_entry_boots)
{
	const char *id = "gnulinux-advanced-3f0c5a86-7d0b-4a3e-9c54-1e2b8f6d7a90>"
			 "gnulinux-6.1.0-49-amd64-advanced-3f0c5a86-7d0b-4a3e-9c54-1e2b8f6d7a90";
	CLEANUP(cleanup_grub) struct grub *saved = parse_as(mkconfig(), id, NULL);
	CLEANUP(cleanup_grub) struct grub *path = parse_as(mkconfig(), "1>3", "");
	CLEANUP(cleanup_grub) struct grub *once = parse_as(mkconfig(), "1>3", "1>1");
	CLEANUP(cleanup_grub) struct grub *gone = parse_as(mkconfig(), "old kernel", NULL);

	cr_assert_eq(boots(saved), 3);
	cr_assert_eq(boots(path), 4);
	cr_assert_eq(boots(once), 2);
	cr_assert_eq(boots(gone), 0);
}

Test(grub, a_number_and_nothing_searched)
{
	PARSE("set default=1\nset root='(hd0,gpt1)'\n"
	      "menuentry \"A\" {\n\tlinux /vmlinuz root=/dev/sda1\n\tinitrd /initrd\n}\n"
	      "menuentry 'B' --id b {\n\tset root='hd0,gpt2'\n"
	      "\tsearch --no-floppy --fs-uuid --set=root --hint-bios=hd0,gpt2 abc\n"
	      "\tlinux /vmlinuz root=UUID=1 ro\n}\n");

	cr_assert_str_eq(uses(grub), "0:4<2; 0:5<2");
	cr_assert_str_eq(grub->uses[0].root_text, "set root='(hd0,gpt1)'");
	cr_assert_eq(boots(grub), 1);
	cr_assert_str_eq(grub->entries[1].id, "b");
	cr_assert_str_eq(grub->searches[0].tag, "UUID=abc");
	cr_assert_eq(grub->searches[0].entry, 1);
}

/* Bodies run after the whole file. */
Test(grub, an_entry_takes_the_root_that_the_file_leaves)
{
	PARSE("set root=hd0,1\nmenuentry A {\n linux /vmlinuz\n}\n"
	      "search --file --set=root /vmlinuz\n");
	CLEANUP(cleanup_grub)
	struct grub *late =
		parse_as("menuentry A {\n linux /vmlinuz\n}\nroot=(ahci1,msdos1)\n", NULL, NULL);

	cr_assert_str_eq(uses(grub), "");
	cr_assert_str_eq(uses(late), "0:2<4");
}

Test(grub, searches_in_all_their_forms)
{
	static const char *const forms[] = {
		"search --no-floppy --fs-uuid --set=root U",
		"search -u -s root U",
		"search --set --fs-uuid U",
		"search --fs-uuid --set root U",
		"search --label --set=root L",
		"search --set=root --file /x",
		"search.fs_uuid U root hd0,gpt2",
		"search.fs_label L root",
		"search.file /x root",
		"search --fs-uuid --hint hd0,gpt1 --set=root U",
		"set root=$other",
		"set root='lvmid/a/b'",
		"set root=(md/0)",
	};

	for (size_t i = 0; i < ELEMENTS(forms); i++) {
		char text[256];

		snprintf(text, sizeof(text), "set root=hd0\nmenuentry A {\n%s\nlinux /v\n}\n",
			 forms[i]);
		{
			PARSE(text);
			cr_assert_str_eq(uses(grub), "", "%s", forms[i]);
		}
	}
	{
		PARSE("set root=hd0\nmenuentry A {\nsearch --set=dev --fs-uuid U\nlinux /v\n}\n");
		cr_assert_str_eq(uses(grub), "0:4<1");
	}
}

Test(grub, a_path_may_name_the_disk_itself)
{
	PARSE("menuentry A {\n linux (hd0,gpt2)/v root=x\n}\nmenuentry B {\n"
	      " linux ($root)/v\n chainloader (hd1)+1\n}\nconfigfile (lvm/a)/grub.cfg\n"
	      "search.fs_uuid U root hd1,gpt2 \nset prefix=($root)'/boot/grub'\n"
	      "configfile $prefix/grub.cfg\n");

	cr_assert_str_eq(uses(grub), "0:2<2; 1:6<6");
	cr_assert_str_eq(grub->entries[0].linux_args, "root=x");
}

Test(grub, words_are_grubs)
{
	PARSE("# set root=hd9\nset default=\"a b\"; menuentry 'x' {\n}\n"
	      "menuentry \"a \\\nb\" --class q {\n"
	      " if [ x${y} = x'}' ]; then linux /v a=\"b c\" '#' \\\n  d; fi\n}\n"
	      "submenu s { menuentry t { linux /w; } }\nmenuentry 'open");

	cr_assert_eq(grub->n, 3);
	cr_assert_eq(boots(grub), 1);
	cr_assert_str_eq(grub->entries[1].linux_args, "a=b c # d");
	cr_assert_str_eq(grub->entries[2].path, "2>0");
}

Test(grub, bounds_are_kept)
{
	AUTO_BUF deep = BUF_INIT, many = BUF_INIT;
	struct grub *grub = NULL;

	for (int i = 0; i < 1000; i++)
		buf_adds(&deep, "submenu x {\n");
	for (int i = 0; i < 2000; i++)
		buf_adds(&deep, "}\n");
	buf_adds(&deep, "menuentry y {\n}\n");
	cr_assert_eq(grub_parse("x", &deep, NULL, NULL, &grub, NULL), 0);
	cr_assert_eq(grub->n, 1);
	cr_assert_str_eq(grub->entries[0].path, "1");
	grub_free(grub);
	for (int i = 0; i < 5000; i++)
		buf_adds(&many, "menuentry y {\n}\n");
	cr_assert_eq(grub_parse("x", &many, NULL, NULL, &grub, NULL), -EFBIG);
}

Test(grub, environment_block)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *saved = NULL;

	buf_adds(&text, "# GRUB Environment Block\nsaved_entry_x=no\nsaved_entry=1>2\n#####");
	saved = grubenv_value(&text, "saved_entry");
	cr_assert_str_eq(saved, "1>2");
	cr_assert_null(grubenv_value(&text, "next_entry"));
}
