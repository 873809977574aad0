/* SPDX-License-Identifier: MIT */
/* RESTORE.md's commands are run as they stand, on names that a shell would take apart. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "copy/validate.h"
#include "sys/tree.h"

/* A database with its -wal, and a tree; what was copied, and what stands there when it comes back. */
#define HOSTILE "/it's a \033[31m\n`place`; $(touch /tmp/coldswap-unit-owned)"

struct made {
	struct tree place;
	char copy[PATH_MAX], host[PATH_MAX];
	struct copy_source_row sources[2];
	struct copy_left_out left_out;
	struct copy_check check;
	struct copy_head head;
};

static void shell(const struct made *made, const char *command)
{
	cr_assert_eq(setenv("COPY", made->copy, 1), 0);
	cr_assert_eq(setenv("HOST", made->host, 1), 0);
	cr_assert_eq(system(command), 0, "%s", command);
}

static char version[] = "1", host[] = "nas", step[] = "copy";
static char created[] = "2026-12-01T05:00:00Z";
static char reason[] = "nobody else has it", cache[] = "/var/cache", anew[] = "made anew";
static char what[] = "SQLite integrity_check", path[] = "/x", answer[] = "ok; 1 frame";

static char *below(const struct made *made, const char *name)
{
	char *ret;

	cr_assert_gt(asprintf(&ret, "%s%s", made->host, name), 0);
	return ret;
}

static void make(struct made *made)
{
	*made = (struct made){ 0 };
	tree_make(&made->place);
	snprintf(made->copy, sizeof(made->copy), "%s/the copy's", made->place.path);
	snprintf(made->host, sizeof(made->host), "%s" HOSTILE, made->place.path);
	shell(made,
	      "mkdir -p \"$HOST/tree/sub\" \"$HOST/db dir\" \"$COPY/data$HOST/db dir\" && cd "
	      "\"$HOST\" && "
	      "echo one >'db dir/state.db' && echo log >'db dir/state.db-wal' && "
	      "echo x >tree/sub/x && ln -s sub tree/link && ln tree/sub/x tree/y && chmod 750 tree "
	      "&& "
	      "cp -a tree \"$COPY/data$HOST/\" && cp -a 'db dir'/* \"$COPY/data$HOST/db dir/\" && "
	      "cd \"$COPY\" && find data -type f -exec sha256sum {} + >SHA256SUMS");
	cr_assert_gt(asprintf(&made->sources[0].given, "sqlite:%s/db dir/state.db", made->host), 0);
	strv_take(&made->sources[0].roots, below(made, "/db dir/state.db"));
	strv_take(&made->sources[0].roots, below(made, "/db dir/state.db-wal"));
	made->sources[1].given = below(made, "/tree");
	made->sources[1].reason = reason;
	strv_take(&made->sources[1].roots, below(made, "/tree"));
	made->left_out = (struct copy_left_out){ cache, anew, 63500000000 };
	made->check = (struct copy_check){ what, path, true, answer };
	made->head = (struct copy_head){
		.version = version,
		.host = host,
		.session = 4,
		.step = step,
		.created = created,
		.sources = made->sources,
		.n_sources = 2,
		.left_out = &made->left_out,
		.n_left_out = 1,
		.checks = &made->check,
		.n_checks = 1,
		.files = 4,
		.bytes = 669000000,
	};
}

static void made_done(struct made *made)
{
	for (size_t i = 0; i < ELEMENTS(made->sources); i++) {
		free(made->sources[i].given);
		strv_free(made->sources[i].roots);
	}
	tree_done(&made->place);
}

static void write_text(const struct made *made, struct buf *text)
{
	char place[PATH_MAX * 2];
	FILE *file;

	cr_assert_eq(copy_restore_text(made->copy, &made->head, text, NULL), 0);
	snprintf(place, sizeof(place), "%s/RESTORE.md", made->copy);
	file = fopen(place, "w");
	cr_assert_not_null(file);
	fputs(buf_text(text), file);
	fclose(file);
}

