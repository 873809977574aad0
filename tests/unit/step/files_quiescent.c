/* SPDX-License-Identifier: MIT */
#include "quiet_made.h"

TestSuite(files_quiescent, .init = setup, .fini = teardown);

static void look(struct result *ret)
{
	write_file("one", "1", 1);
	write_file("two", "2", 1);
	cr_assert_eq(call_of(kind_files_quiescent.run, "", 0, NULL, ret), 0);
}

Test(files_quiescent, passes_when_all_agree)
{
	RESULT ret;

	look(&ret);
	cr_expect_eq(ret.verdict, VERDICT_PASS);
	expect(&ret, "quiescent", VERDICT_PASS);
	cr_expect_eq(lease.taken, 2);
}

Test(files_quiescent, a_writer_fails_it_though_a_lease_was_granted)
{
	RESULT ret;

	made.items[0] =
		(struct made_holder){ "/one", HOLDER_OPEN, 812, true, "x.service", NULL, NULL };
	made.n = 1;
	look(&ret);
	expect(&ret, "held", VERDICT_FAIL);
	cr_expect_null(find(&ret, "quiescent"));
	cr_expect(strstr(ret.summary, "app (pid 812)"));
	cr_expect_str_eq(find(&ret, "held")->remedy, "systemctl stop x.service");
}

Test(files_quiescent, a_reader_is_no_proof_and_has_words_of_its_own)
{
	RESULT ret;

	lease.answer = LEASE_HELD;
	made.items[0] = (struct made_holder){ "/one", HOLDER_OPEN, 812, false, NULL, NULL, NULL };
	made.items[1] = (struct made_holder){ "/two", HOLDER_MAPPED, 813, true, NULL, NULL, NULL };
	made.n = 2;
	look(&ret);
	expect(&ret, "read-only", VERDICT_FAIL);
	expect(&ret, "mapped", VERDICT_FAIL);
	cr_expect(strstr(find(&ret, "read-only")->remedy, "kill -9 is not the way"));
}

Test(files_quiescent, each_sort_of_holder_is_named)
{
	RESULT ret;

	lease.answer = LEASE_HELD;
	made.items[0] = (struct made_holder){ "/one", HOLDER_FORMER, 9, true, NULL, NULL, NULL };
	made.items[1] = (struct made_holder){ "/one", HOLDER_LOOP, 0, true, NULL, NULL, NULL };
	made.items[2] = (struct made_holder){ "/two", HOLDER_SWAP, 0, true, NULL, NULL, NULL };
	made.items[3] = (struct made_holder){ "/two", HOLDER_OPEN, 5, true, NULL, "pod-uid", NULL };
	made.n = 4;
	look(&ret);
	expect(&ret, "former-generation", VERDICT_FAIL);
	expect(&ret, "loop", VERDICT_FAIL);
	expect(&ret, "swap", VERDICT_FAIL);
	expect(&ret, "held", VERDICT_FAIL);
	cr_expect(strstr(find(&ret, "held")->remedy, "grep pod-uid"));
	cr_expect_null(find(&ret, "lease-disagrees"));
}

Test(files_quiescent, witnesses_that_disagree_are_not_known)
{
	RESULT ret;

	lease.answer = LEASE_HELD;
	look(&ret);
	expect(&ret, "lease-disagrees", VERDICT_UNKNOWN);
	cr_expect_eq(ret.verdict, VERDICT_UNKNOWN);
}

/* It holds the old inode: who refuses the lease of the new one is still somebody else. */
Test(files_quiescent, a_former_generation_explains_no_refusal)
{
	RESULT ret;

	lease.answer = LEASE_HELD;
	made.items[0] = (struct made_holder){ "/one", HOLDER_FORMER, 9, true, NULL, NULL, NULL };
	made.n = 1;
	write_file("one", "1", 1);
	cr_assert_eq(call_of(kind_files_quiescent.run, "", 0, NULL, &ret), 0);
	expect(&ret, "lease-disagrees", VERDICT_UNKNOWN);
}

