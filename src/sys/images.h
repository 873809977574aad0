/* SPDX-License-Identifier: MIT */
/* The files that this process runs from: its program, and the libraries it is linked with. */
#ifndef COLDSWAP_SYS_IMAGES_H
#define COLDSWAP_SYS_IMAGES_H

#include "error.h"

/* Absolute paths, each once, the program first; a new array for strv_free(). */
int process_images(char ***ret, struct error *err);

#endif
