/* SPDX-License-Identifier: MIT */
/* One document, read by the part for each command set. */
#ifndef COLDSWAP_PROBE_SMART_INTERNAL_H
#define COLDSWAP_PROBE_SMART_INTERNAL_H

#include "base/json.h"
#include "base/json_place.h"
#include "probe/smart.h"

struct smart_document {
	const json_t *json;
	struct json_place place;
};

int smart_ata_read(const struct smart_document *document, struct smart *smart, struct error *err);
void smart_ata_done(struct smart *smart);
void smart_nvme_read(const struct smart_document *document, struct smart *smart);
void smart_scsi_read(const struct smart_document *document, struct smart *smart);

/* A whole number that is not negative, or -1. */
int64_t smart_number(const json_t *value);
/* The same of a member of an object, with the line that it stands on. */
struct smart_count smart_count_of(const json_t *object, const struct json_place *place,
				  const char *key);

#endif
