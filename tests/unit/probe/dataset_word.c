/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "probe/dataset.h"

Test(dataset_word, words)
{
	static const struct {
		const char *text, *path, *name;
		enum database database;
	} words[] = {
		{ "/srv", "/srv", "files", DATABASE_NONE },
		{ "sqlite:/a", "/a", "SQLite", DATABASE_SQLITE },
		{ "postgres:/a", "/a", "PostgreSQL", DATABASE_POSTGRES },
		{ "etcd:/a", "/a", "etcd", DATABASE_ETCD },
		{ "raft:/a", "/a", "raft storage", DATABASE_RAFT },
		{ "/srv/sqlite:/a", "/srv/sqlite:/a", "files", DATABASE_NONE },
	};
	const char *path;

	for (size_t i = 0; i < ELEMENTS(words); i++) {
		cr_expect_eq(dataset_word(words[i].text, &path), words[i].database);
		cr_expect_str_eq(path, words[i].path);
		cr_expect_str_eq(database_name(words[i].database), words[i].name);
		cr_expect_eq(dataset_check(words[i].text, NULL), 0, "%s", words[i].text);
	}
}

Test(dataset_word, texts_that_name_nothing)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{ "", "is no absolute path" },
		{ "srv", "is no absolute path" },
		{ "sqlite:", "is no absolute path" },
		{ "sqlite:srv", "is no absolute path" },
		{ "mysql:/srv", "'mysql' is no kind of data" },
		{ "SQLite:/srv", "'SQLite' is no kind of data" },
		{ "/srv/", "is not written as paths are" },
		{ "//srv", "is not written as paths are" },
		{ "/srv//a", "is not written as paths are" },
		{ "/srv/../a", "is not written as paths are" },
		{ "/srv/.", "is not written as paths are" },
		{ "raft:/srv/..", "is not written as paths are" },
	};
	static const char *const good[] = { "/", "/srv/.hidden", "/srv/..a", "/srv/a:b",
					    "/srv/..." };

	for (size_t i = 0; i < ELEMENTS(bad); i++) {
		struct error err = ERROR_INIT;

		cr_expect_eq(dataset_check(bad[i].text, &err), -EINVAL, "%s", bad[i].text);
		cr_expect(strstr(error_text(&err), bad[i].words), "%s: %s", bad[i].text,
			  error_text(&err));
		cr_expect(err.hint);
		error_done(&err);
	}
	for (size_t i = 0; i < ELEMENTS(good); i++)
		cr_expect_eq(dataset_check(good[i], NULL), 0, "%s", good[i]);
}
