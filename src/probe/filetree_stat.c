/* SPDX-License-Identifier: MIT */
/* One path: what it is, where it leads, what it holds. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/filetree_rows.h"
#include "sys/hostdata.h"

#define LINKS_MAX 40

static enum filetree_type type_of(mode_t mode)
{
	return S_ISREG(mode)   ? FILETREE_FILE
	       : S_ISDIR(mode) ? FILETREE_DIRECTORY
	       : S_ISLNK(mode) ? FILETREE_LINK
	       : S_ISCHR(mode) ? FILETREE_CHARACTER
			       : FILETREE_OTHER;
}

static bool is_mount(const struct filetree *tree, const char *path)
{
	return strmap_find(&tree->mounts, path) != NULL;
}

int filetree_stat(struct filetree *tree, const char *path, struct filetree_stat *ret,
		  struct error *err)
{
	const struct listed *row = filetree_row(tree, path);
	bool live = host_is_live(tree->host);
	struct error why = ERROR_INIT;
	bool mounted = false;
	struct stat st;
	int r;

	if (row) {
		*ret = row->stat;
		ret->mounted = is_mount(tree, path);
		return 0;
	}
	r = host_lstat(tree->host, path, &st, &mounted, &why);
	if ((r == -ENOENT || r == -ENOTDIR) && filetree_rows_below(tree, path)) {
		error_done(&why);
		*ret = (struct filetree_stat){ .type = FILETREE_DIRECTORY,
					       .mounted = is_mount(tree, path) };
		return 0;
	}
	if (r < 0)
		error_copy(err, &why);
	error_done(&why);
	if (r < 0)
		return r;
	/* Where a capture lies says nothing of where its files lay. */
	*ret = (struct filetree_stat){ .type = type_of(st.st_mode),
				       .mounted = live ? mounted : is_mount(tree, path),
				       .size = st.st_size > 0 ? (uint64_t)st.st_size : 0,
				       .dev = live ? st.st_dev : 0,
				       .ino = live ? st.st_ino : 0,
				       .mode = st.st_mode,
				       .nlink = live ? st.st_nlink : 0 };
	return 0;
}

static int link_text(struct filetree *tree, const char *path, char **ret, struct error *err)
{
	const struct listed *row = filetree_row(tree, path);
	struct error why = ERROR_INIT;
	int r = host_readlink(tree->host, path, ret, &why);

	if (r < 0 && row && row->target) {
		*ret = strdup(row->target);
		r = *ret ? 0 : error_oom(err);
	} else if (r < 0 && row) {
		r = row->stat.type != FILETREE_LINK
			    ? error_set(err, -EINVAL, "%s is no link", path)
			    : error_set(err, -ENODATA, "the capture does not tell where %s leads",
					path);
	} else if (r < 0) {
		error_copy(err, &why);
	}
	error_done(&why);
	return r;
}

/* What `target` means in a link that stands at `path`. */
static char *from_link(const char *path, const char *target)
{
	const char *slash = strrchr(path, '/');
	AUTO_BUF whole = BUF_INIT;

	if (*target != '/')
		buf_add(&whole, path, slash ? (size_t)(slash - path) + 1 : 0);
	buf_adds(&whole, target);
	return buf_take(&whole);
}

/* Take "." and ".." out of what does not exist, where no link can be in the way. */
static void normalise(char *path)
{
	char *to = path;

	for (const char *from = path; *from;) {
		size_t len = strcspn(++from, "/");

		if (len == 2 && from[0] == '.' && from[1] == '.') {
			while (to > path && *--to != '/')
				;
		} else if (len > 0 && !(len == 1 && from[0] == '.')) {
			*to++ = '/';
			memmove(to, from, len);
			to += len;
		}
		from += len;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

/* Resolve `path`; *ret_link is set instead where a link leads to nothing that is there. */
static int resolve_part(struct filetree *tree, const char *path, char **ret, char **ret_link,
			struct error *err)
{
	AUTO_FREE char *head = strdup(path);
	size_t len = strlen(path);

	if (!head)
		return error_oom(err);
	for (;;) {
		AUTO_FREE char *real = NULL, *target = NULL;
		AUTO_BUF whole = BUF_INIT;
		int r = host_realpath(tree->host, *head ? head : "/", &real, err);

		if (r < 0 && r != -ENOENT)
			return r;
		if (r == -ENOENT && !*head)
			return r;
		error_done(err);
		if (r == -ENOENT && link_text(tree, head, &target, NULL) == 0) {
			AUTO_FREE char *place = from_link(head, target);

			buf_adds(&whole, place ? place : "");
			buf_adds(&whole, path + len);
			*ret_link = place ? buf_take(&whole) : NULL;
			return *ret_link ? 0 : error_oom(err);
		}
		if (r == -ENOENT) {
			len = (size_t)(strrchr(head, '/') - head);
			head[len] = '\0';
			continue;
		}
		buf_adds(&whole, strcmp(real, "/") == 0 && path[len] ? "" : real);
		buf_adds(&whole, path + len);
		*ret = buf_take(&whole);
		if (*ret)
			normalise(*ret);
		return *ret ? 0 : error_oom(err);
	}
}

int filetree_resolve(struct filetree *tree, const char *path, char **ret, struct error *err)
{
	AUTO_FREE char *asked = strdup(path);

	if (!asked)
		return error_oom(err);
	for (int links = 0; links <= LINKS_MAX; links++) {
		char *link = NULL;
		int r = resolve_part(tree, asked, ret, &link, err);

		if (r < 0 || !link)
			return r;
		free(asked);
		asked = link;
	}
	return error_set(err, -ELOOP, "the links of %s lead in a circle", path);
}

int filetree_target(struct filetree *tree, const char *path, char **ret, struct error *err)
{
	AUTO_FREE char *target = NULL, *place = NULL;
	int r = link_text(tree, path, &target, err);

	if (r < 0)
		return r;
	place = from_link(path, target);
	return place ? filetree_resolve(tree, place, ret, err) : error_oom(err);
}

int filetree_open_data(struct filetree *tree, const char *path, struct error *err)
{
	if (filetree_row(tree, path))
		return error_set(err, -ENODATA, "the capture lists %s without its content", path);
	return host_open_data(tree->host, path, err);
}
