/* SPDX-License-Identifier: MIT */
/* ATA: link speeds, the attribute table, the self-test log. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "probe/smart_internal.h"

#define ATTRIBUTES_MAX 64
#define WORD_MASK 0xffff
#define RAW_PLAIN_MAX 0xffffffffLL /* a count beyond this is several numbers in one */

/* A number tells what it counts only with its name: vendors use them as they like. */
static const struct {
	enum smart_attribute_kind kind;
	unsigned id; /* 0 = any */
	const char *name;
} known[] = {
	{ SMART_REALLOCATED, 5, "Realloc" },      { SMART_REALLOCATED, 5, "Retired" },
	{ SMART_REALLOCATED, 5, "Bad_B" },        { SMART_UNCORRECTABLE, 187, "Uncorrect" },
	{ SMART_UNCORRECTABLE, 187, "_UE" },      { SMART_UNCORRECTABLE, 198, "Uncorrect" },
	{ SMART_PENDING, 197, "Pend" },           { SMART_CRC, 199, "CRC" },
	{ SMART_WEAR, 0, "Wear_Leveling_Count" }, { SMART_WEAR, 0, "Wearout" },
	{ SMART_WEAR, 0, "SSD_Life_Left" },       { SMART_WEAR, 0, "Percent_Life" },
	{ SMART_WEAR, 0, "Lifetime_Remain" },     { SMART_WEAR, 0, "Remaining_Life" },
	{ SMART_WEAR, 0, "Remain_Life" },         { SMART_WEAR, 0, "Block-Erase_Count" },
};

/* Without a database entry smartctl names them by the number's usual meaning. */
static bool names_it(const char *name, const char *part)
{
	return !name || strcasestr(name, part);
}

static enum smart_attribute_kind kind_of(unsigned id, const char *name)
{
	/* Crucial's MX500 counts 1 and 0 in turn; newer databases say so by the name. */
	if (name && strcasestr(name, "Bogus"))
		return SMART_OTHER;
	for (size_t i = 0; i < ELEMENTS(known); i++) {
		if (known[i].id ? known[i].id == id && names_it(name, known[i].name)
				: name && strcasestr(name, known[i].name))
			return known[i].kind;
	}
	return SMART_OTHER;
}

/* "393" is one number, "8 (0 12)" and "31628h+07m" begin with the one that counts. */
static bool leading_number(const char *text, int64_t *ret, bool *ret_alone)
{
	char digits[20];
	size_t len = text ? strspn(text, "0123456789") : 0;

	if (!len || len >= sizeof(digits))
		return false;
	memcpy(digits, text, len);
	digits[len] = '\0';
	*ret_alone = text[len] == '\0';
	return parse_i64(digits, ret) == 0;
}

/*
 * Forty-eight bits, in which some vendors pack two or three numbers.  The
 * database's own view of it stands in the string; without one, what is too
 * large for a count is three words, the count in the lowest.
 */
static void take_apart(struct smart_attribute *attribute, const char *text)
{
	int64_t first;
	bool alone;

	attribute->count = attribute->raw;
	if (leading_number(text, &first, &alone) && !alone) {
		attribute->count = first;
		attribute->packed = true;
	} else if (attribute->raw > RAW_PLAIN_MAX) {
		attribute->count = attribute->raw & WORD_MASK;
		attribute->packed = true;
	}
}

static int small(const json_t *row, const char *key)
{
	int64_t n = smart_number(json_object_get(row, key));

	return n >= 0 && n <= 255 ? (int)n : -1;
}

static void read_lines(struct smart_attribute *attribute, const struct json_place *place)
{
	attribute->name_line = json_line_of(*place, "name", NULL);
	if (!attribute->name_line)
		attribute->name_line = json_line_of(*place, "id", NULL);
	attribute->raw_line = json_line_of(*place, "raw", "value", NULL);
	attribute->failing_line = json_line_of(*place, "when_failed", NULL);
}

