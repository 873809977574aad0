/* SPDX-License-Identifier: MIT */
/* The entries of the firmware. */
#include "names_boot.h"

Test(names_boot, an_entry_by_its_partition_goes_with_the_disk)
{
	AUTO_TREE tree = boot_machine();

	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 0);
	NUMBERS(&tree, "BootCurrent", 0);
	EXPECT_ALL(&tree, SWAP_AB, "boot-entry-stable Boot0000 pass; " STABLE_LINE);
	EXPECT_ALL(&tree, MOVE("SERa", "port 3"), "boot-entry-stable Boot0000 pass; " STABLE_LINE);
}

Test(names_boot, a_full_path_matters_where_its_port_is_worked_on)
{
	AUTO_TREE tree = boot_machine();

	made_full(&tree, "Boot0001", 0x1f, 2, 0, PART("a"));
	NUMBERS(&tree, "BootOrder", 1);
	NUMBERS(&tree, "BootCurrent", 1);
	EXPECT_ALL(&tree, CYCLE, "boot-entry-stable Boot0001 pass; " STABLE_LINE);
	EXPECT_ALL(&tree, SWAP_BC, "boot-entry-stable Boot0001 pass; " STABLE_LINE);
	EXPECT(&tree, MOVE("SERa", "port 3"),
	       "entry-full-path-moves Boot0001 fail; no-fallback-loader "
	       "/boot/efi/EFI/BOOT/BOOTX64.EFI unknown");
	EXPECT(&tree, SWAP_AB,
	       "entry-full-path-moves Boot0001 fail; no-fallback-loader "
	       "/boot/efi/EFI/BOOT/BOOTX64.EFI unknown");
}

/* An old tool's mistake: 0x8000 in the place of a multiplier's port.  The firmware compares bytes. */
Test(names_boot, a_path_that_differs_in_the_multiplier)
{
	AUTO_TREE tree = boot_machine();
	struct made_path wrong = { .len = 0 }, zero = { .len = 0 };

	made_pci(&wrong, 0x1f, 2);
	made_sata(&wrong, 0, INT16_MIN);
	made_gpt(&wrong, 1, PART("a"));
	made_entry(&tree, "Boot0000", EFI_ACTIVE, "wrong", &wrong);
	made_pci(&zero, 0x1f, 2);
	made_sata(&zero, 0, 0);
	made_gpt(&zero, 1, PART("a"));
	made_entry(&tree, "Boot0001", EFI_ACTIVE, "zero", &zero);
	made_short(&tree, "Boot0002", PART("a"));
	NUMBERS(&tree, "BootOrder", 0, 1, 2);
	NUMBERS(&tree, "BootCurrent", 2);
	EXPECT(&tree, SWAP_BC, "entry-full-path-dead Boot0000 warn");
	/* what has booted is right, whatever it looks like */
	NUMBERS(&tree, "BootCurrent", 0);
	EXPECT(&tree, SWAP_BC, "");
}

Test(names_boot, loudest_where_another_disk_would_start)
{
	AUTO_TREE tree = boot_machine();

	/* no partition in the path: what is on the port is started */
	made_full(&tree, "Boot0001", 0x1f, 2, 0, NULL);
	NUMBERS(&tree, "BootOrder", 1);
	NUMBERS(&tree, "BootCurrent", 1);
	tree_file(&tree, "boot/efi/EFI/Boot/bootx64.efi", "");
	EXPECT_ALL(&tree, SWAP_BC, "boot-entry-stable Boot0001 pass; " STABLE_LINE);
	EXPECT(&tree, SWAP_AB, "entry-other-disk Boot0001 fail");
	EXPECT(&tree, MOVE("SERa", "port 3"), "entry-full-path-moves Boot0001 fail");
}

Test(names_boot, a_clone_on_the_port_is_another_disk)
{
	AUTO_TREE tree = boot_machine();

	machine_udev(&tree, 2, 1, TAGS("b", "a"));
	made_full(&tree, "Boot0001", 0x1f, 2, 0, PART("a"));
	NUMBERS(&tree, "BootOrder", 1);
	NUMBERS(&tree, "BootCurrent", 1);
	tree_file(&tree, "boot/efi/EFI/BOOT/BOOTX64.EFI", "");
	EXPECT(&tree, SWAP_AB, "entry-other-disk Boot0001 fail");
	EXPECT(&tree, SWAP_BC, "");
}

Test(names_boot, one_partition_uuid_on_two_disks)
{
	AUTO_TREE tree = boot_machine();

	machine_udev(&tree, 2, 1, TAGS("b", "a"));
	made_short(&tree, "Boot0001", PART("a"));
	NUMBERS(&tree, "BootOrder", 1);
	NUMBERS(&tree, "BootCurrent", 1);
	tree_file(&tree, "boot/efi/EFI/BOOT/BOOTX64.EFI", "");
	EXPECT(&tree, SWAP_AB, "entry-partition-doubled Boot0001 fail");
	EXPECT(&tree, CYCLE, "entry-partition-doubled Boot0001 warn");
}

