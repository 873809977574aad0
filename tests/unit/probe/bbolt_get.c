/* SPDX-License-Identifier: MIT */
/* One key of a bbolt file. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "bbolt_file.h"
#include "probe/bbolt.h"

static int get(struct file *file, const char *bucket, const char *key, struct buf *ret)
{
	buf_clear(ret);
	return bbolt_get(&file->at, bucket, key, 2 * PAGE, ret, NULL);
}

Test(bbolt_get, a_value_of_a_bucket)
{
	struct file file;
	AUTO_BUF value = BUF_INIT;

	file_make(&file);
	cr_assert_eq(get(&file, "d", "x", &value), 0);
	cr_expect_str_eq(buf_text(&value), "value of x");
}

Test(bbolt_get, of_a_bucket_that_is_inline)
{
	struct file file;
	AUTO_BUF value = BUF_INIT;

	file_make(&file);
	set_both(&file, 32, 8); /* bucket "d" as the root: "y" is one of the root's */
	cr_assert_eq(get(&file, "y", "in", &value), 0);
	cr_expect_str_eq(buf_text(&value), "side");
}

Test(bbolt_get, of_several_pages)
{
	struct file file;
	uint8_t root[16] = { 3 };
	AUTO_BUF value = BUF_INIT;

	file_make(&file);
	leaf(page(&file, 9), 9, 0, (struct item[]){ { "all", root, 16, true } }, 1);
	set_both(&file, 32, 9);
	cr_assert_eq(get(&file, "all", "m", &value), 0);
	cr_expect_eq(value.len, PAGE + 100);
	cr_expect_eq(buf_text(&value)[PAGE + 99], 'v');
	cr_expect_eq(get(&file, "all", "b", &value), 0, "an empty value is a value");
	cr_expect_eq(value.len, 0);
	cr_expect_eq(bbolt_get(&file.at, "all", "m", PAGE, &value, NULL), -EFBIG);
}

Test(bbolt_get, what_is_not_there)
{
	static const struct {
		const char *bucket, *key, *words;
	} absent[] = {
		{ "d", "w", "has no key w in its bucket d" },
		{ "d", "z", "has no key z" },
		{ "d", "xx", "has no key xx" },
		{ "d", "", "has no key " },
		{ "d", "y", "has no key y" }, /* a bucket is no value */
		{ "e", "x", "has no bucket e" },
		{ "a", "x", "has no bucket a" }, /* a value is no bucket */
		{ "", "x", "has no bucket " },
		{ "zzz", "x", "has no bucket zzz" },
	};
	struct file file;
	AUTO_BUF value = BUF_INIT;

	file_make(&file);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		struct error err = ERROR_INIT;

		cr_expect_eq(
			bbolt_get(&file.at, absent[i].bucket, absent[i].key, PAGE, &value, &err),
			-ENOENT);
		cr_expect(strstr(error_text(&err), absent[i].words), "%s", error_text(&err));
		error_done(&err);
	}
	cr_expect_eq(value.len, 0);
}

Test(bbolt_get, damage_on_the_way)
{
	struct file file;
	AUTO_BUF value = BUF_INIT;

	file_make(&file);
	put64(page(&file, 3) + 16 + 16 + 8, 3); /* the second child is the branch itself */
	cr_expect_eq(get(&file, "d", "x", &value), -EBADMSG);
	file_make(&file);
	set_both(&file, 32, 2);
	cr_expect_eq(get(&file, "d", "x", &value), -EBADMSG, "a freelist is no root");
	file_make(&file);
	file.buffer.bad = 8 * PAGE + 70;
	cr_expect_eq(get(&file, "d", "x", &value), -EIO);
	file.at.size = 3 * PAGE;
	cr_expect_eq(get(&file, "d", "x", &value), -EBADMSG);
}
