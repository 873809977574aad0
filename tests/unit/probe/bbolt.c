/* SPDX-License-Identifier: MIT */
/*
 * A sound file, and each way in which one may be damaged.  Files that bbolt
 * itself wrote: tests/databases.
 */
#include "probe/bbolt.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "bbolt_file.h"

static struct bbolt_walk sound(struct file *file)
{
	struct bbolt_walk walk = { 0 };
	struct error err = ERROR_INIT;
	int r = bbolt_check(&file->at, &walk, &err);

	cr_assert_eq(r, 0, "%s", error_text(&err));
	return walk;
}

/* bbolt_check() says that, and what to do. */
static void damaged(struct file *file, int code, const char *words)
{
	struct bbolt_walk walk = { 0 };
	struct error err = ERROR_INIT;

	cr_expect_eq(bbolt_check(&file->at, &walk, &err), code, "%s", words);
	cr_expect(strstr(error_text(&err), words), "'%s' is not in '%s'", words, error_text(&err));
	cr_expect(code != -EBADMSG || err.hint, "%s", words);
	error_done(&err);
}

Test(bbolt, a_sound_file_is_walked_whole)
{
	struct file file;
	struct bbolt_walk walk;

	file_make(&file);
	walk = sound(&file);
	cr_expect_eq(walk.meta.txid, 41);
	cr_expect_eq(walk.meta.valid, 2);
	cr_expect_eq(walk.meta.page_size, PAGE);
	cr_expect_eq(walk.keys, 6); /* a b c m x in */
	cr_expect_eq(walk.buckets, 2);
	cr_expect_eq(walk.pages, 7);
	cr_expect_eq(walk.free_pages, 2);
	cr_expect_eq(walk.lost_pages, 1);
}

Test(bbolt, the_meta_with_the_highest_transaction_counts)
{
	struct file file;
	struct bbolt_meta found = { 0 };

	file_make(&file);
	page(&file, 1)[30] ^= 1; /* its sum is wrong now: a commit that was cut off */
	cr_assert_eq(bbolt_meta_read(&file.at, &found, NULL), 0);
	cr_expect_eq(found.txid, 40);
	cr_expect_eq(found.valid, 1);
	file_make(&file);
	page(&file, 0)[30] ^= 1;
	cr_assert_eq(bbolt_meta_read(&file.at, &found, NULL), 0);
	cr_expect_eq(found.txid, 41);
	page(&file, 1)[30] ^= 1;
	damaged(&file, -EBADMSG, "no valid meta page");
}

Test(bbolt, foreign_files_are_not_called_damaged)
{
	struct file file;

	file_make(&file);
	put32(page(&file, 0) + 16, __builtin_bswap32(0xed0cdaed));
	put32(page(&file, 1) + 16, 0);
	damaged(&file, -ENOTSUP, "another byte order");
	file_make(&file);
	put32(page(&file, 0) + 20, 3);
	put32(page(&file, 1) + 20, 3);
	seal(&file);
	damaged(&file, -ENOTSUP, "unknown version");
	memset(file.bytes, 0, sizeof(file.bytes));
	damaged(&file, -EBADMSG, "no valid meta page");
	file.at.size = 10;
	damaged(&file, -EBADMSG, "no valid meta page");
}

Test(bbolt, a_file_that_was_cut_off)
{
	struct file file;

	file_make(&file);
	for (uint64_t size = 2 * PAGE; size < sizeof(file.bytes); size += 511) {
		file.at.size = file.buffer.size = size;
		damaged(&file, -EBADMSG, "is cut off: 12 pages of 1024 bytes");
	}
	file_make(&file);
	set_both(&file, 56, UINT64_MAX); /* times the page size it would be small again */
	damaged(&file, -EBADMSG, "is cut off");
}

Test(bbolt, ids_and_types_of_pages)
{
	struct file file;

	file_make(&file);
	put64(page(&file, 5), 7);
	damaged(&file, -EBADMSG, "page 5 bears the number of another");
	file_make(&file);
	put16(page(&file, 5) + 8, META);
	damaged(&file, -EBADMSG, "page 5 is no page of a tree");
	file_make(&file);
	put16(page(&file, 5) + 8, FREELIST);
	damaged(&file, -EBADMSG, "page 5 is no page of a tree");
	file_make(&file);
	put32(page(&file, 6) + 12, 100);
	damaged(&file, -EBADMSG, "page 6 reaches past the last page");
	put32(page(&file, 6) + 12, UINT32_MAX);
	damaged(&file, -EBADMSG, "page 6 reaches past the last page");
	file_make(&file);
	set_both(&file, 32, PAGES);
	damaged(&file, -EBADMSG, "page 12 is referred to and is none");
	set_both(&file, 32, 1);
	damaged(&file, -EBADMSG, "page 1 is referred to and is none");
	file_make(&file);
	put16(page(&file, 3) + 10, 0);
	damaged(&file, -EBADMSG, "page 3 is a branch that leads nowhere");
}

