/* SPDX-License-Identifier: MIT */
/* A device reference taken apart, by its text alone; nothing is resolved here. */
#ifndef COLDSWAP_WORK_NAMES_FORM_H
#define COLDSWAP_WORK_NAMES_FORM_H

#include "work/names.h"

struct ref_name {
	enum ref_form form;
	const char *tag;    /* REF_TAG: "UUID", "LABEL", "PARTUUID", "PARTLABEL"; static */
	char *value;        /* of the tag, decoded */
	char *path;         /* every other form below /dev, normalised; else NULL */
	bool own;           /* two components, "/dev/vg0/root": a volume unless a link says else */
	const char *reason; /* REF_NOT_A_DEVICE below /dev: why; static, not translated */
};

int ref_name_parse(const char *spec, struct ref_name *ret, struct error *err);
void ref_name_done(struct ref_name *name);

/* The socket that a by-path name of a SATA disk stands for. */
struct by_path {
	char *controller; /* "0000:00:1f.2", "f2540000.sata" */
	int port;         /* from 0; the name counts from 1 */
	bool whole_port;  /* "ata-3": the older link, whatever is behind the port */
	int pmp;          /* "ata-3.2.0": multiplier port; -1 = not told */
	int device;       /* "ata-3.1": second device of the port */
	unsigned partition;
};

/* 1 a by-path name of an ATA port, 0 of another bus, -ENOMEM. */
int by_path_parse(const char *path, struct by_path *ret);
void by_path_done(struct by_path *by_path);

/* N of a final "-partN"; 0 = none. */
unsigned link_partition(const char *path);

#endif
