/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "machine.h"
#include "step/kinds.h"

struct unit_mounts_params {
	char **disks;
};

struct check {
	struct machine machine;
	struct result result;
};

static void check_done(struct check *check)
{
	result_done(&check->result);
	machine_done(&check->machine);
}
#define AUTO_CHECK CLEANUP(check_done) struct check

static struct check run(const struct tree *tree, char **disks, struct work_request *requests,
			size_t n)
{
	static const volatile sig_atomic_t cancelled = 0;
	struct check check = { .machine = machine_open(tree) };
	struct unit_mounts_params params = { disks };
	struct step step = { .id = "units", .cancelled = &cancelled };

	cr_assert_eq(machine_work(&check.machine, requests, n, NULL), 0);
	step.host = check.machine.host;
	step.facts = check.machine.facts;
	step.work = check.machine.work;
	result_init(&check.result, &kind_unit_mounts);
	cr_assert_eq(kind_unit_mounts.run(&step, &params, &check.result, NULL), 0);
	cr_assert_eq(check.result.failed, 0);
	return check;
}
#define RUN(tree)                                                                                  \
	({                                                                                         \
		struct work_request requests_[] = { EXCHANGE("SERb", "SERc") };                    \
		run(tree, NULL, requests_, 1);                                                     \
	})

/* The only finding. */
static const struct finding *only(const struct check *check, const char *id, enum verdict verdict)
{
	const struct finding *finding = check->result.findings;

	cr_assert_eq(check->result.n_findings, 1);
	cr_assert_str_eq(strchr(finding->id, '/') + 1, id);
	cr_assert_eq(finding->verdict, verdict);
	cr_assert_gt(finding->n_evidence, 0);
	cr_assert(verdict <= VERDICT_PASS || finding->remedy);
	return finding;
}

#define FSTAB "UUID=" MACHINE_UUID("a") " / ext4 defaults 0 1\n"
#define ENTRY(options) FSTAB "UUID=" MACHINE_UUID("b") " /srv/b ext4 " options " 0 2\n"
#define SERVICE "[Service]\nExecStart=/usr/bin/db --dir /srv/b/db\n"

/* sdb is mounted at /srv/b, and a unit uses it. */
static struct tree with(const char *fstab, const char *unit)
{
	struct tree tree = machine_new();

	tree_file(&tree, "etc/fstab", fstab);
	if (unit)
		tree_file(&tree, "etc/systemd/system/db.service", unit);
	return tree;
}

Test(unit_mounts, a_unit_that_waits)
{
	AUTO_TREE tree = with(ENTRY("nofail"), "[Unit]\nRequiresMountsFor=/srv/b\n" SERVICE);
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "waits", VERDICT_PASS);

	cr_assert_str_eq(finding->subject, "db.service, /srv/b");
	cr_assert_str_eq(finding->evidence[0].source, "/etc/systemd/system/db.service:2");
}

Test(unit_mounts, a_unit_that_does_not_wait)
{
	AUTO_TREE tree = with(ENTRY("nofail"), "[Unit]\nDescription=x\n\n" SERVICE);
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "not-waiting", VERDICT_WARN);

	cr_assert_str_eq(finding->evidence[0].source, "/etc/systemd/system/db.service:4");
	cr_assert_str_eq(finding->evidence[0].observed, "[Service]");
	cr_assert_str_eq(finding->evidence[1].source, "/etc/systemd/system/db.service:5");
	cr_assert_not_null(strstr(finding->remedy, "RequiresMountsFor=/srv/b"));
}

