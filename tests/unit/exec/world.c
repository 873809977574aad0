/* SPDX-License-Identifier: MIT */
#include "exec/world.h"

#include <criterion/criterion.h>

#include "base/strv.h"

static struct host *host;
static struct facts *facts;
static const struct plan no_plan;
static json_t *sealed;

static void setup(void)
{
	cr_assert_eq(host_open("examples/homeserver", &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	cr_assert_eq(world_take(facts, &no_plan, &sealed, NULL), 0);
}

static void teardown(void)
{
	json_decref(sealed);
	facts_free(facts);
	host_free(host);
}

TestSuite(world, .init = setup, .fini = teardown);

/* Exactly one difference, with these words. */
static void expect_difference(const char *words)
{
	AUTO_STRV char **differences = NULL;

	cr_assert_eq(world_compare(sealed, facts, &no_plan, NULL, &differences, NULL), 0);
	cr_assert_eq(strv_length(differences), words ? 1 : 0);
	if (words)
		cr_expect(strstr(differences[0], words), "%s", differences[0]);
}

static const char *first_key(const char *part)
{
	return json_object_iter_key(json_object_iter(json_object_get(sealed, part)));
}

Test(world, it_holds_ports_mounts_and_files)
{
	cr_expect_eq(json_object_size(json_object_get(sealed, "ports")), 3);
	cr_expect_gt(json_object_size(json_object_get(sealed, "mounts")), 1);
	cr_expect_not_null(json_object_get(json_object_get(sealed, "mounts"), "/"));
	cr_expect_not_null(json_object_get(json_object_get(sealed, "files"), "/etc/fstab"));
	expect_difference(NULL);
}

Test(world, a_disk_that_moved_is_named_with_both_places)
{
	json_t *ports = json_object_get(sealed, "ports");

	json_object_set_new(ports, first_key("ports"), json_string("port 9 of 0000:00:1f.2"));
	expect_difference("was at port 9 of 0000:00:1f.2 and is at port");
}

Test(world, a_disk_that_went_and_one_that_came)
{
	json_t *ports = json_object_get(sealed, "ports");

	json_object_set_new(ports, "gone", json_string("port 9 of 0000:00:1f.2"));
	expect_difference("the disk gone was at port 9 of 0000:00:1f.2 and is gone");
	json_object_del(ports, "gone");
	json_object_del(ports, first_key("ports"));
	expect_difference("is new, at port");
}

Test(world, a_mount_of_another_filesystem)
{
	json_t *mounts = json_object_get(sealed, "mounts");

	json_object_set_new(mounts, "/", json_string("another-uuid"));
	expect_difference("on / the filesystem another-uuid was mounted, and now it is");
}

Test(world, a_changed_fstab)
{
	json_t *files = json_object_get(sealed, "files");

	json_object_set_new(files, "/etc/fstab", json_string("0123456789abcdef"));
	expect_difference("the file /etc/fstab changed (SHA-256 was 0123456789ab, is");
}

Test(world, what_the_session_took_down_may_be_gone_and_may_not_be_another)
{
	json_t *mounts = json_object_get(sealed, "mounts");
	AUTO_STRV char **taken_down = NULL, **differences = NULL;

	cr_assert_eq(strv_add(&taken_down, "/srv/gone"), 0);
	cr_assert_eq(strv_add(&taken_down, "/"), 0);
	json_object_set_new(mounts, "/srv/gone", json_string("its-uuid"));
	cr_assert_eq(world_compare(sealed, facts, &no_plan, taken_down, &differences, NULL), 0);
	cr_expect_null(differences);
	expect_difference("on /srv/gone the filesystem its-uuid was mounted, and now nothing is");
	json_object_set_new(mounts, "/", json_string("another-uuid"));
	cr_assert_eq(world_compare(sealed, facts, &no_plan, taken_down, &differences, NULL), 0);
	cr_assert_eq(strv_length(differences), 1);
	cr_expect(strstr(differences[0], "on / the filesystem another-uuid was"));
}
