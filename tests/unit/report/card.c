/* SPDX-License-Identifier: MIT */
#include "card.h"

#include <criterion/criterion.h>

#include "cards.h"
#include "efi_made.h"

static char *make(struct machine *machine)
{
	return cards_make(machine, NULL);
}

Test(card, an_exchange_in_the_order_of_its_steps)
{
	AUTO_TREE tree = cards_board(3);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	tree_file(&tree, "coldswap/host.json", "{\"name\": \"tower\"}\n");
	WORK(&machine, EXCHANGE("SERIAL001", "SERIAL002"));
	text = make(&machine);
	CARDS_IN_ORDER(text, "tower", "DRY RUN", "A  MODEL 870 SERIAL001 2.0 TB  port 1",
		       "B  MODEL 870 SERIAL002 2.0 TB  port 2",
		       "C  MODEL 870 SERIAL000 2.0 TB  port 0",
		       "DO NOT TOUCH C: the machine boots from it", "Photograph the wiring first",
		       "another SATA port disabled?", "Mains plug out", "5 s", "bare metal",
		       "Data cables only", "1. At the drives: the cable of port 2, now in B",
		       "goes into A", "2. At the drives: the cable of port 1, now in A",
		       "goes into B", "BEFORE", "AFTER",
		       "port 0 ===[ C ..AL000 ]               port 0 ===[ C ..AL000 ]\n",
		       "port 1 ===[ A ..AL001 ]               port 1 ===[ B ..AL002 ] <\n",
		       "port 2 ===[ B ..AL002 ]               port 2 ===[ A ..AL001 ] <\n",
		       "the kernel's; the board's print may differ", "BOOT MENU",
		       "IF IT DOES NOT START: put both cables back; nothing on the disks was "
		       "changed.",
		       "AFTER THE BOOT", "ACCEPTED: nothing.", "JOURNAL: none");
}

Test(card, what_a_session_adds)
{
	static char finding[] = "disk.smart/reallocated", subject[] = "SERIAL001",
		    because[] = "it is copied",
		    lift[] = "rm /etc/systemd/system/db.service.d/90-coldswap-hold.conf";
	static const struct acceptance accepted[] = { { finding, subject, because } };
	static char *const lifts[] = { lift, NULL };
	const struct card_session session = { .number = 7,
					      .resume = "/usr/bin/coldswap resume --state /x",
					      .head = "0123456789abcdef",
					      .lifts = lifts,
					      .accepted = accepted,
					      .n_accepted = 1 };
	AUTO_TREE tree = cards_board(3);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	WORK(&machine, EXCHANGE("SERIAL001", "SERIAL002"));
	text = cards_make(&machine, &session);
	CARDS_IN_ORDER(text, "session 7", "AFTER THE BOOT",
		       "    /usr/bin/coldswap resume --state /x\n", "lift a hold without coldswap",
		       "    rm /etc/systemd/system/db.service.d/90-coldswap-hold.conf\n",
		       "ACCEPTED", "- disk.smart/reallocated (SERIAL001): it is copied\n",
		       "JOURNAL: 0123456789abcdef\n");
	cr_assert_null(strstr(text, "DRY RUN"));
}

/* A shell takes "\" at the end of a line for nothing at all. */
Test(card, a_long_command_can_be_typed_as_it_stands)
{
	char command[300];
	const struct card_session session = { .number = 1, .resume = command };
	AUTO_TREE tree = cards_board(2);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL, *joined = NULL;
	size_t n = 0;

	memset(command, 'x', sizeof(command) - 1);
	command[sizeof(command) - 1] = '\0';
	WORK(&machine, EXCHANGE("SERIAL000", "SERIAL001"));
	text = cards_make(&machine, &session);
	joined = strdup(text);
	for (const char *at = text; *at; at++) {
		if (at[0] == '\\' && at[1] == '\n')
			at++;
		else
			joined[n++] = *at;
	}
	joined[n] = '\0';
	cr_assert(strstr(joined, command), "in:\n%s", text);
}

Test(card, a_move_is_done_at_the_board)
{
	AUTO_TREE tree = cards_board(2);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	WORK(&machine, MOVE("SERIAL001", "port 3"));
	text = make(&machine);
	CARDS_IN_ORDER(text,
		       "1. At the board: the cable of A (SERIAL001) leaves port 1 and goes into "
		       "port 3.",
		       "port 1 ===[ A ..AL001 ]               port 1 === <\n",
		       "port 3 ===                            port 3 ===[ A ..AL001 ] <\n",
		       "put the cable back");
}

Test(card, a_ring_is_done_at_the_drives_and_a_chain_at_the_board)
{
	AUTO_TREE tree = cards_board(3);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *ring = NULL, *chain = NULL;

	WORK(&machine, MOVE("SERIAL000", "port 1"), MOVE("SERIAL001", "port 2"),
	     MOVE("SERIAL002", "port 0"));
	ring = make(&machine);
	CARDS_IN_ORDER(ring, "The machine boots from A: take special care",
		       "1. At the drives: the cable of port 1, now in B",
		       "2. At the drives: the cable of port 2, now in C",
		       "3. At the drives: the cable of port 0, now in A",
		       "put every cable back as BEFORE shows");
	cr_assert_null(strstr(ring, "DO NOT TOUCH"));
	WORK(&machine, MOVE("SERIAL001", "port 2"), MOVE("SERIAL002", "port 4"));
	chain = make(&machine);
	CARDS_IN_ORDER(chain, "1. At the board: the cable of A (SERIAL001) leaves port 1",
		       "2. At the board: the cable of B (SERIAL002) leaves port 2",
		       "put both cables back");
}

