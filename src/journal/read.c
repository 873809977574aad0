/* SPDX-License-Identifier: MIT */
/* What is read back. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/json.h"
#include "base/same_text.h"
#include "journal/chain.h"

static void event_done(struct journal_event *event)
{
	free(event->at);
	free(event->type);
	free(event->step);
	free(event->body);
}

void journal_events_done(struct journal_events *events)
{
	for (size_t i = 0; i < events->n; i++)
		event_done(&events->items[i]);
	free(events->items);
	*events = (struct journal_events){ 0 };
}

static int copy_event(const struct chain_event *from, struct journal_event *to, struct error *err)
{
	*to = (struct journal_event){
		.seq = from->seq,
		.session = from->session,
		.at = strdup(from->at),
		.type = strdup(from->type),
		.step = from->step ? strdup(from->step) : NULL,
		.body = strdup(from->body),
	};
	memcpy(to->hash, from->hash, sizeof(to->hash));
	return to->at && to->type && to->body && (to->step || !from->step) ? 0 : error_oom(err);
}

static int add_event(struct journal_events *events, const struct chain_event *event,
		     struct error *err)
{
	struct journal_event *grown =
		reallocarray(events->items, events->n + 1, sizeof(*events->items));

	if (!grown)
		return error_oom(err);
	events->items = grown;
	return copy_event(event, &grown[events->n++], err);
}

int journal_read(struct journal *journal, int64_t session, struct journal_events *ret,
		 struct error *err)
{
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	AUTO_STATEMENT statement = NULL;
	struct chain_event event;
	int r;

	if ((r = sql_prepare(journal,
			     "SELECT " CHAIN_COLUMNS " FROM event WHERE ?1 IN (0, session) "
			     "ORDER BY seq",
			     &statement, err)) < 0 ||
	    (r = sql_bind_int(journal, statement, 1, session, err)) < 0)
		return r;
	while ((r = sql_step(journal, statement, err)) == 1)
		if ((r = chain_row(journal, statement, &event, err)) < 0 ||
		    (r = add_event(&events, &event, err)) < 0)
			return r;
	if (r < 0)
		return r;
	*ret = events;
	events = (struct journal_events){ 0 };
	return 0;
}

int journal_current(struct journal *journal, int64_t *ret_session, struct error *err)
{
	return sql_int(journal,
		       "SELECT ifnull(max(session), 0) FROM event AS opened WHERE type = 'opened' "
		       "AND NOT EXISTS (SELECT 1 FROM event WHERE session = opened.session "
		       "AND type = 'closed')",
		       ret_session, err);
}

int journal_count(struct journal *journal, int64_t *ret, struct error *err)
{
	return sql_int(journal, "SELECT ifnull(max(session), 0) FROM event", ret, err);
}

int journal_head(struct journal *journal, char ret[65], struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	const char *hash = CHAIN_START;
	int r = sql_prepare(journal, "SELECT hash FROM event ORDER BY seq DESC LIMIT 1", &statement,
			    err);

	if (r < 0 || (r = sql_step(journal, statement, err)) < 0 ||
	    (r = r ? sql_text(journal, statement, 0, &hash, err) : 0) < 0)
		return r;
	if (!hash || strlen(hash) != 64)
		return sql_damaged(journal, err, "%s", _("its last event is not whole"));
	memcpy(ret, hash, 65);
	return 0;
}

/* The key stands in the body too, which the chain covers as well. */
static int original_of(struct journal *journal, const char *body, const char *key, char **ret,
		       struct error *err)
{
	AUTO_JSON object = NULL;

	if (!body || json_parse(body, strlen(body), "an original", &object, NULL) < 0 ||
	    !same_text(json_text(object, "key"), key) || !json_text(object, "value"))
		return sql_damaged(journal, err, _("the original of '%s' is not whole"), key);
	*ret = strdup(json_text(object, "value"));
	return *ret ? 1 : error_oom(err);
}

int journal_original(struct journal *journal, int64_t session, const char *step, const char *key,
		     char **ret, struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	const char *body = NULL;
	int r;

	if ((r = sql_prepare(journal,
			     "SELECT body FROM event WHERE session = ?1 AND step = ?2 AND key = ?3 "
			     "AND type = 'original'",
			     &statement, err)) < 0 ||
	    (r = sql_bind_int(journal, statement, 1, session, err)) < 0 ||
	    (r = sql_bind_text(journal, statement, 2, step, err)) < 0 ||
	    (r = sql_bind_text(journal, statement, 3, key, err)) < 0 ||
	    (r = sql_step(journal, statement, err)) <= 0 ||
	    (r = sql_text(journal, statement, 0, &body, err)) < 0)
		return r;
	return original_of(journal, body, key, ret, err);
}
