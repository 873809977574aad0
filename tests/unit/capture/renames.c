/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "capture/renames.h"

static struct renames renames;

static void set_up(void)
{
	cr_assert_eq(renames_init(&renames, NULL), 0);
	/* The same key in each run: the tests below look at forms, not at chance. */
	memset(renames.key, 7, sizeof(renames.key));
}

static void tear_down(void)
{
	renames_done(&renames);
}

TestSuite(renames, .init = set_up, .fini = tear_down);

static char *apply(const void *bytes, size_t len, struct buf *ret)
{
	buf_clear(ret);
	cr_assert_eq(renames_apply(&renames, bytes, len, ret), 0);
	cr_assert_eq(ret->len, len);
	return ret->data;
}

static char *apply_text(const char *text, struct buf *ret)
{
	return apply(text, strlen(text), ret);
}

Test(renames, one_number_in_all_its_forms)
{
	static const char uuid[] = "9ad9dc89-c310-55dd-8b1a-fb3ddb011023";
	static const unsigned char guid[] = { 0x89, 0xdc, 0xd9, 0x9a, 0x10, 0xc3, 0xdd, 0x55,
					      0x8b, 0x1a, 0xfb, 0x3d, 0xdb, 0x01, 0x10, 0x23 };
	char dashed[40], bare[40], text[64];
	AUTO_BUF got = BUF_INIT;
	size_t n = 0;

	cr_assert_eq(renames_add_hex(&renames, uuid, strlen(uuid), 0), 0);
	cr_assert_eq(renames_seal(&renames), 0);
	strcpy(dashed, apply_text(uuid, &got));
	cr_expect_str_neq(dashed, uuid);
	cr_expect_eq(dashed[8], '-');
	for (const char *p = dashed; *p; p++)
		if (*p != '-')
			bare[n++] = *p;
	bare[n] = '\0';
	cr_expect_str_eq(apply_text("9ad9dc89c31055dd8b1afb3ddb011023", &got), bare);
	cr_expect_str_eq(apply_text("xCRYPT-LUKS2-9ad9dc89c31055dd8b1afb3ddb011023-r", &got) + 13 +
				 32,
			 "-r");
	apply_text("9AD9DC89-C310-55DD-8B1A-FB3DDB011023", &got);
	for (char *p = got.data; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	cr_expect_str_eq(got.data, dashed);
	apply(guid, sizeof(guid), &got);
	snprintf(text, sizeof(text), "%02x%02x%02x%02x-%02x%02x", (unsigned char)got.data[3],
		 (unsigned char)got.data[2], (unsigned char)got.data[1], (unsigned char)got.data[0],
		 (unsigned char)got.data[5], (unsigned char)got.data[4]);
	cr_expect_eq(strncmp(text, dashed, 13), 0);
}

Test(renames, a_text_keeps_its_form)
{
	char new[16];
	AUTO_BUF got = BUF_INIT;

	cr_assert_eq(renames_add_text(&renames, "S3YJ-NB0K a", 11), 0);
	cr_assert_eq(renames_seal(&renames), 0);
	strcpy(new, apply_text("S3YJ-NB0K a", &got));
	cr_expect(isupper((unsigned char)new[0]) && isdigit((unsigned char)new[1]));
	cr_expect(new[4] == '-' && new[9] == ' ' && islower((unsigned char)new[10]));
	cr_expect_str_neq(new, "S3YJ-NB0K a");
	apply_text("x_S3YJ-NB0K_a", &got);
	cr_expect_eq(strncmp(got.data + 2, new, 9), 0);
	apply_text("S3YJ-NB0K\\x20a", &got);
	cr_expect_eq(strncmp(got.data, new, 9), 0);
	apply("S\0003\0Y\0J\0-\0N\0B\0000\0K\0 \0a\0", 22, &got);
	cr_expect_eq(got.data[0], new[0]);
	cr_expect_eq(got.data[2], new[1]);
}

Test(renames, short_words_only_as_words)
{
	AUTO_BUF got = BUF_INIT;

	cr_assert_eq(renames_add_text(&renames, "pine", 4), 0);
	cr_assert_eq(renames_seal(&renames), 0);
	cr_expect_str_eq(apply_text("spine pines", &got), "spine pines");
	cr_expect_str_neq(apply_text("pine-vg", &got), "pine-vg");
}

Test(renames, constants_and_nothing)
{
	AUTO_BUF got = BUF_INIT;

	cr_assert_eq(renames_exempt(&renames, "8be4df61-93ca-11d2-aa0d-00e098032b8c"), 0);
	cr_assert_eq(renames_add_hex(&renames, "8be4df61-93ca-11d2-aa0d-00e098032b8c", 36, 0), 0);
	cr_assert_eq(renames_add_hex(&renames, "00000000-0000-0000-0000-000000000000", 36, 0), 0);
	cr_assert_eq(renames_seal(&renames), 0);
	cr_expect_eq(renames.n, 0);
	cr_expect_str_eq(apply_text("abc", &got), "abc");
	cr_expect_str_eq(apply_text("", &got) ? got.data : "", "");
}

Test(renames, two_short_names_stay_two)
{
	char new[26][2];

	for (char c = 'a'; c <= 'z'; c++)
		cr_assert_eq(renames_text_of(&renames, &c, 1, new[c - 'a']), 0);
	for (int i = 0; i < 26; i++)
		for (int k = 0; k < i; k++)
			cr_expect_neq(new[i][0], new[k][0]);
}
