/* SPDX-License-Identifier: MIT */
/* Words of a command as a shell takes them: quoted only where they must be. */
#ifndef COLDSWAP_BASE_SHELL_H
#define COLDSWAP_BASE_SHELL_H

#include "buf.h"

int shell_word(const char *word, struct buf *ret);

#endif
