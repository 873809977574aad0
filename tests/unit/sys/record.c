/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/strv.h"
#include "host.h"
#include "sys/record.h"
#include "sys/tree.h"

static unsigned how_of(const struct recording *recording, const char *path)
{
	const size_t *place = strmap_find(&recording->places, path);

	return place ? recording->paths[*place].how : 0;
}

Test(record, notes_what_is_asked_while_it_is_on)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = NULL;
	const struct recording *recording = NULL;
	AUTO_STRV char **names = NULL;
	AUTO_FREE char *text = NULL, *real = NULL;
	AUTO_BUF log = BUF_INIT;

	tree_make(&tree);
	tree_file(&tree, "/etc/fstab", "x\n");
	tree_file(&tree, "/coldswap/kernel.log", "log\n");
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	host_exists(host, "/before", NULL);
	cr_assert_eq(host_record(host, NULL), 0);
	host_read_line(host, "/etc/fstab", &text, NULL);
	host_exists(host, "/etc/fstab", NULL);
	host_list(host, "/etc", &names, NULL);
	host_realpath(host, "/etc", &real, NULL);
	host_exists(host, "/no/such", NULL);
	host_fact(host, HOST_FACT_KERNEL_LOG, NULL, &log, NULL, NULL);
	host_fact(host, HOST_FACT_SMART, "sda", &log, NULL, NULL);
	cr_assert_eq(host_record_stop(host, &recording, NULL), 0);
	host_exists(host, "/after", NULL);

	cr_expect_eq(how_of(recording, "/etc/fstab"), TOUCH_READ | TOUCH_STAT);
	cr_expect_eq(how_of(recording, "/etc"), TOUCH_LIST | TOUCH_REAL);
	cr_expect_eq(how_of(recording, "/no/such"), TOUCH_STAT);
	cr_expect_eq(how_of(recording, "/before"), 0);
	cr_expect_eq(how_of(recording, "/after"), 0);
	cr_assert_eq(recording->n_facts, 2);
	cr_expect_str_eq(recording->facts[0].text, "log\n");
	cr_expect_eq(recording->facts[1].code, -ENOENT);
	cr_expect_str_eq(recording->facts[1].name, "sda");
}
