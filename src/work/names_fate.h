/* SPDX-License-Identifier: MIT */
/* What becomes of a reference: one judge for each form of name. */
#ifndef COLDSWAP_WORK_NAMES_FATE_H
#define COLDSWAP_WORK_NAMES_FATE_H

#include "work/names_form.h"

struct simulation {
	struct facts *facts;
	const struct work *work;
	const struct blocks *blocks;
	const struct ref_name *name;
	struct ref *ret; /* `before` and `n_before` are filled by the judge */
};

/* Each returns 0 or a negative errno with its words. */
int fate_of_tag(struct simulation *sim, struct error *err);
int fate_of_by_path(struct simulation *sim, struct error *err);
int fate_of_by_id(struct simulation *sim, struct error *err);
int fate_of_md_number(struct simulation *sim, struct error *err);

/* Does a device come back with the disks that are there after the work? */
enum survival { SURVIVES, SURVIVES_NOT, SURVIVES_UNSURE };
enum survival survival_of(const struct simulation *sim, const struct block *block);

/* Fill `before` from the links and names that devices have now. */
void fate_look_up(struct simulation *sim);
/* A name whose only trouble can be that its disk is taken out, or that it is absent. */
int fate_of_presence(struct simulation *sim, struct error *err);

/* Record what became of it; the sentence is already translated. */
int fate_set(struct simulation *sim, enum ref_fate fate, struct error *err, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* "/dev/sdb1 of Samsung SSD 860 EVO (S3YJ...)"; "" when memory is short. */
char *fate_device(const struct block *block);

#endif
