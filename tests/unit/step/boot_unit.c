/* SPDX-License-Identifier: MIT */
#include "step/boot_unit.h"

#include "hostfile_made.h"
#include "probe/facts.h"
#include "step/kinds.h"
#include "systemd_made.h"

#define NAME "coldswap-verify.service"
#define DIR "/etc/systemd/system"
#define FILE_PATH DIR "/" NAME
#define WANTS DIR "/multi-user.target.wants"
#define LINK WANTS "/" NAME
#define PROGRAM "/usr/local/bin/coldswap"
#define STATE "/var/lib/coldswap"
#define MOUNTS "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"

static struct host *host;
static struct facts *facts;

/* systemd reads what is there. */
static void reload(void)
{
	bool listed = made.keeps_failed && made.units[0].active &&
		      strcmp(made.units[0].active, "failed") == 0;

	made.units[0] = (struct made_unit){ 0 };
	if (listed)
		made.units[0] =
			(struct made_unit){ .name = NAME, .active = "failed", .load = "not-found" };
	if (files_has(FILE_PATH))
		made.units[0] =
			(struct made_unit){ .name = NAME,
					    .active = "inactive",
					    .sub = "dead",
					    .file_state = files_has(LINK) ? "enabled" : "disabled",
					    .fragment = FILE_PATH };
}

static void mounted(const char *mountinfo)
{
	facts_free(facts);
	tree_file(&files.tree, "proc/self/mountinfo", mountinfo);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	made_step =
		(struct step){ .host = host, .facts = facts, .program = PROGRAM, .state = STATE };
}

static void setup(void)
{
	files.tree = tree_new();
	tree_file(&files.tree, "etc/systemd/system/x.service", "[Unit]\n");
	tree_file(&files.tree, &PROGRAM[1], "");
	tree_file(&files.tree, "var/lib/coldswap/journal.db", "");
	cr_assert_eq(host_open(files.tree.root, &host, NULL), 0);
	mounted(MOUNTS);
	made.on_reload = reload;
}

static void teardown(void)
{
	made_session_done(&session);
	facts_free(facts);
	host_free(host);
	tree_done(&files.tree);
}

TestSuite(boot_unit, .init = setup, .fini = teardown);

static void call(enum made_call what, struct result *ret)
{
	cr_assert_eq(made_call(&kind_boot_unit, NULL, what, NULL, ret, NULL), 0);
}

static void expect_standing(enum made_call what, enum standing expected)
{
	made_expect(&kind_boot_unit, NULL, what, expected);
}

Test(boot_unit, is_installed_and_removed)
{
	CLEANUP(result_done) struct result installed, removed;
	char whole[512], to[512] = "";

	expect_standing(MADE_WANTED, STANDING_NO);
	call(MADE_RUN, &installed);
	cr_expect_eq(installed.verdict, VERDICT_PASS);
	EXPECT_FINDING(&installed, "installed", VERDICT_PASS);
	files_path(LINK, whole);
	cr_assert_gt(readlink(whole, to, sizeof(to) - 1), 0);
	cr_expect_str_eq(to, FILE_PATH);
	expect_standing(MADE_WANTED, STANDING_YES);
	expect_standing(MADE_UNDONE, STANDING_NO);
	call(MADE_UNDO, &removed);
	EXPECT_FINDING(&removed, "removed", VERDICT_PASS);
	cr_expect_not(files_has(FILE_PATH));
	cr_expect_not(files_has(WANTS));
	expect_standing(MADE_UNDONE, STANDING_YES);
}

Test(boot_unit, the_text_names_program_and_state_and_delays_nothing)
{
	AUTO_FREE char *text = NULL, *elsewhere = NULL;

	cr_assert_eq(boot_unit_text(PROGRAM, STATE, 7, &text), 0);
	cr_expect(strstr(text, "\nExecStart=" PROGRAM " verify --boot --state " STATE "\n"));
	cr_expect(strstr(text, "\nType=oneshot\n"));
	cr_expect(strstr(text, "\nDefaultDependencies=no\n"));
	cr_expect(strstr(text, "\nWantedBy=multi-user.target\n"));
	cr_expect_null(strstr(text, "Requires"));
	cr_expect_null(strstr(text, "Before=multi-user"));
	cr_expect(strstr(text, PROGRAM " resume\""));
	cr_assert_eq(boot_unit_text(PROGRAM, "/srv/state", 7, &elsewhere), 0);
	cr_expect(strstr(elsewhere, PROGRAM " resume --state /srv/state\""));
}

Test(boot_unit, what_a_unit_file_would_have_to_quote_is_refused)
{
	static const char *const paths[] = { "coldswap", "/a b",  "/a\"b", "/a'b",  "/a$b",
					     "/a%b",     "/a\\b", "/a;b",  "/a\nb", "" };

	for (size_t i = 0; i < ELEMENTS(paths); i++) {
		CLEANUP(result_done) struct result result;

		cr_expect_not(boot_unit_is_plain(paths[i]));
		made_step.program = paths[i];
		call(MADE_RUN, &result);
		cr_expect_eq(result.verdict, VERDICT_FAIL);
		EXPECT_FINDING(&result, "no-program", VERDICT_FAIL);
	}
	cr_expect(boot_unit_is_plain("/usr/local/bin/cold-swap_1.2+x"));
	cr_expect_eq(files.changes, 0);
}

