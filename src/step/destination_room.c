/* SPDX-License-Identifier: MIT */
/* Has the destination of a copy the bytes and inodes that it takes? */
#include <errno.h>

#include "step/destination.h"

/* What a copy takes beside its bytes: directories, partial blocks, the manifest. */
#define RESERVE_MIN ((uint64_t)64 << 20)

/* The law: what is copied, and a tenth of it or 64 MiB, whichever is more. */
static int need_of(uint64_t bytes, uint64_t *ret, struct buf *formula)
{
	uint64_t tenth = bytes / 10, reserve = tenth > RESERVE_MIN ? tenth : RESERVE_MIN;

	if (__builtin_add_overflow(bytes, reserve, ret))
		*ret = UINT64_MAX;
	return buf_addf(formula, "%llu + max(%llu / 10, 64 MiB)", (unsigned long long)bytes,
			(unsigned long long)bytes);
}

static void judge_bytes(struct destination *to, struct destination_room *room,
			const struct space *space)
{
	AUTO_BUF formula = BUF_INIT, derived = BUF_INIT, observed = BUF_INIT;
	AUTO_FREE char *wanted = NULL, *missing = NULL;
	struct finding *finding;

	need_of(room->bytes, &room->need, &formula);
	room->available = space->available;
	room->fits = room->need <= space->available;
	if (size_words(room->bytes, &room->sum_text) < 0 ||
	    size_words(space->available, &room->available_text) < 0 ||
	    size_words(room->need, &wanted) < 0 ||
	    size_words(room->fits ? 0 : room->need - space->available, &missing) < 0) {
		to->result->failed = -ENOMEM;
		return;
	}
	finding = result_find(to->result, room->fits ? "room" : "no-room",
			      room->fits ? VERDICT_PASS : VERDICT_FAIL, "%s", to->path);
	result_say(to->result, finding,
		   room->fits ? _("The copy of %s needs %s; %s has %s free.")
			      : _("The copy of %s needs %s, but %s has only %s free."),
		   room->sum_text, wanted, to->mount->target, room->available_text);
	if (!room->fits)
		result_remedy(to->result, finding,
			      _("Free %s on %s, or choose another destination: %s=PATH"), missing,
			      to->mount->target, to->param);
	buf_addf(&observed, "%s: %llu bytes available", to->mount->target,
		 (unsigned long long)space->available);
	buf_addf(&derived, "%llu %s %llu", (unsigned long long)room->need, room->fits ? "<=" : ">",
		 (unsigned long long)space->available);
	result_evidence(to->result, finding, space->source, buf_text(&observed), buf_text(&formula),
			buf_text(&derived));
}

static void judge_inodes(struct destination *to, const struct destination_room *room,
			 const struct space *space)
{
	AUTO_BUF derived = BUF_INIT;
	struct finding *finding;

	if (space->inodes == 0 || room->inodes <= space->inodes_available)
		return;
	buf_addf(&derived, "%llu > %llu", (unsigned long long)room->inodes,
		 (unsigned long long)space->inodes_available);
	finding = result_find(to->result, "no-inodes", VERDICT_FAIL, "%s", to->path);
	result_say(to->result, finding, _("The copy needs %llu inodes; %s has only %llu free."),
		   (unsigned long long)room->inodes, to->mount->target,
		   (unsigned long long)space->inodes_available);
	result_remedy(to->result, finding, _("Choose another destination: %s=PATH"), to->param);
	result_evidence(to->result, finding, space->source, NULL, "files + directories",
			buf_text(&derived));
}

int destination_judge_room(struct destination *to, struct destination_room *room, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct space space = { 0 };
	int r = facts_space(to->step->facts, to->mount->target, &space, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(to->result, "unreadable", to->mount->target, to->mount->target,
			       &why);
		return 0;
	}
	room->known = true;
	judge_bytes(to, room, &space);
	judge_inodes(to, room, &space);
	space_done(&space);
	return to->result->failed ? error_oom(err) : 0;
}

void destination_room_done(struct destination_room *room)
{
	free(room->sum_text);
	free(room->available_text);
	*room = (struct destination_room){ 0 };
}
