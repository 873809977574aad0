/* SPDX-License-Identifier: MIT */
#include "probe/efi.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "efi_made.h"

#define UUID "40ca254f-de5e-5e36-8833-127c68a9cff8"
#define SHORT "HD(1,GPT," UUID ",0x800,0x100000)/File(\\EFI\\debian\\shimx64.efi)"

static struct efi *load(const struct tree *tree, int wanted)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct efi *efi = NULL;

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(efi_load(host, &efi, NULL), wanted);
	return efi;
}

static const struct efi_entry *entry(const struct efi *efi, int number)
{
	const struct efi_entry *found = efi_entry(efi, number);

	cr_assert_not_null(found);
	return found;
}

Test(efi, reads_what_the_libraries_write)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_efi) struct efi *efi = NULL;
	const struct efi_entry *one, *two;

	made_short(&tree, "Boot0000", UUID);
	made_full(&tree, "Boot00AF", 0x17, 0, 2, UUID);
	NUMBERS(&tree, "BootOrder", 0xaf, 0);
	NUMBERS(&tree, "BootCurrent", 0);
	NUMBERS(&tree, "BootNext", 0xaf);
	efi = load(&tree, 0);
	cr_assert_eq(efi->n, 2);
	cr_assert_eq(efi->n_order, 2);
	cr_assert_eq(efi->order[0], 0xaf);
	cr_assert_eq(efi->current, 0);
	cr_assert_eq(efi->next, 0xaf);
	one = entry(efi, 0);
	cr_assert_eq(one->form, EFI_PARTITION);
	cr_assert(one->active && !one->firmware_made);
	cr_assert_str_eq(one->description, "debian");
	cr_assert_str_eq(one->part_uuid, UUID);
	cr_assert_eq(one->partition, 1);
	cr_assert_eq(one->start, 2048);
	cr_assert_eq(one->size, 1048576);
	cr_assert_str_eq(one->file, "\\EFI\\debian\\shimx64.efi");
	cr_assert_str_eq(one->text, "Boot0000* debian\t" SHORT);
	cr_assert_str_eq(one->source, EFI_MADE_PATH("Boot0000"));
	cr_assert_null(one->hardware_text);
	two = entry(efi, 0xaf);
	cr_assert_eq(two->form, EFI_FULL);
	cr_assert_str_eq(two->hardware_text, "PciRoot(0x0)/Pci(0x17,0x0)/Sata(2,65535,0)");
	cr_assert_eq(two->hardware.bus, EFI_BUS_SATA);
	cr_assert_eq(two->hardware.port, 2);
	cr_assert_eq(two->hardware.pmp, EFI_SATA_DIRECT);
	cr_assert_eq(two->hardware.n_pci, 1);
	cr_assert_eq(two->hardware.pci[0].device, 0x17);
	cr_assert(!two->hardware.opaque);
}

Test(efi, text_is_what_the_library_prints)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_efi) struct efi *efi = NULL;
	struct made_path path = { .len = 0 };
	char printed[512];

	made_pci(&path, 0x1c, 4);
	made_pci(&path, 0, 0);
	made_sata(&path, 3, 5);
	made_gpt(&path, 2, UUID);
	made_file(&path, "\\EFI\\x.efi");
	made_entry(&tree, "Boot0001", 0, "x", &path);
	efi = load(&tree, 0);
	cr_assert_gt(efidp_format_device_path(printed, sizeof(printed), (const_efidp)path.bytes,
					      path.len),
		     0);
	cr_assert_str_eq(entry(efi, 1)->path, printed);
	cr_assert(!entry(efi, 1)->active);
	cr_assert_eq(strncmp(entry(efi, 1)->text, "Boot0001  x\tPciRoot(0x0)/", 25), 0);
}

/* A load option by hand: attributes, path length, "x", path, END. */
static int parse(const void *path, size_t len, struct efi_entry *ret, struct error *err)
{
	uint8_t option[512] = { 1, 0, 0, 0, (uint8_t)(len + 4), (uint8_t)((len + 4) >> 8), 'x', 0 };

	*ret = (struct efi_entry){ 0 };
	memcpy(option + 10, path, len);
	memcpy(option + 10 + len, "\x7f\xff\x04\x00", 4);
	return efi_option_parse(option, 14 + len, ret, err);
}
#define FORM(bytes, wanted_form, wanted_text)                                                      \
	({                                                                                         \
		struct efi_entry entry_;                                                           \
		cr_assert_eq(parse(bytes, sizeof(bytes) - 1, &entry_, NULL), 0);                   \
		cr_assert_eq(entry_.form, wanted_form);                                            \
		cr_assert_str_eq(entry_.path, wanted_text);                                        \
		efi_entry_done(&entry_);                                                           \
	})

