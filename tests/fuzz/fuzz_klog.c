/* SPDX-License-Identifier: MIT */
/* The kernel log: foreign text of any length in many forms. */
#include "fuzz.h"
#include "probe/klog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(cleanup_klog) struct klog *klog = NULL;

	if (klog_parse((const char *)data, size, "log", &klog, NULL) < 0)
		return 0;
	for (size_t i = 0; i < klog->n; i++) {
		MUST(klog->events[i].line >= 1 && klog->events[i].line <= klog->n_lines);
		MUST(klog->events[i].generation <= 3);
	}
	return 0;
}
