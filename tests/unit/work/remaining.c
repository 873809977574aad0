/* SPDX-License-Identifier: MIT */
#include "work/remaining.h"

#include <errno.h>
#include <string.h>

#include "machine.h"

#define PORTS 5
#define NOBODY '.'

/* The disk of a letter on a port; another file for each boot, other kernel names too. */
static void plug(const struct tree *tree, char letter, unsigned port, char name)
{
	char path[256], devno[16], text[512];
	unsigned ata = port + 1, minor = (unsigned)(name - 'a') * 16;

	snprintf(path, sizeof(path),
		 "pci0000:00/0000:00:1f.2/ata%u/host%u/target%u:0:0/%u:0:0:0/block/sd%c", ata, port,
		 port, port, name);
	snprintf(devno, sizeof(devno), "8:%u", minor);
	disk_at(tree, path, devno, "1000000");
	snprintf(text, sizeof(text),
		 "S:disk/by-id/wwn-0x500000000000000%c\nE:ID_BUS=ata\nE:ID_MODEL=MODEL\n"
		 "E:ID_SERIAL=MODEL_SER%c\nE:ID_SERIAL_SHORT=SER%c\nE:ID_WWN=0x500000000000000%c\n",
		 letter, letter, letter, letter);
	disk_udev(tree, devno, text);
}

/* "a.bc": a on port 0, b on port 2, c on port 3.  Kernel names count from the last port. */
static struct tree board(const char *plugged)
{
	struct tree tree = tree_new();
	char name = 'a';

	for (unsigned port = PORTS; port-- > 0;) {
		machine_port(&tree, port + 1);
		if (port < strlen(plugged) && plugged[port] != NOBODY)
			plug(&tree, plugged[port], port, name++);
	}
	tree_file(&tree, "proc/self/mountinfo", "29 1 0:1 / / rw - tmpfs none rw\n");
	return tree;
}

static char letter_of(const struct block *disk)
{
	return disk->serial[strlen(disk->serial) - 1];
}

/* Where the work leads to, in the letters of board(). */
static void result_of(const struct work *work, char ret[PORTS + 1])
{
	memset(ret, NOBODY, PORTS);
	ret[PORTS] = '\0';
	for (size_t i = 0; i < work->blocks->n; i++) {
		const struct block *disk = work->blocks->items[i];
		struct place_after after;

		if (!block_is_disk(disk))
			continue;
		work_place_after(work, disk, &after);
		if (!after.present)
			continue;
		cr_assert(after.port >= 0 && after.port < PORTS);
		cr_assert_eq(ret[after.port], NOBODY, "two disks on port %d", after.port);
		ret[after.port] = letter_of(disk);
	}
}

struct scene {
	struct tree tree_before, tree_now;
	struct machine before, now;
	struct work *rest;
	struct error err;
};

static void scene_done(struct scene *scene)
{
	work_free(scene->rest);
	machine_done(&scene->now);
	machine_done(&scene->before);
	tree_done(&scene->tree_before);
	tree_done(&scene->tree_now);
	error_done(&scene->err);
}
#define AUTO_SCENE CLEANUP(scene_done) struct scene

static int rest(struct scene *scene, const char *before, const char *now,
		struct work_request *requests, size_t n)
{
	scene->tree_before = board(before);
	scene->tree_now = board(now);
	scene->before = machine_open(&scene->tree_before);
	scene->now = machine_open(&scene->tree_now);
	cr_assert_eq(machine_work(&scene->before, requests, n, NULL), 0);
	return work_remaining(scene->now.facts, scene->before.facts, scene->before.work,
			      &scene->rest, &scene->err);
}

#define REST(scene, before, now, ...)                                                              \
	({                                                                                         \
		struct work_request rest_[] = { __VA_ARGS__ };                                     \
		rest(scene, before, now, rest_, ELEMENTS(rest_));                                  \
	})

static void leads_to(struct scene *scene, const char *wanted)
{
	char reached[PORTS + 1], padded[PORTS + 1];

	memset(padded, NOBODY, PORTS);
	padded[PORTS] = '\0';
	memcpy(padded, wanted, strlen(wanted));
	cr_assert_not_null(scene->rest, "%s", error_text(&scene->err));
	result_of(scene->rest, reached);
	cr_assert_str_eq(reached, padded);
}