Test(efi, other_forms)
{
	FORM("\x04\x04\x0a\x00\\\0a\0\0\0", EFI_FILE, "File(\\a)");
	FORM("\x05\x01\x09\x00\x02\x00\x00\x01\x00", EFI_BBS, "BBS(HD,,0x100)");
	FORM("\x04\x06\x14\x00\xb6\x74\x9b\x7c\xf6\xb9\x90\x45\xb7\x71\xb6\x3a\x5a\xb4\x2b\x9c",
	     EFI_FIRMWARE, "FvFile(7c9b74b6-b9f6-4590-b771-b63a5ab42b9c)");
	FORM("\x01\x01\x06\x00\x00\x1f\x03\x0b\x25\x00\x52\x54\x00\x12\x34\x56"
	     "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01",
	     EFI_NETWORK, "Pci(0x1f,0x0)/MAC(525400123456,1)");
	FORM("\x01\x01\x06\x00\x02\x1f\x03\x12\x0a\x00\x01\x00\xff\xff\x00\x00", EFI_DEVICE,
	     "Pci(0x1f,0x2)/Sata(1,65535,0)");
	FORM("\x01\x01\x06\x00\x00\x1d\x03\x05\x06\x00\x01\x00", EFI_DEVICE,
	     "Pci(0x1d,0x0)/USB(1,0)");
	FORM("", EFI_OTHER, "");
	/* a node too short for its type is shown, not read */
	FORM("\x03\x12\x06\x00\x01\x00", EFI_DEVICE, "Path(3,18,0100)");
	FORM("\x04\x01\x2a\x00\x01\x00\x00\x00\x3f\0\0\0\0\0\0\0\x00\x10\0\0\0\0\0\0"
	     "\xef\xbe\xad\xde\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01",
	     EFI_PARTITION, "HD(1,MBR,0xdeadbeef,0x3f,0x1000)");
}

Test(efi, mbr_signature_is_a_partition_uuid)
{
	struct efi_entry found;

	cr_assert_eq(parse("\x04\x01\x2a\x00\x0b\x00\x00\x00\x3f\0\0\0\0\0\0\0\x00\x10\0\0\0\0\0\0"
			   "\xef\xbe\xad\xde\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01",
			   42, &found, NULL),
		     0);
	cr_assert_str_eq(found.part_uuid, "deadbeef-0b");
	efi_entry_done(&found);
}

#define REFUSED(bytes, words)                                                                      \
	({                                                                                         \
		CLEANUP(error_done) struct error err_ = ERROR_INIT;                                \
		struct efi_entry entry_ = { 0 };                                                   \
		cr_assert_eq(efi_option_parse(bytes, sizeof(bytes) - 1, &entry_, &err_),           \
			     -EBADMSG);                                                            \
		cr_assert(strstr(error_text(&err_), words), "%s", error_text(&err_));              \
		efi_entry_done(&entry_);                                                           \
	})

Test(efi, hostile_sizes_are_refused)
{
	REFUSED("", "shorter");
	REFUSED("\x01\0\0\0\x04", "shorter");
	REFUSED("\x01\0\0\0\x04\0x", "description");
	REFUSED("\x01\0\0\0\x04\0x\0y\0", "description");
	REFUSED("\x01\0\0\0\x05\0x\0\0\0\x7f\xff\x04\0", "longer");
	REFUSED("\x01\0\0\0\xff\xffx\0\0\0\x7f\xff\x04\0", "longer");
	REFUSED("\x01\0\0\0\x04\0x\0\0\0\x7f\x01\x04\0", "does not end");
	REFUSED("\x01\0\0\0\x04\0x\0\0\0\x04\x04\x00\0", "does not end");
	REFUSED("\x01\0\0\0\x04\0x\0\0\0\x04\x04\xff\xff", "does not end");
	REFUSED("\x01\0\0\0\0\0x\0\0\0", "does not end");
	REFUSED("\x01\0\0\0\x05\0x\0\0\0\x7f\xff\x05\0\0", "does not end");
}