Test(unit_mounts, what_only_seems_to_wait)
{
	AUTO_TREE order = with(ENTRY("nofail"), "[Unit]\nAfter=srv-b.mount\n" SERVICE);
	AUTO_CHECK ordered = RUN(&order);

	cr_assert_str_eq(only(&ordered, "ordering-only", VERDICT_WARN)->evidence[0].source,
			 "/etc/systemd/system/db.service:2");

	AUTO_TREE pull = with(ENTRY("nofail"), "[Unit]\nRequires=srv-b.mount\n" SERVICE);
	AUTO_CHECK pulled = RUN(&pull);

	only(&pulled, "no-ordering", VERDICT_WARN);

	AUTO_TREE runtime = with(ENTRY("nofail"), SERVICE);

	tree_file(&runtime, "run/systemd/system/db.service.d/x.conf",
		  "[Unit]\nRequiresMountsFor=/srv/b\n");
	AUTO_CHECK passing = RUN(&runtime);

	only(&passing, "waits-until-reboot", VERDICT_WARN);
}

/* Where fstab requires it the boot stops before any service, but for the early ones. */
Test(unit_mounts, a_required_mount_guards_what_is_not_early)
{
	AUTO_TREE tree = with(ENTRY("defaults"), SERVICE);
	AUTO_CHECK check = RUN(&tree);

	cr_assert_str_eq(only(&check, "boot-stops", VERDICT_PASS)->evidence[0].source,
			 "/etc/fstab:2");

	AUTO_TREE early = with(ENTRY("defaults"), "[Unit]\nDefaultDependencies=no\n" SERVICE);
	AUTO_CHECK again = RUN(&early);

	only(&again, "not-waiting", VERDICT_WARN);

	AUTO_TREE automount = with(ENTRY("nofail,x-systemd.automount"), SERVICE);
	AUTO_CHECK third = RUN(&automount);

	only(&third, "waits", VERDICT_PASS);
}

Test(unit_mounts, disks_that_stay_are_none_of_its_business)
{
	struct work_request requests[] = { REMOVE("SERc") };
	AUTO_TREE tree = with(ENTRY("nofail"), SERVICE);
	AUTO_CHECK check = run(&tree, NULL, requests, 1);

	cr_assert_eq(check.result.verdict, VERDICT_SKIP);

	struct work_request again[] = { REMOVE("SERc") };
	AUTO_FREE char *key = strdup("0x500000000000000b");
	AUTO_CHECK named = run(&tree, (char *[]){ key, NULL }, again, 1);

	only(&named, "not-waiting", VERDICT_WARN);
}

/* With the root disk gone nothing starts at all. */
Test(unit_mounts, what_goes_with_the_root_disk)
{
	struct work_request requests[] = { EXCHANGE("SERa", "SERc") };
	AUTO_TREE tree = machine_new();

	tree_file(&tree, "etc/fstab", FSTAB "UUID=" MACHINE_UUID("a") " /srv/b ext4 nofail 0 2\n");
	tree_file(&tree, "etc/systemd/system/db.service", SERVICE);
	AUTO_CHECK check = run(&tree, NULL, requests, 1);

	cr_assert_eq(check.result.verdict, VERDICT_SKIP);
}

/* Mounted by a script: a requirement on it would be dropped in silence. */
Test(unit_mounts, a_mount_that_systemd_does_not_know)
{
	AUTO_TREE tree = with(FSTAB, SERVICE);
	AUTO_CHECK check = RUN(&tree);

	cr_assert_not_null(strstr(only(&check, "not-waiting", VERDICT_WARN)->remedy,
				  "AssertPathIsMountPoint=/srv/b"));

	tree_file(&tree, "etc/systemd/system/srv-b.mount", "[Mount]\nWhere=/srv/b\n");
	AUTO_CHECK again = RUN(&tree);

	cr_assert_not_null(strstr(only(&again, "not-waiting", VERDICT_WARN)->remedy,
				  "RequiresMountsFor=/srv/b"));
}

static const char manifest[] = "kind: Pod\nmetadata:\n  name: etcd\nspec:\n  volumes:\n"
			       "  - hostPath:\n      path: /srv/b/etcd\n"
			       "      type: DirectoryOrCreate\n";

