/* SPDX-License-Identifier: MIT */
/*
 * Bringing a unit up or down, for the kinds unit.stop, unit.start and unit.hold.
 *
 * A job's result is told and never believed: the unit is read again after it,
 * and that alone is judged.  So a call that was cut off, by a crash or a lost
 * connection, is judged like one that came back.
 *
 * What a kind says stands in the rows of unit_control_rows.c, which unit.stop
 * and unit.start share: the undo of one does what the other does.
 */
#ifndef COLDSWAP_STEP_UNIT_CONTROL_H
#define COLDSWAP_STEP_UNIT_CONTROL_H

#include "step.h"
#include "sys/manager.h"

/* For the row of a parameter. */
int control_check_name(const char *text, struct error *err);

extern const struct finding_row unit_control_findings[];
extern const struct output_row unit_control_outputs[];

struct control {
	const struct step *step;
	struct result *ret;
	struct manager *manager; /* NULL: systemd does not run here */
	char *unit;              /* with its suffix */
	struct manager_unit now; /* as it was read last */
	char *group;             /* its control group before the change, or NULL */
	char *invocation;        /* which of its runs is to end, or NULL */
};

#define CONTROL_INIT                                                                               \
	{                                                                                          \
		0                                                                                  \
	}

/*
 * "k3s" is "k3s.service".  Like the other calls that may settle a matter: 1,
 * go on; 0, there is nothing more to do and `ret` says why; a negative errno
 * only for -ENOMEM and -ECANCELED.
 */
int control_open(const struct step *step, const char *name, struct result *ret,
		 struct control *control, struct error *err);
void control_done(struct control *control);
#define AUTO_CONTROL CLEANUP(control_done) struct control

/* Read the unit again. */
int control_read(struct control *control, struct error *err);
/* Have systemd read its files again, then the same. */
int control_reload(struct control *control, struct error *err);

/* A unit that systemd does not know is down, as is every one where it does not run. */
bool control_is_up(const struct control *control);
bool control_is_down(const struct control *control);
bool control_is_busy(const struct control *control); /* a job is queued for it */

void control_cite(const struct control *control, struct finding *finding);

/* ---- originals ----------------------------------------------------------------- */

/*
 * Keep ActiveState, UnitFileState and InvocationID, unless they are kept.
 * A unit that systemd is at work on tells no original: 0, and it is said.
 */
int control_save(struct control *control, struct error *err);
/* Was it up?  1, 0; -ENODATA: nothing was kept, so nothing was changed. */
int control_was_up(const struct control *control, struct error *err);

/* ---- the change ----------------------------------------------------------------- */

/* Have systemd do it, unless it is so already.  `why`: how the job failed, if it did. */
int control_bring(struct control *control, enum manager_verb verb, struct error *why,
		  struct error *err);

/* Say what the unit is now, and yes, it is down (up); with what the job's end said. */
void control_judge_down(struct control *control, const struct error *why,
			enum standing *ret_standing);
void control_judge_up(struct control *control, const struct error *why,
		      enum standing *ret_standing);

/* What may start the unit again, and what of it still runs. */
int control_judge_triggers(struct control *control, struct error *err);
int control_judge_left(struct control *control, struct error *err);

/* ---- the callbacks of both kinds --------------------------------------------------- */

/* `verb` is what the kind's run does; its undo does the other. */
int control_run(const struct step *step, const char *unit, enum manager_verb verb,
		struct result *ret, struct error *err);
int control_verify(const struct step *step, const char *unit, enum manager_verb verb,
		   enum effect effect, enum standing *ret_standing, struct result *ret,
		   struct error *err);
int control_undo(const struct step *step, const char *unit, enum manager_verb verb,
		 struct result *ret, struct error *err);

#endif
