/* SPDX-License-Identifier: MIT */
/* A host with two SATA disks on ports 0 and 1 of one controller, and a kind to try things on. */
#ifndef COLDSWAP_TESTS_PLAN_TWO_DISKS_H
#define COLDSWAP_TESTS_PLAN_TWO_DISKS_H

#include <criterion/criterion.h>

#include "host.h"
#include "plan.h"
#include "probe/facts.h"
#include "tree.h"
#include "work/work.h"

#define PCI "devices/pci0000:00/0000:00:1f.2"

static inline void add_disk(const struct tree *tree, const char *name, unsigned port,
			    const char *udev)
{
	char path[256], text[256], target[160];

	snprintf(target, sizeof(target), PCI "/ata%u/host%u/target%u:0:0/%u:0:0:0/block/%s",
		 port + 1, port, port, port, name);
	snprintf(path, sizeof(path), "sys/%s/dev", target);
	snprintf(text, sizeof(text), "8:%u\n", port * 16);
	tree_file(tree, path, text);
	snprintf(path, sizeof(path), "sys/%s/size", target);
	tree_file(tree, path, "2048\n");
	snprintf(path, sizeof(path), "sys/class/block/%s", name);
	snprintf(text, sizeof(text), "../../%s", target);
	tree_link(tree, path, text);
	snprintf(path, sizeof(path), "sys/" PCI "/ata%u/ata_port/ata%u/port_no", port + 1,
		 port + 1);
	snprintf(text, sizeof(text), "%u\n", port + 1);
	tree_file(tree, path, text);
	snprintf(path, sizeof(path), "sys/class/ata_port/ata%u", port + 1);
	snprintf(text, sizeof(text), "../../" PCI "/ata%u/ata_port/ata%u", port + 1, port + 1);
	tree_link(tree, path, text);
	snprintf(path, sizeof(path), "run/udev/data/b8:%u", port * 16);
	tree_file(tree, path, udev);
}

struct scene {
	struct tree tree;
	struct host *host;
	struct facts *facts;
};

static inline void scene_done(struct scene *scene)
{
	facts_free(scene->facts);
	host_free(scene->host);
	tree_done(&scene->tree);
}
#define AUTO_SCENE CLEANUP(scene_done) struct scene

static inline struct scene scene_new(void)
{
	struct scene scene = { .tree = tree_new() };

	add_disk(&scene.tree, "sda", 0,
		 "E:ID_MODEL=Alpha\nE:ID_SERIAL_SHORT=AAA1\nE:ID_WWN=0x5000000000000001\n"
		 "E:ID_BUS=ata\nE:DEVTYPE=disk\n");
	add_disk(&scene.tree, "sdb", 1,
		 "E:ID_MODEL=Beta\nE:ID_SERIAL_SHORT=BBB2\nE:ID_WWN=0x5000000000000002\n"
		 "E:ID_BUS=ata\nE:DEVTYPE=disk\n");
	tree_file(&scene.tree, "etc/fstab", "");
	tree_file(&scene.tree, "proc/self/mountinfo", "");
	tree_file(&scene.tree, "proc/swaps", "");
	cr_assert_eq(host_open(scene.tree.root, &scene.host, NULL), 0);
	cr_assert_eq(facts_new(scene.host, &scene.facts, NULL), 0);
	return scene;
}

struct trial {
	char **disks;
	char *word;
	int64_t number;
	bool yes;
};

static const struct param_row trial_rows[] = {
	{ .name = "disks",
	  .type = PARAM_DISKS,
	  .offset = PARAM_OFFSET(trial, disks),
	  .help = "Disks." },
	{ .name = "word",
	  .type = PARAM_STRING,
	  .fallback = "none",
	  .offset = PARAM_OFFSET(trial, word),
	  .help = "A word." },
	{ .name = "number",
	  .type = PARAM_INT,
	  .offset = PARAM_OFFSET(trial, number),
	  .help = "A number." },
	{ .name = "yes",
	  .type = PARAM_BOOL,
	  .offset = PARAM_OFFSET(trial, yes),
	  .help = "A boolean." },
	{ 0 },
};

static const struct output_row trial_outputs[] = {
	{ "good", OUTPUT_BOOL, "Is it good?" },
	{ "count", OUTPUT_INT, "How many." },
	{ "disk", OUTPUT_STRING, "Which." },
	{ 0 },
};

static const struct finding_row trial_findings[] = { { .id = "x", .title = "x", .means = "X." },
						     { 0 } };

static inline int trial_describe(const void *params, struct buf *ret)
{
	const struct trial *trial = params;

	return buf_addf(ret, "try %s", trial->word);
}

static const struct kind trial_kind = {
	.name = "a.trial",
	.title = "a trial",
	.params_size = sizeof(struct trial),
	.params = trial_rows,
	.outputs = trial_outputs,
	.findings = trial_findings,
	.describe = trial_describe,
};

#endif