Test(unit_mounts, static_pods_fail_and_their_kubelet_warns)
{
	AUTO_TREE tree = with(ENTRY("nofail"), NULL);

	tree_file(&tree, "etc/kubernetes/manifests/etcd.yaml", manifest);
	tree_file(&tree, "etc/systemd/system/kubelet.service",
		  "[Service]\nExecStart=/usr/bin/kubelet\n");
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.n_findings, 2);
	cr_assert_str_eq(check.result.findings[0].id, "unit.mounts/static-pod");
	cr_assert_eq(check.result.findings[0].verdict, VERDICT_FAIL);
	cr_assert_str_eq(check.result.findings[0].evidence[0].source,
			 "/etc/kubernetes/manifests/etcd.yaml:8");
	cr_assert_str_eq(check.result.findings[1].id, "unit.mounts/not-waiting");
	cr_assert_str_eq(check.result.findings[1].subject, "kubelet.service, /srv/b");

	tree_file(&tree, "etc/systemd/system/kubelet.service.d/x.conf",
		  "[Unit]\nRequiresMountsFor=/srv/b\n");
	AUTO_CHECK again = RUN(&tree);

	only(&again, "waits", VERDICT_PASS);
}

/* PostgreSQL's own configuration names the place, and no unit file does. */
Test(unit_mounts, a_database_by_what_is_in_its_directory)
{
	AUTO_TREE tree = with(ENTRY("nofail"), NULL);

	tree_file(&tree, "srv/b/pg/15/main/PG_VERSION", "15\n");
	tree_file(&tree, "srv/b/pg/15/main/global/pg_control", "x");
	tree_file(&tree, "lib/systemd/system/postgresql@.service",
		  "[Unit]\nRequiresMountsFor=/etc/postgresql/%I /var/lib/postgresql/%I\n"
		  "[Service]\nExecStart=/usr/bin/pg_ctlcluster %i start\n");
	tree_link(&tree,
		  "run/systemd/generator/postgresql.service.wants/postgresql@15-main.service",
		  "/lib/systemd/system/postgresql@.service");
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "not-waiting", VERDICT_WARN);

	cr_assert_str_eq(finding->subject, "postgresql@15-main.service, /srv/b");
	cr_assert_str_eq(finding->evidence[1].source, "/srv/b/pg/15/main/PG_VERSION");
}

Test(unit_mounts, units_that_may_not_be_read)
{
	AUTO_TREE tree = with(ENTRY("nofail"), SERVICE);

	tree_file(&tree, "coldswap/unreadable.tsv", "/etc/systemd/system/db.service\tEACCES\n");
	AUTO_CHECK check = RUN(&tree);

	const struct finding *finding = only(&check, "units-unreadable", VERDICT_UNKNOWN);

	cr_assert_str_eq(check.result.summary,
			 "Whether something starts without its data could not be read.");
	cr_assert_str_eq(finding->remedy, "Make the capture again as root.");
	cr_assert_str_eq(finding->evidence[0].source, "/etc/systemd/system/db.service");
	cr_assert_not_null(strstr(finding->evidence[0].observed, "Permission denied"));
}

Test(unit_mounts, a_manifest_that_may_not_be_read)
{
	AUTO_TREE tree = with(ENTRY("nofail"), NULL);

	tree_file(&tree, "etc/kubernetes/manifests/etcd.yaml", "x");
	tree_file(&tree, "coldswap/unreadable.tsv",
		  "/etc/kubernetes/manifests/etcd.yaml\tEACCES\n");
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "units-unreadable", VERDICT_UNKNOWN);

	cr_assert_str_eq(finding->evidence[0].source, "/etc/kubernetes/manifests/etcd.yaml");
}

#define POSTGRESQL "[Service]\nExecStart=/usr/lib/postgresql/15/bin/postgres\n"

