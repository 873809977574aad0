/* SPDX-License-Identifier: MIT */
#include "report/session.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"
#include "report/sample.h"

static char finding[] = "disk.smart/reallocated", subject[] = "sdc" HOSTILE, why[] = "old";
static struct acceptance accepted = { finding, subject, why };
static char change[] = "k3s.service is stopped: coldswap abort starts it again.";
static char *changes[] = { change, NULL };
static char host[] = "homeserver";

static struct report_session session_made(void)
{
	return (struct report_session){
		.number = 3,
		.runbook = "book",
		.phase = "before",
		.powers_off = true,
		.opened_at = "2026-11-30T23:50:06.000000Z",
		.work = "exchange A and B\nas given",
		.accepted = &accepted,
		.n_accepted = 1,
		.stopped = "the step 'one' failed",
		.changes = changes,
		.next = "coldswap resume",
		.head = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	};
}

static void with(struct sample *sample, const struct report_session *session)
{
	sample_init(sample, 2);
	sample->report.command = "status";
	sample->report.host_name = host;
	sample->report.session = session;
	sample->report_step.state = "done";
	sample->report_step.at = "2026-11-30T23:51:00.000000Z";
	sample->report_step.duration_us = 65000000;
	sample->step.estimate_us = 20000000;
	result_summary(&sample->report_step.result, "all is well");
}

static char *text_of(int (*write)(const struct report *, const struct screen *, struct buf *,
				  struct error *),
		     const struct report_session *session, struct screen screen)
{
	struct sample sample;
	struct buf text = BUF_INIT;

	with(&sample, session);
	cr_assert_eq(write(&sample.report, &screen, &text, NULL), 0);
	sample_done(&sample);
	return buf_take(&text);
}

#define EXPECT_IN(text, part)                                                                      \
	cr_expect_not_null(strstr(text, part), "'%s' is not in:\n%s", part, text)

Test(session, status_tells_where_it_stands)
{
	struct report_session session = session_made();
	AUTO_FREE char *text =
		text_of(session_status_text, &session, (struct screen){ .width = 80 });

	EXPECT_IN(text, "coldswap session 3 of homeserver: book\n");
	EXPECT_IN(text, "Planned work: exchange A and B\n              as given\n");
	EXPECT_IN(text, "Step 1 of 1 comes next: one: a test\n");
	EXPECT_IN(text, "It stopped: the step 'one' failed\n");
	EXPECT_IN(text, "  - k3s.service is stopped: coldswap abort starts it again.\n");
	EXPECT_IN(text, "Session 3 is open, before the power-off.\nNext: coldswap resume\n");
	cr_expect_null(strchr(text, '\033'));
}

Test(session, status_one_fact_a_line)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = text_of(session_status_text, &session,
				       (struct screen){ .width = 20, .plain = true });

	EXPECT_IN(text, "session: 3\n");
	EXPECT_IN(text, "phase: before\n");
	EXPECT_IN(text, "work: exchange A and B\nwork: as given\n");
	EXPECT_IN(text, "changed: k3s.service is stopped: coldswap abort starts it again.\n");
	EXPECT_IN(text, "next: coldswap resume\n");
}

Test(session, a_power_off_that_was_asked_for_does_not_come_next)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = NULL;

	session.phase = "crossing";
	text = text_of(session_status_text, &session, (struct screen){ .width = 80 });
	cr_expect_null(strstr(text, "comes next"));
	EXPECT_IN(text, "asked to power off");
}

Test(session, status_in_one_sentence)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = text_of(session_status_text, &session,
				       (struct screen){ .width = 80, .quiet = true });

	cr_expect_str_eq(text, "Session 3 is open, before the power-off.\n");
}

Test(session, no_power_off_is_told_where_there_is_none)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = NULL;

	session.powers_off = false;
	text = text_of(session_status_text, &session, (struct screen){ .width = 80 });
	EXPECT_IN(text, "Session 3 is open.\n");
	cr_expect_null(strstr(text, "Planned work"));
}

Test(session, what_runs_is_not_stopped)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = NULL;

	session.running = "by process 7, run";
	session.changes = NULL;
	text = text_of(session_status_text, &session, (struct screen){ .width = 80 });
	EXPECT_IN(text, "It is in hand now: by process 7, run.\n");
	EXPECT_IN(text, "Nothing of the host is changed.\n");
	cr_expect_null(strstr(text, "It stopped"));
}

Test(session, report_sets_planned_and_actual_time_side_by_side)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = NULL;

	session.events = 12;
	text = text_of(session_report_text, &session, (struct screen){ .width = 80 });
	EXPECT_IN(text, "    ~20 s 1 min 5 s  - a test: all is well\n");
	EXPECT_IN(text, "    20 s 1 min 5 s  altogether before the power-off\n");
	EXPECT_IN(text, "The chain of 12 events is whole, head\n0123456789abcdef");
	cr_expect_null(strstr(text, "was powered off"));
}

