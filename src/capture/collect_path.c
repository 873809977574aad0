/* SPDX-License-Identifier: MIT */
/*
 * One path of the host, with the links that lead to it.
 *
 * Files of the system are held; of data (what is no part of the system: the
 * directories of databases) only type and size are listed in files.json.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/strv.h"
#include "capture/collect.h"

#define FILE_MAX_BYTES ((size_t)4 << 20)
#define LINKS_MAX 40

struct walk {
	struct capture *capture;
	char done[PATH_MAX], rest[PATH_MAX];
	unsigned links;
	bool at_link; /* `done` is a link, and it was to be taken itself */
};

static bool is_absent(int code)
{
	return code == -ENOENT || code == -ENOTDIR;
}

/* 1 and the text of a link, 0 no link, or a negative errno. */
static int look(struct capture *capture, const char *path, char **ret, struct error *err)
{
	const struct entry *entry = entries_find(&capture->entries, path);
	int r;

	if (entry && entry->type == ENTRY_LINK) {
		*ret = strdup(entry->data);
		return *ret ? 1 : error_oom(err);
	}
	if (entry || capture_is_self(path) || strmap_find(&capture->plain, path))
		return 0;
	r = host_readlink(capture->host, path, ret, NULL);
	if (r == 0) {
		r = entries_add(&capture->entries, path, ENTRY_LINK, *ret, strlen(*ret));
		return r < 0 ? error_set(err, r, "%s does not fit", path) : 1;
	}
	if (r != -EINVAL)
		return r;
	return strmap_add(&capture->plain, path, 0) < 0 ? error_oom(err) : 0;
}

static bool next_component(struct walk *walk, char component[NAME_MAX + 1])
{
	const char *start = walk->rest + strspn(walk->rest, "/");
	size_t len = strcspn(start, "/");

	if (!len || len > NAME_MAX)
		return false;
	memcpy(component, start, len);
	component[len] = '\0';
	memmove(walk->rest, start + len, strlen(start + len) + 1);
	return true;
}

static int splice(struct walk *walk, const char *target)
{
	size_t len = strlen(target), rest = strlen(walk->rest);

	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	if (len + rest + 2 > sizeof(walk->rest))
		return -ENAMETOOLONG;
	memmove(walk->rest + len + 1, walk->rest, rest + 1);
	memcpy(walk->rest, target, len);
	walk->rest[len] = '/';
	if (*target == '/')
		walk->done[0] = '\0';
	return 0;
}

static void go_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (slash)
		*slash = '\0';
}

static int step(struct walk *walk, const char *component, bool follow, struct error *err)
{
	AUTO_FREE char *target = NULL;
	size_t len = strlen(walk->done);
	int r;

	if (strcmp(component, ".") == 0)
		return 0;
	if (strcmp(component, "..") == 0) {
		go_up(walk);
		return 0;
	}
	if (len + strlen(component) + 2 > sizeof(walk->done))
		return -ENAMETOOLONG;
	walk->done[len] = '/';
	memcpy(walk->done + len + 1, component, strlen(component) + 1);
	r = look(walk->capture, walk->done, &target, err);
	if (r <= 0)
		return r;
	if (!follow && walk->rest[strspn(walk->rest, "/")] == '\0') {
		walk->at_link = true;
		return 0;
	}
	walk->done[len] = '\0';
	return splice(walk, target);
}

/* Where the path leads; every link on the way is taken.  No words for a path that leads nowhere. */
static int resolve(struct walk *walk, const char *path, bool follow, struct error *err)
{
	char component[NAME_MAX + 1];
	int r = 0;

	if (strlen(path) + 1 > sizeof(walk->rest))
		return -ENAMETOOLONG;
	memcpy(walk->rest, path, strlen(path) + 1);
	while (r == 0 && next_component(walk, component))
		r = step(walk, component, follow, err);
	if (r == 0 && walk->rest[strspn(walk->rest, "/")])
		r = -ENAMETOOLONG;
	if (r == 0 && !walk->done[0])
		walk->done[0] = '/', walk->done[1] = '\0';
	return r;
}

int collect_add(struct capture *capture, const char *path, const char *text, size_t len,
		struct error *err)
{
	AUTO_BUF held = BUF_INIT_MAX(ENTRIES_MAX_BYTES);
	int r;

	if (entries_find(&capture->entries, path))
		return 0;
	r = mask_text(&capture->mask, capture_hold(path), text, len, &held);
	if (r == 0)
		r = entries_add(&capture->entries, path, ENTRY_FILE, buf_text(&held), held.len);
	if (r == -ENOMEM)
		return error_oom(err);
	return r < 0 ? error_set(err, r, "%s does not fit into a capture", path) : 0;
}

/* Either path may say that it is a secret. */
static enum hold hold_of(const char *asked, const char *real)
{
	enum hold hold = capture_hold(asked);

	if (capture_hold(real) == HOLD_NEVER || hold == HOLD_NEVER)
		return HOLD_NEVER;
	if (hold == HOLD_GUARDED || strcmp(asked, real) == 0)
		return capture_hold(real) == HOLD_RAW ? HOLD_RAW : hold;
	return hold;
}

/* Whoever lists the directory finds the name; whoever reads the file, the error. */
static int name_unread(struct capture *capture, const char *path, int code, struct error *err)
{
	int r = entries_add(&capture->entries, path, ENTRY_FILE, "", 0);

	return r < 0 ? error_oom(err) : collect_unread(capture, path, code, err);
}

static int hold_file(struct capture *capture, const char *asked, const char *real,
		     struct error *err)
{
	enum hold hold = hold_of(asked, real);
	AUTO_BUF text = BUF_INIT, held = BUF_INIT_MAX(ENTRIES_MAX_BYTES);
	int r;

