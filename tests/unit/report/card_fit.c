/* SPDX-License-Identifier: MIT */
/* What gives way on the swap card when it has too much to say, and what never does. */
#include <criterion/criterion.h>
#include <locale.h>

#include "cards.h"

#define MANY 24

static char *make(struct machine *machine)
{
	return cards_make(machine, NULL);
}

/* 200 characters, among them what a terminal would obey. */
static void hostile(char *ret, size_t size, char end)
{
	static const char head[] = "M\x1b[31m\u202e\u00fc\xff\x07 ";

	memset(ret, 'z', size - 1);
	memcpy(ret, head, strlen(head));
	ret[size - 2] = end;
	ret[size - 1] = '\0';
}

Test(card_fit, hostile_names_are_inert_and_visibly_cut)
{
	char model[201], first[201], second[201];
	AUTO_TREE tree = cards_board(1);
	AUTO_FREE char *text = NULL;

	setlocale(LC_ALL, "C.UTF-8");
	hostile(model, sizeof(model), 'm');
	hostile(first, sizeof(first), '1');
	hostile(second, sizeof(second), '2');
	cards_disk(&tree, 3, model, first, "");
	cards_disk(&tree, 4, model, second, "");
	{
		AUTO_MACHINE machine = machine_open(&tree);

		WORK(&machine, EXCHANGE("/dev/sdd", "/dev/sde"));
		text = make(&machine);
	}
	cr_assert(strstr(text, "~"));
	cr_assert(strstr(text, "\\x1b[31m"));
	/* the ends of two serials are what tells them apart */
	cr_assert(strstr(text, "z1 "), "in:\n%s", text);
	cr_assert(strstr(text, "z2 "), "in:\n%s", text);
}

Test(card_fit, drives_that_tell_nothing_still_have_a_letter)
{
	AUTO_TREE tree = cards_board(3);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	disk_udev(&tree, "8:16", "E:ID_BUS=ata\n");
	disk_udev(&tree, "8:32", "E:ID_BUS=ata\n");
	WORK(&machine, EXCHANGE("/dev/sdb", "/dev/sdc"));
	text = make(&machine);
	CARDS_IN_ORDER(text, "A  no model told no serial told", "now in B (no model told)",
		       "port 1 ===[ A ]", "port 1 ===[ B ]");
}

Test(card_fit, many_disks_and_many_acceptances)
{
	struct acceptance accepted[10];
	struct card_session session = { .number = 1,
					.resume = "coldswap resume",
					.head = "abc",
					.accepted = accepted,
					.n_accepted = ELEMENTS(accepted) };
	char because[400], finding[] = "disk.smart/pending", subject[] = "SERIAL001";
	AUTO_TREE tree = cards_board(MANY);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	memset(because, 'w', sizeof(because) - 1);
	because[sizeof(because) - 1] = '\0';
	for (size_t i = 0; i < ELEMENTS(accepted); i++)
		accepted[i] = (struct acceptance){ finding, subject, because };
	WORK(&machine, EXCHANGE("SERIAL007", "SERIAL023"));
	text = cards_make(&machine, &session);
	CARDS_IN_ORDER(text, "A  MODEL 870 SERIAL007", "B  MODEL 870 SERIAL023",
		       "C  MODEL 870 SERIAL000", "X  MODEL 870 SERIAL022", "DO NOT TOUCH C",
		       "1. At the drives", "2. At the drives", "port 7  ===[ A", "port 23 ===[ B",
		       "22 more ports in use stay as they are", "in full: coldswap report", "~\n",
		       "JOURNAL: abc");
}

Test(card_fit, comfort_gives_way_first)
{
	static const struct {
		unsigned disks;
		bool blank, all_ports, all_disks;
	} cases[] = { { 4, true, true, true },
		      { 18, false, true, true },
		      { 22, false, false, true },
		      { 45, false, false, false } };

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		AUTO_TREE tree = cards_board(cases[i].disks);
		AUTO_MACHINE machine = machine_open(&tree);
		AUTO_FREE char *text = NULL;

		WORK(&machine, EXCHANGE("SERIAL001", "SERIAL002"));
		text = make(&machine);
		cr_assert_eq(strstr(text, "\n\n") != NULL, cases[i].blank, "%u: %s", cases[i].disks,
			     text);
		cr_assert_eq(strstr(text, "more ports in use") == NULL, cases[i].all_ports, "%u",
			     cases[i].disks);
		cr_assert_eq(strstr(text, "more drives are not") == NULL, cases[i].all_disks, "%u",
			     cases[i].disks);
	}
}

Test(card_fit, what_is_needed_is_never_cut)
{
	static const struct card_session none = { 0 };
	struct work_request requests[MANY / 2];
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_TREE tree = cards_board(MANY);
	AUTO_MACHINE machine = machine_open(&tree);
	struct plan plan = { 0 };

	for (unsigned i = 0; i < ELEMENTS(requests); i++) {
		char a[24], b[24];

		snprintf(a, sizeof(a), "SERIAL%03u", 2 * i);
		snprintf(b, sizeof(b), "SERIAL%03u", 2 * i + 1);
		requests[i] = EXCHANGE(a, b);
	}
	cr_assert_eq(machine_work(&machine, requests, ELEMENTS(requests), NULL), 0);
	plan.work = machine.work;
	cr_assert_eq(card_text(machine.facts, &plan, &none, &text, &err), -E2BIG);
	cr_assert_eq(text.len, 0);
	cr_assert(strstr(error_text(&err), "60"));
	cr_assert(strstr(err.hint, "divide"));
}

Test(card_fit, a_work_of_several_cables_fits)
{
	AUTO_TREE tree = cards_board(8);
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_FREE char *text = NULL;

	WORK(&machine, EXCHANGE("SERIAL000", "SERIAL001"), EXCHANGE("SERIAL002", "SERIAL003"),
	     EXCHANGE("SERIAL004", "SERIAL005"), MOVE("SERIAL006", "port 9"));
	text = make(&machine);
	CARDS_IN_ORDER(text, "7. At the board", "put every cable back");
}

Test(card_fit, two_controllers_are_told_apart)
{
	AUTO_TREE tree = cards_board(3);
	AUTO_FREE char *text = NULL;

	tree_file(&tree, "sys/devices/pci0000:00/0000:02:00.0/ata9/ata_port/ata9/port_no", "1\n");
	tree_link(&tree, "sys/class/ata_port/ata9",
		  "../../devices/pci0000:00/0000:02:00.0/ata9/ata_port/ata9");
	{
		AUTO_MACHINE machine = machine_open(&tree);

		WORK(&machine, MOVE("SERIAL001", "port 0 of 0000:02:00.0"));
		text = make(&machine);
	}
	CARDS_IN_ORDER(text, "port 1 of 0000:00:1f.2", "leaves port 1 of 0000:00:1f.2 and\n",
		       "0000:00:1f.2:\nport 0 ===[ B", "port 1 ===[ A",
		       "0000:02:00.0:\nport 0 ===                            port 0 ===[ A");
}