Test(session, a_chain_that_does_not_fit_is_said)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = NULL;

	session.broken = "event 7 was changed";
	text = text_of(session_report_text, &session, (struct screen){ .width = 80 });
	EXPECT_IN(text, "The journal's chain does not fit: event 7 was changed.\n");
	cr_expect_null(strstr(text, "whole"));
}

Test(session, status_tells_a_chain_that_does_not_fit_and_no_other)
{
	struct report_session session = session_made();
	AUTO_FREE char *whole = NULL, *broken = NULL;

	session.events = 7;
	whole = text_of(session_status_text, &session, (struct screen){ .width = 80 });
	cr_expect_null(strstr(whole, "chain"));
	session.broken = "event 7 was changed";
	broken = text_of(session_status_text, &session, (struct screen){ .width = 80 });
	EXPECT_IN(broken, "The journal's chain does not fit: event 7 was changed.\n");
}

Test(session, a_report_tells_how_it_closed_and_which_end_was_exchanged)
{
	struct report_session session = session_made();
	AUTO_FREE char *text = NULL, *plain = NULL;

	session.phase = "closed";
	session.closed_as = "differs";
	session.closed_at = "2026-11-30T23:59:06.000000Z";
	session.closed_how = "The cables stay as they are.";
	session.exchanged_end = "board";
	text = text_of(session_report_text, &session, (struct screen){ .width = 80 });
	EXPECT_IN(text, "The cables were exchanged at the board, as the operator said.\n");
	EXPECT_IN(text, "The cables stay as they are.\nSession 3 is closed");
	plain = text_of(session_report_text, &session,
			(struct screen){ .width = 80, .plain = true });
	EXPECT_IN(plain, "exchanged-end: board\n");
	EXPECT_IN(plain, "closed-how: The cables stay as they are.\n");
}

Test(session, each_end_has_its_sentence)
{
	static const char *const ends[][3] = {
		{ "closed", "pass", "all was done as planned" },
		{ "closed", "differs", "kept so" },
		{ "closed", "aborted", "it was aborted" },
		{ "crossing", NULL, "asked to power off" },
		{ "after", NULL, "after the power-off" },
	};

	for (size_t i = 0; i < ELEMENTS(ends); i++) {
		struct report_session session = session_made();
		AUTO_BUF text = BUF_INIT;

		session.phase = ends[i][0];
		session.closed_as = ends[i][1];
		session_sentence(&session, &text);
		EXPECT_IN(buf_text(&text), ends[i][2]);
	}
}

Test(session, a_document_has_the_record)
{
	struct report_session session = session_made();
	struct sample sample;
	AUTO_BUF text = BUF_INIT;
	json_t *document, *record;

	with(&sample, &session);
	cr_assert_eq(session_json(&sample.report, &text, NULL), 0);
	sample_done(&sample);
	document = json_loads(buf_text(&text), 0, NULL);
	cr_assert_not_null(document);
	record = json_object_get(document, "record");
	cr_expect_eq(json_integer_value(json_object_get(document, "session")), 3);
	cr_expect_str_eq(json_string_value(json_object_get(record, "step")), "one");
	cr_expect(json_is_null(json_object_get(json_object_get(record, "chain"), "whole")));
	cr_expect_eq(json_array_size(json_object_get(record, "accepted")), 1);
	json_decref(document);
}

Test(session, a_document_of_no_session)
{
	struct report report = { .command = "status" };
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(session_json(&report, &text, NULL), 0);
	EXPECT_IN(buf_text(&text), "\"session\":null");
	EXPECT_IN(buf_text(&text), "\"steps\":[]");
}

Test(session, lists)
{
	struct report_session sessions[] = { session_made(), session_made() };
	const struct screen screen = { .width = 80 };
	AUTO_BUF text = BUF_INIT;

	sessions[0].phase = "closed", sessions[0].closed_as = "pass";
	sessions[0].closed_at = sessions[0].opened_at;
	sessions[1].number = 4;
	cr_assert_eq(session_list_text(sessions, 2, &screen, &text, NULL), 0);
	cr_expect_str_eq(buf_text(&text), "   3  2026-11-30T23:50  book: pass\n"
					  "   4  2026-11-30T23:50  book: open\n"
					  "2 sessions.\n");
	buf_clear(&text);
	cr_assert_eq(session_list_text(NULL, 0, &screen, &text, NULL), 0);
	cr_expect_str_eq(buf_text(&text), "No session yet.\n");
}