Test(bbolt, reached_once_and_never_free)
{
	struct file file;

	file_make(&file);
	put64(page(&file, 3) + 16 + 16 + 8, 4); /* the second child is the first again */
	damaged(&file, -EBADMSG, "page 4 is reached twice");
	file_make(&file);
	put64(page(&file, 3) + 16 + 8, 3); /* a loop */
	damaged(&file, -EBADMSG, "page 3 is reached twice");
	file_make(&file);
	put32(page(&file, 5) + 12, 1); /* its overflow is page 6 */
	damaged(&file, -EBADMSG, "page 6 is reached twice");
	file_make(&file);
	put64(page(&file, 2) + 16, 7); /* an overflow page */
	damaged(&file, -EBADMSG, "page 7 is in use and on the freelist");
	file_make(&file);
	put64(page(&file, 2) + 16, 2); /* the freelist itself */
	damaged(&file, -EBADMSG, "page 2 is in use and on the freelist");
}

Test(bbolt, freelists)
{
	struct file file;
	struct bbolt_walk walk;

	file_make(&file);
	set_both(&file, 48, NONE);
	walk = sound(&file);
	cr_expect_eq(walk.free_pages, 0);
	cr_expect_eq(walk.lost_pages, 0, "nobody says which pages are free");
	file_make(&file);
	put16(page(&file, 2) + 10, 0xffff); /* the true count is the first number */
	put64(page(&file, 2) + 16, 1);
	put64(page(&file, 2) + 24, 11);
	walk = sound(&file);
	cr_expect_eq(walk.free_pages, 1);
	cr_expect_eq(walk.lost_pages, 2);
	put64(page(&file, 2) + 16, UINT64_MAX / 8 + 2);
	damaged(&file, -EBADMSG, "page 2 counts more elements than it has room for");
	file_make(&file);
	put16(page(&file, 2) + 10, 127);
	damaged(&file, -EBADMSG, "page 2 counts more elements than it has room for");
	file_make(&file);
	put64(page(&file, 2) + 24, 10); /* named twice */
	damaged(&file, -EBADMSG, "page 2 is a freelist that names what is no free page");
	put64(page(&file, 2) + 24, PAGES);
	damaged(&file, -EBADMSG, "page 2 is a freelist that names what is no free page");
	put64(page(&file, 2) + 24, 1);
	damaged(&file, -EBADMSG, "page 2 is a freelist that names what is no free page");
	file_make(&file);
	set_both(&file, 48, 9);
	put64(page(&file, 9), 9);
	damaged(&file, -EBADMSG, "page 9 is no page of a tree");
	set_both(&file, 48, 4);
	damaged(&file, -EBADMSG, "page 4 is no freelist");
}

Test(bbolt, keys_ascend_within_and_between_pages)
{
	struct file file;

	file_make(&file);
	page(&file, 4)[16 + 32 + 2] = 'a'; /* "a", "a" */
	damaged(&file, -EBADMSG, "page 4 has keys out of order");
	file_make(&file);
	page(&file, 4)[16 + 32 + 2] = 'c'; /* as great as the next branch key */
	damaged(&file, -EBADMSG, "page 3 has keys out of order");
	file_make(&file);
	page(&file, 6)[16 + 16] = 'l'; /* below the branch's key */
	damaged(&file, -EBADMSG, "page 6 has keys out of order");
	file_make(&file);
	page(&file, 3)[16 + 48 + 1] = 'z'; /* "a", "z", "m" */
	damaged(&file, -EBADMSG, "out of order");
	file_make(&file);
	page(&file, 8)[16 + 32] = 'z'; /* the keys of a bucket of its own */
	damaged(&file, -EBADMSG, "page 8 has keys out of order");
}

