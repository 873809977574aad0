/* SPDX-License-Identifier: MIT */
/* The registry of kinds, and the names of what they declare. */
#include <string.h>

#include "attr.h"
#include "step/kinds.h"

#define KIND_ADDRESS(kind) &kind,
static const struct kind *const kinds[] = { KINDS(KIND_ADDRESS) NULL };
#undef KIND_ADDRESS

static const char *const class_names[] = {
	[KIND_CHECK] = "check",
	[KIND_MEASURE] = "measure",
	[KIND_ACTION] = "action",
	[KIND_GATE] = "gate",
};

static const char *const type_names[] = {
	[PARAM_STRING] = "string", [PARAM_BOOL] = "bool",         [PARAM_INT] = "int",
	[PARAM_SIZE] = "size",     [PARAM_DURATION] = "duration", [PARAM_PATH] = "path",
	[PARAM_DISK] = "disk",     [PARAM_STRINGS] = "strings",   [PARAM_PATHS] = "paths",
	[PARAM_DISKS] = "disks",   [PARAM_ENTRIES] = "entries",
};

const struct kind *kind_at(size_t index)
{
	return index < ELEMENTS(kinds) ? kinds[index] : NULL;
}

const struct kind *kind_find(const char *name)
{
	const struct kind *kind;

	for (size_t i = 0; (kind = kind_at(i)); i++)
		if (!strcmp(kind->name, name))
			return kind;
	return NULL;
}

const struct finding_row *kind_finding(const struct kind *kind, const char *id)
{
	size_t len = strlen(kind->name);

	if (!strncmp(id, kind->name, len) && id[len] == '/')
		id += len + 1;
	for (const struct finding_row *row = kind->findings; row && row->id; row++)
		if (!strcmp(row->id, id))
			return row;
	return NULL;
}

const char *kind_class_name(enum kind_class class)
{
	return class_names[class];
}

const char *param_type_name(enum param_type type)
{
	return type_names[type];
}
