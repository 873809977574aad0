/* SPDX-License-Identifier: MIT */
#include "report/pace.h"

#include "base/intl.h"
#include "report/duration.h"

/* A rate over less is mostly noise. */
#define SHORTEST_US UINT64_C(1000000)
/* Whoever is told more has been told nothing. */
#define LONGEST_US (UINT64_C(100) * 3600 * 1000000)

struct pace pace_of(struct pace_sample first, struct pace_sample last, uint64_t total)
{
	struct pace pace = { 0 };
	uint64_t took, done;
	double left;

	if (last.at_us < first.at_us + SHORTEST_US || last.done < first.done)
		return pace;
	took = last.at_us - first.at_us;
	done = last.done - first.done;
	pace.known = true;
	pace.per_s = (double)done * 1e6 / (double)took;
	if (total < last.done || total == 0 || done == 0)
		return pace;
	left = (double)(total - last.done) / (double)done * (double)took;
	if (left > (double)LONGEST_US)
		return pace;
	pace.left_known = true;
	pace.left_us = (uint64_t)left;
	return pace;
}

static void add_bytes(double bytes, struct buf *ret)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t i = 0;

	while (bytes >= 999.5 && i + 1 < ELEMENTS(units))
		bytes /= 1000, i++;
	buf_addf(ret, i > 0 && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, units[i]);
}

static void add_count(const struct progress *progress, struct buf *ret)
{
	AUTO_BUF done = BUF_INIT, total = BUF_INIT;

	if (progress->bytes) {
		add_bytes((double)progress->done, &done);
		add_bytes((double)progress->total, &total);
	} else {
		buf_addf(&done, "%ju", (uintmax_t)progress->done);
		buf_addf(&total, "%ju", (uintmax_t)progress->total);
	}
	if (progress->total)
		buf_addf(ret, _("%s of %s"), buf_text(&done), buf_text(&total));
	else
		buf_adds(ret, buf_text(&done));
}

static void add_rate(const struct progress *progress, const struct pace *pace, struct buf *ret)
{
	AUTO_BUF left = BUF_INIT;

	if (!pace->known)
		return;
	if (pace->per_s <= 0) {
		buf_addf(ret, ", %s", _("nothing moves"));
		return;
	}
	if (progress->bytes) {
		buf_adds(ret, ", ");
		add_bytes(pace->per_s, ret);
		buf_adds(ret, "/s");
	}
	if (!pace->left_known)
		return;
	duration_words(pace->left_us, &left);
	buf_adds(ret, ", ");
	buf_addf(ret, _("%s left"), buf_text(&left));
}

int pace_line(const struct progress *progress, const struct pace *pace, struct buf *ret)
{
	buf_adds(ret, progress->what);
	if (progress->done || progress->total) {
		buf_adds(ret, ": ");
		add_count(progress, ret);
		add_rate(progress, pace, ret);
	}
	return buf_error(ret);
}