Test(card, other_work_has_its_own_sentences)
{
	AUTO_TREE tree = cards_board(3);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *removed = NULL, *replaced = NULL, *named = NULL, *recabled = NULL;

	WORK(&machine, REMOVE("SERIAL001"));
	removed = make(&machine);
	CARDS_IN_ORDER(removed, "but for a drive that is taken out",
		       "1. At the drives: A (SERIAL001), on port 1, loses its cables",
		       "put every drive and cable back as BEFORE shows");
	WORK(&machine, REPLACE("SERIAL001", "NEW-SERIAL-77"));
	replaced = make(&machine);
	CARDS_IN_ORDER(replaced, "1. At the drives: the cables of A (SERIAL001), on port 1",
		       "NEW-SERIAL-77", "port 1 ===[ A ..AL001 ]", "port 1 ===[ new ] <");
	WORK(&machine, REPLACE("SERIAL001", "SERIAL002"));
	named = make(&machine);
	CARDS_IN_ORDER(named, "go into B", "(SERIAL002)", "port 1 ===[ B ..AL002 ] <");
	WORK(&machine, machine_request(WORK_RECABLE, "SERIAL001", NULL, NULL));
	recabled = make(&machine);
	CARDS_IN_ORDER(recabled, "1. At both ends: A (SERIAL001) gets another cable",
		       "put the cable back");
}

Test(card, a_power_cycle_opens_nothing)
{
	AUTO_TREE tree = cards_board(2);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	cr_assert_eq(work_resolve(machine.facts, NULL, 0, &machine.work, NULL), 0);
	text = make(&machine);
	CARDS_IN_ORDER(text, "POWER OFF AND ON", "No cable is touched", "port 1 ===[ B ..AL001 ]\n",
		       "no cable was touched");
	cr_assert_null(strstr(text, "Mains"));
}

static void entry(const struct tree *tree, const char *name, const char *description)
{
	struct made_path path = { 0 };

	made_gpt(&path, 1, "11111111-2222-4333-8444-555555555555");
	made_file(&path, "\\EFI\\x\\grubx64.efi");
	made_entry(tree, name, EFI_ACTIVE, description, &path);
}

static char *boot_card(const struct tree *tree)
{
	AUTO_MACHINE machine = machine_open(tree);

	WORK(&machine, EXCHANGE("SERIAL000", "SERIAL001"));
	return make(&machine);
}

Test(card, the_entry_that_started_this_boot)
{
	AUTO_TREE tree = cards_board(2);
	AUTO_FREE char *current = NULL, *first = NULL;

	entry(&tree, "Boot0001", "other");
	entry(&tree, "Boot0004", "d\u00e9bian");
	made_numbers(&tree, "BootOrder", (const uint16_t[]){ 1, 4 }, 2);
	first = boot_card(&tree);
	CARDS_IN_ORDER(first, "BOOT MENU: choose \"other\" (Boot0001): it is the first");
	made_numbers(&tree, "BootCurrent", (const uint16_t[]){ 4 }, 1);
	made_numbers(&tree, "BootNext", (const uint16_t[]){ 1 }, 1);
	current = boot_card(&tree);
	CARDS_IN_ORDER(current, "BOOT MENU: choose \"debian\" (Boot0004): this boot came from it.",
		       "start Boot0001 once");
}

Test(card, without_an_entry_the_drive_is_named)
{
	AUTO_TREE tree = cards_board(2);
	AUTO_FREE char *legacy = boot_card(&tree), *unread = NULL;

	CARDS_IN_ORDER(legacy, "BOOT MENU (no UEFI, but a legacy BIOS or none): choose the drive A",
		       "(SERIAL000)");
	tree_file(&tree, "sys/firmware/efi/systab", "");
	unread = boot_card(&tree);
	CARDS_IN_ORDER(unread, "BOOT MENU (the entries of the firmware could not be read)");
}

Test(card, ports_that_are_off_and_what_is_not_known)
{
	static const char log[] =
		"[    0.000000] Linux version 6.1.0 (x@y) #1 SMP\n"
		"[    1.1] ahci 0000:00:1f.2: AHCI 0001.0300 32 slots 4 ports 6 Gbps 0x7 impl "
		"SATA mode\n"
		"[    1.2] ata4: DUMMY\n";
	AUTO_TREE tree = cards_board(2);
	AUTO_FREE char *unknown = boot_card(&tree), *known = NULL;

	CARDS_IN_ORDER(unknown, "another SATA port disabled? What the kernel found is not\n");
	tree_file(&tree, "coldswap/kernel.log", log);
	known = boot_card(&tree);
	CARDS_IN_ORDER(known, "Off, or not wired: 3 of", "0000:00:1f.2");
}
