/* SPDX-License-Identifier: MIT */
#include "sys/secret.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int map(size_t size, char **ret)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int r;

	if (pages == MAP_FAILED)
		return -errno;
	/* Before anything stands in it: no swap, no core dump, no child. */
	if (mlock(pages, size) < 0 || madvise(pages, size, MADV_DONTDUMP) < 0 ||
	    madvise(pages, size, MADV_WIPEONFORK) < 0) {
		r = -errno;
		munmap(pages, size);
		return r;
	}
	*ret = pages;
	return 0;
}

int secret_make(struct secret *ret, size_t len, struct error *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = (len + page) / page * page; /* the NUL is in it */
	char *pages = NULL;
	int r = map(size, &pages);

	if (r < 0) {
		error_set(err, -EPERM, "no memory can be locked for a secret: %s", strerror(-r));
		error_hint(err, "run as root, or raise the limit first: ulimit -l 1024");
		return -EPERM;
	}
	*ret = (struct secret){ .text = pages, .capacity = size };
	return 0;
}

void secret_done(struct secret *secret)
{
	if (secret->text) {
		explicit_bzero(secret->text, secret->capacity);
		munmap(secret->text, secret->capacity);
	}
	*secret = (struct secret)SECRET_INIT;
}
