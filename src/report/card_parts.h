/* SPDX-License-Identifier: MIT */
/*
 * The parts of the swap card (include/card.h).
 *
 * The card is written whole, and where it does not fit on its page again with
 * less: what gives way first is what is only there for comfort.  What is left
 * at last is all needed, and -E2BIG says so.
 */
#ifndef COLDSWAP_REPORT_CARD_PARTS_H
#define COLDSWAP_REPORT_CARD_PARTS_H

#include "buf.h"
#include "card.h"
#include "probe/facts.h"
#include "work/work.h"

#define CARD_COLUMNS 80
#define CARD_LINES 60

/* What gives way. */
struct card_level {
	bool dense;         /* no blank lines */
	bool touched_ports; /* the sketch shows the ports of the work, and counts the others */
	bool touched_disks; /* so does the list of drives, which keeps the boot disk */
	bool cut_accepted;  /* a line for what was accepted, visibly cut */
};

/* Where a cable ends: a port as the port map counts it, or a bus without cables. */
struct spot {
	bool gone; /* taken out */
	enum bus bus;
	const char *controller;
	int port; /* -1 = none */
	int pmp, device;
	const struct block *disk; /* off SATA: whose place it is */
};

struct card_disk {
	const struct block *disk;
	char mark[4]; /* "A" */
	bool touched, boot;
	struct spot now, after;
	char *model, *serial, *place; /* in ASCII, cut; never NULL */
	char *name;                   /* "A (S620NJ0R510748W)" */
};

struct card {
	struct facts *facts;
	const struct plan *plan;
	const struct work *work;
	const struct card_session *session;
	const struct blocks *blocks;
	const struct portmap *map; /* NULL: could not be read */
	struct card_disk *disks;   /* those of the work first, in its order, then boot disks */
	size_t n, n_touched;
	bool boot_known; /* of every disk: whether the machine boots from it */
	bool one_controller;
	char *host; /* ASCII, cut */
	struct card_level level;
	struct buf *out;
	struct error *err;
};

/* card_page.c: lines of ASCII.  What is given as text is made inert here. */
void card_blank(struct card *card);
void card_heading(struct card *card, const char *text);
/* `lead`, then the text wrapped below itself; a word too long for a line is broken. */
void card_line(struct card *card, const char *lead, const char *text);
void card_linef(struct card *card, const char *lead, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A shell's command, broken by "\" at the end of a line, as a shell takes it. */
void card_command(struct card *card, const char *command);
/* The text as ASCII: accents spelt out, all else beyond ASCII escaped. */
int card_ascii(const char *text, struct buf *ret);
/* ASCII of at most `width` columns; what is cut from its end, or its middle, shows as "~". */
enum card_cut { CUT_END, CUT_MIDDLE };
char *card_cut(const char *text, size_t width, enum card_cut cut);

/* card_disks.c: who is who */
int card_find_disks(struct card *card);
void card_free_disks(struct card *card);
const struct card_disk *card_disk_of(const struct card *card, const struct block *disk);
/* "port 5", "port 5 of 0000:00:1f.2", "USB": to be freed; NULL when memory is short. */
char *card_spot(const struct card *card, const struct spot *spot);
bool card_same_spot(const struct spot *a, const struct spot *b);
int card_write_disks(struct card *card);

/* card_cables.c: what to do, cable by cable */
int card_write_before(struct card *card);
int card_write_cables(struct card *card);
/* "put both cables back" */
const char *card_way_back(const struct card *card);

/* card_sketch.c: before and after, port by port */
int card_write_sketch(struct card *card);

/* card_boot.c: the boot menu, and what comes after it */
int card_write_boot(struct card *card);
int card_write_end(struct card *card);

#endif
