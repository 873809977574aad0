/* SPDX-License-Identifier: MIT */
#include "probe/smart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "base/json.h"

#define SMART_MAX_BYTES ((size_t)4 << 20)

enum { ATTRIBUTE_REALLOCATED = 5, ATTRIBUTE_CRC = 199 };
enum { EXIT_COULD_NOT_ASK = 1 | 2 | 4 };

void smart_link_done(struct smart_link *link)
{
	free(link->source);
	free(link->why_not);
	free(link->remedy);
	*link = (struct smart_link){ .crc_errors = -1, .reallocated = -1 };
}

static unsigned generation_of(const json_t *document, const char *which)
{
	static const char *const leads[] = { "1.5 ", "3.0 ", "6.0 " };
	const char *text = json_text(json_at(document, "interface_speed", which, NULL), "string");

	for (unsigned i = 0; text != NULL && i < ELEMENTS(leads); i++)
		if (strncmp(text, leads[i], strlen(leads[i])) == 0)
			return i + 1;
	return 0;
}

static int64_t attribute_raw(const json_t *document, json_int_t id)
{
	const json_t *table = json_at(document, "ata_smart_attributes", "table", NULL);
	const json_t *row;
	size_t i;

	json_array_foreach (table, i, row) {
		const json_t *raw = json_at(row, "raw", "value", NULL);

		if (json_integer_value(json_object_get(row, "id")) == id && json_is_integer(raw))
			return json_integer_value(raw);
	}
	return -1;
}

/* Line of the first `then` that follows `first`; 0 when there is none. */
static unsigned line_of(const char *text, size_t len, const char *first, const char *then)
{
	const char *end = text + len;
	const char *at = memmem(text, len, first, strlen(first));
	unsigned line = 1;

	if (at != NULL)
		at = memmem(at, (size_t)(end - at), then, strlen(then));
	if (at == NULL)
		return 0;
	while ((text = memchr(text, '\n', (size_t)(at - text))) != NULL) {
		text++;
		line++;
	}
	return line;
}

static unsigned line_of_attribute(const char *text, size_t len, unsigned id)
{
	char spaced[24], tight[24];

	snprintf(spaced, sizeof(spaced), "\"id\": %u,", id);
	snprintf(tight, sizeof(tight), "\"id\":%u,", id);
	unsigned line = line_of(text, len, "\"ata_smart_attributes\"", spaced);
	return line != 0 ? line : line_of(text, len, "\"ata_smart_attributes\"", tight);
}

static const char *message_of(const json_t *document)
{
	const json_t *messages = json_at(document, "smartctl", "messages", NULL);

	return json_text(json_array_get(messages, 0), "string");
}

static int tell_nothing(struct smart_link *link, const char *why, const char *remedy,
			struct error *err)
{
	link->why_not = strdup(why);
	link->remedy = strdup(remedy);
	return link->why_not != NULL && link->remedy != NULL ? 0 : error_oom(err);
}

int smart_link_parse(const char *text, size_t len, const char *source, struct smart_link *ret,
		     struct error *err)
{
	AUTO_JSON document = NULL;

	*ret = (struct smart_link){ .crc_errors = -1, .reallocated = -1 };
	int r = json_parse(text, len, source, &document, err);
	if (r < 0)
		return r;
	ret->max = generation_of(document, "max");
	ret->current = generation_of(document, "current");
	ret->crc_errors = attribute_raw(document, ATTRIBUTE_CRC);
	ret->reallocated = attribute_raw(document, ATTRIBUTE_REALLOCATED);

	json_int_t status = json_integer_value(json_at(document, "smartctl", "exit_status", NULL));
	if (ret->max == 0 && ret->crc_errors < 0 && (status & EXIT_COULD_NOT_ASK) != 0) {
		const char *message = message_of(document);

		return tell_nothing(
			ret, message != NULL ? message : _("smartctl could not ask the drive"),
			_("wake the drive and ask it by hand: smartctl -x"), err);
	}
	ret->max_line = line_of(text, len, "\"interface_speed\"", "\"max\"");
	ret->current_line = line_of(text, len, "\"interface_speed\"", "\"current\"");
	ret->crc_line = line_of_attribute(text, len, ATTRIBUTE_CRC);
	ret->source = strdup(source);
	return ret->source != NULL ? 0 : error_oom(err);
}

int smart_link_load(struct host *host, const char *name, struct smart_link *ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT_MAX(SMART_MAX_BYTES);
	AUTO_FREE char *source = NULL;
	struct error why = ERROR_INIT;

	*ret = (struct smart_link){ .crc_errors = -1, .reallocated = -1 };
	int r = host_fact(host, HOST_FACT_SMART, name, &text, &source, &why);
	if (r == 0) {
		r = smart_link_parse(buf_text(&text), text.len,
				     source != NULL ? source : "smartctl", ret, &why);
		if (r < 0)
			smart_link_done(ret);
	}
	if (r == -ENOMEM) {
		error_done(&why);
		return error_oom(err);
	}
	if (r < 0)
		r = tell_nothing(
			ret, error_text(&why),
			why.hint != NULL ? why.hint : _("ask the drive by hand: smartctl -x"), err);
	error_done(&why);
	return r;
}
