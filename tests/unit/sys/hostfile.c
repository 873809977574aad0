/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/strv.h"
#include "sys/hostfile.h"
#include "tree.h"

#define TEXT "[Unit]\nAssertPathExists=!/x\n"

struct scene {
	struct tree tree;
	struct host *host;
	char file[PATH_MAX];
};

static void scene_make(struct scene *scene)
{
	scene->host = NULL;
	tree_make(&scene->tree);
	cr_assert_eq(host_open(NULL, &scene->host, NULL), 0);
	snprintf(scene->file, sizeof(scene->file), "%s/a/b.d/hold.conf", scene->tree.path);
}

static void scene_done(struct scene *scene)
{
	host_free(scene->host);
	tree_done(&scene->tree);
}
#define AUTO_SCENE CLEANUP(scene_done) struct scene

static bool there(const char *path)
{
	return access(path, F_OK) == 0;
}

Test(hostfile, is_written_and_taken_back)
{
	AUTO_SCENE scene;
	AUTO_STRV char **made = NULL;
	AUTO_FREE char *text = NULL;
	char parent[PATH_MAX];
	struct stat st;

	scene_make(&scene);
	umask(077);
	cr_assert_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, &made, NULL), 0);
	cr_assert_eq(hostfile_read(scene.host, scene.file, &text, NULL), 0);
	cr_expect_str_eq(text, TEXT);
	cr_assert_eq(stat(scene.file, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0644);
	cr_assert_eq(strv_length(made), 2);
	snprintf(parent, sizeof(parent), "%s/a", scene.tree.path);
	cr_expect_str_eq(made[0], parent);
	cr_assert_eq(stat(made[1], &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0755);
	/* After a crash all of it is asked for again. */
	cr_expect_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, NULL, NULL), 0);
	cr_expect_eq(hostfile_rmdir(scene.host, made, NULL), 0, "one in use is left");
	cr_expect(there(scene.file));
	cr_expect_eq(hostfile_remove(scene.host, scene.file, TEXT, NULL), 0);
	cr_expect_eq(hostfile_remove(scene.host, scene.file, TEXT, NULL), 0);
	cr_expect_eq(hostfile_rmdir(scene.host, made, NULL), 0);
	cr_expect_not(there(parent));
	cr_expect_eq(hostfile_rmdir(scene.host, made, NULL), 0);
	cr_expect_eq(hostfile_remove(scene.host, scene.file, TEXT, NULL), 0);
}

Test(hostfile, what_is_anothers_stays)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_SCENE scene;
	AUTO_FREE char *text = NULL;

	scene_make(&scene);
	tree_file(&scene.tree, "/a/b.d/hold.conf", "[Unit]\n");
	cr_expect_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, NULL, &err), -EEXIST);
	cr_expect_not_null(strstr(error_text(&err), "with another text"));
	cr_expect_eq(hostfile_remove(scene.host, scene.file, TEXT, &err), -EEXIST);
	cr_expect_not_null(strstr(error_text(&err), "was changed since"));
	cr_expect_not_null(err.hint);
	cr_assert_eq(hostfile_read(scene.host, scene.file, &text, NULL), 0);
	cr_expect_str_eq(text, "[Unit]\n");
	remove(scene.file);
	cr_assert_eq(symlink("/dev/null", scene.file), 0);
	cr_expect_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, NULL, NULL), -EEXIST);
	cr_expect_eq(hostfile_remove(scene.host, scene.file, TEXT, NULL), -EEXIST);
	cr_expect_eq(hostfile_read(scene.host, scene.file, &text, NULL), -EINVAL);
}

Test(hostfile, links)
{
	AUTO_SCENE scene;
	AUTO_STRV char **made = NULL;
	char target[64];

	scene_make(&scene);
	cr_assert_eq(hostfile_symlink(scene.host, scene.file, "../x.service", &made, NULL), 0);
	cr_expect_eq(hostfile_symlink(scene.host, scene.file, "../x.service", NULL, NULL), 0);
	cr_expect_eq(hostfile_symlink(scene.host, scene.file, "../x", NULL, NULL), -EEXIST);
	cr_expect_eq(readlink(scene.file, target, sizeof(target)), 12);
	cr_expect_eq(hostfile_unlink(scene.host, scene.file, "../x", NULL), -EEXIST);
	cr_expect(there(made[1]));
	cr_expect_eq(hostfile_unlink(scene.host, scene.file, "../x.service", NULL), 0);
	cr_expect_eq(hostfile_unlink(scene.host, scene.file, "../x.service", NULL), 0);
	cr_expect_eq(hostfile_rmdir(scene.host, made, NULL), 0);
}

Test(hostfile, ways_that_others_could_turn_are_refused)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_SCENE scene;
	char at[PATH_MAX];

	scene_make(&scene);
	tree_dir(&scene.tree, "/real");
	tree_link(&scene.tree, "/a", "real");
	cr_expect_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, NULL, &err), -ENOTDIR);
	cr_expect_not_null(strstr(err.hint, "namei -l "));
	remove(tree_at(&scene.tree, "/a", at));
	tree_dir(&scene.tree, "/a");
	chmod(at, 0775);
	cr_expect_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, NULL, &err), -EPERM);
	cr_expect_not_null(strstr(err.hint, at));
	chmod(at, 0755);
	snprintf(at, sizeof(at), "%s/a/../x", scene.tree.path);
	cr_expect_eq(hostfile_write(scene.host, at, TEXT, 0644, NULL, NULL), -EINVAL);
	cr_expect_eq(hostfile_write(scene.host, "x", TEXT, 0644, NULL, NULL), -EINVAL);
	if (geteuid() != 0)
		cr_skip_test("only root can give a directory away");
	cr_assert_eq(chown(tree_at(&scene.tree, "/a", at), 12345, 0), 0);
	cr_expect_eq(hostfile_write(scene.host, scene.file, TEXT, 0644, NULL, &err), -EPERM);
	cr_expect_not_null(strstr(error_text(&err), "uid 12345"));
}

Test(hostfile, of_a_capture_nothing_is_changed)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_STRV char **made = NULL;
	AUTO_FREE char *text = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	cr_expect_eq(hostfile_write(host, "/etc/x", TEXT, 0644, &made, &err), -EPERM);
	cr_expect_not_null(err.hint);
	cr_expect_eq(hostfile_symlink(host, "/etc/x", "y", NULL, NULL), -EPERM);
	cr_expect_eq(hostfile_remove(host, "/etc/x", TEXT, NULL), -EPERM);
	cr_expect_eq(hostfile_unlink(host, "/etc/x", TEXT, NULL), -EPERM);
	cr_expect_eq(hostfile_rmdir(host, made, NULL), -EPERM);
	cr_expect_eq(hostfile_read(host, "/etc/x", &text, NULL), -EPERM);
}
