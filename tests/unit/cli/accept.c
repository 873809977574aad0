/* SPDX-License-Identifier: MIT */
#include "cli/accept.h"

#include <criterion/criterion.h>
#include <string.h>

#include "cli/words.h"

TestSuite(accept, .fini = words_done);

static int parse(struct call *call, struct error *err, const char *const *words)
{
	char *argv[16] = { NULL };
	int argc = 0;

	for (; words[argc]; argc++)
		argv[argc] = word(words[argc]);
	return call_parse(argc, argv, call, err);
}

#define WORDS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		"coldswap", "run", "x.yaml", __VA_ARGS__, NULL                                     \
	}

static void expect_refused(const char *const *words, const char *why)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	CLEANUP(call_done) struct call call = { 0 };

	cr_assert_lt(parse(&call, &err, words), 0);
	cr_expect_not_null(strstr(error_text(&err), why), "%s", error_text(&err));
}

Test(accept, each_with_its_reason)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	CLEANUP(call_done) struct call call = { 0 };

	cr_assert_eq(
		parse(&call, &err,
		      WORDS("--accept", "disk.smart/reallocated:sdc (S620)", "--because",
			    "it is replaced in May", "--accept=names.fstab/no-nofail:/etc/fstab:7",
			    "--because=nobody logs in")),
		0, "%s", error_text(&err));
	cr_assert_eq(call.options.n_accepted, 2);
	cr_expect_str_eq(call.options.accepted[0].finding, "disk.smart/reallocated");
	cr_expect_str_eq(call.options.accepted[0].subject, "sdc (S620)");
	cr_expect_str_eq(call.options.accepted[0].because, "it is replaced in May");
	cr_expect_str_eq(call.options.accepted[1].subject, "/etc/fstab:7");
}

Test(accept, none_without_a_reason)
{
	expect_refused(WORDS("--accept", "a/b:c"), "has no reason");
	expect_refused(WORDS("--accept", "a/b:c", "--accept", "d/e:f", "--because", "x"),
		       "a/b:c has no reason");
	expect_refused(WORDS("--accept", "a/b:c", "--because", "  "), "has no reason");
	expect_refused(WORDS("--because", "x"), "write --accept");
	expect_refused(WORDS("--accept", "a/b:c", "--because", "x", "--because", "y"),
		       "write --accept");
}

Test(accept, one_finding_and_no_wildcard)
{
	expect_refused(WORDS("--accept", "a/b"), "takes ID:SUBJECT");
	expect_refused(WORDS("--accept", ":c"), "takes ID:SUBJECT");
	expect_refused(WORDS("--accept", "a/b:"), "takes ID:SUBJECT");
	expect_refused(WORDS("--accept", "a/b:*"), "'*' is none");
}

Test(accept, a_session_is_never_of_a_capture)
{
	expect_refused(WORDS("--root", "/tmp"), "a session is of the running system");
}