/* A service with a database may keep it where nobody may look. */
Test(unit_mounts, directories_that_may_not_be_looked_into)
{
	AUTO_TREE tree = with(ENTRY("nofail"), NULL);

	tree_file(&tree, "etc/systemd/system/postgresql.service", POSTGRESQL);
	tree_link(&tree, "etc/systemd/system/multi-user.target.wants/postgresql.service",
		  "../postgresql.service");
	tree_file(&tree, "srv/b/data/x", "");
	tree_file(&tree, "srv/other/x", "");
	tree_file(&tree, "coldswap/unreadable.tsv", "/srv/b/data\tEACCES\n");
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "units-unreadable", VERDICT_UNKNOWN);

	cr_assert_str_eq(finding->subject, "databases");
	cr_assert_str_eq(finding->evidence[0].source, "/srv/b/data");

	/* On no disk of the work. */
	AUTO_TREE elsewhere = with(ENTRY("nofail"), NULL);

	tree_file(&elsewhere, "etc/systemd/system/postgresql.service", POSTGRESQL);
	tree_link(&elsewhere, "etc/systemd/system/multi-user.target.wants/postgresql.service",
		  "../postgresql.service");
	tree_file(&elsewhere, "var/lib/postgresql/15/x", "");
	tree_file(&elsewhere, "srv/b/x", "");
	tree_file(&elsewhere, "coldswap/unreadable.tsv", "/var/lib/postgresql\tEACCES\n");
	AUTO_CHECK again = RUN(&elsewhere);

	cr_assert_eq(again.result.n_findings, 0);
}

/* Without a list of files that can be read nothing tells where databases are. */
Test(unit_mounts, a_list_of_files_that_is_none)
{
	AUTO_TREE tree = with(ENTRY("nofail"), NULL);

	tree_file(&tree, "etc/systemd/system/postgresql.service", POSTGRESQL);
	tree_link(&tree, "etc/systemd/system/multi-user.target.wants/postgresql.service",
		  "../postgresql.service");
	tree_file(&tree, "coldswap/files.json", "{}");
	AUTO_CHECK check = RUN(&tree);

	only(&check, "units-unreadable", VERDICT_UNKNOWN);
}

/* What a requirement on the mount is worth hangs on systemd's unit for it. */
Test(unit_mounts, whether_systemd_mounts_it)
{
	static const struct {
		const char *unit, *unreadable, *words;
	} rows[] = {
		{ NULL, NULL, "systemd has no unit" },
		{ "etc/systemd/system/srv-b.mount", NULL, "RequiresMountsFor=/srv/b" },
		{ "usr/local/lib/systemd/system/srv-b.mount", NULL, "RequiresMountsFor=/srv/b" },
		{ "run/systemd/system/srv-b.mount", NULL, "systemd has no unit" },
		{ NULL, "/run/systemd/generator/srv-b.mount\tEACCES\n", "could not be read" },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		AUTO_TREE tree = with(FSTAB, SERVICE);

		tree_file(&tree, "proc/self/mountinfo",
			  "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
			  "30 29 8:17 / /srv/b rw - ext4 /dev/sdb1 rw\n");
		if (rows[i].unit)
			tree_file(&tree, rows[i].unit, "[Mount]\nWhat=/dev/sdb1\nWhere=/srv/b\n");
		if (rows[i].unreadable)
			tree_file(&tree, "coldswap/unreadable.tsv", rows[i].unreadable);
		AUTO_CHECK check = RUN(&tree);
		const struct finding *finding = &check.result.findings[0];

		cr_assert_eq(finding->verdict, VERDICT_WARN, "row %zu", i);
		cr_expect_not_null(strstr(finding->remedy, rows[i].words), "row %zu: %s", i,
				   finding->remedy);
	}
}

Test(unit_mounts, the_plan_counts_the_disks)
{
	char wwn[] = "0x5002538f31b4c06a", serial[] = "SERc", *disks[] = { wwn, serial, NULL };
	struct unit_mounts_params params = { disks };
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(kind_unit_mounts.describe(&params, &text), 0);
	cr_assert_not_null(strstr(buf_text(&text), "; 2 more disks counted as worked on"));
	cr_assert_null(strstr(buf_text(&text), "0x5002538f31b4c06a"));
}
