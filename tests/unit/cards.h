/* SPDX-License-Identifier: MIT */
/* Swap cards for tests: a board of many drives, and what every card must be. */
#ifndef COLDSWAP_TESTS_CARDS_H
#define COLDSWAP_TESTS_CARDS_H

#include <errno.h>

#include "card.h"
#include "machine.h"

/* Disk number `index` on the port of that number, with this model and serial. */
static inline void cards_disk(const struct tree *tree, unsigned index, const char *model,
			      const char *serial, const char *extra)
{
	char path[256], devno[16], text[2048], name[8];

	if (index < 26)
		snprintf(name, sizeof(name), "sd%c", 'a' + (int)index);
	else
		snprintf(name, sizeof(name), "sda%c", 'a' + (int)(index - 26));
	snprintf(path, sizeof(path),
		 "pci0000:00/0000:00:1f.2/ata%u/host%u/target%u:0:0/%u:0:0:0/block/%s", index + 1,
		 index, index, index, name);
	snprintf(devno, sizeof(devno), "8:%u", index * 16);
	disk_at(tree, path, devno, "3907029168");
	machine_port(tree, index + 1);
	snprintf(text, sizeof(text),
		 "E:ID_BUS=ata\nE:ID_MODEL=%s\nE:ID_SERIAL=K%u_%s\nE:ID_SERIAL_SHORT=%s\n"
		 "E:ID_WWN=0x50000000000%05u\n%s",
		 model, index, serial, serial, index, extra);
	disk_udev(tree, devno, text);
}

/* `n` drives, / on the first, two free ports behind the last. */
static inline struct tree cards_board(unsigned n)
{
	struct tree tree = tree_new();

	for (unsigned i = 0; i < n; i++) {
		char serial[24];

		snprintf(serial, sizeof(serial), "SERIAL%03u", i);
		cards_disk(&tree, i, "MODEL 870", serial, "");
	}
	machine_port(&tree, n + 1);
	machine_port(&tree, n + 2);
	tree_file(&tree, "proc/self/mountinfo", "29 1 8:0 / / rw - ext4 /dev/sda rw\n");
	tree_file(&tree, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	return tree;
}

static inline size_t cards_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* 80 columns, 60 lines, nothing but ASCII that prints. */
static inline void cards_fit(const char *text)
{
	size_t columns = 0;

	cr_assert_leq(cards_lines(text), 60, "%zu lines", cards_lines(text));
	for (const char *at = text; *at; at++) {
		columns = *at == '\n' ? 0 : columns + 1;
		cr_assert_leq(columns, 80, "a line is too long:\n%s", text);
		cr_assert(*at == '\n' || (*at >= ' ' && *at < 0x7f), "byte 0x%02x",
			  (unsigned char)*at);
	}
	cr_assert_eq(columns, 0, "the last line has no end");
}

/* The card of a machine and its work, checked; to be freed. */
static inline char *cards_make(struct machine *machine, const struct card_session *session)
{
	static const struct card_session none = { 0 };
	struct plan plan = { .work = machine->work };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(card_text(machine->facts, &plan, session ? session : &none, &text, &err), 0,
		     "%s", error_text(&err));
	cards_fit(buf_text(&text));
	return buf_take(&text);
}

/* Words in this order, each behind the one before. */
static inline void cards_in_order(const char *text, const char *const *words)
{
	const char *at = text;

	for (; *words; words++) {
		const char *found = strstr(at, *words);

		cr_assert(found, "'%s' is missing, or too early, in:\n%s", *words, text);
		at = found + strlen(*words);
	}
}
#define CARDS_IN_ORDER(text, ...) cards_in_order(text, (const char *const[]){ __VA_ARGS__, NULL })

#endif
