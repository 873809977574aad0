/* SPDX-License-Identifier: MIT */
#include "hostfile_made.h"
#include "probe/facts.h"
#include "step/kinds.h"
#include "systemd_made.h"

#define K3S "k3s.service"
#define DIR "/etc/systemd/system/k3s.service.d"
#define DROP_IN DIR "/90-coldswap-hold.conf"
#define ASSERT "AssertPathExists=!" DROP_IN
#define MOUNTS "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"

struct unit_hold_params {
	char *unit;
};

static char name[] = "k3s";
static const struct unit_hold_params params = { name };
static struct host *host;
static struct facts *facts;

/* systemd reads what is there. */
static void reload(void)
{
	made.units[0].assert = files_has(DROP_IN) ? ASSERT : NULL;
}

static void mounted(const char *mountinfo)
{
	facts_free(facts);
	tree_file(&files.tree, "proc/self/mountinfo", mountinfo);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	made_step = (struct step){ .host = host, .facts = facts };
}

static void setup(void)
{
	files.tree = tree_new();
	tree_file(&files.tree, "etc/systemd/system/x.service", "[Unit]\n");
	cr_assert_eq(host_open(files.tree.root, &host, NULL), 0);
	mounted(MOUNTS);
	made.on_reload = reload;
	made.units[0] = (struct made_unit){ .name = K3S, .active = "inactive", .sub = "dead" };
}

static void teardown(void)
{
	made_session_done(&session);
	facts_free(facts);
	host_free(host);
	tree_done(&files.tree);
}

TestSuite(unit_hold, .init = setup, .fini = teardown);

static void call(enum made_call what, struct result *ret)
{
	cr_assert_eq(made_call(&kind_unit_hold, &params, what, NULL, ret, NULL), 0);
}

static void expect_standing(enum made_call what, enum standing expected)
{
	made_expect(&kind_unit_hold, &params, what, expected);
}

static void read_drop_in(char **ret)
{
	cr_assert_eq(hostfile_read(host, DROP_IN, ret, NULL), 0);
}

Test(unit_hold, holds_and_lets_go)
{
	CLEANUP(result_done) struct result held, released;
	AUTO_FREE char *text = NULL;

	expect_standing(MADE_WANTED, STANDING_NO);
	call(MADE_RUN, &held);
	cr_expect_eq(held.verdict, VERDICT_PASS);
	EXPECT_FINDING(&held, "held", VERDICT_PASS);
	cr_expect_str_eq(held.outputs[0].value.string, "rm " DROP_IN);
	read_drop_in(&text);
	cr_expect(strstr(text, "[Unit]\n"));
	cr_expect(strstr(text, "\n" ASSERT "\n"));
	cr_expect(strstr(text, "\nDescription=%n, held down by coldswap, session 7\n"));
	cr_expect_eq(made.reloads, 1);
	expect_standing(MADE_WANTED, STANDING_YES);
	expect_standing(MADE_UNDONE, STANDING_NO);
	call(MADE_UNDO, &released);
	EXPECT_FINDING(&released, "released", VERDICT_PASS);
	cr_expect_eq(made.reloads, 2);
	cr_expect_not(files_has(DIR));
	expect_standing(MADE_UNDONE, STANDING_YES);
	expect_standing(MADE_WANTED, STANDING_NO);
	cr_expect_eq(made.jobs, 0);
}

Test(unit_hold, a_directory_that_was_there_stays)
{
	CLEANUP(result_done) struct result held, released;

	tree_file(&files.tree, "etc/systemd/system/k3s.service.d/x.conf", "[Unit]\n");
	call(MADE_RUN, &held);
	call(MADE_UNDO, &released);
	cr_expect(files_has(DIR "/x.conf"));
	cr_expect_not(files_has(DROP_IN));
}

/* Killed after the file was written, before systemd read it. */
Test(unit_hold, a_second_run_mends_the_first)
{
	CLEANUP(result_done) struct result first, second, undone;

	made.on_reload = NULL;
	call(MADE_RUN, &first);
	EXPECT_FINDING(&first, "not-in-effect", VERDICT_FAIL);
	expect_standing(MADE_WANTED, STANDING_NO);
	made.on_reload = reload;
	call(MADE_RUN, &second);
	EXPECT_FINDING(&second, "held", VERDICT_PASS);
	cr_expect_eq(files.changes, 1);
	call(MADE_UNDO, &undone);
	expect_standing(MADE_UNDONE, STANDING_YES);
	cr_expect_not(files_has(DIR));
}

Test(unit_hold, another_ones_file_is_left_alone)
{
	CLEANUP(result_done) struct result result, undone;
	AUTO_FREE char *text = NULL;

	tree_file(&files.tree, "etc/systemd/system/k3s.service.d/90-coldswap-hold.conf", "mine\n");
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "foreign", VERDICT_FAIL);
	cr_expect_eq(session.n, 0);
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "untouched", VERDICT_PASS);
	read_drop_in(&text);
	cr_expect_str_eq(text, "mine\n");
	cr_expect_eq(files.changes, 0);
	cr_expect_eq(made.reloads, 0);
}

Test(unit_hold, the_same_text_of_another_session_is_another_ones)
{
	CLEANUP(result_done) struct result first, second;

	call(MADE_RUN, &first);
	made_session_done(&session);
	session.n = 0;
	call(MADE_RUN, &second);
	EXPECT_FINDING(&second, "foreign", VERDICT_FAIL);
}

