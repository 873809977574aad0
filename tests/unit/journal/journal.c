/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/digest.h"

Test(journal, keeps_events_in_their_order)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	AUTO_EVENTS events = { 0 };
	int64_t session = state_fill(journal);

	cr_expect_eq(session, 1);
	cr_assert_eq(journal_read(journal, session, &events, NULL), 0);
	cr_assert_eq(events.n, 4);
	for (size_t i = 0; i < events.n; i++) {
		cr_expect_eq(events.items[i].seq, (int64_t)i + 1);
		cr_expect_eq(events.items[i].session, 1);
		cr_expect_eq(strlen(events.items[i].at), 27, "%s", events.items[i].at);
		cr_expect_eq(strlen(events.items[i].hash), 64);
	}
	cr_expect_str_eq(events.items[0].type, "opened");
	cr_expect_null(events.items[0].step);
	cr_expect_str_eq(events.items[0].body, "{\"tool\":\"1\"}");
	cr_expect_str_eq(events.items[1].type, "intent");
	cr_expect_str_eq(events.items[1].step, "stop");
	cr_expect_str_eq(events.items[2].type, "original");
	cr_expect_str_eq(events.items[3].body, "{\"a\":[1]}");
	cr_expect_eq(journal_check(journal, NULL, NULL), 0);
}

Test(journal, stands_after_it_was_closed)
{
	AUTO_TREE state = tree_new();
	AUTO_EVENTS events = { 0 };
	char head[65], again[65];

	{
		AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);

		state_fill(journal);
		cr_assert_eq(journal_head(journal, head, NULL), 0);
	}
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);

	cr_assert_eq(journal_read(journal, 0, &events, NULL), 0);
	cr_expect_eq(events.n, 4);
	cr_assert_eq(journal_head(journal, again, NULL), 0);
	cr_expect_str_eq(again, head);
	cr_expect_str_eq(events.items[3].hash, head);
}

Test(journal, one_session_is_open)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	AUTO_ERROR err = ERROR_INIT;
	int64_t session = 0;

	cr_assert_eq(journal_current(journal, &session, NULL), 0);
	cr_expect_eq(session, 0);
	session = state_fill(journal);
	cr_expect_eq(journal_begin(journal, "{}", &session, &err), -EBUSY);
	cr_expect_not_null(err.hint);
	cr_assert_eq(journal_current(journal, &session, NULL), 0);
	cr_expect_eq(session, 1);
	cr_assert_eq(journal_end(journal, 1, "{}", NULL), 0);
	cr_assert_eq(journal_current(journal, &session, NULL), 0);
	cr_expect_eq(session, 0);
	cr_assert_eq(journal_begin(journal, "{}", &session, NULL), 0);
	cr_expect_eq(session, 2);
	cr_assert_eq(journal_count(journal, &session, NULL), 0);
	cr_expect_eq(session, 2);
}

Test(journal, takes_nothing_for_a_session_that_is_not_open)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	int64_t session = 0;

	cr_expect_eq(journal_append(journal, 1, "intent", "a", "{}", NULL), -EINVAL);
	cr_expect_eq(journal_append(journal, 0, "intent", "a", "{}", NULL), -EINVAL);
	session = state_fill(journal);
	cr_assert_eq(journal_end(journal, session, "{}", NULL), 0);
	cr_expect_eq(journal_append(journal, session, "intent", "a", "{}", NULL), -EINVAL);
	cr_expect_eq(journal_end(journal, session, "{}", NULL), -EINVAL);
	cr_expect_eq(journal_save_original(journal, session, "a", "k", "v", NULL), -EINVAL);
	cr_expect_eq(journal_check(journal, NULL, NULL), 0);
}

Test(journal, takes_JSON_objects_alone)
{
	static const char *const bodies[] = {
		"", "[]", "1", "null", "{", "{}x", "{\"a\":\"\xff\"}"
	};
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	int64_t session = state_fill(journal);

	for (size_t i = 0; i < ELEMENTS(bodies); i++) {
		cr_expect_eq(journal_append(journal, session, "x", NULL, bodies[i], NULL), -EINVAL);
		cr_expect_eq(journal_end(journal, session, bodies[i], NULL), -EINVAL);
	}
	cr_expect_eq(journal_append(journal, session, "", NULL, "{}", NULL), -EINVAL);
	cr_expect_eq(journal_append(journal, session, "x", "", "{}", NULL), -EINVAL);
	cr_expect_eq(journal_append(journal, session, "x", "\xff", "{}", NULL), -EINVAL);
	cr_expect_eq(journal_append(journal, session, "opened", NULL, "{}", NULL), -EINVAL);
	cr_expect_eq(journal_append(journal, session, "closed", NULL, "{}", NULL), -EINVAL);
	cr_expect_eq(journal_append(journal, session, "original", "a", "{}", NULL), -EINVAL);
}