/* A second path may follow; an end node in it without a length once hung the library. */
Test(efi, only_the_first_path_counts)
{
	static const uint8_t option[] = "\x01\0\0\0\x16\0x\0\0\0"
					"\x04\x04\x0a\0\\\0a\0\0\0\x7f\xff\x04\0"
					"\x7f\xff\0\0\x04\x04\0\0";
	struct efi_entry found = { 0 };

	cr_assert_eq(efi_option_parse(option, sizeof(option) - 1, &found, NULL), 0);
	cr_assert_str_eq(found.path, "File(\\a)");
	efi_entry_done(&found);
}

Test(efi, a_command_line_behind_the_path)
{
	static const uint8_t option[] = "\x01\0\0\0\x0e\0x\0\0\0"
					"\x04\x04\x0a\0\\\0a\0\0\0\x7f\xff\x04\0"
					"r\0o\0=\0b\0\0";
	struct efi_entry found = { 0 };

	cr_assert_eq(efi_option_parse(option, sizeof(option) - 1, &found, NULL), 0);
	cr_assert_str_eq(found.args, "ro=b");
	efi_entry_done(&found);
	found = (struct efi_entry){ 0 };
	cr_assert_eq(efi_option_parse(option, sizeof(option) - 2, &found, NULL), 0);
	cr_assert_str_eq(found.args, "ro=b");
	efi_entry_done(&found);
	found = (struct efi_entry){ 0 };
	cr_assert_eq(efi_option_parse(option, sizeof(option) - 10, &found, NULL), 0);
	cr_assert_null(found.args);
	efi_entry_done(&found);
}

Test(efi, what_cannot_be_read_stays_in_the_list)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_efi) struct efi *efi = NULL;

	made_short(&tree, "Boot0000", UUID);
	made_variable(&tree, "Boot0002", "?", 1);
	tree_file(&tree, "coldswap/unreadable.tsv", EFI_MADE_PATH("Boot0005") "\tEIO\n");
	NUMBERS(&tree, "BootOrder", 5, 0, 7, 5);
	efi = load(&tree, 0);
	cr_assert_eq(efi->n, 4);
	cr_assert_eq(efi->current, -1);
	cr_assert_null(efi->why_no_current);
	cr_assert_eq(entry(efi, 5)->form, EFI_UNREADABLE);
	cr_assert_eq(entry(efi, 5)->error, -EIO);
	cr_assert_str_eq(entry(efi, 5)->text,
			 "Skipping unreadable variable \"Boot0005\": Input/output error");
	cr_assert_eq(entry(efi, 7)->error, -ENOENT);
	cr_assert_eq(entry(efi, 2)->error, -EBADMSG);
	cr_assert_null(efi_entry(efi, -1));
	cr_assert_null(efi_entry(efi, 9));
}

Test(efi, no_efi_and_no_variables_are_told_apart)
{
	AUTO_TREE tree = tree_new();

	load(&tree, -ENOENT);
	tree_file(&tree, "sys/firmware/efi/fw_platform_size", "64\n");
	load(&tree, -ENODATA);
	made_variable(&tree, "SecureBoot", "", 1);
	load(&tree, -ENODATA);
}

Test(efi, a_broken_order_is_said)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_efi) struct efi *efi = NULL;

	made_short(&tree, "Boot0000", UUID);
	tree_file(&tree, "sys/firmware/efi/efivars/BootOrder-" EFI_MADE_GUID, "x");
	tree_file(&tree, "sys/firmware/efi/efivars/BootCurrent-" EFI_MADE_GUID, "1234");
	efi = load(&tree, 0);
	cr_assert_eq(efi->n, 1);
	cr_assert_not_null(efi->why_no_order);
	cr_assert_not_null(efi->why_no_current);
}

/* Neither the environment nor the real machine has a say. */
Test(efi, the_environment_does_not_matter)
{
	AUTO_TREE tree = tree_new(), other = tree_new();
	CLEANUP(cleanup_efi) struct efi *efi = NULL;

	made_short(&other, "Boot0009", UUID);
	made_short(&tree, "Boot0000", UUID);
	setenv("EFIVARFS_PATH", other.root, 1);
	efi = load(&tree, 0);
	cr_assert_eq(efi->n, 1);
	cr_assert_not_null(efi_entry(efi, 0));
}
