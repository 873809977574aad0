/* SPDX-License-Identifier: MIT */
/* The program's version; the one place that says it. */
#ifndef COLDSWAP_VERSION_H
#define COLDSWAP_VERSION_H

#define COLDSWAP_VERSION "0.1.0"

#endif
