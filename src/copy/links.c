/* SPDX-License-Identifier: MIT */
/* Files with several names: the one part of a copy whose memory grows, with them alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "copy/make.h"

struct one {
	dev_t dev;
	ino_t ino;
	char *path; /* NULL: free */
};

struct links {
	struct one *ones;
	size_t n, capacity;
};

static struct one *place(struct links *links, dev_t dev, ino_t ino)
{
	uint64_t hash = ((uint64_t)ino ^ (uint64_t)dev << 32) * 0x9e3779b97f4a7c15ULL;
	size_t at = (size_t)(hash >> 20) & (links->capacity - 1);

	while (links->ones[at].path && (links->ones[at].dev != dev || links->ones[at].ino != ino))
		at = (at + 1) & (links->capacity - 1);
	return &links->ones[at];
}

static int grow(struct links *links)
{
	struct links wider = { .n = links->n,
			       .capacity = links->capacity ? links->capacity * 2 : 64 };
	size_t i;

	wider.ones = calloc(wider.capacity, sizeof(*wider.ones));
	if (!wider.ones)
		return -ENOMEM;
	for (i = 0; i < links->capacity; i++)
		if (links->ones[i].path)
			*place(&wider, links->ones[i].dev, links->ones[i].ino) = links->ones[i];
	free(links->ones);
	*links = wider;
	return 0;
}

int links_find(struct links **links, dev_t dev, ino_t ino, const char *path, const char **ret)
{
	struct one *one;

	if (!*links && !(*links = calloc(1, sizeof(**links))))
		return -ENOMEM;
	if ((*links)->n * 2 >= (*links)->capacity && grow(*links) < 0)
		return -ENOMEM;
	one = place(*links, dev, ino);
	*ret = one->path;
	if (one->path)
		return 1;
	*one = (struct one){ .dev = dev, .ino = ino, .path = strdup(path) };
	if (!one->path)
		return -ENOMEM;
	(*links)->n++;
	return 0;
}

void links_free(struct links *links)
{
	size_t i;

	for (i = 0; links && i < links->capacity; i++)
		free(links->ones[i].path);
	if (links)
		free(links->ones);
	free(links);
}
