/* SPDX-License-Identifier: MIT */
/* Databases that SQLite itself wrote, or was stopped in the middle of writing, and their copies. */
#include <criterion/criterion.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "copy/validate.h"
#include "sys/tree.h"

/* A host below `place`: databases in `host`, the copy in `copy`, scratch views in `scratch`. */
struct scene {
	struct tree place;
	char host[PATH_MAX], copy[PATH_MAX], scratch[PATH_MAX];
};

static void shell(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void shell(const char *fmt, ...)
{
	char command[4 * PATH_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	cr_assert_eq(system(command), 0, "%s", command);
}

static void scene_make(struct scene *scene)
{
	tree_make(&scene->place);
	snprintf(scene->host, sizeof(scene->host), "%s/host", scene->place.path);
	snprintf(scene->copy, sizeof(scene->copy), "%s/copy", scene->place.path);
	snprintf(scene->scratch, sizeof(scene->scratch), "%s/scratch", scene->place.path);
	shell("mkdir '%s' '%s' '%s' && mkdir -p '%s/data%s'", scene->host, scene->copy,
	      scene->scratch, scene->copy, scene->host);
}

static int die(sqlite3_vfs *vfs, const char *path, int sync)
{
	(void)vfs;
	(void)path;
	(void)sync;
	_exit(0);
}

/*
 * Run SQL in a process that ends without closing anything: at its end, or
 * (`at_delete`) when a transaction has written everything and SQLite removes
 * the journal that would take it back.
 */
static void run_sql(const char *path, bool at_delete, const char *sql)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		sqlite3_vfs vfs = *sqlite3_vfs_find(NULL);
		sqlite3 *db;

		vfs.zName = "deadly";
		if (at_delete)
			vfs.xDelete = die;
		sqlite3_vfs_register(&vfs, 1);
		if (sqlite3_open(path, &db) != SQLITE_OK)
			_exit(1);
		_exit(sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", sql);
}

static void make(const struct scene *scene, bool at_delete, const char *sql)
{
	char path[PATH_MAX * 2];

	snprintf(path, sizeof(path), "%s/app.db", scene->host);
	run_sql(path, at_delete, sql);
}

static void copy_files(const struct scene *scene, const char *pattern)
{
	shell("cp -p '%s'/%s '%s/data%s/'", scene->host, pattern, scene->copy, scene->host);
}

/* The answer's text, which the caller frees; `passed` is expected. */
static char *ask(const struct scene *scene, const char *name, enum validator validator, bool passed)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	struct copy_check check;
	char path[PATH_MAX * 2], *text;

	snprintf(path, sizeof(path), "%s/%s", scene->host, name);
	cr_assert_eq(
		copy_validate(scene->copy, path, validator, scene->scratch, NULL, &check, &err), 0,
		"%s", error_text(&err));
	cr_expect_eq(check.passed, passed, "%s", check.text);
	cr_expect_str_eq(check.path, path);
	text = TAKE(check.text);
	copy_check_done(&check);
	return text;
}

static void expect(const struct scene *scene, bool passed, const char *words)
{
	AUTO_FREE char *text = ask(scene, "app.db", VALIDATE_SQLITE, passed);

	cr_expect(strstr(text, words), "'%s' holds no '%s'", text, words);
	shell("[ -z \"$(ls -A '%s')\" ]", scene->scratch);
}

#define ROWS(n)                                                                                    \
	"create table t(x); with recursive c(n) as (values(1) union all select n+1 from c "        \
	"where n < " #n ") insert into t select randomblob(1000) from c;"

Test(validate, a_wal_is_applied_on_the_scratch_view_alone)
{
	struct scene scene;

	scene_make(&scene);
	make(&scene, false, "pragma journal_mode=wal; " ROWS(50));
	copy_files(&scene, "app.db*");
	shell("cd '%s' && find data -type f -exec sha256sum {} + >sums", scene.copy);
	expect(&scene, true, "frames of the -wal applied");
	shell("cd '%s' && sha256sum -c --quiet sums && [ $(find data -type f | wc -l) = $(wc -l "
	      "<sums) ]",
	      scene.copy);
	tree_done(&scene.place);
}

Test(validate, a_clean_database_and_an_empty_one_are_whole)
{
	struct scene scene;

	scene_make(&scene);
	make(&scene, false, ROWS(5));
	copy_files(&scene, "app.db");
	expect(&scene, true, "ok");
	shell(": >'%s/data%s/app.db'", scene.copy, scene.host);
	expect(&scene, true, "ok");
	tree_done(&scene.place);
}

Test(validate, a_journal_is_rolled_back)
{
	struct scene scene;

	scene_make(&scene);
	make(&scene, false, ROWS(50));
	make(&scene, true, "update t set x = zeroblob(1000);");
	copy_files(&scene, "app.db*");
	expect(&scene, true, "its -journal rolled back");
	tree_done(&scene.place);
}

static void make_super(const struct scene *scene)
{
	char sql[PATH_MAX * 2];

	make(scene, false, ROWS(20));
	snprintf(sql, sizeof(sql),
		 "attach '%s/other.db' as o; create table o.t(x); insert into o.t values(1);",
		 scene->host);
	make(scene, false, sql);
	snprintf(sql, sizeof(sql),
		 "attach '%s/other.db' as o; begin; update t set x = zeroblob(999); "
		 "update o.t set x = 2; commit;",
		 scene->host);
	make(scene, true, sql);
	shell("ls '%s'/*-mj* >/dev/null", scene->host);
}

Test(validate, a_super_journal_must_be_in_the_copy_and_the_hosts_is_left_alone)
{
	struct scene scene;

	scene_make(&scene);
	make_super(&scene);
	copy_files(&scene, "app.db*");
	shell("rm '%s/data%s/'*-mj*; ls '%s' >'%s/names'", scene.copy, scene.host, scene.host,
	      scene.copy);
	expect(&scene, false, "super-journal");
	copy_files(&scene, "*-mj*");
	expect(&scene, true, "its -journal with its super-journal rolled back");
	shell("ls '%s' | cmp - '%s/names'", scene.host, scene.copy);
	/* SQLite removed it: from then on the transaction is done. */
	shell("rm '%s/'*-mj* '%s/data%s/'*-mj*", scene.host, scene.copy, scene.host);
	expect(&scene, true, "that transaction is done");
	tree_done(&scene.place);
}

Test(validate, damage_is_an_answer)
{
	struct scene scene;

	scene_make(&scene);
	make(&scene, false, ROWS(500) "create index i on t(x);");
	copy_files(&scene, "app.db");
	shell("dd if=/dev/urandom of='%s/data%s/app.db' bs=4096 seek=20 count=20 conv=notrunc "
	      "2>/dev/null",
	      scene.copy, scene.host);
	expect(&scene, false, "");
	shell("head -c 8192 /dev/urandom >'%s/data%s/app.db'", scene.copy, scene.host);
	expect(&scene, false, "file is not a database");
	tree_done(&scene.place);
}

Test(validate, a_collation_of_its_program_does_not_make_it_damaged)
{
	struct scene scene;

	scene_make(&scene);
	make(&scene, false,
	     ROWS(5) "create table u(y text collate nocase); create index i on u(y);"
		     "insert into u values('a'), ('b');"
		     "pragma writable_schema=on; update sqlite_schema set sql = "
		     "replace(sql, 'nocase', 'house') where name = 'u';");
	copy_files(&scene, "app.db");
	expect(&scene, true, "quick_check alone");
	tree_done(&scene.place);
}

Test(validate, what_is_not_there_is_no_answer)
{
	struct scene scene;
	struct copy_check check;
	struct error err = ERROR_INIT;
	char path[PATH_MAX * 2];

	scene_make(&scene);
	snprintf(path, sizeof(path), "%s/app.db", scene.host);
	for (enum validator each = VALIDATE_SQLITE; each <= VALIDATE_POSTGRES; each++)
		cr_expect_eq(
			copy_validate(scene.copy, path, each, scene.scratch, NULL, &check, &err),
			-ENOENT);
	cr_expect(strstr(error_text(&err), "cannot check the copy of"));
	error_done(&err);
	tree_done(&scene.place);
}

Test(validate, an_operator_who_stops_it_is_heard)
{
	struct scene scene;
	struct copy_check check;
	volatile sig_atomic_t cancelled = 0;
	char path[PATH_MAX * 2];

	scene_make(&scene);
	make(&scene, false, ROWS(20000));
	copy_files(&scene, "app.db");
	cancelled = 15;
	snprintf(path, sizeof(path), "%s/app.db", scene.host);
	cr_expect_eq(copy_validate(scene.copy, path, VALIDATE_SQLITE, scene.scratch, &cancelled,
				   &check, NULL),
		     -ECANCELED);
	shell("[ -z \"$(ls -A '%s')\" ]", scene.scratch);
	tree_done(&scene.place);
}
