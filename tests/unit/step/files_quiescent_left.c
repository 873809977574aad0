/* SPDX-License-Identifier: MIT */
/* The own state of databases, waiting, and what audit foresees. */
#include "quiet_made.h"

TestSuite(files_quiescent_left, .init = setup, .fini = teardown);

/* ---- the database's own state ----------------------------------------------------------- */

static const char sqlite_head[100] = "SQLite format 3";

/* The reader of a WAL database maps its -shm for writing. */
Test(files_quiescent_left, a_reader_of_a_wal_database_stays_one)
{
	RESULT ret;

	write_file("a.db", sqlite_head, sizeof(sqlite_head));
	write_file("a.db-wal", "", 0);
	write_file("a.db-shm", "x", 1);
	lease.answer = LEASE_HELD;
	made.items[0] = (struct made_holder){ "/a.db", HOLDER_OPEN, 7, false, NULL, NULL, NULL };
	made.items[1] = (struct made_holder){ "/a.db-shm", HOLDER_OPEN, 7, true, NULL, NULL, NULL };
	made.items[2] =
		(struct made_holder){ "/a.db-shm", HOLDER_MAPPED, 7, true, NULL, NULL, NULL };
	made.n = 3;
	cr_assert_eq(call_of(kind_files_quiescent.run, "sqlite:", 0, NULL, &ret), 0);
	expect(&ret, "read-only", VERDICT_FAIL);
	cr_expect_null(find(&ret, "held"));
}

/* The -wal has no name any more, and the database is asked for its former one. */
Test(files_quiescent_left, a_deleted_wal_is_asked_for)
{
	RESULT ret;

	write_file("a.db", sqlite_head, sizeof(sqlite_head));
	made.items[0] =
		(struct made_holder){ "/a.db-wal", HOLDER_FORMER, 7, true, NULL, NULL, NULL };
	made.n = 1;
	cr_assert_eq(call_of(kind_files_quiescent.run, "sqlite:", 0, NULL, &ret), 0);
	expect(&ret, "former-generation", VERDICT_FAIL);
	expect(&ret, "copy-aside", VERDICT_WARN);
	cr_expect(strstr(find(&ret, "copy-aside")->remedy, "the database and /proc/7/fd/13"));
}

/* ---- waiting ------------------------------------------------------------------------------ */

static void lets_go(void)
{
	if (made.scans == 3)
		made.n = 0;
}

Test(files_quiescent_left, waits_until_the_last_one_has_let_go)
{
	RESULT ret;

	write_file("one", "1", 1);
	made.items[0] = (struct made_holder){ "/one", HOLDER_OPEN, 1, true, NULL, NULL, NULL };
	made.n = 1;
	made.on_scan = lets_go;
	cr_assert_eq(call_of(kind_files_quiescent.run, "", 700000, NULL, &ret), 0);
	expect(&ret, "quiescent", VERDICT_PASS);
	cr_expect_eq(ret.verdict, VERDICT_PASS);
}

Test(files_quiescent_left, the_end_of_the_wait_is_a_failure)
{
	uint64_t start = clock_monotonic_us();
	RESULT ret;

	write_file("one", "1", 1);
	lease.answer = LEASE_HELD;
	made.items[0] = (struct made_holder){ "/one", HOLDER_OPEN, 1, true, NULL, NULL, NULL };
	made.n = 1;
	cr_assert_eq(call_of(kind_files_quiescent.run, "", 300000, NULL, &ret), 0);
	cr_expect_geq(clock_monotonic_us() - start, 300000);
	expect(&ret, "still-held", VERDICT_FAIL);
	expect(&ret, "held", VERDICT_FAIL);
	cr_expect(strstr(find(&ret, "still-held")->summary, "app (pid 1)"));
	cr_expect_leq(made.scans, 5, "it does not poll");
}

Test(files_quiescent_left, the_operator_ends_the_wait)
{
	uint64_t start = clock_monotonic_us();
	RESULT ret;

	write_file("one", "1", 1);
	lease.answer = LEASE_HELD;
	cancelled = 2;
	cr_expect_eq(call_of(kind_files_quiescent.run, "", 5000000, NULL, &ret), -ECANCELED);
	cancelled = 0;
	cr_expect_lt(clock_monotonic_us() - start, 1000000);
}

/* ---- foreseen ------------------------------------------------------------------------------ */

/* k3s-stop ends what is in its group. */
static int stopper(void *data, const struct stoppable *who, const char **ret_id, struct error *err)
{
	(void)data;
	if (who->pid == 99)
		return error_set(err, -EIO, "systemd cannot be asked");
	if (!who->cgroup || strcmp(who->cgroup, "/k3s") != 0)
		return 0;
	*ret_id = "k3s-stop";
	return 1;
}
static const struct step_ahead ahead = { NULL, stopper };

static void foresee(struct result *ret)
{
	write_file("one", "1", 1);
	write_file("two", "2", 1);
	lease.answer = LEASE_HELD;
	cr_assert_eq(call_of(kind_files_quiescent.foresee, "", 0, &ahead, ret), 0);
}

Test(files_quiescent_left, a_holder_that_a_step_ends_is_told_and_no_more)
{
	RESULT ret;

	made.items[0] = (struct made_holder){ "/one", HOLDER_OPEN, 5, true, NULL, NULL, "/k3s" };
	made.n = 1;
	foresee(&ret);
	cr_expect_eq(ret.verdict, VERDICT_SKIP);
	cr_expect_eq(ret.n_findings, 0);
	cr_expect_str_eq(ret.summary, "held now by app (pid 5), which the step 'k3s-stop' ends.");
}

Test(files_quiescent_left, a_holder_that_no_step_ends_fails_with_the_step_to_add)
{
	RESULT ret;

	made.items[0] = (struct made_holder){ "/one", HOLDER_OPEN, 5, true, NULL, NULL, "/k3s" };
	made.items[1] =
		(struct made_holder){ "/two", HOLDER_OPEN, 6, true, "y.service", NULL, "/y" };
	made.n = 2;
	foresee(&ret);
	expect(&ret, "not-covered", VERDICT_FAIL);
	cr_expect_eq(ret.n_findings, 1);
	cr_expect(strstr(find(&ret, "not-covered")->remedy, "unit.stop, with: {unit: y.service}"));
	cr_expect_str_eq(ret.summary,
			 "held now by app (pid 6), which no step before it ends; and by "
			 "app (pid 5), which the step 'k3s-stop' ends.");
}

Test(files_quiescent_left, what_cannot_be_asked_and_what_cannot_be_seen_are_not_known)
{
	RESULT ret, gap;

	made.items[0] = (struct made_holder){ "/one", HOLDER_OPEN, 99, true, NULL, NULL, "/k3s" };
	made.n = 1;
	foresee(&ret);
	expect(&ret, "not-scanned", VERDICT_UNKNOWN);
	made.n = 0;
	made.gap = "/proc/1/fd: Permission denied";
	foresee(&gap);
	expect(&gap, "not-scanned", VERDICT_UNKNOWN);
}

/* Its step would end the process, and the data with it. */
Test(files_quiescent_left, a_deleted_generation_is_a_failure_before_anything_is_stopped)
{
	RESULT ret;

	made.items[0] = (struct made_holder){ "/one", HOLDER_FORMER, 5, true, NULL, NULL, "/k3s" };
	made.n = 1;
	foresee(&ret);
	expect(&ret, "former-generation", VERDICT_FAIL);
}
