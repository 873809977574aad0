/* SPDX-License-Identifier: MIT */
/* The forms that a storage message of the kernel takes: rows, read by klog.c. */
#ifndef COLDSWAP_PROBE_KLOG_FORMS_H
#define COLDSWAP_PROBE_KLOG_FORMS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/klog.h"

/*
 * Read one message without its prefix.  Fills everything of `event` but
 * `line`, `text` and `controller`; the controller's name is lent out of
 * `text` (NULL, 0 on lines that name an ata port).  False: no storage line.
 */
bool klog_form_read(const char *text, struct klog_event *event, const char **ret_name,
		    size_t *ret_len);

#endif
