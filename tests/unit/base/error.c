/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stddef.h>

#include "error.h"

Test(error, set_keeps_code_and_words)
{
	struct error err = ERROR_INIT;

	cr_assert_eq(error_set(&err, -ENOENT, "no %s", "disk"), -ENOENT);
	cr_assert_eq(err.code, -ENOENT);
	cr_assert_str_eq(err.message, "no disk");
	cr_assert_null(err.hint);
	error_done(&err);
	cr_assert_eq(err.code, 0);
	error_done(&err);
}

Test(error, wrap_puts_words_before)
{
	struct error err = ERROR_INIT;

	error_set(&err, -EACCES, "cannot read %s", "/x");
	error_hint(&err, "run as root");
	cr_assert_eq(error_wrap(&err, "port %d", 5), -EACCES);
	cr_assert_str_eq(err.message, "port 5: cannot read /x");
	cr_assert_str_eq(err.hint, "run as root");
	error_done(&err);
}

Test(error, a_message_may_be_made_of_the_one_it_replaces)
{
	struct error err = ERROR_INIT;

	error_set(&err, -EIO, "one");
	error_set(&err, -EINVAL, "%s and two", err.message);
	cr_assert_str_eq(err.message, "one and two");
	cr_assert_eq(err.code, -EINVAL);
	error_done(&err);
}

Test(error, a_new_error_drops_the_old_hint)
{
	struct error err = ERROR_INIT;

	error_set(&err, -EIO, "one");
	error_hint(&err, "do this");
	error_set(&err, -EIO, "two");
	cr_assert_null(err.hint);
	error_done(&err);
}

Test(error, null_is_allowed_and_never_a_success)
{
	cr_assert_eq(error_set(NULL, -EIO, "x"), -EIO);
	cr_assert_lt(error_wrap(NULL, "x"), 0);
	error_hint(NULL, "x");
	cr_assert_eq(error_oom(NULL), -ENOMEM);
	error_done(NULL);
}

Test(error, copy_is_deep)
{
	struct error from = ERROR_INIT, to = ERROR_INIT;

	error_set(&to, -EIO, "old");
	error_set(&from, -ENODATA, "no figures");
	error_hint(&from, "measure");
	cr_assert_eq(error_copy(&to, &from), -ENODATA);
	error_done(&from);
	cr_assert_str_eq(to.message, "no figures");
	cr_assert_str_eq(to.hint, "measure");
	error_done(&to);
}

Test(error, text_falls_back_to_the_errno)
{
	struct error err = { -ENOENT, NULL, NULL };

	cr_assert_str_eq(error_text(&err), "No such file or directory");
	cr_assert_not_null(error_text(NULL));
}