Test(names_boot, what_comes_first_and_leads_nowhere)
{
	AUTO_TREE tree = boot_machine();
	struct made_path file = { .len = 0 };

	made_full(&tree, "Boot0000", 0x1f, 2, 1, PART("a")); /* the port of sdb */
	made_file(&file, "\\EFI\\BOOT\\BOOTX64.EFI");
	made_entry(&tree, "Boot0001", EFI_ACTIVE, "file", &file);
	made_short(&tree, "Boot0002", PART("f"));
	made_short(&tree, "Boot0003", PART("a"));
	NUMBERS(&tree, "BootOrder", 0, 1, 2, 9, 3);
	NUMBERS(&tree, "BootCurrent", 3);
	EXPECT(&tree, SWAP_BC,
	       "entry-full-path-dead Boot0000 warn; entry-file-only Boot0001 warn; "
	       "entry-missing-partition Boot0002 warn; entry-unreadable Boot0009 warn");
	/* behind the one that boots nobody waits for them */
	NUMBERS(&tree, "BootOrder", 3, 0, 1, 2);
	EXPECT(&tree, SWAP_BC, "");
}

Test(names_boot, legacy_entries)
{
	AUTO_TREE tree = boot_machine();
	static const uint8_t bbs[] = { 5, 1, 9, 0, 2, 0, 0, 0, 0 };
	struct made_path path = { .len = sizeof(bbs) }, again = path;

	memcpy(path.bytes, bbs, sizeof(bbs));
	memcpy(again.bytes, bbs, sizeof(bbs));
	made_entry(&tree, "Boot0002", 0, "Hard Drive", &path);
	made_short(&tree, "Boot0008", PART("a"));
	NUMBERS(&tree, "BootOrder", 2, 8);
	NUMBERS(&tree, "BootCurrent", 8);
	EXPECT(&tree, SWAP_AB, "");
	made_entry(&tree, "Boot0002", EFI_ACTIVE, "Hard Drive", &again);
	EXPECT(&tree, SWAP_AB, "entry-bbs Boot0002 warn");
	NUMBERS(&tree, "BootCurrent", 2);
	tree_file(&tree, "boot/efi/EFI/BOOT/BOOTX64.EFI", "");
	EXPECT(&tree, SWAP_AB, "entry-bbs Boot0002 fail");
	EXPECT(&tree, CYCLE, "entry-bbs Boot0002 warn");
}

Test(names_boot, a_power_on_without_the_boot_disk)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "proc/cmdline", "root=UUID=" MACHINE_UUID("b") "\n");
	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 0);
	NUMBERS(&tree, "BootCurrent", 0);
	tree_file(&tree, "boot/efi/EFI/debian/grubx64.efi", "");
	EXPECT(&tree, REMOVE("SERa"),
	       "boot-disk-absent power-on without MODEL (SERa) fail; no-fallback-loader "
	       "/boot/efi/EFI/BOOT/BOOTX64.EFI warn");
	EXPECT(&tree, REMOVE("SERc"), "");
	tree_file(&tree, "boot/efi/EFI/BOOT/BOOTX64.EFI", "");
	EXPECT(&tree, REMOVE("SERa"), "boot-disk-absent power-on without MODEL (SERa) fail");
}

Test(names_boot, the_entry_that_booted_cannot_be_read)
{
	AUTO_TREE tree = boot_machine();

	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 0);
	NUMBERS(&tree, "BootCurrent", 5);
	EXPECT(&tree, SWAP_AB, "entry-unreadable Boot0005 unknown");
}

Test(names_boot, variables_that_are_not_there)
{
	AUTO_TREE tree = boot_machine();

	tree_file(&tree, "sys/firmware/efi/fw_platform_size", "64\n");
	EXPECT(&tree, SWAP_AB, "firmware-unreadable /sys/firmware/efi/efivars unknown");
}

Test(names_boot, another_partition_is_mounted_than_boots)
{
	AUTO_TREE tree = boot_machine();

	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 0);
	NUMBERS(&tree, "BootCurrent", 0);
	tree_file(&tree, "proc/self/mountinfo",
		  "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 29 8:33 / /boot/efi rw - vfat "
		  "/dev/sdc1 rw\n");
	EXPECT(&tree, SWAP_AB, "boot-current-other-esp /boot/efi warn");
}

Test(names_boot, a_bios_keeps_its_list_to_itself)
{
	AUTO_TREE tree = boot_machine();

	EXPECT_ALL(&tree, SWAP_AB, "firmware-not-told /sys/firmware skip; " STABLE_LINE);
	tree_file(&tree, "sys/firmware/memmap/0/type", "System RAM\n");
	EXPECT(&tree, SWAP_AB, "bios-order /sys/firmware unknown");
	EXPECT(&tree, SWAP_BC, "bios-order /sys/firmware unknown");
	EXPECT_ALL(&tree, CYCLE, "firmware-order-kept /sys/firmware pass; " STABLE_LINE);
	tree_file(&tree, "sys/firmware/devicetree/base/model", "Raspberry Pi 5");
	EXPECT_ALL(&tree, SWAP_AB, "firmware-order-kept /sys/firmware pass; " STABLE_LINE);
}

/* A port's entry ahead of the one that boots, to which the boot disk comes. */
Test(names_boot, the_boot_disk_arrives_where_another_entry_leads)
{
	AUTO_TREE tree = boot_machine();

	made_full(&tree, "Boot0001", 0x1f, 2, 3, NULL);
	made_short(&tree, "Boot0000", PART("a"));
	NUMBERS(&tree, "BootOrder", 1, 0);
	NUMBERS(&tree, "BootCurrent", 0);
	EXPECT(&tree, MOVE("SERa", "port 3"), "");
	EXPECT(&tree, MOVE("SERb", "port 3"),
	       "entry-other-disk Boot0001 fail; no-fallback-loader "
	       "/boot/efi/EFI/BOOT/BOOTX64.EFI unknown");
}
