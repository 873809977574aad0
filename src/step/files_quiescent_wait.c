/* SPDX-License-Identifier: MIT */
/*
 * Waiting until the last one has let go.
 *
 * A wait ends by proof or by failure, never by running out: each event gives
 * another look, and the look at the deadline is the verdict.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/files_quiescent.h"
#include "sys/clock.h"
#include "sys/watch.h"

#define REST_MIN_US 100000
#define REST_FACTOR 4

static bool is_watched(const struct holder *holder)
{
	return holder->type != HOLDER_DIRECTORY && holder->type != HOLDER_MOUNT &&
	       holder->type != HOLDER_DEVICE;
}

/* The held files and their holders. */
static int arm(const struct look *look, struct watch *watch, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < look->n_files; i++) {
		const struct quiet_file *file = &look->files[i];

		if (file->data && (file->shown || file->answer == LEASE_HELD || file->broken))
			r = watch_file(watch, file->data->path, err);
	}
	for (size_t i = 0; r >= 0 && i < look->holders.n; i++) {
		const struct holder *holder = &look->holders.items[i];

		if (!is_watched(holder) || holder->pid <= 0 ||
		    (i > 0 && holder->pid == look->holders.items[i - 1].pid))
			continue;
		r = watch_process(watch, holder->pid, err);
		/* It ended since: that is the event. */
		if (r == 0 && look->live)
			return 0;
	}
	return r < 0 ? r : 1;
}

/* A busy database gives events all the time; looking must not be all that this does. */
static int rest(const struct look *look, uint64_t looked_us, uint64_t deadline_us,
		struct error *err)
{
	CLEANUP(cleanup_watch) struct watch *nothing = NULL;
	uint64_t us = looked_us * REST_FACTOR, until;
	int r = watch_open(look->step->host, &nothing, err);

	until = clock_monotonic_us() + (us > REST_MIN_US ? us : REST_MIN_US);
	if (r == 0)
		r = watch_wait(nothing, until < deadline_us ? until : deadline_us,
			       look->step->cancelled, err);
	return r < 0 ? r : 0;
}

/*
 * Whoever lets go between the look and the watches gives no event, and a look
 * itself gives one, because it closes what it opened.  So once the watches are
 * armed the holders are asked for again, which opens no file.
 */
static int wait_once(const struct look *look, uint64_t deadline_us, struct error *err)
{
	CLEANUP(cleanup_watch) struct watch *watch = NULL;
	int r = watch_open(look->step->host, &watch, err);

	if (r == 0)
		r = arm(look, watch, err);
	if (r > 0)
		r = quiet_is_as_seen(look, err);
	if (r > 0)
		r = watch_wait(watch, deadline_us, look->step->cancelled, err);
	return r < 0 ? r : 0;
}

static int again(struct look *look, uint64_t deadline_us, uint64_t *looked_us, struct result *ret,
		 struct error *err)
{
	uint64_t start;
	int r = rest(look, *looked_us, deadline_us, err);

	if (r < 0)
		return r;
	start = clock_monotonic_us();
	quiet_look_done(look);
	result_done(ret);
	r = quiet_look(look, ret, err);
	*looked_us = clock_monotonic_us() - start;
	return r;
}

static void say_left(const struct look *look, uint64_t waited_us, struct result *ret)
{
	struct finding *finding = result_find(ret, "still-held", VERDICT_FAIL, "path");
	AUTO_BUF who = BUF_INIT;
	size_t n = 0;
	pid_t last = -1;

	for (size_t i = 0; i < look->holders.n; i++) {
		const struct holder *holder = &look->holders.items[i];

		if (!is_watched(holder) || holder->pid == last)
			continue;
		last = holder->pid;
		if (n++ >= 5)
			continue;
		buf_adds(&who, who.len ? ", " : "");
		quiet_name(holder, &who);
	}
	if (!who.len)
		buf_adds(&who, _("somebody whom no process shows"));
	result_say(ret, finding, _("After %.3g s of waiting it is still held by %s."),
		   (double)waited_us / 1e6, buf_text(&who));
	result_remedy(ret, finding, "%s",
		      _("Stop who is named, then look again; more waiting proves nothing."));
	for (size_t i = 0; i < look->holders.n && i < 3; i++)
		result_evidence(ret, finding,
				look->holders.items[i].source ? look->holders.items[i].source
							      : PATH_PROC,
				look->holders.items[i].observed, NULL, NULL);
	if (!look->holders.n)
		result_evidence(ret, finding, "path", _("lease refused"), NULL, NULL);
}

int quiet_wait(struct look *look, uint64_t deadline_us, struct result *ret, struct error *err)
{
	uint64_t start = clock_monotonic_us(), looked_us = 0;
	int r = 0;

	while (r >= 0 && look->looked && quiet_is_held(look) &&
	       clock_monotonic_us() < deadline_us) {
		r = wait_once(look, deadline_us, err);
		if (r >= 0)
			r = again(look, deadline_us, &looked_us, ret, err);
	}
	if (r >= 0 && look->looked && quiet_is_held(look))
		say_left(look, clock_monotonic_us() - start, ret);
	return r < 0 ? r : 0;
}
