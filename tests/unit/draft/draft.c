/* SPDX-License-Identifier: MIT */
#include "draft/draft.h"

#include <string.h>

#include "machine.h"
#include "runbook.h"

/* The draft of a machine; a sound runbook in any case. */
static char *drafted(const struct tree *tree)
{
	AUTO_MACHINE machine = machine_open(tree);
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(draft_write(machine.facts, &text, NULL), 0);
	cr_assert_eq(runbook_parse(buf_text(&text), text.len, "draft", &runbook, &diags, NULL), 0,
		     "%s", diags.n ? diags.items[0].message : "");
	return buf_take(&text);
}

#define HOLDS(text, words) cr_expect(strstr(text, words), "%s is missing", words)
#define LACKS(text, words) cr_expect(!strstr(text, words), "%s stands there", words)

#define UNIT(name, active, sub)                                                                    \
	tree_file(&tree, "coldswap/systemd/" name ".json",                                         \
		  "{\"LoadState\": \"loaded\", \"ActiveState\": \"" active                         \
		  "\", \"SubState\": \"" sub "\"}")

Test(draft, active_services_are_named_unless_one_is_broken)
{
	AUTO_TREE tree = machine_new();
	AUTO_FREE char *well = NULL, *broken = NULL;

	UNIT("k3s.service", "active", "running");
	UNIT("docker.service", "inactive", "dead");
	well = drafted(&tree);
	HOLDS(well, "units: [\"k3s.service\"]");
	UNIT("postgresql.service", "failed", "failed");
	broken = drafted(&tree);
	LACKS(broken, "units: [");
	HOLDS(broken, "a usual service is broken");
}

Test(draft, mount_points_are_named_where_fstab_asks_for_nothing_else)
{
	AUTO_TREE tree = machine_new();
	AUTO_FREE char *plain = NULL, *swap = NULL, *bytes = NULL;

	tree_file(&tree, "etc/fstab", "UUID=a / ext4\nUUID=b /srv/b ext4\nUUID=c /m ext4 noauto\n");
	plain = drafted(&tree);
	HOLDS(plain, "mounts: [\"/\", \"/srv/b\"]");
	tree_file(&tree, "etc/fstab", "UUID=a / ext4\nUUID=b none swap\n");
	swap = drafted(&tree);
	LACKS(swap, "mounts: [");
	tree_file(&tree, "etc/fstab", "UUID=a /caf\xe9 ext4\n");
	bytes = drafted(&tree);
	LACKS(bytes, "mounts: [");
	HOLDS(bytes, "bytes that no runbook can hold");
}

Test(draft, without_advice_the_work_is_a_power_cycle_with_examples)
{
	AUTO_TREE tree = machine_new();
	AUTO_FREE char *text = drafted(&tree);

	HOLDS(text, "\n  - power-cycle: true\n");
	HOLDS(text, "\n  # - exchange: [\"SERa\", \"OTHER-DISK\"]\n");
	LACKS(text, "move_up");
}

Test(draft, a_database_that_may_not_be_looked_for_keeps_the_list_open)
{
	AUTO_TREE tree = machine_new();
	AUTO_FREE char *found = NULL, *denied = NULL;

	tree_file(&tree, "var/lib/postgresql/15/main/PG_VERSION", "15\n");
	tree_file(&tree, "var/lib/postgresql/15/main/global/pg_control", "");
	found = drafted(&tree);
	HOLDS(found, "sources: [\"/var/lib/postgresql/15/main\"]");
	tree_file(&tree, "coldswap/unreadable.tsv", "/var/lib/vault\tEACCES\n");
	denied = drafted(&tree);
	LACKS(denied, "sources: [");
	HOLDS(denied, "not every directory could be searched");
}
