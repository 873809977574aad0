/* SPDX-License-Identifier: MIT */
/*
 * What the events of a session come to.
 *
 * type          step  body
 * opened        -     {tool, runbook {name, file, sha256, text}, vars {NAME: text},
 *                     work [{type, disk, other, to}], work_text,
 *                     host {name, machine_id, boot_id},
 *                     plan [{id, kind, title, text, undo?, after, keep, restores (index) | null,
 *                     state, reason | null, estimate_ms, measured}],
 *                     boundary (index; the number of steps: none), world {}, before | null,
 *                     before_sha256 | null (of the tree, treesum.h)}
 * accepted      -     {finding, subject, because}
 * intent        yes   {}: an action begins
 * original      yes   {key, value}: what was there before; written by the journal itself
 * outcome       yes   {result, duration_us, error {code, text, hint | null} | null, skipped?}:
 *                     a check ended, or an action
 * undo-intent   yes   {}: it begins to be taken back
 * undo-outcome  yes   {result, duration_us, error, standing: "yes" | "no" | "unknown"}
 * void          yes   {reason}: what was proved or done counts no longer
 * resumed       -     {}: a call goes on
 * stopped       -     {why, next | null}: a call ended
 * card          -     {sha256, text}
 * crossing      -     {boot_id, ...}: the next thing is the power-off
 * not-crossed   -     {}: it is still the same boot
 * crossed       -     {end?: "drives" | "board" | "both" | null}: it is another boot
 * closed        -     {as: "pass" | "differs" | "aborted", how | null}
 *
 * Every body may also have boot_id, a text or null, and keys that are not
 * listed, which do not count here.
 *
 * 1. The first event is "opened", and no other is.
 * 2. An event of another type, of a step that the plan does not have, or with
 *    a body that does not fit is -EBADMSG, by its number; none is passed over.
 * 3. The order of the others is not judged: whoever wrote them has seen the
 *    world, and an event that is on the disk has happened.
 * 4. A step that failed to be taken back is still done.
 */
#ifndef COLDSWAP_EXEC_FOLD_H
#define COLDSWAP_EXEC_FOLD_H

#include "base/json.h"
#include "exec/session.h"

/* All events of one session; leaves `head` alone. */
int fold_events(const struct journal_events *events, struct session_view *ret, struct error *err);

/* ---- between the parts of the fold ------------------------------------------------- */

/* "'KEY' is missing or of a wrong type": -EBADMSG, to be wrapped with the event's number. */
int fold_misfit(const char *key, struct error *err);
/* A copy of the text at `key`, in place of what *ret held.  `may_lack`: or null, or absent. */
int fold_text(const json_t *body, const char *key, bool may_lack, char **ret, struct error *err);
/* Likewise, one of `n` words. */
int fold_word(const json_t *body, const char *key, const char *const *words, size_t n,
	      bool may_lack, char **ret, struct error *err);
int fold_count(const json_t *body, const char *key, uint64_t max, uint64_t *ret, struct error *err);
int fold_bool(const json_t *body, const char *key, bool *ret, struct error *err);

int fold_opened(struct session_view *view, const json_t *body, struct error *err);

#endif