Test(journal, the_first_original_stays)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	int64_t session = state_fill(journal);
	AUTO_FREE char *first = NULL, *second = NULL, *third = NULL;
	AUTO_EVENTS events = { 0 };

	cr_assert_eq(journal_save_original(journal, session, "stop", "state", "dead", NULL), 0);
	cr_assert_eq(journal_save_original(journal, session, "other", "state", "\"é\n", NULL), 0);
	cr_expect_eq(journal_original(journal, session, "stop", "state", &first, NULL), 1);
	cr_expect_str_eq(first, "active");
	cr_expect_eq(journal_original(journal, session, "other", "state", &second, NULL), 1);
	cr_expect_str_eq(second, "\"é\n");
	cr_expect_eq(journal_original(journal, session, "stop", "none", &third, NULL), 0);
	cr_expect_eq(journal_original(journal, 7, "stop", "state", &third, NULL), 0);
	cr_expect_null(third);
	cr_assert_eq(journal_read(journal, 0, &events, NULL), 0);
	cr_expect_eq(events.n, 5);
}

Test(journal, an_original_comes_back_as_it_was_or_is_refused)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	int64_t session = state_fill(journal);

	cr_expect_eq(journal_save_original(journal, session, "a", "k", "\xff", NULL), -EINVAL);
	cr_expect_eq(journal_save_original(journal, session, "a", "\xff", "v", NULL), -EINVAL);
	cr_expect_eq(journal_save_original(journal, session, "a", "", "v", NULL), -EINVAL);
	cr_expect_eq(journal_save_original(journal, session, NULL, "k", "v", NULL), -EINVAL);
}

/* The encoding of chain.h, written out: a change of it would make every journal foreign. */
Test(journal, the_chain_is_the_one_that_is_documented)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = state_open(&state, JOURNAL_WRITE);
	AUTO_EVENTS events = { 0 };
	AUTO_BUF text = BUF_INIT;
	char hash[65], zeros[65];

	memset(zeros, '0', 64);
	zeros[64] = '\0';
	cr_assert_eq(journal_head(journal, hash, NULL), 0);
	cr_expect_str_eq(hash, zeros);
	state_fill(journal);
	cr_assert_eq(journal_read(journal, 0, &events, NULL), 0);
	buf_addf(&text, "64:%s,1:1,1:1,27:%s,6:opened,-,-,12:{\"tool\":\"1\"},", zeros,
		 events.items[0].at);
	cr_assert_eq(sha256_hex(text.data, text.len, hash, NULL), 0);
	cr_expect_str_eq(events.items[0].hash, hash);
	buf_clear(&text);
	buf_addf(&text, "64:%s,1:3,1:1,27:%s,8:original,4:stop,5:state,%zu:%s,",
		 events.items[1].hash, events.items[2].at, strlen(events.items[2].body),
		 events.items[2].body);
	cr_assert_eq(sha256_hex(text.data, text.len, hash, NULL), 0);
	cr_expect_str_eq(events.items[2].hash, hash);
}

Test(journal, its_file_is_private)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = NULL;
	char file[512];
	struct stat st;

	umask(0);
	journal = state_open(&state, JOURNAL_WRITE);
	state_fill(journal);
	state_file(&state, file);
	cr_assert_eq(stat(file, &st), 0);
	cr_expect_eq(st.st_mode, (mode_t)(S_IFREG | 0600));
}

Test(journal, takes_a_state_directory_behind_a_link)
{
	AUTO_TREE place = tree_new();
	char link[512], dir[512];
	AUTO_JOURNAL *journal = NULL;

	tree_file(&place, "real/x", "");
	tree_link(&place, "link", "real");
	tree_path(&place, "link", link);
	tree_path(&place, "real/journal.db", dir);
	cr_assert_eq(journal_open(link, JOURNAL_WRITE, &journal, NULL), 0);
	cr_expect_eq(access(dir, F_OK), 0);
}

Test(journal, what_was_opened_to_look_is_not_written_to)
{
	AUTO_TREE state = tree_new();
	AUTO_JOURNAL *journal = NULL;
	int64_t session;

	journal_free(state_open(&state, JOURNAL_WRITE));
	journal = state_open(&state, JOURNAL_WRITE);
	session = state_fill(journal);
	journal_free(journal);
	journal = state_open(&state, JOURNAL_LOOK);
	cr_expect_eq(journal_append(journal, session, "x", NULL, "{}", NULL), -EPERM);
	cr_expect_eq(journal_begin(journal, "{}", &session, NULL), -EPERM);
	cr_expect_eq(journal_end(journal, session, "{}", NULL), -EPERM);
	cr_expect_eq(journal_save_original(journal, session, "a", "k", "v", NULL), -EPERM);
}
