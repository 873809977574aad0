/* SPDX-License-Identifier: MIT */
/* Bytes by their place (base/bytes_at.h) of a regular file that is opened for it. */
#ifndef COLDSWAP_SYS_BYTES_FILE_H
#define COLDSWAP_SYS_BYTES_FILE_H

#include "attr.h"
#include "base/bytes_at.h"
#include "error.h"

struct bytes_file;

/* -ENOENT; -EINVAL: no regular file, a link to one included.  Its access time stays. */
int bytes_file_open(const char *path, struct bytes_file **ret, struct error *err);
void bytes_file_free(struct bytes_file *file);
DEFINE_CLEANUP(bytes_file, bytes_file_free)

/* Good for as long as the file; its name in errors is the path that was given. */
const struct bytes_at *bytes_file_at(const struct bytes_file *file);

#endif