static void is_op(const struct scene *scene, size_t index, enum work_type type, char disk)
{
	cr_assert_lt(index, scene->rest->n);
	cr_assert_eq(scene->rest->ops[index].type, type, "operation %zu is a %d", index,
		     scene->rest->ops[index].type);
	cr_assert_eq(letter_of(scene->rest->ops[index].disk), disk);
}

Test(remaining, nothing_moved_leaves_the_same_work)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "abc", "abc", EXCHANGE("SERb", "SERc")), 0);
	cr_assert_eq(scene.rest->n, 1);
	is_op(&scene, 0, WORK_EXCHANGE, 'b');
	cr_assert_eq(letter_of(scene.rest->ops[0].other), 'c');
	cr_assert_eq(scene.rest->origin, WORK_GIVEN);
}

Test(remaining, nothing_is_left_when_all_is_right)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "abc", "acb", EXCHANGE("SERb", "SERc")), 0);
	cr_assert_eq(scene.rest->n, 0);
	cr_assert_eq(scene.rest->origin, WORK_POWER_CYCLE);
}

Test(remaining, a_wrong_pair_leaves_a_ring)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "abc", "cba", EXCHANGE("SERb", "SERc")), 0);
	cr_assert_eq(scene.rest->n, 3);
	for (size_t i = 0; i < 3; i++)
		cr_assert_eq(scene.rest->ops[i].type, WORK_MOVE);
	leads_to(&scene, "acb");
}

Test(remaining, a_move_to_the_wrong_port_goes_on_from_there)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "ab", "a..b", MOVE("SERb", "port 4")), 0);
	cr_assert_eq(scene.rest->n, 1);
	is_op(&scene, 0, WORK_MOVE, 'b');
	cr_assert_eq(scene.rest->ops[0].port, 4);
	leads_to(&scene, "a...b");
}

Test(remaining, the_boot_disk_is_put_back)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "abc", ".bca", EXCHANGE("SERb", "SERc")), 0);
	leads_to(&scene, "acb");
	is_op(&scene, 0, WORK_EXCHANGE, 'b');
	is_op(&scene, 1, WORK_MOVE, 'a');
}

Test(remaining, a_third_disk_on_the_port_leaves_it)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "ab", "a.bd", MOVE("SERb", "port 3")), 0);
	cr_assert_eq(scene.rest->n, 2);
	is_op(&scene, 0, WORK_REMOVE, 'd');
	leads_to(&scene, "a..b");
}

Test(remaining, a_new_disk_on_a_port_of_its_own_is_nobodys_cable)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "ab", "ba.d", EXCHANGE("SERa", "SERb")), 0);
	cr_assert_eq(scene.rest->n, 0);
}

Test(remaining, a_missing_disk_is_named)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "abc", "ac", EXCHANGE("SERb", "SERc")), -ENODEV);
	cr_assert(strstr(error_text(&scene.err), "SERb"), "said: %s", error_text(&scene.err));
	cr_assert(strstr(error_text(&scene.err), "port 1"));
	cr_assert_not_null(scene.err.hint);
}

Test(remaining, a_disk_that_the_work_leaves_alone_is_missed_too)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "abc", ".cb", EXCHANGE("SERb", "SERc")), -ENODEV);
	cr_assert(strstr(error_text(&scene.err), "SERa"));
}

Test(remaining, a_disk_that_was_to_go_goes)
{
	AUTO_SCENE done = { 0 }, still = { 0 };

	cr_assert_eq(REST(&done, "abc", "a.c", REMOVE("SERb")), 0);
	cr_assert_eq(done.rest->n, 0);
	cr_assert_eq(REST(&still, "abc", "ac.b", REMOVE("SERb")), 0);
	is_op(&still, 0, WORK_REMOVE, 'b');
	leads_to(&still, "a.c");
}

Test(remaining, a_new_cable_cannot_be_seen)
{
	AUTO_SCENE scene = { 0 };

	cr_assert_eq(REST(&scene, "ab", "ab", machine_request(WORK_RECABLE, "SERb", NULL, NULL)),
		     0);
	cr_assert_eq(scene.rest->n, 1);
	is_op(&scene, 0, WORK_RECABLE, 'b');
}

