/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "cli/words.h"

TestSuite(call, .fini = words_done);

/* Parse the words after the program's name. */
static int parse(struct call *call, struct error *err, const char *const words[])
{
	char *argv[16] = { word("coldswap") };
	int argc = 1, r;

	for (; *words; words++)
		argv[argc++] = word(*words);
	r = call_parse(argc, argv, call, err);
	return r;
}
#define PARSE(call, err, ...) parse(call, err, (const char *const[]){ __VA_ARGS__, NULL })

/* Is it refused, and do the words say what the matter is? */
#define REFUSED(part, ...)                                                                         \
	do {                                                                                       \
		struct call refused_;                                                              \
		struct error err_ = ERROR_INIT;                                                    \
		cr_expect_eq(PARSE(&refused_, &err_, __VA_ARGS__), -EINVAL, #__VA_ARGS__);         \
		cr_expect_not_null(strstr(error_text(&err_), part), "%s", error_text(&err_));      \
		call_done(&refused_);                                                              \
		error_done(&err_);                                                                 \
	} while (0)

Test(call, options_stand_anywhere_and_in_both_forms)
{
	struct call call;

	cr_assert_eq(PARSE(&call, NULL, "--root", "/a", "audit", "book.yaml", "--format=json"), 0);
	cr_expect_str_eq(call.verb->name, "audit");
	cr_expect_str_eq(call.options.root, "/a");
	cr_expect_eq(call.options.format, FORMAT_JSON);
	cr_assert_eq(call.n_args, 1);
	cr_expect_str_eq(call.args[0], "book.yaml");
	call_done(&call);
}

Test(call, two_dashes_end_the_options)
{
	struct call call;

	cr_assert_eq(PARSE(&call, NULL, "audit", "--", "--json"), 0);
	cr_expect_eq(call.options.format, FORMAT_TEXT);
	cr_expect_str_eq(call.args[0], "--json");
	call_done(&call);
}

Test(call, nothing_is_abbreviated_or_guessed)
{
	REFUSED("did you mean '--json'", "audit", "--jsn");
	REFUSED("there is no option '--roo'; did you mean '--root'", "audit", "--roo", "/");
	REFUSED("there is no option '-q'", "audit", "-q");
	REFUSED("did you mean 'audit'", "audi");
	REFUSED("there is no option '-'", "audit", "-");
}

Test(call, values_are_neither_missing_nor_too_many)
{
	REFUSED("--root needs a value", "audit", "--root");
	REFUSED("--root needs a value", "audit", "--root", "--json");
	REFUSED("--root needs a value", "audit", "--root=");
	REFUSED("--json takes no value", "audit", "--json=yes");
	REFUSED("--root is given twice", "audit", "--root", "/", "--root=/");
}

Test(call, an_option_without_effect_is_refused)
{
	REFUSED("--exchange is not for 'ports'", "ports", "--exchange", "A,B");
	REFUSED("--facts is not for 'audit'", "audit", "--facts");
}

Test(call, arguments_are_counted)
{
	REFUSED("'check' needs more", "check");
	REFUSED("does not take 'b'", "audit", "a", "b");
}

Test(call, formats_that_do_not_exist_name_those_that_do)
{
	REFUSED("text, json", "audit", "--format", "html");
	REFUSED("text, json", "audit", "--format", "nagios");
}

Test(call, work_is_collected_in_order)
{
	struct call call;

	cr_assert_eq(PARSE(&call, NULL, "audit", "--exchange", "A,B", "--move",
			   "C=port 3 of 0000:00:1f.2", "--remove=D"),
		     0);
	cr_assert_eq(call.options.n_work, 3);
	cr_expect_eq(call.options.work[0].type, WORK_EXCHANGE);
	cr_expect_str_eq(call.options.work[0].disk, "A");
	cr_expect_str_eq(call.options.work[0].other, "B");
	cr_expect_eq(call.options.work[1].type, WORK_MOVE);
	cr_expect_str_eq(call.options.work[1].to, "port 3 of 0000:00:1f.2");
	cr_expect_eq(call.options.work[2].type, WORK_REMOVE);
	cr_expect_str_eq(call.options.work[2].disk, "D");
	cr_expect_str_eq(call.options.work[2].position, "--remove");
	call_done(&call);
}

Test(call, half_an_exchange_is_none)
{
	REFUSED("--exchange takes two disks", "audit", "--exchange", "A");
	REFUSED("--exchange takes two disks", "audit", "--exchange", "A,");
	REFUSED("--exchange takes two disks", "audit", "--exchange", ",B");
	REFUSED("--exchange takes two disks", "audit", "--exchange", "A,B,C");
	REFUSED("--move takes DISK=PORT", "audit", "--move", "A");
	REFUSED("--var takes NAME=VALUE", "audit", "--var", "=x");
}

Test(call, no_program_name_is_survived)
{
	struct call call;
	char *nothing[] = { NULL };

	cr_assert_eq(call_parse(0, nothing, &call, NULL), 0);
	cr_expect_null(call.verb);
	call_done(&call);
}

Test(call, the_command_can_be_given_again)
{
	struct call call;

	cr_assert_eq(PARSE(&call, NULL, "audit", "--move", "A=port 3 of x"), 0);
	cr_expect_str_eq(call.again, "coldswap audit --move 'A=port 3 of x'");
	call_done(&call);
}

Test(call, every_option_has_a_verb_and_a_help)
{
	for (size_t i = 0; option_at(i); i++) {
		cr_expect_neq(option_at(i)->verbs, 0);
		cr_expect_not_null(option_at(i)->help);
		cr_expect_not_null(option_at(i)->set);
	}
}
