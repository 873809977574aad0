/* SPDX-License-Identifier: MIT */
/* Boot loaders and command lines. */
#include "names_boot.h"

Test(names_boot_lines, grub_by_a_number)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "boot/grub/grub.cfg",
		  "set root='(hd0,gpt1)'\nmenuentry A {\n linux /v " ROOT "}\n"
		  "menuentry B {\n set root=hd1,gpt1\n linux /v " ROOT "}\n");
	EXPECT(&tree, CYCLE,
	       "grub-root-hd /boot/grub/grub.cfg:1 fail; grub-root-hd /boot/grub/grub.cfg:6 warn");
	tree_file(&tree, "boot/grub/grub.cfg",
		  "set root='(hd0,gpt1)'\nsearch --fs-uuid --set=root " MACHINE_UUID(
			  "a") "\n"
			       "menuentry A {\n linux /v " ROOT "}\n");
	EXPECT(&tree, SWAP_AB, "");
}

Test(names_boot_lines, grub_searches_for_what_two_have_or_nobody_has)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "boot/grub/grub.cfg",
		  "search --fs-uuid --set=root beef\nmenuentry A {\n linux /v " ROOT "}\n");
	EXPECT(&tree, SWAP_AB, "grub-search-absent /boot/grub/grub.cfg:1 fail");
	tree_file(&tree, "boot/grub/grub.cfg",
		  "search --fs-uuid --set=root " MACHINE_UUID(
			  "b") "\nmenuentry A {\n linux /v " ROOT "}\n");
	machine_udev(&tree, 3, 1, TAGS("b", "c"));
	EXPECT(&tree, SWAP_BC, "grub-search-doubled /boot/grub/grub.cfg:1 fail");
	EXPECT(&tree, CYCLE, "grub-search-doubled /boot/grub/grub.cfg:1 warn");
}

Test(names_boot_lines, the_map_of_grubs_tools)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "boot/grub/device.map",
		  "(fd0)\n(hd0)\t/dev/sda\n(hd1)\t/dev/disk/by-id/ata-MODEL_SERb\n");
	EXPECT(&tree, SWAP_AB, "grub-device-map /boot/grub/device.map:2 warn");
}

#define LINE(text, wanted)                                                                         \
	({                                                                                         \
		AUTO_TREE tree_ = boot_machine();                                                  \
		tree_file(&tree_, "proc/cmdline", text "\n");                                      \
		EXPECT(&tree_, SWAP_AB, wanted);                                                   \
	})
#define AT " /proc/cmdline:1 "
#define BY_PATH "/dev/disk/by-path/pci-0000:00:1f.2-ata-1-part1"

Test(names_boot_lines, parameters)
{
	LINE("root=/dev/sda1", "root-kernel-name" AT "fail");
	LINE("root=0801", "root-kernel-name" AT "fail");
	LINE("root=" BY_PATH, "device-changes" AT "fail");
	LINE("root=/dev/disk/by-path/pci-0000:00:1f.2-ata-4-part1", "");
	LINE("root=LABEL=x resume=/dev/sdb2", "resume-kernel-name" AT "warn");
	LINE("resume=/dev/sdb2 resume=", "resume-kernel-name" AT "warn");
	LINE("root=/dev/sda1 root=UUID=" MACHINE_UUID("a"), "root-kernel-name" AT "warn");
	LINE("resume=UUID=beef", "device-missing" AT "warn");
	LINE("resume=UUID=beef resume=", "");
	LINE("cryptdevice=/dev/sda1:root:allow-discards root=/dev/mapper/root",
	     "luks-kernel-name" AT "fail");
	LINE("cryptdevice=UUID=" MACHINE_UUID("a") ":root", "");
	LINE("cryptopts=target=r,source=/dev/sda1,luks", "luks-kernel-name" AT "fail");
	LINE("rd.luks.uuid=luks-" MACHINE_UUID("a") " rd.luks.uuid=" MACHINE_UUID("b"), "");
	LINE("rd.luks.name=" MACHINE_UUID("b") "=data root=ZFS=rpool/ROOT", "");
	LINE("root=/dev/nfs nfsroot=1.2.3.4:/x quiet -- root=/dev/sda1", "");
	LINE("rootwait", "");
}