Test(remaining, a_replacement_by_a_disk_that_nobody_knows)
{
	AUTO_SCENE same = { 0 }, right = { 0 }, aside = { 0 }, both = { 0 }, none = { 0 };

	cr_assert_eq(REST(&same, "ab", "ab", REPLACE("SERb", "NEW")), 0);
	is_op(&same, 0, WORK_REPLACE, 'b');
	cr_assert_str_eq(same.rest->ops[0].new_text, "NEW");
	cr_assert_eq(REST(&right, "ab", "ad", REPLACE("SERb", "NEW")), 0);
	cr_assert_eq(right.rest->n, 0);
	cr_assert_eq(REST(&aside, "ab", "a..d", REPLACE("SERb", "NEW")), 0);
	is_op(&aside, 0, WORK_MOVE, 'd');
	leads_to(&aside, "ad");
	cr_assert_eq(REST(&both, "ab", "ad..b", REPLACE("SERb", "NEW")), 0);
	is_op(&both, 0, WORK_REMOVE, 'b');
	leads_to(&both, "ad");
	cr_assert_eq(REST(&none, "ab", "a", REPLACE("SERb", "NEW")), -ENODEV);
	cr_assert(strstr(error_text(&none.err), "SERb"));
}

Test(remaining, a_replacement_by_a_disk_of_this_machine)
{
	AUTO_SCENE same = { 0 }, right = { 0 }, half = { 0 };

	cr_assert_eq(REST(&same, "ab.c", "ab.c", REPLACE("SERb", "SERc")), 0);
	cr_assert_eq(same.rest->n, 1);
	is_op(&same, 0, WORK_REPLACE, 'b');
	leads_to(&same, "ac");
	cr_assert_eq(REST(&right, "ab.c", "ac", REPLACE("SERb", "SERc")), 0);
	cr_assert_eq(right.rest->n, 0);
	cr_assert_eq(REST(&half, "ab.c", "a..c", REPLACE("SERb", "SERc")), 0);
	is_op(&half, 0, WORK_MOVE, 'c');
	leads_to(&half, "ac");
}

/* The next permutation of `text` in the order of its letters; false after the last. */
static bool permute(char *text)
{
	size_t n = strlen(text), i = n - 1, k = n - 1;

	while (i > 0 && text[i - 1] >= text[i])
		i--;
	if (i == 0)
		return false;
	while (text[k] <= text[i - 1])
		k--;
	{
		char held = text[i - 1];

		text[i - 1] = text[k];
		text[k] = held;
	}
	for (k = n - 1; i < k; i++, k--) {
		char held = text[i];

		text[i] = text[k];
		text[k] = held;
	}
	return true;
}

/* The law: whatever was plugged where, the rest leads to what was wanted. */
Test(remaining, any_cabling_leads_to_what_was_wanted)
{
	char now[] = "..abc";
	int n = 0;

	do {
		AUTO_SCENE exchange = { 0 }, moving = { 0 };
		CLEANUP(cleanup_work) struct work *back = NULL;

		cr_assert_eq(REST(&exchange, "abc", now, EXCHANGE("SERb", "SERc")), 0, "%s", now);
		leads_to(&exchange, "acb");
		cr_assert_eq(
			REST(&moving, "abc", now, MOVE("SERa", "port 3"), MOVE("SERb", "port 0")),
			0, "%s", now);
		leads_to(&moving, "b.ca");
		cr_assert_eq(work_back(moving.now.facts, moving.before.facts, &back, NULL), 0);
		work_free(exchange.rest);
		exchange.rest = TAKE(back);
		leads_to(&exchange, "abc");
		n++;
	} while (permute(now));
	cr_assert_eq(n, 60);
}

Test(remaining, what_was_taken_out_cannot_be_brought_back_by_cables)
{
	AUTO_SCENE scene = { 0 };
	CLEANUP(cleanup_work) struct work *back = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_assert_eq(REST(&scene, "ab", "a", REMOVE("SERb")), 0);
	cr_assert_eq(work_back(scene.now.facts, scene.before.facts, &back, &err), -ENODEV);
	cr_assert(strstr(error_text(&err), "SERb"));
}

Test(remaining, a_disk_without_a_name_of_its_own)
{
	AUTO_TREE before = board("ab"), now = board("ab");
	AUTO_MACHINE machine = machine_open(&before), after = machine_open(&now);
	CLEANUP(cleanup_work) struct work *left = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	disk_udev(&before, "8:16", "E:ID_BUS=ata\n"); /* a, on port 0 */
	disk_udev(&now, "8:16", "E:ID_BUS=ata\n");
	WORK(&machine, EXCHANGE("/dev/sdb", "SERb"));
	cr_assert_eq(work_remaining(after.facts, machine.facts, machine.work, &left, &err),
		     -ENODATA);
	cr_assert(strstr(error_text(&err), "port 0"), "said: %s", error_text(&err));
}
