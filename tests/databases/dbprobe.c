/* SPDX-License-Identifier: MIT */
/* What src/probe reads of a database's files, one fact a line: for tests/databases/run. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/dataset.h"
#include "probe/dbstate.h"
#include "sys/bytes_fd.h"
#include "sys/io.h"

static int header(const struct bytes_at *file, struct error *err)
{
	struct sqlite_header found;
	int r = sqlite_header_read(file, &found, err);

	if (r == 0)
		printf("empty=%d page=%u wal=%d pages=%u\n", found.empty, found.page_size,
		       found.wal, found.pages);
	return r;
}

static int wal(const struct bytes_at *file, struct error *err)
{
	struct sqlite_wal found;
	int r = sqlite_wal_read(file, &found, err);

	if (r == 0)
		printf("empty=%d page=%u frames=%" PRIu64 " uncommitted=%" PRIu64 " torn=%" PRIu64
		       " at_most=%" PRIu64 " db_pages=%u\n",
		       found.empty, found.page_size, found.frames, found.uncommitted, found.torn,
		       found.at_most, found.db_pages);
	return r;
}

static int journal(const struct bytes_at *file, struct error *err)
{
	struct sqlite_journal found;
	int r = sqlite_journal_read(file, &found, err);

	if (r == 0) {
		printf("hot=%d super=%s\n", found.hot, found.super ? found.super : "-");
		sqlite_journal_done(&found);
	}
	return r;
}

static int bbolt(const struct bytes_at *file, struct error *err)
{
	struct bbolt_walk found;
	int r = bbolt_check(file, &found, err);

	if (r == 0)
		printf("page=%u metas=%u pages=%" PRIu64 " keys=%" PRIu64 " buckets=%" PRIu64
		       " free=%" PRIu64 " lost=%" PRIu64 "\n",
		       found.meta.page_size, found.meta.valid, found.pages, found.keys,
		       found.buckets, found.free_pages, found.lost_pages);
	return r;
}

static int control(const struct bytes_at *file, struct error *err)
{
	struct pg_control found;
	int r = pg_control_read(file, &found, err);

	if (r == 0)
		printf("system=%" PRIu64 " version=%u clean=%d state=%s\n", found.system_identifier,
		       found.version, found.clean, pg_state_name(found.state));
	return r;
}

static int pid(const struct bytes_at *file, struct error *err)
{
	pid_t found = 0;
	int r = pg_pid_read(file, &found, err);

	if (r == 0)
		printf("pid=%d\n", (int)found);
	return r;
}

static const struct {
	const char *word;
	int (*show)(const struct bytes_at *file, struct error *err);
} readers[] = {
	{ "header", header }, { "wal", wal },         { "journal", journal },
	{ "bbolt", bbolt },   { "control", control }, { "pid", pid },
};

static int open_file(const char *path, struct bytes_at *ret, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, -errno, "cannot open %s", path);
	return bytes_of_fd(fd, path, ret, err); /* open until the program ends */
}

static int show_file(const char *word, const char *path, struct error *err)
{
	struct bytes_at bytes;
	int r = open_file(path, &bytes, err);

	for (size_t i = 0; r == 0 && i < ELEMENTS(readers); i++)
		if (strcmp(readers[i].word, word) == 0)
			return readers[i].show(&bytes, err);
	return r < 0 ? r : error_set(err, -EINVAL, "no reader is called %s", word);
}

static int get(const char *path, const char *bucket, const char *key, struct error *err)
{
	AUTO_BUF value = BUF_INIT;
	struct bytes_at bytes;
	int r = open_file(path, &bytes, err);

	if (r == 0)
		r = bbolt_get(&bytes, bucket, key, 1 << 20, &value, err);
	if (r == 0)
		fwrite(buf_text(&value), 1, value.len, stdout);
	return r;
}

static void show_set(const struct dataset *set)
{
	static const char *const roles[] = {
		[DATAFILE_PLAIN] = "plain",
		[DATAFILE_SQLITE] = "sqlite",
		[DATAFILE_WAL] = "wal",
		[DATAFILE_SHM] = "shm",
		[DATAFILE_JOURNAL] = "journal",
		[DATAFILE_SUPER] = "super",
		[DATAFILE_BBOLT] = "bbolt",
		[DATAFILE_PG_CONTROL] = "pg_control",
		[DATAFILE_PG_PID] = "postmaster.pid",
	};

	printf("%s at %s: %zu files, %" PRIu64 " bytes, %" PRIu64 " others, %" PRIu64
	       " linked elsewhere\n",
	       database_name(set->database), set->path, set->n_files, set->bytes, set->others,
	       set->linked_elsewhere);
	for (size_t i = 0; i < set->n_roots; i++)
		printf("root %s (%s) by %s\n", set->roots[i].path,
		       set->roots[i].role ? set->roots[i].role : "itself",
		       set->roots[i].by ? set->roots[i].by : "-");
	for (size_t i = 0; i < set->n_files; i++)
		if (set->files[i].role != DATAFILE_PLAIN)
			printf("%s %s\n", roles[set->files[i].role], set->files[i].path);
	for (size_t i = 0; i < set->n_leaving; i++)
		printf("%s %s -> %s\n", set->leaving[i].dangling ? "dangling" : "leaving",
		       set->leaving[i].path, set->leaving[i].target);
	for (char **mount = set->mounts; mount && *mount; mount++)
		printf("mount %s\n", *mount);
}

static int dataset(const char *root, const char *text, struct error *err)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_filetree) struct filetree *tree = NULL;
	CLEANUP(cleanup_dataset) struct dataset *set = NULL;
	int r = host_open(root, &host, err);

	if (r == 0)
		r = filetree_open(host, &tree, err);
	if (r == 0)
		r = dataset_load(tree, text, NULL, &set, err);
	if (r == 0)
		show_set(set);
	return r;
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	int r;

	if (argc == 4 && strcmp(argv[1], "dataset") == 0)
		r = dataset(argv[2], argv[3], &err);
	else if (argc == 5 && strcmp(argv[1], "get") == 0)
		r = get(argv[2], argv[3], argv[4], &err);
	else if (argc == 3)
		r = show_file(argv[1], argv[2], &err);
	else
		return 2;
	if (r < 0)
		printf("error %s: %s\n", strerrorname_np(-r), error_text(&err));
	error_done(&err);
	return r < 0;
}
