/* SPDX-License-Identifier: MIT */
/*
 * An action: done, proved, found done, taken back.
 *
 *	              intent        run, verify: yes
 *	NOT_BEGUN ------------> INTENDED ------------> DONE <--------+
 *	    ^                    | | ^                  |  | verify: | verify:
 *	    | undone by          | | | again            |  | no      | yes, at a
 *	    | a stop             | | +---- verify: no --|--+         | resume
 *	    |                    | |                    +------------+
 *	  UNDONE <---------------+ +--> FAILED           undo, verify: yes
 *	    ^                     verify: no, unknown      |
 *	    +----------------------------------------------+
 *
 * 1. The intent is on the disk before run() is called, the originals before
 *    run() changes anything.
 * 2. verify() decides, whatever run() said; what it cannot tell stops the
 *    session.
 * 3. A run that the operator stopped is finished or taken back.
 * 4. An undo is asked for only where the world is not as before already.
 */
#ifndef COLDSWAP_EXEC_ACTION_H
#define COLDSWAP_EXEC_ACTION_H

#include "exec/executor.h"

/* Bring an action to DONE, from whatever state it is in. */
int action_take(struct executor *executor, size_t index, struct error *err);
/* Is it still as it was left?  For the boundary; 1 and a notice when it is not. */
int action_holds(struct executor *executor, size_t index, bool *ret, struct error *err);
/* Was it begun, and is it not taken back yet?  Then there is something to undo. */
bool action_stands(const struct executor *executor, size_t index);
/*
 * Take it back.  0 in every case that was recorded; *ret_standing says what
 * came of it, *ret (for report_step_done()) what undo and verify found.
 */
int action_undo(struct executor *executor, size_t index, enum standing *ret_standing,
		struct report_step *ret, struct error *err);

#endif
