/* SPDX-License-Identifier: MIT */
/* Whole sentences are marked for translation; ids, keys and units never are. */
#ifndef COLDSWAP_BASE_INTL_H
#define COLDSWAP_BASE_INTL_H

#include <libintl.h>

#define TEXT_DOMAIN "coldswap"
#define _(text) dgettext(TEXT_DOMAIN, text)
#define N_(text) (text) /* marked here, translated where it is used */
#define PLURAL(one, many, n) dngettext(TEXT_DOMAIN, one, many, (unsigned long)(n))

#endif
