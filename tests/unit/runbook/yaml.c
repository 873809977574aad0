/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "runbook/yaml.h"

/* The diagnostics of a text, one "LINE:COL: message" a line. */
static char *read_errors(const char *text, size_t len)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_yaml_node) struct yaml_node *root = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF ret = BUF_INIT;
	int r = yaml_read(text, len, &root, &diags, &err);

	cr_assert_eq(r, diags.n ? -EINVAL : 0);
	cr_assert(diags.n > 0 || root);
	diags.file = strdup("f");
	cr_assert_eq(diagnostics_print(&diags, &ret), 0);
	return buf_take(&ret);
}

static void check(const char *text, const char *expected)
{
	AUTO_FREE char *errors = read_errors(text, strlen(text));

	cr_expect_str_eq(errors, expected, "of: %s", text);
}

Test(yaml, tree_has_positions)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_yaml_node) struct yaml_node *root = NULL;
	const char *text = "# first\na: no\nb:\n  - {c: \"\"}\n  - 12\n";

	cr_assert_eq(yaml_read(text, strlen(text), &root, &diags, NULL), 0);
	cr_assert_eq(root->type, YAML_MAPPING);
	cr_assert_eq(root->n, 4);
	cr_expect_str_eq(root->items[1]->text, "no", "a scalar is text, whatever it looks like");
	cr_expect_eq(root->items[1]->at.line, 2);
	cr_expect_eq(root->items[1]->at.column, 4);
	const struct yaml_node *list = root->items[3];

	cr_assert_eq(list->type, YAML_SEQUENCE);
	cr_assert_eq(list->n, 2);
	cr_expect_eq(list->items[0]->at.line, 4);
	cr_expect_eq(list->items[0]->at.column, 5);
	cr_expect(list->items[0]->items[1]->quoted);
	cr_expect_str_eq(list->items[1]->text, "12");
}

Test(yaml, refuses_what_it_must)
{
	check("", "f:1:1: the file is empty\n");
	check("# a comment\n", "f:1:1: the file is empty\n");
	check("a: &x 1\n", "f:1:4: anchors ('&x') are not allowed\n");
	check("a: *x\n", "f:1:4: aliases ('*x') are not allowed; write the value out\n");
	check("a: !!int 1\n", "f:1:4: tags ('tag:yaml.org,2002:int') are not allowed; the kind's "
			      "parameters have the types\n");
	check("a: ! x\n", "f:1:4: tags ('!') are not allowed; the kind's parameters have the "
			  "types\n");
	check("a:\n  <<: {b: 1}\n",
	      "f:2:3: merge keys ('<<') are not allowed; write the keys out\n");
	check("a: 1\nb: 2\na: 3\n", "f:3:1: key 'a' is given twice; it first stands on line 1\n");
	check("[a]: 1\n", "f:1:1: a key is a word, not a list or a mapping\n");
	check("a: 1\n---\nb: 2\n", "f:2:1: a second document begins here; a runbook is one\n");
	check("%YAML 1.1\n---\na: 1\n", "f:1:1: a line that begins with '%' is a directive, and "
					"directives are not allowed\n");
	check("a: 1\n...\n%TAG ! x\n---\n", "f:3:1: a line that begins with '%' is a directive, "
					    "and directives are not allowed\n");
	check("a: \"x\\0y\"\n", "f:1:4: a text cannot hold a NUL character\n");
}

Test(yaml, says_where_the_syntax_breaks)
{
	check("a: [1, 2\nb: 3\n", "f:2:2: not YAML: did not find expected ',' or ']' (while "
				  "parsing a flow sequence from line 1 on)\n");
	check("a:\n\tb: 1\n", "f:2:1: a tab cannot indent; use blanks\n");
	check("a: 1\n b: 2\n", "f:2:3: not YAML: mapping values are not allowed in this "
			       "context\n");
	check("a: 1\nb: \001\n", "f:2:4: a character that YAML does not allow: control characters "
				 "are not allowed\n");
}

Test(yaml, refuses_bytes_that_are_not_utf8)
{
	check("a: 1\n\xc3\xa4: \xff\n", "f:2:4: byte 0xff is not UTF-8; save the file as UTF-8\n");
	check("a: \xe2\x82", "f:1:4: byte 0xe2 is not UTF-8; save the file as UTF-8\n");
	check("\xff\xfe"
	      "a",
	      "f:1:1: byte 0xff is not UTF-8; save the file as UTF-8\n");
}