Test(unit_hold, what_was_changed_since_is_not_removed)
{
	CLEANUP(result_done) struct result held, undone;

	call(MADE_RUN, &held);
	tree_file(&files.tree, "etc/systemd/system/k3s.service.d/90-coldswap-hold.conf",
		  "edited\n");
	expect_standing(MADE_WANTED, STANDING_NO);
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "foreign", VERDICT_FAIL);
	cr_expect(files_has(DROP_IN));
	expect_standing(MADE_UNDONE, STANDING_NO);
}

/* Lifted by hand, as the card says. */
Test(unit_hold, what_was_removed_by_hand_is_released)
{
	CLEANUP(result_done) struct result held, undone;
	char path[512];

	call(MADE_RUN, &held);
	files_path(DROP_IN, path);
	cr_assert_eq(unlink(path), 0);
	expect_standing(MADE_WANTED, STANDING_NO);
	expect_standing(MADE_UNDONE, STANDING_NO);
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "released", VERDICT_PASS);
}

Test(unit_hold, another_drop_in_may_have_reset_the_asserts)
{
	CLEANUP(result_done) struct result held;

	call(MADE_RUN, &held);
	made.units[0].assert = NULL;
	expect_standing(MADE_WANTED, STANDING_NO);
}

Test(unit_hold, only_the_root_filesystem_is_there_in_time)
{
	static const char *const mounts[] = {
		MOUNTS "30 29 8:2 / /etc rw - ext4 /dev/sda2 rw\n",
		"29 1 0:21 / / rw - tmpfs tmpfs rw\n",
	};

	for (size_t i = 0; i < ELEMENTS(mounts); i++) {
		CLEANUP(result_done) struct result result;

		mounted(mounts[i]);
		call(MADE_RUN, &result);
		EXPECT_FINDING(&result, "not-on-root", VERDICT_FAIL);
	}
	CLEANUP(result_done) struct result result;

	mounted("");
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "unreadable", VERDICT_UNKNOWN);
	cr_expect_eq(files.changes, 0);
	cr_expect_eq(session.n, 0);
}

Test(unit_hold, what_the_initramfs_mounts_is_there_in_time)
{
	static const struct {
		const char *fstab;
		enum verdict verdict;
	} rows[] = {
		{ "/dev/sda2 /etc ext4 defaults 0 2\n", VERDICT_FAIL },
		{ "/dev/sda2 /etc ext4 defaults,x-initrd.mount 0 2\n", VERDICT_PASS },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		CLEANUP(result_done) struct result result;

		tree_file(&files.tree, "etc/fstab", rows[i].fstab);
		mounted(MOUNTS "30 29 8:2 / /etc rw - ext4 /dev/sda2 rw\n");
		call(MADE_RUN, &result);
		EXPECT_FINDING(&result, rows[i].verdict == VERDICT_PASS ? "held" : "not-on-root",
			       rows[i].verdict);
	}
}

Test(unit_hold, what_cannot_be_written_is_a_failure)
{
	CLEANUP(result_done) struct result result;

	files.code = -EROFS;
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "not-written", VERDICT_FAIL);
	cr_expect_eq(made.reloads, 0);
	expect_standing(MADE_WANTED, STANDING_NO);
	expect_standing(MADE_UNDONE, STANDING_YES);
}

Test(unit_hold, what_cannot_be_removed_is_a_failure)
{
	CLEANUP(result_done) struct result held, result;

	call(MADE_RUN, &held);
	files.code = -EROFS;
	call(MADE_UNDO, &result);
	EXPECT_FINDING(&result, "not-removed", VERDICT_FAIL);
	expect_standing(MADE_UNDONE, STANDING_NO);
}

Test(unit_hold, without_systemds_word_nothing_is_written)
{
	CLEANUP(result_done) struct result result;

	made.open = -ECONNREFUSED;
	call(MADE_RUN, &result);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
	EXPECT_FINDING(&result, "unreadable", VERDICT_UNKNOWN);
	cr_expect_eq(files.changes, 0);
}

/* An emergency shell without a bus: to remove the file is what counts. */
Test(unit_hold, without_systemds_word_it_is_removed_and_unknown)
{
	CLEANUP(result_done) struct result held, undone;

	call(MADE_RUN, &held);
	made.open = -ECONNREFUSED;
	expect_standing(MADE_WANTED, STANDING_UNKNOWN);
	call(MADE_UNDO, &undone);
	cr_expect_eq(undone.verdict, VERDICT_UNKNOWN);
	cr_expect_not(files_has(DROP_IN));
	expect_standing(MADE_UNDONE, STANDING_UNKNOWN);
}

Test(unit_hold, a_unit_that_is_not_there_is_skipped)
{
	CLEANUP(result_done) struct result result;

	made.units[0].name = NULL;
	call(MADE_RUN, &result);
	cr_expect_eq(result.verdict, VERDICT_SKIP);
	cr_expect_eq(files.changes, 0);
}

Test(unit_hold, a_name_never_leads_out_of_the_directory)
{
	static char wrong[] = "../../../srv/x";
	const struct unit_hold_params other = { wrong };
	CLEANUP(result_done) struct result result;

	cr_assert_eq(made_call(&kind_unit_hold, &other, MADE_RUN, NULL, &result, NULL), 0);
	EXPECT_FINDING(&result, "invalid-name", VERDICT_FAIL);
	cr_expect_eq(files.changes, 0);
}

Test(unit_hold, nothing_is_written_unless_the_original_is_kept)
{
	CLEANUP(result_done) struct result result;

	session.save_code = -ENOSPC;
	cr_expect_eq(made_call(&kind_unit_hold, &params, MADE_RUN, NULL, &result, NULL), -ENOSPC);
	cr_expect_eq(files.changes, 0);
}