Test(boot_unit, a_program_that_will_not_be_there_is_refused)
{
	static const char *const programs[] = { NULL, "/usr/bin/elsewhere" };

	for (size_t i = 0; i < ELEMENTS(programs); i++) {
		CLEANUP(result_done) struct result result;

		made_step.program = programs[i];
		call(MADE_RUN, &result);
		EXPECT_FINDING(&result, "no-program", VERDICT_FAIL);
	}
	CLEANUP(result_done) struct result result;

	mounted(MOUNTS "30 29 0:21 / /usr/local rw - tmpfs tmpfs rw\n");
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "no-program", VERDICT_FAIL);
	cr_expect_eq(files.changes, 0);
}

/* Killed between the file and its link. */
Test(boot_unit, half_of_it_is_not_it)
{
	CLEANUP(result_done) struct result half, whole;

	files.code = -EIO;
	files.code_for = LINK;
	call(MADE_RUN, &half);
	EXPECT_FINDING(&half, "not-written", VERDICT_FAIL);
	expect_standing(MADE_WANTED, STANDING_NO);
	expect_standing(MADE_UNDONE, STANDING_NO);
	files.code = 0;
	call(MADE_RUN, &whole);
	EXPECT_FINDING(&whole, "installed", VERDICT_PASS);
}

/* Removed behind systemd's back: what it says is of before. */
Test(boot_unit, without_its_link_it_is_not_installed)
{
	CLEANUP(result_done) struct result installed;
	char whole[512];

	call(MADE_RUN, &installed);
	files_path(LINK, whole);
	cr_assert_eq(unlink(whole), 0);
	expect_standing(MADE_WANTED, STANDING_NO);
}

/* Another version of the program, or one that lies elsewhere now, removes what was written. */
Test(boot_unit, what_was_written_is_what_is_removed)
{
	CLEANUP(result_done) struct result installed, removed;

	call(MADE_RUN, &installed);
	made_step.program = NULL;
	expect_standing(MADE_WANTED, STANDING_YES);
	call(MADE_UNDO, &removed);
	EXPECT_FINDING(&removed, "removed", VERDICT_PASS);
}

Test(boot_unit, what_systemd_would_not_run_is_not_installed)
{
	CLEANUP(result_done) struct result installed;
	struct made_unit *unit = &made.units[0];

	call(MADE_RUN, &installed);
	unit->load = "masked";
	expect_standing(MADE_WANTED, STANDING_NO);
	unit->load = NULL;
	unit->file_state = "disabled";
	expect_standing(MADE_WANTED, STANDING_NO);
	unit->file_state = "enabled";
	unit->need_reload = true;
	expect_standing(MADE_WANTED, STANDING_NO);
	unit->need_reload = false;
	unit->fragment = "/etc/systemd/system.control/" NAME;
	expect_standing(MADE_WANTED, STANDING_NO);
	unit->fragment = FILE_PATH;
	expect_standing(MADE_WANTED, STANDING_YES);
}

Test(boot_unit, another_ones_unit_is_left_alone)
{
	CLEANUP(result_done) struct result result, undone;
	AUTO_FREE char *text = NULL;

	tree_file(&files.tree, &FILE_PATH[1], "mine\n");
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "foreign", VERDICT_FAIL);
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "untouched", VERDICT_PASS);
	cr_assert_eq(hostfile_read(host, FILE_PATH, &text, NULL), 0);
	cr_expect_str_eq(text, "mine\n");
	cr_expect_eq(files.changes, 0);
}

Test(boot_unit, the_notice_goes_with_it)
{
	CLEANUP(result_done) struct result installed, removed;

	call(MADE_RUN, &installed);
	tree_file(&files.tree, "run/motd.d/coldswap", "coldswap, session 7: passed.\n");
	call(MADE_UNDO, &removed);
	cr_expect_not(files_has("/run/motd.d/coldswap"));
}

/* Wrong cables make it fail; a host that is as before lists no failed unit. */
Test(boot_unit, its_failure_goes_with_it)
{
	CLEANUP(result_done) struct result installed, removed;

	call(MADE_RUN, &installed);
	made.units[0].active = "failed";
	made.keeps_failed = true;
	call(MADE_UNDO, &removed);
	EXPECT_FINDING(&removed, "removed", VERDICT_PASS);
	cr_expect_eq(made.forgotten, 1);
}

Test(boot_unit, a_failed_unit_without_a_file_is_not_gone)
{
	CLEANUP(result_done) struct result installed, removed;

	call(MADE_RUN, &installed);
	made.units[0].active = "failed";
	made.keeps_failed = made.failure_stays = true;
	call(MADE_UNDO, &removed);
	EXPECT_FINDING(&removed, "not-in-effect", VERDICT_FAIL);
}

Test(boot_unit, without_systemd_there_is_no_next_boot_to_verify)
{
	CLEANUP(result_done) struct result result, unknown;

	made.open = -ENOENT;
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "no-systemd", VERDICT_FAIL);
	made.open = -ECONNREFUSED;
	call(MADE_RUN, &unknown);
	EXPECT_FINDING(&unknown, "unreadable", VERDICT_UNKNOWN);
	cr_expect_eq(files.changes, 0);
}