Test(yaml, passes_over_a_byte_order_mark)
{
	check("\xef\xbb\xbf"
	      "a: &x 1\n",
	      "f:1:4: anchors ('&x') are not allowed\n");
}

Test(yaml, reports_all_that_is_wrong)
{
	check("a: &x 1\nb: *x\nc: 1\nc: 2\n",
	      "f:1:4: anchors ('&x') are not allowed\n"
	      "f:2:4: aliases ('*x') are not allowed; write the value out\n"
	      "f:4:1: key 'c' is given twice; it first stands on line 3\n");
}

Test(yaml, hostile_bytes_are_inert_in_messages)
{
	AUTO_FREE char *errors = read_errors("\"\\e[31m\": 1\n\"\\e[31m\": 2\n", 24);

	cr_expect(!strchr(errors, 0x1b));
	cr_expect(strstr(errors, "\\x1b[31m") != NULL);
}

Test(yaml, depth_is_bounded)
{
	char text[2 * (YAML_MAX_DEPTH + 1) + 1] = { 0 };
	AUTO_FREE char *fine = NULL, *deep = NULL;

	memset(text, '[', YAML_MAX_DEPTH);
	memset(text + YAML_MAX_DEPTH, ']', YAML_MAX_DEPTH);
	fine = read_errors(text, strlen(text));
	cr_expect_str_eq(fine, "");
	memset(text, '[', YAML_MAX_DEPTH + 1);
	memset(text + YAML_MAX_DEPTH + 1, ']', YAML_MAX_DEPTH + 1);
	deep = read_errors(text, 2 * (YAML_MAX_DEPTH + 1));
	cr_expect_str_eq(deep, "f:1:33: nested more than 32 levels deep\n");
}

Test(yaml, size_is_bounded)
{
	AUTO_FREE char *text = malloc(YAML_MAX_BYTES + 1), *errors = NULL;

	memset(text, ' ', YAML_MAX_BYTES + 1);
	errors = read_errors(text, YAML_MAX_BYTES + 1);
	cr_expect_str_eq(errors, "f:1:1: the file is larger than 256 KiB, the most that is "
				 "read\n");
}

/* ---- bombs: 256 KiB of one pattern ------------------------------------------ */

/* A promise of the program as it is shipped; other builds are slower. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#define BOMB_SECONDS 0.1
#else
#define BOMB_SECONDS 5.0
#endif

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void bomb(const char *start, const char *pattern)
{
	AUTO_FREE char *text = malloc(YAML_MAX_BYTES), *errors = NULL;
	size_t len = strlen(start), step = strlen(pattern);
	struct rusage before, after;
	double began;

	memcpy(text, start, len);
	for (; len + step <= YAML_MAX_BYTES; len += step)
		memcpy(text + len, pattern, step);
	getrusage(RUSAGE_SELF, &before);
	began = cpu_seconds();
	errors = read_errors(text, len);
	began = cpu_seconds() - began;
	getrusage(RUSAGE_SELF, &after);
	cr_expect_gt(strlen(errors), 0, "%s is refused", pattern);
	cr_expect_lt(began, BOMB_SECONDS, "%s takes %.3f s", pattern, began);
	cr_expect_lt(after.ru_maxrss - before.ru_maxrss, 16 << 10, "%s", pattern);
}

Test(yaml, bombs_cost_nothing)
{
	bomb("", "[");
	bomb("", "{");
	bomb("", "- ");
	bomb("", "? ");
	bomb("", "[{");
	bomb("a: [", "a,");
	bomb("a: {", "a,");
	bomb("", "a: 1\n");
	bomb("a:\n", " - b\n");
	bomb("", "%TAG !a! b\n");
	bomb("", "*a ");
	bomb("a: [", "*a,");
	bomb("a: [", "&a b,");
	bomb("a: [", "!!x b,");
	bomb("a: [", "{a: 1, a: 2},");
	bomb("", "\"\\e");
	bomb("a: \"", "\xc3\xa4");
	bomb("a: |\n", "x\n");
}
