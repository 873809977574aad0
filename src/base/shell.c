/* SPDX-License-Identifier: MIT */
#include "base/shell.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "_-./:,=@%+";

int shell_word(const char *word, struct buf *ret)
{
	size_t len = strlen(word);

	if (len > 0 && strspn(word, plain) == len)
		return buf_adds(ret, word);
	buf_addc(ret, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_adds(ret, "'\\''");
		else
			buf_addc(ret, *word);
	}
	return buf_addc(ret, '\'');
}
