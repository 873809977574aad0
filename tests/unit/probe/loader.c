/* SPDX-License-Identifier: MIT */
#include "probe/loader.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "tree.h"

static struct loaders *load(const struct tree *tree)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct loaders *loaders = NULL;

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(loaders_load(host, &loaders, NULL), 0);
	return loaders;
}

/* "SOURCE [ARGS]" with a "*" before what boots; in the order that was read. */
static const char *lines(const struct loaders *loaders)
{
	static char text[4096];

	text[0] = '\0';
	for (size_t i = 0; i < loaders->lines.n; i++) {
		const struct kernel_line *line = &loaders->lines.items[i];

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s [%s]",
			 i ? "; " : "", line->boots ? "*" : "", line->source, line->args);
	}
	return text;
}
#define EXPECT(tree, wanted)                                                                       \
	({                                                                                         \
		CLEANUP(cleanup_loaders) struct loaders *loaders_ = load(tree);                    \
		cr_assert_str_eq(lines(loaders_), wanted);                                         \
	})

Test(loader, a_host_without_any)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_loaders) struct loaders *loaders = load(&tree);

	cr_assert_eq(loaders->lines.n, 0);
	cr_assert(!loaders->found);
	cr_assert_null(loaders->lines.unreadable);
}

Test(loader, grub_and_what_it_is_written_from)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "boot/grub/grub.cfg",
		  "set default=\"${saved_entry}\"\nmenuentry a {\nlinux /v root=A\n}\n"
		  "menuentry b {\nlinux /v root=B ro\n}\n");
	tree_file(&tree, "boot/grub/grubenv", "saved_entry=b\n");
	tree_file(&tree, "boot/efi/EFI/debian/grub.cfg", "search.fs_uuid U root\n");
	tree_file(&tree, "proc/cmdline", "root=A quiet\n");
	tree_file(&tree, "etc/default/grub",
		  "# GRUB_CMDLINE_LINUX=x\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet resume=/dev/sda2\"\n"
		  "export GRUB_CMDLINE_LINUX=''\nGRUB_DISABLE_LINUX_UUID=true\n");
	tree_file(&tree, "etc/default/grub.d/10.cfg", "GRUB_CMDLINE_LINUX='root=C'\r\n");
	tree_file(&tree, "etc/initramfs-tools/conf.d/resume", "RESUME=/dev/sda3\n");
	tree_file(&tree, "etc/kernel/cmdline", "# x\nroot=D\n");
	tree_file(&tree, "etc/initramfs-tools/conf.d/cryptroot",
		  "CRYPTROOT=target=r,source=/dev/sda2\n");
	tree_file(&tree, "etc/dracut.conf.d/x.conf", "kernel_cmdline+=\" root=E \"\n");
	EXPECT(&tree,
	       "/boot/grub/grub.cfg:3 [root=A]; */boot/grub/grub.cfg:6 [root=B ro]; "
	       "/proc/cmdline:1 [root=A quiet\n]; "
	       "/etc/default/grub:2 [quiet resume=/dev/sda2]; /etc/default/grub:3 []; "
	       "/etc/default/grub:4 [true]; /etc/default/grub.d/10.cfg:1 [root=C]; "
	       "/etc/initramfs-tools/conf.d/resume:1 [resume=/dev/sda3]; "
	       "/etc/initramfs-tools/conf.d/cryptroot:1 [cryptopts=target=r,source=/dev/sda2]; "
	       "/etc/dracut.conf.d/x.conf:1 [ root=E ]; /etc/kernel/cmdline:2 [root=D]");
}

#define ENTRY(name, options)                                                                       \
	tree_file(&tree, "boot/loader/entries/" name ".conf",                                      \
		  "title x\n# options no\nlinux /v\noptions " options "\n")

Test(loader, entries_by_systemd_boot)
{
	AUTO_TREE tree = tree_new();

	ENTRY("m-6.1.0-9", "root=A");
	ENTRY("m-6.1.0-10", "root=B ro");
	tree_file(&tree, "boot/loader/entries/readme.txt", "options root=no\n");
	EXPECT(&tree, "/boot/loader/entries/m-6.1.0-9.conf:4 [root=A]; "
		      "*/boot/loader/entries/m-6.1.0-10.conf:4 [root=B ro]");
	tree_file(&tree, "boot/loader/loader.conf", "timeout 3\ndefault m-*-9\n");
	EXPECT(&tree, "*/boot/loader/entries/m-6.1.0-9.conf:4 [root=A]; "
		      "/boot/loader/entries/m-6.1.0-10.conf:4 [root=B ro]");
}

Test(loader, entries_by_grub)
{
	AUTO_TREE tree = tree_new();

	ENTRY("m-1", "root=A");
	ENTRY("m-2", "$kernelopts quiet");
	tree_file(&tree, "boot/grub2/grub.cfg", "insmod blscfg\nblscfg\n");
	tree_file(&tree, "boot/grub2/grubenv", "saved_entry=m-2\nkernelopts=root=K ro\n");
	EXPECT(&tree, "/boot/loader/entries/m-1.conf:4 [root=A]; "
		      "*/boot/loader/entries/m-2.conf:4 [root=K ro quiet]");
}

Test(loader, extlinux_and_the_pi)
{
	AUTO_TREE tree = tree_new(), pi = tree_new();

	tree_file(&tree, "boot/extlinux/extlinux.conf",
		  "DEFAULT two\nLABEL one\n  LINUX /v\n  APPEND root=A\nlabel two\n append root=B "
		  "ro\n");
	EXPECT(&tree, "/boot/extlinux/extlinux.conf:4 [root=A]; */boot/extlinux/extlinux.conf:6 "
		      "[root=B ro]");
	tree_file(&pi, "boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=4e639091-02\n");
	EXPECT(&pi, "*/boot/firmware/cmdline.txt:1 [console=tty1 root=PARTUUID=4e639091-02]");
}

Test(loader, what_may_not_be_read_is_said)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_loaders) struct loaders *loaders = NULL;

	tree_file(&tree, "coldswap/unreadable.tsv", "/boot/grub/grub.cfg\tEACCES\n");
	loaders = load(&tree);
	cr_assert_not_null(loaders->lines.unreadable);
	cr_assert(strstr(loaders->lines.unreadable[0], "/boot/grub/grub.cfg: "));
}

Test(loader, parameters_are_split_as_the_kernel_does)
{
	struct kernel_params params;

	cr_assert_eq(kernel_params_parse(" ro root=UUID=a  x=\"b c\" resume= \"y=d e\" -- root=no",
					 &params, NULL),
		     0);
	cr_assert_eq(params.n, 5);
	cr_assert_null(params.items[0].value);
	cr_assert_str_eq(params.items[1].value, "UUID=a");
	cr_assert_str_eq(params.items[2].value, "b c");
	cr_assert_str_eq(params.items[3].value, "");
	cr_assert_str_eq(params.items[4].name, "y");
	cr_assert_str_eq(params.items[4].value, "d e");
	kernel_params_done(&params);
}
