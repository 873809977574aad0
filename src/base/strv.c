/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/strv.h"

size_t strv_length(char *const *strv)
{
	size_t n = 0;

	while (strv && strv[n])
		n++;
	return n;
}

bool strv_has(char *const *strv, const char *text)
{
	for (; strv && *strv; strv++)
		if (strcmp(*strv, text) == 0)
			return true;
	return false;
}

/* No capacity is kept, so that any array may be added to; realloc(3) keeps its own. */
static int grow(char ***strv, size_t n)
{
	char **more = reallocarray(*strv, n + 2, sizeof(char *));

	if (!more)
		return -ENOMEM;
	more[n] = NULL;
	*strv = more;
	return 0;
}

int strv_take(char ***strv, char *text)
{
	size_t n = strv_length(*strv);

	if (!text || grow(strv, n) < 0) {
		free(text);
		return -ENOMEM;
	}
	(*strv)[n] = text;
	(*strv)[n + 1] = NULL;
	return 0;
}

int strv_add(char ***strv, const char *text)
{
	return strv_take(strv, strdup(text));
}

int strv_copy(char *const *strv, char ***ret)
{
	size_t n = strv_length(strv);
	char **copy = calloc(n + 1, sizeof(char *));
	size_t i;

	if (!copy)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		copy[i] = strdup(strv[i]);
		if (!copy[i]) {
			strv_free(copy);
			return -ENOMEM;
		}
	}
	*ret = copy;
	return 0;
}

void strv_free(char **strv)
{
	size_t i;

	for (i = 0; strv && strv[i]; i++)
		free(strv[i]);
	free(strv);
}