Test(files_quiescent, no_answer_that_counts_is_not_known)
{
	static const struct {
		int code;
		const char *id;
	} rows[] = { { -EOPNOTSUPP, "foreign-filesystem" },
		     { -EINVAL, "no-lease" },
		     { -EACCES, "no-lease" } };

	lease.answer = LEASE_UNKNOWN;
	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		RESULT ret;

		lease.code = rows[i].code;
		look(&ret);
		expect(&ret, rows[i].id, VERDICT_UNKNOWN);
		cr_expect_null(find(&ret, "quiescent"));
		cr_expect_eq(ret.verdict, VERDICT_UNKNOWN);
	}
}

Test(files_quiescent, what_could_not_be_opened_is_not_known_or_held)
{
	RESULT full, leased;

	lease.open = -EMFILE;
	look(&full);
	expect(&full, "no-lease", VERDICT_UNKNOWN);
	lease.open = -EWOULDBLOCK;
	look(&leased);
	expect(&leased, "lease-disagrees", VERDICT_UNKNOWN);
}

Test(files_quiescent, what_went_while_it_was_looked_at_fails)
{
	RESULT ret;

	lease.open = -ENOENT;
	look(&ret);
	expect(&ret, "changing", VERDICT_FAIL);
	cr_expect_null(find(&ret, "quiescent"));
}

static void replace(void)
{
	char from[128], to[128];

	write_file("new", "3", 1);
	snprintf(from, sizeof(from), "%s/new", dir);
	snprintf(to, sizeof(to), "%s/one", dir);
	rename(from, to);
}

Test(files_quiescent, a_file_that_was_renamed_over_fails)
{
	RESULT ret;

	made.on_scan = replace;
	look(&ret);
	expect(&ret, "changing", VERDICT_FAIL);
}

Test(files_quiescent, a_broken_lease_fails)
{
	RESULT ret;

	lease.breaks = true;
	look(&ret);
	expect(&ret, "intruded", VERDICT_FAIL);
}

Test(files_quiescent, a_gap_in_the_scan_is_not_known)
{
	RESULT ret;

	made.gap = "/proc/812/fd: Permission denied";
	look(&ret);
	expect(&ret, "not-scanned", VERDICT_UNKNOWN);
	cr_expect_null(find(&ret, "quiescent"));
	cr_expect_eq(ret.verdict, VERDICT_UNKNOWN);
}

Test(files_quiescent, a_thousand_files_of_one_process_are_one_finding)
{
	RESULT ret;

	lease.answer = LEASE_HELD;
	for (size_t i = 0; i < 1000; i++) {
		static char names[1000][8];

		snprintf(names[i], sizeof(names[i]), "f%04zu", i);
		write_file(names[i], "x", 1);
		made.items[i] =
			(struct made_holder){ names[i], HOLDER_OPEN, 812, true, NULL, NULL, NULL };
	}
	made.n = 1000;
	look(&ret);
	cr_expect_eq(ret.n_findings, 2, "and the two files that nobody shows");
	cr_expect(strstr(find(&ret, "held")->summary, "and 997 more"));
	cr_expect_eq(find(&ret, "held")->n_evidence, 1000, "the document has them all");
}

/* Two names of one file would refuse each other's lease. */
Test(files_quiescent, hard_links_are_one_file)
{
	char from[128], to[128];
	RESULT ret;

	write_file("one", "1", 1);
	snprintf(from, sizeof(from), "%s/one", dir);
	snprintf(to, sizeof(to), "%s/link", dir);
	cr_assert_eq(link(from, to), 0);
	cr_assert_eq(call_of(kind_files_quiescent.run, "", 0, NULL, &ret), 0);
	cr_expect_eq(lease.taken, 1);
}

/* What lies below a mount point after the umount. */
Test(files_quiescent, an_empty_directory_proves_nothing)
{
	RESULT ret;

	cr_assert_eq(call_of(kind_files_quiescent.run, "", 0, NULL, &ret), 0);
	expect(&ret, "missing", VERDICT_FAIL);
	cr_expect_null(find(&ret, "quiescent"));
}

Test(files_quiescent, what_is_not_there_fails)
{
	RESULT ret;

	rmdir(dir);
	cr_assert_eq(call_of(kind_files_quiescent.run, "", 0, NULL, &ret), 0);
	expect(&ret, "missing", VERDICT_FAIL);
	mkdir(dir, 0700);
}
