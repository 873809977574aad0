/* SPDX-License-Identifier: MIT */
/*
 * A session for its reader: where it stands (`status`), all of it (`report N`),
 * and the list of all.  `report->session` is never NULL here, but where said.
 */
#ifndef COLDSWAP_REPORT_SESSION_H
#define COLDSWAP_REPORT_SESSION_H

#include "report/page.h"

/* "Session 3 is open, before the power-off." */
int session_sentence(const struct report_session *session, struct buf *ret);

int session_status_text(const struct report *report, const struct screen *screen, struct buf *ret,
			struct error *err);
int session_report_text(const struct report *report, const struct screen *screen, struct buf *ret,
			struct error *err);
/* Either as a document; `report->session` NULL: there is none. */
int session_json(const struct report *report, struct buf *ret, struct error *err);

/* Of the list the newest is the last. */
int session_list_text(const struct report_session *sessions, size_t n, const struct screen *screen,
		      struct buf *ret, struct error *err);
int session_list_json(const struct report_session *sessions, size_t n, struct buf *ret,
		      struct error *err);

/* Parts of both texts: session_parts.c */
void session_head(struct page *page, const struct report *report);
/* Who has it in hand now, else why it stopped. */
void session_stopped(struct page *page, const struct report_session *session);
void session_accepted(struct page *page, const struct report_session *session);
/* The copies that are left, with what removes each: session_copies.c */
void session_copies(struct page *page, const struct report_session *session);
struct json_t;
int session_copies_json(struct json_t *record, const struct report_session *session);
void session_chain(struct page *page, const struct report_session *session);
/* "label: text", or the text alone on a page that is drawn; nothing for NULL. */
void session_fact(struct page *page, const char *label, const char *text);
void session_close(struct page *page, const struct report *report);

#endif
