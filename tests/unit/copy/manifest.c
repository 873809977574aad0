/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strv.h"
#include "copy/manifest.h"
#include "sys/io.h"

static char place[] = "/tmp/manifest.XXXXXX";
static int dir = -1;

static void setup(void)
{
	cr_assert_not_null(mkdtemp(place));
	dir = open(place, O_RDONLY | O_DIRECTORY);
	cr_assert_geq(dir, 0);
}

static void teardown(void)
{
	unlinkat(dir, COPY_MANIFEST, 0);
	unlinkat(dir, COPY_SUMS, 0);
	close(dir);
	rmdir(place);
}

TestSuite(manifest, .init = setup, .fini = teardown);

static char *text(const char *words)
{
	char *copy = strdup(words);

	cr_assert_not_null(copy);
	return copy;
}

/* Names that JSON cannot say, that a line cannot hold, and one of each kind. */
static void fill(struct copy_head *head, struct copy_entry entries[3])
{
	struct copy_source_row *source = calloc(1, sizeof(*source));
	struct copy_check *check = calloc(1, sizeof(*check));

	cr_assert(source && check);
	memset(head, 0, sizeof(*head));
	memset(entries, 0, 3 * sizeof(*entries));
	*source = (struct copy_source_row){ .given = text("/data"), .files = 1 };
	cr_assert_eq(strv_take(&source->roots, text("/data/\xff")), 0);
	*check = (struct copy_check){ .what = text("integrity_check"),
				      .passed = true,
				      .text = text("ok") };
	*head = (struct copy_head){ .version = text("1"),
				    .session = 7,
				    .sources = source,
				    .n_sources = 1,
				    .checks = check,
				    .n_checks = 1,
				    .files = 1,
				    .bytes = 4096 };
	entries[0] = (struct copy_entry){ .type = ENTRY_DIRECTORY,
					  .path = text("/data/\xff"),
					  .mode = 040755,
					  .mtime = { -5, 999999999 } };
	entries[1] = (struct copy_entry){ .type = ENTRY_FILE,
					  .path = text("/data/\xff/a\nb\\c"),
					  .mode = 0104711,
					  .size = 4096,
					  .data = 512,
					  .uid = 33,
					  .ino = 1ULL << 62,
					  .dev = 64512 };
	memset(entries[1].sha256, 0xab, 32);
	entries[1].xattrs = calloc(1, sizeof(struct xattr_entry));
	entries[1].xattrs[0] =
		(struct xattr_entry){ .name = text("user.x"), .value = text("v"), .len = 2 };
	entries[1].n_xattrs = 1;
	entries[2] = (struct copy_entry){ .type = ENTRY_SYMLINK,
					  .path = text("/data/\xff/l"),
					  .target = text("\x80"),
					  .mode = 0120777 };
}

static void write_all(const struct copy_head *head, struct copy_entry *entries, bool finish)
{
	struct manifest_writer *writer = NULL;
	int i;

	cr_assert_eq(manifest_create(dir, head, &writer, NULL), 0);
	for (i = 0; i < 3; i++)
		cr_assert_eq(manifest_add(writer, &entries[i], NULL), 0);
	if (finish)
		cr_assert_eq(manifest_finish(writer, head, NULL), 0);
	manifest_writer_free(writer);
}

static void all_done(struct copy_entry *entries, int n, struct copy_head *head)
{
	for (int i = 0; i < n; i++)
		copy_entry_done(&entries[i]);
	copy_head_done(head);
}

static void write_some(bool finish)
{
	struct copy_entry entries[3];
	struct copy_head head;

	fill(&head, entries);
	write_all(&head, entries, finish);
	all_done(entries, 3, &head);
}

/* The number of entries, for all_done(); with an error there is nothing to be let go. */
static int read_all(struct copy_entry entries[4], struct copy_head *head)
{
	struct manifest_reader *reader = NULL;
	int n = 0, r;

	*head = (struct copy_head){ 0 };
	r = manifest_open(dir, &reader, head, NULL);
	while (r >= 0 && n < 4 && (r = manifest_next(reader, &entries[n], head, NULL)) > 0)
		n++;
	manifest_reader_free(reader);
	if (r < 0)
		all_done(entries, n, head);
	return r < 0 ? r : n;
}

Test(manifest, gives_back_what_was_written)
{
	struct copy_entry entries[4];
	struct copy_head head;

	write_some(true);
	cr_assert_eq(read_all(entries, &head), 3);
	cr_expect_str_eq(entries[0].path, "/data/\xff");
	cr_expect_eq(entries[0].mtime.tv_sec, -5);
	cr_expect_eq(entries[0].mtime.tv_nsec, 999999999);
	cr_expect_str_eq(entries[1].path, "/data/\xff/a\nb\\c");
	cr_expect_eq(entries[1].mode, 0104711);
	cr_expect_eq(entries[1].ino, 1ULL << 62);
	cr_expect_eq(entries[1].sha256[31], 0xab);
	cr_expect_eq(entries[1].n_xattrs, 1);
	cr_expect_eq(entries[1].xattrs[0].len, 2);
	cr_expect_str_eq(entries[2].target, "\x80");
	cr_expect_str_eq(head.sources[0].roots[0], "/data/\xff");
	cr_expect_eq(head.n_checks, 1);
	cr_expect(head.checks[0].passed);
	cr_expect(head.complete);
	cr_expect_eq(head.bytes, 4096);
	all_done(entries, 3, &head);
}

Test(manifest, sums_are_those_of_sha256sum)
{
	char line[256] = "";
	AUTO_FD fd = -1;
	ssize_t n;

	write_some(true);
	fd = openat(dir, COPY_SUMS, O_RDONLY);
	n = read(fd, line, sizeof(line) - 1);
	cr_assert_gt(n, 0);
	line[n] = '\0';
	cr_expect_eq(line[0], '\\');
	cr_expect_str_eq(line + 65, "  data/data/\xff/a\\nb\\\\c\n");
}

Test(manifest, one_that_was_not_finished_is_none)
{
	struct copy_entry entries[4];
	struct copy_head head;

	write_some(false);
	cr_expect_eq(read_all(entries, &head), -EBADMSG);
}

Test(manifest, one_that_is_cut_anywhere_is_none)
{
	char bytes[8192];
	AUTO_FD fd = -1;
	ssize_t n, at;

	write_some(true);
	fd = openat(dir, COPY_MANIFEST, O_RDWR);
	n = read(fd, bytes, sizeof(bytes));
	cr_assert_gt(n, 500);
	/* The last newline may go: the last word stands before it. */
	for (at = n - 2; at >= 0; at -= 3) {
		struct copy_entry entries[4];
		struct copy_head head;

		cr_assert_eq(ftruncate(fd, at), 0);
		cr_expect_eq(read_all(entries, &head), -EBADMSG, "cut at %zd of %zd", at, n);
	}
}

Test(manifest, where_there_is_none)
{
	struct copy_entry entries[4];
	struct copy_head head;

	cr_expect_eq(read_all(entries, &head), -ENOENT);
}