static int read_row(const json_t *row, const struct json_place *place, struct smart *smart)
{
	struct smart_attribute *attribute = &smart->attributes[smart->n_attributes];
	int64_t id = smart_number(json_object_get(row, "id"));
	const char *name = json_text(row, "name");
	const char *failed = json_text(row, "when_failed");

	if (id < 1 || id > 255)
		return 0;
	*attribute = (struct smart_attribute){
		.id = (unsigned)id,
		.kind = kind_of((unsigned)id, name),
		.value = small(row, "value"),
		.worst = small(row, "worst"),
		.threshold = small(row, "thresh"),
		.flagged = json_is_boolean(json_at(row, "flags", "prefailure", NULL)),
		.prefailure = json_is_true(json_at(row, "flags", "prefailure", NULL)),
		.failing_now = failed && strcasecmp(failed, "now") == 0,
		.failed_before = failed && strcasecmp(failed, "past") == 0,
		.raw = smart_number(json_at(row, "raw", "value", NULL)),
	};
	if (attribute->raw == 1 && names_it(name ? name : "", "Pending_ECC"))
		attribute->kind = SMART_OTHER; /* the same under an older database */
	take_apart(attribute, json_text(json_object_get(row, "raw"), "string"));
	read_lines(attribute, place);
	if (name && !(attribute->name = strdup(name)))
		return -ENOMEM;
	smart->n_attributes++;
	return 0;
}

static int read_attributes(const struct smart_document *document, struct smart *smart)
{
	const json_t *table = json_at(document->json, "ata_smart_attributes", "table", NULL);
	struct json_place place = document->place;
	size_t n = json_array_size(table);
	bool there = json_place_enter(&place, "ata_smart_attributes") &&
		     json_place_enter(&place, "table") && json_place_first(&place);

	if (n > ATTRIBUTES_MAX)
		n = ATTRIBUTES_MAX;
	if (!n)
		return 0;
	smart->attributes = calloc(n, sizeof(*smart->attributes));
	if (!smart->attributes)
		return -ENOMEM;
	for (size_t i = 0; i < n && there; i++) {
		if (read_row(json_array_get(table, i), &place, smart) < 0)
			return -ENOMEM;
		there = json_place_next(&place);
	}
	return 0;
}

static unsigned generation_of(const json_t *document, const char *which)
{
	static const char *const leads[] = { "1.5 ", "3.0 ", "6.0 " };
	const char *text = json_text(json_at(document, "interface_speed", which, NULL), "string");

	for (unsigned i = 0; text && i < ELEMENTS(leads); i++)
		if (strncmp(text, leads[i], strlen(leads[i])) == 0)
			return i + 1;
	return 0;
}

static void read_link(const struct smart_document *document, struct smart *smart)
{
	smart->max = generation_of(document->json, "max");
	smart->current = generation_of(document->json, "current");
	smart->max_line = json_line_of(document->place, "interface_speed", "max", NULL);
	smart->current_line = json_line_of(document->place, "interface_speed", "current", NULL);
	for (size_t i = 0; i < smart->n_attributes; i++) {
		const struct smart_attribute *attribute = &smart->attributes[i];

		if (attribute->kind == SMART_CRC) {
			smart->crc_errors = attribute->count;
			smart->crc_line = attribute->name_line;
		} else if (attribute->kind == SMART_REALLOCATED) {
			smart->reallocated = attribute->count;
		}
	}
}

/* The newest test stands first; one that was broken off says nothing of the drive. */
static int read_self_test(const struct smart_document *document, struct smart *smart)
{
	static const char *const logs[] = { "extended", "standard" };

	for (size_t i = 0; i < ELEMENTS(logs); i++) {
		struct json_place place = document->place;
		const json_t *table =
			json_at(document->json, "ata_smart_self_test_log", logs[i], "table", NULL);
		const json_t *status = json_object_get(json_array_get(table, 0), "status");
		const char *text = json_text(status, "string");

		if (!table)
			continue;
		if (!json_is_false(json_object_get(status, "passed")))
			return 0;
		if (json_place_enter(&place, "ata_smart_self_test_log") &&
		    json_place_enter(&place, logs[i]) && json_place_enter(&place, "table") &&
		    json_place_first(&place))
			smart->self_test_line = json_line_of(place, "status", "string", NULL);
		smart->self_test = strdup(text ? text : "failed");
		return smart->self_test ? 0 : -ENOMEM;
	}
	return 0;
}

int smart_ata_read(const struct smart_document *document, struct smart *smart, struct error *err)
{
	if (read_attributes(document, smart) < 0 || read_self_test(document, smart) < 0)
		return error_oom(err);
	read_link(document, smart);
	return 0;
}

void smart_ata_done(struct smart *smart)
{
	for (size_t i = 0; i < smart->n_attributes; i++)
		free(smart->attributes[i].name);
	free(smart->attributes);
}
