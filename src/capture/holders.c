/* SPDX-License-Identifier: MIT */
/*
 * coldswap/openfiles.json: who has the databases of this machine open.
 *
 * A capture holds nothing of /proc/PID, whose command lines and environments
 * are nobody's business; so each row carries what is said of its process: its
 * name, its control group and how long it runs.  Files are asked about as the
 * checks ask: every file of each database that a search finds.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/json.h"
#include "base/strv.h"
#include "capture/collect.h"
#include "probe/datadirs.h"
#include "probe/dataset.h"
#include "probe/holders.h"

/* A capture that is as large as its machine's databases are many helps nobody. */
#define ROWS_MAX 20000

struct asking {
	struct capture *capture;
	struct filetree *tree;
	struct dataset **sets;
	size_t n_sets;
	struct holders_file *files;
	size_t n_files;
};

static void asking_done(struct asking *asking)
{
	for (size_t i = 0; i < asking->n_sets; i++)
		dataset_free(asking->sets[i]);
	free(asking->sets);
	free(asking->files);
	filetree_free(asking->tree);
}

/* What cannot be listed here is told by the check that asks for it. */
static int add_set(struct asking *asking, const struct datadir *found)
{
	bool postgres = strcmp(found->what, database_name(DATABASE_POSTGRES)) == 0;
	struct dataset **more = reallocarray(asking->sets, asking->n_sets + 1, sizeof(*more));
	AUTO_BUF text = BUF_INIT;
	int r;

	if (!more)
		return -ENOMEM;
	asking->sets = more;
	buf_addf(&text, "%s%s", postgres ? "postgres:" : "", found->path);
	if (buf_error(&text))
		return -ENOMEM;
	r = dataset_load(asking->tree, buf_text(&text), NULL, &more[asking->n_sets], NULL);
	asking->n_sets += r == 0;
	return r == -ENOMEM ? r : 0;
}

static int find_sets(struct asking *asking)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_STRV char **places = NULL;
	struct capture *capture = asking->capture;
	const struct mounts *mounts;
	int r = facts_mounts(capture->facts, &mounts, NULL);

	if (r == 0)
		r = filetree_open(capture->host, &asking->tree, NULL);
	/* Which disks the work will touch is not known yet: any may be asked about. */
	if (r == 0)
		r = datadirs_places(mounts, &places);
	if (r == 0)
		r = datadirs_find(capture->host, asking->tree, mounts, places, &found, NULL);
	for (size_t i = 0; r == 0 && i < found->n; i++)
		r = add_set(asking, &found->items[i]);
	return r == -ENOMEM ? r : 0;
}

static int list_files(struct asking *asking)
{
	size_t n = 0;

	for (size_t i = 0; i < asking->n_sets; i++)
		n += asking->sets[i]->n_files;
	asking->files = calloc(n + 1, sizeof(*asking->files));
	if (!asking->files)
		return -ENOMEM;
	for (size_t i = 0; i < asking->n_sets; i++)
		for (size_t k = 0; k < asking->sets[i]->n_files; k++) {
			const struct datafile *file = &asking->sets[i]->files[k];

			asking->files[asking->n_files++] =
				(struct holders_file){ file->path, file->dev, file->ino };
		}
	return 0;
}

static int set_device(json_t *row, const char *key, dev_t dev)
{
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", major(dev), minor(dev));
	return json_set_text(row, key, text);
}

static int set_number(json_t *row, const char *key, uint64_t value)
{
	return json_object_set_new(row, key, json_integer((json_int_t)value)) < 0 ? -ENOMEM : 0;
}

static int set_optional(json_t *row, const char *key, const char *text)
{
	return text ? json_set_text(row, key, text) : 0;
}

/* A deleted generation is another inode, and its name is what its holder calls it. */
static int fill(const struct holder *holder, const struct holders_file *file, json_t *row)
{
	bool former = holder->type == HOLDER_FORMER;
	int r = set_number(row, "pid", (uint64_t)holder->pid);

	if (r == 0 && holder->fd >= 0)
		r = set_number(row, "fd", (uint64_t)holder->fd);
	if (r == 0)
		r = json_set_text(row, "path", former && holder->text ? holder->text : file->path);
	if (r == 0)
		r = set_device(row, "dev", file->dev);
	if (r == 0 && !former)
		r = set_number(row, "ino", file->ino);
	if (r == 0)
		r = json_set_text(row, "mode", holder->writes ? "rw" : "r");
	if (r == 0)
		r = json_object_set_new(row, "deleted", json_boolean(former)) < 0 ? -ENOMEM : 0;
	if (r == 0)
		r = set_optional(row, "comm", holder->comm);
	if (r == 0)
		r = set_optional(row, "cgroup", holder->cgroup);
	if (r == 0 && holder->age_s >= 0)
		r = set_number(row, "age", (uint64_t)holder->age_s);
	return r;
}

/* Loop devices and swaps are in tables of the kernel's that the capture has. */
static bool is_row(const struct holder *holder)
{
	return holder->of == HOLDER_OF_FILE && holder->pid > 0;
}

static int print(const struct asking *asking, const struct holders *holders, struct buf *ret)
{
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < holders->n && n < ROWS_MAX; i++) {
		const struct holder *holder = &holders->items[i];
		AUTO_JSON row = json_object();
		AUTO_FREE char *line = NULL;

		if (!is_row(holder))
			continue;
		r = row ? fill(holder, &asking->files[holder->asked], row) : -ENOMEM;
		line = r == 0 ? json_dumps(row, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
		if (!line)
			return -ENOMEM;
		buf_addf(ret, "%s%s", n++ ? ",\n" : "[\n", line);
	}
	buf_adds(ret, n ? "\n]\n" : "[]\n");
	return r < 0 ? r : buf_error(ret);
}

static int ask(struct asking *asking, struct error *err)
{
	const struct holders_asked asked = { .files = asking->files, .n_files = asking->n_files };
	const volatile sig_atomic_t never = 0;
	AUTO_HOLDERS holders = { 0 };
	AUTO_BUF text = BUF_INIT_MAX(ENTRIES_MAX_BYTES);
	int r = holders_find(asking->capture->host, &asked, &never, &holders, NULL);

	/* Who could not be looked for is no holder; a capture never proves that there is none. */
	if (r < 0)
		return r == -ENOMEM ? error_oom(err) : 0;
	r = print(asking, &holders, &text);
	if (r < 0)
		return error_oom(err);
	return collect_add(asking->capture, CAPTURED_OPEN_FILES, buf_text(&text), text.len, err);
}

int collect_holders(struct capture *capture, struct error *err)
{
	CLEANUP(asking_done) struct asking asking = { .capture = capture };

	/* That of a capture is a file of it like any other. */
	if (!host_is_live(capture->host))
		return 0;
	if (find_sets(&asking) < 0 || list_files(&asking) < 0)
		return error_oom(err);
	return asking.n_files ? ask(&asking, err) : 0;
}
