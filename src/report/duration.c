/* SPDX-License-Identifier: MIT */
#include "report/duration.h"

#include "base/intl.h"

int duration_words(uint64_t us, struct buf *ret)
{
	unsigned long seconds = (unsigned long)((us + 500000) / 1000000);
	unsigned long minutes = (seconds + 30) / 60;

	if (us < 1000000)
		return buf_adds(ret, _("under a second"));
	if (seconds < 60)
		return buf_addf(ret, _("%lu s"), seconds);
	if (seconds < 3600 && seconds % 60)
		return buf_addf(ret, _("%lu min %lu s"), seconds / 60, seconds % 60);
	if (seconds < 3600)
		return buf_addf(ret, _("%lu min"), seconds / 60);
	return buf_addf(ret, _("%lu h %lu min"), minutes / 60, minutes % 60);
}