	if (hold == HOLD_NEVER || entries_find(&capture->entries, real))
		return 0;
	r = host_read(capture->host, real, FILE_MAX_BYTES, &text, NULL);
	if (is_absent(r))
		return 0;
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		int code = r;

		r = collect_unread(capture, asked, code, err);
		return r < 0 ? r : name_unread(capture, real, code, err);
	}
	r = mask_text(&capture->mask, hold, buf_text(&text), text.len, &held);
	if (r == 0)
		r = entries_add(&capture->entries, real, ENTRY_FILE, buf_text(&held), held.len);
	if (r == -ENOMEM)
		return error_oom(err);
	return r < 0 ? error_set(err, r, "%s does not fit into a capture", real) : 0;
}

static int list_data(struct capture *capture, const char *asked, const char *real,
		     const struct stat *st, struct error *err)
{
	const char *type = S_ISDIR(st->st_mode) ? "dir" : S_ISREG(st->st_mode) ? "file" : "other";
	uint64_t size = S_ISREG(st->st_mode) && st->st_size > 0 ? (uint64_t)st->st_size : 0;
	int r;

	if (strcmp(real, "/") == 0)
		return 0;
	r = collect_listed(capture, real, type, size, err);
	return r < 0 || strcmp(asked, real) == 0 ? r
						 : collect_listed(capture, asked, type, size, err);
}

static int add_directory(struct capture *capture, const char *path, struct error *err)
{
	int r = entries_add(&capture->entries, path, ENTRY_DIRECTORY, "", 0);

	return r < 0 ? error_oom(err) : 0;
}

static int take_listed(struct capture *capture, const char *path, struct error *err)
{
	AUTO_FREE char *target = NULL;
	struct stat st;
	int r = look(capture, path, &target, err);

	if (r == 0)
		r = host_stat(capture->host, path, &st, NULL);
	else if (r == 1)
		return 0;
	if (r == -ENOMEM || r == -EFBIG)
		return error_oom(err);
	if (r < 0)
		return is_absent(r) ? 0 : name_unread(capture, path, r, err);
	return S_ISDIR(st.st_mode) ? add_directory(capture, path, err) : 0;
}

/* Links and directories of a list: a probe may have looked at their names alone. */
static int take_names(struct capture *capture, const char *directory, struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = host_list(capture->host, directory, &names, NULL);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		return is_absent(r) ? 0 : collect_unread(capture, directory, r, err);
	if (!capture_is_system(directory))
		return 0;
	for (char **name = names; r == 0 && *name; name++) {
		AUTO_BUF path = BUF_INIT;

		buf_addf(&path, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, *name);
		r = buf_error(&path) < 0 ? error_oom(err)
					 : take_listed(capture, buf_text(&path), err);
	}
	return r;
}

static int take_directory(struct capture *capture, const char *asked, const char *real,
			  const struct stat *st, unsigned want, struct error *err)
{
	bool system = capture_is_system(real);
	int r = 0;

	if (hold_of(asked, real) == HOLD_NEVER && !(want & WANT_NAMES))
		return 0;
	if (system || want & WANT_PLACE)
		r = add_directory(capture, real, err);
	if (r == 0 && !system)
		r = list_data(capture, asked, real, st, err);
	if (r == 0 && want & WANT_NAMES)
		r = take_names(capture, real, err);
	return r;
}

/* A file that was only looked at, or is held by name alone. */
static int take_name(struct capture *capture, const char *asked, const char *real,
		     const struct stat *st, struct error *err)
{
	int r = entries_add(&capture->entries, real, ENTRY_FILE, "", 0);

	if (r < 0)
		return error_oom(err);
	return list_data(capture, asked, real, st, err);
}

static int take_file(struct capture *capture, const char *asked, const char *real,
		     const struct stat *st, unsigned want, struct error *err)
{
	enum hold hold = hold_of(asked, real);

	if (entries_find(&capture->entries, real))
		return 0;
	if (!(want & WANT_CONTENT) && !capture_is_system(real))
		return list_data(capture, asked, real, st, err);
	if (hold == HOLD_NEVER && want & WANT_CONTENT)
		return collect_unread(capture, real, -EACCES, err);
	if (hold == HOLD_NAME || hold == HOLD_NEVER || (!(want & WANT_CONTENT) && hold != HOLD_RAW))
		return take_name(capture, asked, real, st, err);
	return hold_file(capture, asked, real, err);
}

int collect_path(struct capture *capture, const char *path, unsigned want, struct error *err)
{
	bool follow = want & ~(unsigned)WANT_LINK;
	struct walk walk = { .capture = capture };
	struct stat st;
	int r;

	/* Written anew once all is known. */
	if (strcmp(path, CAPTURED_FILES) == 0 || strcmp(path, CAPTURED_UNREADABLE) == 0)
		return 0;
	r = resolve(&walk, path, follow, err);

	if (r == 0 && !walk.at_link)
		r = host_stat(capture->host, walk.done, &st, NULL);
	if (r == -ENOMEM || r == -EFBIG)
		return error_oom(err);
	/* The links that lead nowhere, or in a ring, are taken and say the same again. */
	if (is_absent(r) || r == -ELOOP || r == -ENAMETOOLONG)
		return 0;
	if (r < 0) {
		int code = r;

		r = collect_unread(capture, path, code, err);
		return r < 0 ? r : collect_unread(capture, walk.done, code, err);
	}
	if (walk.at_link || !follow)
		return 0;
	if (S_ISDIR(st.st_mode))
		return take_directory(capture, path, walk.done, &st, want, err);
	return S_ISREG(st.st_mode) ? take_file(capture, path, walk.done, &st, want, err) : 0;
}