Test(bbolt, elements_stay_in_their_page_and_apart)
{
	struct file file;

	file_make(&file);
	put16(page(&file, 4) + 10, 64);
	damaged(&file, -EBADMSG, "page 4 counts more elements than it has room for");
	file_make(&file);
	put32(page(&file, 4) + 16 + 12, PAGE);
	damaged(&file, -EBADMSG, "page 4 has an element that reaches out of it");
	put32(page(&file, 4) + 16 + 12, UINT32_MAX);
	damaged(&file, -EBADMSG, "page 4 has an element that reaches out of it");
	file_make(&file);
	put32(page(&file, 4) + 16 + 4, UINT32_MAX);
	damaged(&file, -EBADMSG, "page 4 has an element that reaches out of it");
	file_make(&file);
	put32(page(&file, 4) + 16 + 8, 40000);
	damaged(&file, -EBADMSG, "page 4 has a key that is too long");
	file_make(&file);
	put32(page(&file, 4) + 32 + 4, 16); /* the second one's key is the first one's */
	damaged(&file, -EBADMSG, "page 4 has elements that overlap");
	file_make(&file);
	put32(page(&file, 4) + 16 + 4, 8);
	damaged(&file, -EBADMSG, "page 4 has elements that overlap");
	file_make(&file);
	put32(page(&file, 4) + 16, 2);
	damaged(&file, -EBADMSG, "page 4 has an element of no known type");
}

Test(bbolt, buckets_that_are_cut_off_or_lead_astray)
{
	struct file file;
	uint8_t *in_page_5, *in_page_8;

	file_make(&file);
	in_page_5 = page(&file, 5) + 16 + 32 + 3; /* "c3d", then the value of the bucket */
	put64(in_page_5, 3);
	damaged(&file, -EBADMSG, "page 3 is reached twice");
	put64(in_page_5, UINT64_MAX);
	damaged(&file, -EBADMSG, "page 18446744073709551615 is referred to and is none");
	file_make(&file);
	put32(page(&file, 5) + 32 + 12, 15);
	damaged(&file, -EBADMSG, "page 5 holds a bucket that is cut off");
	file_make(&file);
	put32(page(&file, 8) + 32 + 12, 24);
	damaged(&file, -EBADMSG, "page 8 holds a bucket that is cut off");
	file_make(&file);
	in_page_8 = page(&file, 8) + 16 + 32 + 12 + 16; /* "xvalue of xy", root and sequence */
	put16(in_page_8 + 8, BRANCH);
	damaged(&file, -EBADMSG, "page 8 holds a bucket that is no leaf");
	put16(in_page_8 + 8, LEAF);
	put16(in_page_8 + 10, 1000);
	damaged(&file, -EBADMSG, "page 8 counts more elements than it has room for");
}

Test(bbolt, a_tree_deeper_than_any_is)
{
	enum { N = 140 };
	AUTO_FREE uint8_t *bytes = calloc(N, PAGE);
	struct bytes_buffer buffer = { bytes, N * PAGE, 0 };
	struct bytes_at at = bytes_of_buffer(&buffer);
	struct bbolt_walk walk = { 0 };
	struct error err = ERROR_INIT;
	AUTO_BUF value = BUF_INIT;

	for (unsigned i = 0; i < 2; i++) {
		meta(bytes + i * PAGE, i, i);
		put64(bytes + i * PAGE + 48, NONE);
		put64(bytes + i * PAGE + 56, N);
		sum_meta(bytes + i * PAGE);
	}
	for (unsigned i = 3; i + 1 < N; i++)
		branch(bytes + i * PAGE, i, (const char *const[]){ "k" },
		       (const uint64_t[]){ i + 1 }, 1);
	leaf(bytes + (N - 1) * PAGE, N - 1, 0, (struct item[]){ { "k", "v", 1, false } }, 1);
	cr_expect_eq(bbolt_check(&at, &walk, &err), -EBADMSG);
	cr_expect(strstr(error_text(&err), "lies deeper than any tree is"));
	cr_expect_eq(bbolt_get(&at, "k", "k", 10, &value, &err), -EBADMSG);
	cr_expect(strstr(error_text(&err), "lies deeper than any tree is"));
	error_done(&err);
}

Test(bbolt, a_read_that_fails_is_its_own_error)
{
	struct file file;

	for (unsigned id = 0; id < 9; id++) {
		file_make(&file);
		file.buffer.bad = id * PAGE + 40;
		damaged(&file, -EIO, "cannot read /srv/file: Input/output error");
	}
}
