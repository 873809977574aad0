/* SPDX-License-Identifier: MIT */
/* Events of a session as a test tells them, and what they come to. */
#ifndef COLDSWAP_TESTS_UNIT_EXEC_TOLD_H
#define COLDSWAP_TESTS_UNIT_EXEC_TOLD_H

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "exec/fold.h"

struct told {
	struct journal_event items[32];
	size_t n;
};

#define STEP(id, kind, undo, restores)                                                             \
	"{\"id\":\"" id "\",\"kind\":\"" kind "\",\"title\":\"title of " id "\",\"text\":\"do " id \
	"\",\"undo\":" undo ",\"after\":false,\"keep\":false,\"restores\":" restores               \
	",\"state\":\"ready\",\"reason\":null,\"estimate_ms\":1500,\"measured\":true}"

#define OPENED_WITH(plan, boundary)                                                                \
	"{\"tool\":\"coldswap\",\"runbook\":{\"name\":\"swap\",\"file\":\"/r.yaml\",\"sha256\":"   \
	"\"abc\",\"text\":\"coldswap: 1\\n\"},\"vars\":{\"up\":\"wwn-1\",\"to\":\"/home\"},"       \
	"\"work\":[],\"work_text\":\"exchange A and B\",\"host\":{\"name\":\"h\","                 \
	"\"machine_id\":\"m\",\"boot_id\":\"b1\"},\"plan\":[" plan "],\"boundary\":" boundary      \
	",\"world\":{},\"before\":\"/var/lib/coldswap/1/before\",\"remote\":false}"

/* A check, two stops, the power-off, a check, two restores. */
#define PLAN                                                                                       \
	STEP("names", "names.fstab", "null", "null")                                               \
	"," STEP("stop-a", "unit.stop", "\"start a again\"", "null") "," STEP(                     \
		"stop-b", "unit.stop", "null",                                                     \
		"null") "," STEP("off", "operator.confirm", "null",                                \
				 "null") "," STEP("links", "disk.links", "null",                   \
						  "null") "," STEP("back-b", "operator.confirm",   \
								   "null",                         \
								   "2") "," STEP("back-a",         \
										 "operator."       \
										 "confirm",        \
										 "null", "1")
#define OPENED OPENED_WITH(PLAN, "3")

#define RESULT(verdict)                                                                            \
	"{\"verdict\":\"" verdict "\",\"summary\":\"it is " verdict                                \
	"\",\"outputs\":{\"state\":\"active\"},\"findings\":["                                     \
	"{\"id\":\"names.fstab/kernel-name\",\"verdict\":\"" verdict                               \
	"\",\"subject\":\"/etc/fstab:7\",\"summary\":\"s\",\"remedy\":\"r\",\"evidence\":[]}]}"
#define OUTCOME(verdict) "{\"result\":" RESULT(verdict) ",\"duration_us\":2500000,\"error\":null}"
#define SKIPPED                                                                                    \
	"{\"result\":{\"verdict\":\"skip\",\"summary\":\"not "                                     \
	"here\",\"outputs\":{},\"findings\":[]},"                                                  \
	"\"duration_us\":0,\"error\":null}"
#define BROKEN                                                                                     \
	"{\"result\":{\"verdict\":\"unknown\",\"summary\":null,\"outputs\":{},\"findings\":[]},"   \
	"\"duration_us\":7,\"error\":{\"code\":-5,\"text\":\"it broke\",\"hint\":\"mend it\"}}"
#define UNDONE(standing)                                                                           \
	"{\"result\":" RESULT("pass") ",\"duration_us\":1,\"error\":null,\"standing\":\"" standing \
				      "\"}"

static char told_types[32][16], told_steps[32][16], told_bodies[32][4096], told_ats[32][32];

static inline void tell(struct told *told, const char *type, const char *step, const char *body)
{
	size_t i = told->n++;

	snprintf(told_types[i], sizeof(told_types[i]), "%s", type);
	snprintf(told_steps[i], sizeof(told_steps[i]), "%s", step ? step : "");
	snprintf(told_ats[i], sizeof(told_ats[i]), "2026-11-30T12:00:%02zu.000000Z", i);
	cr_assert_lt((size_t)snprintf(told_bodies[i], sizeof(told_bodies[i]), "%s", body),
		     sizeof(told_bodies[i]));
	told->items[i] = (struct journal_event){
		.seq = 10 + (int64_t)i,
		.session = 1,
		.at = told_ats[i],
		.type = told_types[i],
		.step = step ? told_steps[i] : NULL,
		.body = told_bodies[i],
	};
}

static inline int fold_told(struct told *told, struct session_view *ret, struct error *err)
{
	struct journal_events events = { told->items, told->n };

	return fold_events(&events, ret, err);
}

static inline void fold_good(struct told *told, struct session_view *ret)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_assert_eq(fold_told(told, ret, &err), 0, "%s", error_text(&err));
}

/* The last event told is refused, by its number. */
static inline void fold_bad(struct told *told, const char *what)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	struct session_view view;
	char number[32];

	snprintf(number, sizeof(number), "event %zu ", 9 + told->n);
	cr_expect_eq(fold_told(told, &view, &err), -EBADMSG, "%s", what);
	cr_expect(err.message && strstr(err.message, number), "%s: %s", what, error_text(&err));
	cr_expect(err.hint, "%s", what);
}

#define AUTO_VIEW CLEANUP(session_view_done) struct session_view

#endif
