/* SPDX-License-Identifier: MIT */
/*
 * The drawing of the board: a box for each port, its link speed in a second
 * one, what is on it beside them, and at the left the exchange as an arrow.
 * Ports on which nothing is, for one and the same reason, share a box.  A
 * screen too narrow for boxes gets a list, and the arrow in words.
 */
#ifndef COLDSWAP_REPORT_PORTS_BOARD_H
#define COLDSWAP_REPORT_PORTS_BOARD_H

#include "report/page.h"
#include "work/advice.h"

/* The cable goes `from` one port `to` another; `both`: and one comes back. */
struct board_arrow {
	const struct port *from, *to;
	bool both;
};

int ports_board(struct page *page, struct facts *facts, const struct portmap *map,
		const struct board_arrow *arrow, struct error *err);

#endif
