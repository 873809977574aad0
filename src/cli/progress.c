/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

#define REDRAW_US UINT64_C(200000)
#define LINE_US UINT64_C(10000000)
#define SAMPLE_US UINT64_C(1000000)

/* Other work, or the same begun anew. */
static bool is_other(const struct progress_line *line, const struct progress *progress)
{
	return !line->what || strcmp(line->what, progress->what) != 0 ||
	       progress->done < line->samples[line->n_samples - 1].done;
}

static int begin(struct progress_line *line, const struct progress *progress, uint64_t now_us)
{
	free(line->what);
	line->what = strdup(progress->what);
	line->samples[0] = (struct pace_sample){ now_us, progress->done };
	line->n_samples = 1;
	/* Short work is over before anybody reads of it. */
	line->told_us = line->redraw ? 0 : now_us;
	return line->what ? 0 : -ENOMEM;
}

static void sample(struct progress_line *line, struct pace_sample now)
{
	if (now.at_us < line->samples[line->n_samples - 1].at_us + SAMPLE_US)
		return;
	if (line->n_samples == PROGRESS_SAMPLES) {
		memmove(line->samples, line->samples + 1,
			sizeof(line->samples[0]) * (PROGRESS_SAMPLES - 1));
		line->n_samples--;
	}
	line->samples[line->n_samples++] = now;
}

/* A line that wraps could not be drawn over. */
static void put(struct progress_line *line, const struct buf *text, unsigned width, struct buf *ret)
{
	AUTO_BUF inert = BUF_INIT;

	text_inert(buf_text(text), &inert);
	if (!line->redraw) {
		buf_addf(ret, "  %s\n", buf_text(&inert));
		return;
	}
	buf_adds(ret, "\r  ");
	if (text_columns(buf_text(&inert)) > width - 3)
		text_pad(buf_text(&inert), width - 3, ret);
	else
		buf_adds(ret, buf_text(&inert));
	buf_adds(ret, "\033[K");
	line->drawn = true;
}

int progress_text(struct progress_line *line, const struct progress *progress, uint64_t now_us,
		  unsigned width, struct buf *ret)
{
	struct pace_sample now = { now_us, progress->done };
	AUTO_BUF text = BUF_INIT;
	struct pace pace;
	int r;

	if (is_other(line, progress)) {
		r = begin(line, progress, now_us);
		if (r < 0)
			return r;
	}
	sample(line, now);
	if (now_us < line->told_us + (line->redraw ? REDRAW_US : LINE_US))
		return 0;
	line->told_us = now_us;
	pace = pace_of(line->samples[0], now, progress->total);
	r = pace_line(progress, &pace, &text);
	if (r < 0)
		return r;
	put(line, &text, width, ret);
	return buf_error(ret);
}

void progress_clear(struct progress_line *line, struct buf *ret)
{
	if (line->drawn)
		buf_adds(ret, "\r\033[K");
	line->drawn = false;
}

void progress_done(struct progress_line *line)
{
	free(line->what);
	*line = (struct progress_line){ 0 };
}