Test(names_boot_lines, the_next_line_counts_more_than_the_running_one)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "proc/cmdline", "root=/dev/sda1\n");
	tree_file(&tree, "boot/extlinux/extlinux.conf", "LABEL l\nAPPEND " ROOT);
	EXPECT(&tree, SWAP_AB, "root-kernel-name /proc/cmdline:1 warn");
	tree_file(&tree, "proc/cmdline", ROOT);
	tree_file(&tree, "boot/extlinux/extlinux.conf", "LABEL l\nAPPEND root=/dev/sda1\n");
	EXPECT(&tree, SWAP_AB, "root-kernel-name /boot/extlinux/extlinux.conf:2 fail");
	tree_file(&tree, "boot/extlinux/extlinux.conf",
		  "LABEL l\nAPPEND root=UUID=" MACHINE_UUID("b") "\n");
	EXPECT(&tree, SWAP_AB, "cmdline-differs /boot/extlinux/extlinux.conf:2 warn");
	tree_file(&tree, "boot/extlinux/extlinux.conf",
		  "LABEL l\nAPPEND root=PARTUUID=" PART("a") "\n");
	EXPECT(&tree, SWAP_AB, "");
}

Test(names_boot_lines, what_the_next_line_is_written_from)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "etc/default/grub",
		  "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet resume=/dev/sdb1\"\n"
		  "GRUB_DISABLE_LINUX_UUID=true\n#GRUB_DISABLE_LINUX_UUID=true\n");
	tree_file(&tree, "etc/initramfs-tools/conf.d/resume", "RESUME=/dev/sdb1\n");
	tree_file(&tree, "etc/kernel/cmdline", "root=/dev/sda1\n");
	EXPECT(&tree, SWAP_AB,
	       "default-kernel-name /etc/default/grub:1 warn; default-no-uuid /etc/default/grub:2 "
	       "warn; resume-kernel-name /etc/initramfs-tools/conf.d/resume:1 warn; "
	       "default-kernel-name /etc/kernel/cmdline:1 warn");
}

Test(names_boot_lines, a_loader_that_may_not_be_read)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "coldswap/unreadable.tsv", "/boot/grub/grub.cfg\tEACCES\n");
	EXPECT(&tree, SWAP_AB, "loader-unreadable /boot/grub/grub.cfg unknown");
}

/* An earlier installation's, on the same EFI system partition. */
Test(names_boot_lines, a_stale_loader_of_another_vendor)
{
	AUTO_TREE tree = boot_machine();

	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 0);
	NUMBERS(&tree, "BootCurrent", 0);
	tree_file(&tree, "boot/efi/EFI/fedora/grub.cfg",
		  "set root=hd0\nmenuentry x {\nlinux /v root=/dev/sdb9\n}\n");
	EXPECT(&tree, SWAP_AB, "root-kernel-name /boot/efi/EFI/fedora/grub.cfg:3 warn");
	tree_file(&tree, "boot/efi/EFI/Debian/grub.cfg", "search.fs_uuid beef root\n");
	EXPECT(&tree, SWAP_AB,
	       "grub-search-absent /boot/efi/EFI/Debian/grub.cfg:1 fail; root-kernel-name "
	       "/boot/efi/EFI/fedora/grub.cfg:3 warn");
}

Test(names_boot_lines, a_kernel_that_the_firmware_starts_itself)
{
	static const char option[] = "\x01\0\0\0\x0e\0x\0\0\0\x04\x04\x0a\0\\\0v\0\0\0\x7f\xff"
				     "\x04\0r\0o\0o\0t\0=\0/\0d\0e\0v\0/\0s\0d\0a\0"
				     "1\0\0";
	AUTO_TREE tree = boot_machine();

	made_variable(&tree, "Boot0003", option, sizeof(option));
	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 0);
	NUMBERS(&tree, "BootCurrent", 0);
	EXPECT(&tree, SWAP_AB, "root-kernel-name " EFI_MADE_PATH("Boot0003") " warn");
	NUMBERS(&tree, "BootOrder", 3);
	NUMBERS(&tree, "BootCurrent", 3);
	EXPECT(&tree, SWAP_AB,
	       "entry-file-only Boot0003 warn; no-fallback-loader /boot/efi/EFI/BOOT/BOOTX64.EFI "
	       "unknown; root-kernel-name " EFI_MADE_PATH("Boot0003") " fail");
}

Test(names_boot_lines, keys_bound_to_the_firmwares_configuration)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "etc/crypttab",
		  "a UUID=1 - tpm2-device=auto,tpm2-pcrs=0+1+7\nb UUID=2 - tpm2-pcrs=7\n"
		  "c UUID=3 - tpm2-pcrs=11+14\n#d UUID=4 - tpm2-pcrs=1\n");
	EXPECT(&tree, SWAP_AB, "tpm-pcr-1 /etc/crypttab:1 warn");
	EXPECT(&tree, CYCLE, "");
}

Test(names_boot_lines, no_disk_is_a_skip)
{
	CLEANUP(result_done) struct result result;
	AUTO_MACHINE machine = { 0 };
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "sys/class/block/.keep", "");
	tree_file(&tree, "proc/cmdline", "root=/dev/mapper/host-root\n");
	run(&machine, &tree, CYCLE, &result);
	cr_assert_eq(result.verdict, VERDICT_SKIP);
}
