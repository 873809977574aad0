/* SPDX-License-Identifier: MIT */
/* What the standard output is: a terminal or not, how wide, with colour or not. */
#ifndef COLDSWAP_SYS_TERMINAL_H
#define COLDSWAP_SYS_TERMINAL_H

#include <stdbool.h>

bool terminal_is(int fd);

/* COLUMNS where it says a number, else the terminal's own word, else 80; 20 to 500. */
unsigned terminal_width(int fd);

/* A terminal that obeys control sequences: a line can be drawn over. */
bool terminal_can_redraw(int fd);

/* A terminal that draws colours, and an operator who did not set NO_COLOR. */
bool terminal_has_color(int fd);

#endif