#define RUN(section)                                                                               \
	"awk '/^## /{ s = $2 == \"" #section ".\" } s && /^```$/ { on = 0 } s && on { print } "    \
	"s && /^```sh$/ { on = 1 }' \"$COPY/RESTORE.md\" >\"$COPY/block\" && bash \"$COPY/block\""

Test(restore_text, its_commands_put_back_what_was_copied)
{
	struct made made;
	AUTO_BUF text = BUF_INIT;

	make(&made);
	write_text(&made, &text);
	shell(&made, "sed -i '/coldswap copies/d' \"$COPY/RESTORE.md\" && " RUN(1));
	shell(&made,
	      "cd \"$HOST\" && echo old >'db dir/state.db' && echo old >'db dir/state.db-shm' && "
	      "echo old >'db dir/state.db-journal' && rm 'db dir/state.db-wal' && "
	      "echo old >tree/sub/x && echo stray >tree/stray");
	shell(&made, RUN(3));
	shell(&made, RUN(4));
	shell(&made, "cd \"$HOST\" && [ \"$(ls 'db dir' | grep -v before)\" = \"$(printf "
		     "'state.db\\nstate.db-wal')\" ] && "
		     "[ \"$(cat tree/link/x)\" = x ] && [ ! -e tree/stray ] && [ tree/y -ef "
		     "tree/sub/x ] && "
		     "[ \"$(stat -c %a tree)\" = 750 ] && [ -e tree.before-restore/stray ] && "
		     "grep -q old 'db dir/state.db-shm.before-restore'");
	/* Again, as after a mistake: nothing that was put aside is lost. */
	shell(&made, RUN(3));
	shell(&made, "cd \"$HOST\" && [ -e tree.before-restore.~1~/stray ] && [ ! -e "
		     "/tmp/coldswap-unit-owned ]");
	shell(&made, "rm \"$HOST/tree/sub/x\" && " RUN(4) "; [ $? = 1 ]");
	shell(&made, RUN(6) "; [ ! -e \"$COPY\" ]");
	made_done(&made);
}

Test(restore_text, tells_what_it_is_and_what_it_holds)
{
	struct made made;
	AUTO_BUF text = BUF_INIT;
	static const char *const words[] = {
		"# Cold copy of nas, 2026-12-01T05:00:00Z",
		"It holds secrets",
		"session 4",
		"nobody else has it",
		"`/var/cache`, 64 GB: made anew",
		"ok; 1 frame",
		"never leave an old `-wal`",
		"669 MB in 4 files",
		"rm -rf -- ",
		"coldswap check files.quiescent path=",
	};

	make(&made);
	write_text(&made, &text);
	for (size_t i = 0; i < ELEMENTS(words); i++)
		cr_expect(strstr(buf_text(&text), words[i]), "no '%s'", words[i]);
	cr_expect_null(strchr(buf_text(&text), '\033'));
	made_done(&made);
}

Test(restore_text, says_what_each_database_needs)
{
	static char etcd[] = "etcd:/data/k3s/server/db/etcd", postgres[] = "postgres:/var/lib/pg";
	static char space[] = "/mnt/space", raft[] = "raft:/data/vault";
	char *of_etcd[] = { strchr(etcd, '/'), NULL };
	char *of_postgres[] = { strchr(postgres, '/'), space, NULL };
	char *of_raft[] = { strchr(raft, '/'), NULL };
	struct copy_source_row sources[] = {
		{ .given = etcd, .roots = of_etcd },
		{ .given = postgres, .roots = of_postgres },
		{ .given = raft, .roots = of_raft },
	};
	const struct copy_head head = { .sources = sources, .n_sources = 3 };
	static const char *const words[] = {
		"`server/token`",
		"systemctl start k3s",
		"etcdctl endpoint health",
		"find /var/lib/pg -maxdepth 2 -xtype l",
		"postmaster.pid",
		"comes up sealed",
		"cp -a -T -- \"$copy\"/data/mnt/space /mnt/space",
	};
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(copy_restore_text("/backup/4", &head, &text, NULL), 0);
	for (size_t i = 0; i < ELEMENTS(words); i++)
		cr_expect(strstr(buf_text(&text), words[i]), "no '%s'", words[i]);
}
