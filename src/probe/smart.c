/* SPDX-License-Identifier: MIT */
#include "probe/smart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "probe/smart_internal.h"

#define SMART_MAX_BYTES ((size_t)4 << 20)
#define NOT_TOLD INT64_MIN

enum { EXIT_COULD_NOT_ASK = SMART_EXIT_USAGE | SMART_EXIT_OPEN | SMART_EXIT_COMMAND };

void smart_free(struct smart *smart)
{
	if (!smart)
		return;
	smart_ata_done(smart);
	free(smart->source);
	free(smart->why_not);
	free(smart->remedy);
	free(smart->model);
	free(smart->serial);
	free(smart->self_test);
	free(smart);
}

int64_t smart_number(const json_t *value)
{
	return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
									: -1;
}

struct smart_count smart_count_of(const json_t *object, const struct json_place *place,
				  const char *key)
{
	return (struct smart_count){
		.n = smart_number(json_object_get(object, key)),
		.line = json_line_of(*place, key, NULL),
	};
}

static struct smart *smart_new(void)
{
	struct smart *smart = calloc(1, sizeof(*smart));

	if (smart) {
		smart->passed = -1;
		smart->hours = smart->crc_errors = smart->reallocated = -1;
		smart->celsius = NOT_TOLD;
	}
	return smart;
}

static int set_gap(struct smart *smart, enum smart_gap gap, const char *why, const char *remedy,
		   struct error *err)
{
	smart->gap = gap;
	smart->why_not = strdup(why);
	smart->remedy = strdup(remedy);
	return smart->why_not && smart->remedy ? 0 : error_oom(err);
}

/* The first message that is an error or tells of sleep; smartctl may warn of other things first. */
static const char *message_of(const json_t *json)
{
	const json_t *messages = json_at(json, "smartctl", "messages", NULL), *message;
	const char *first = json_text(json_array_get(messages, 0), "string");
	size_t i;

	json_array_foreach (messages, i, message) {
		const char *severity = json_text(message, "severity");
		const char *text = json_text(message, "string");

		if (text && severity && strcmp(severity, "error") == 0)
			return text;
	}
	return first;
}

static bool is_asleep(const struct smart *smart, const char *message)
{
	return (smart->exit_status & SMART_EXIT_OPEN) && message &&
	       (strcasestr(message, "standby") || strcasestr(message, "sleep") ||
		strcasestr(message, "idle"));
}

/* With neither a verdict of its own nor counters the drive told nothing of its health. */
static int find_gap(struct smart *smart, const json_t *json, struct error *err)
{
	const char *message = message_of(json);

	if (smart->passed >= 0 || smart->n_attributes || smart->nvme.told || smart->scsi.told ||
	    (smart->exit_status & SMART_EXIT_FAILING))
		return 0;
	if (is_asleep(smart, message))
		return set_gap(smart, SMART_ASLEEP, message,
			       _("wake the drive and ask it by hand: smartctl -x"), err);
	if (json_is_false(json_at(json, "smart_support", "enabled", NULL)) &&
	    !json_is_false(json_at(json, "smart_support", "available", NULL)))
		return set_gap(smart, SMART_SWITCHED_OFF, _("the drive's SMART is switched off"),
			       _("switch it on: smartctl -s on"), err);
	return set_gap(smart, SMART_NO_ANSWER,
		       message ? message : _("smartctl could not ask the drive"),
		       _("name the bridge or controller in between: smartctl -d TYPE -x; `smartctl "
			 "-h` lists the types"),
		       err);
}

static int copy_text(const json_t *json, const char *key, char **ret)
{
	const char *text = json_text(json, key);

	if (text && !(*ret = strdup(text)))
		return -ENOMEM;
	return 0;
}

static int read_common(const struct smart_document *document, struct smart *smart,
		       struct error *err)
{
	const json_t *json = document->json,
		     *passed = json_at(json, "smart_status", "passed", NULL);
	const json_t *celsius = json_at(json, "temperature", "current", NULL);
	int64_t status = smart_number(json_at(json, "smartctl", "exit_status", NULL));

	smart->exit_status = status > 0 && status <= 255 ? (unsigned)status : 0;
	smart->exit_line = json_line_of(document->place, "smartctl", "exit_status", NULL);
	smart->passed = json_is_boolean(passed) ? json_is_true(passed) : -1;
	smart->passed_line = json_line_of(document->place, "smart_status", "passed", NULL);
	smart->hours = smart_number(json_at(json, "power_on_time", "hours", NULL));
	if (json_is_integer(celsius))
		smart->celsius = json_integer_value(celsius);
	if (copy_text(json, "model_name", &smart->model) < 0 ||
	    copy_text(json, "serial_number", &smart->serial) < 0)
		return error_oom(err);
	return 0;
}

int smart_parse(const char *text, size_t len, const char *source, struct smart **ret,
		struct error *err)
{
	CLEANUP(cleanup_smart) struct smart *smart = smart_new();
	struct smart_document document = { .place = json_place_of(text, len) };
	const char *line_end = memchr(text, '\n', len);
	AUTO_JSON json = NULL;
	int r = json_parse(text, len, source, &json, err);

	if (r < 0)
		return r;
	if (!smart || !(smart->source = strdup(source)))
		return error_oom(err);
	document.json = json;
	smart->lined = line_end && line_end + 1 < text + len;
	r = read_common(&document, smart, err);
	if (r == 0)
		r = smart_ata_read(&document, smart, err);
	if (r < 0)
		return r;
	smart_nvme_read(&document, smart);
	smart_scsi_read(&document, smart);
	r = find_gap(smart, json, err);
	if (r == 0)
		*ret = TAKE(smart);
	return r;
}

/* What a failure to get a document means. */
static enum smart_gap gap_of(struct host *host, int code, const struct error *why)
{
	switch (code) {
	case -EACCES:
	case -EPERM:
		return SMART_NEEDS_ROOT;
	case -ENOENT:
		return host_is_live(host) ? SMART_NOT_INSTALLED : SMART_NOT_CAPTURED;
	case -ENODATA:
		return why->hint && strstr(why->hint, "wake") ? SMART_ASLEEP : SMART_NO_ANSWER;
	default:
		return SMART_BROKEN;
	}
}

int smart_load(struct host *host, const char *name, struct smart **ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(cleanup_smart) struct smart *smart = NULL;
	AUTO_BUF text = BUF_INIT_MAX(SMART_MAX_BYTES);
	AUTO_FREE char *source = NULL;
	int r = host_fact(host, HOST_FACT_SMART, name, &text, &source, &why);

	if (r == 0)
		r = smart_parse(buf_text(&text), text.len, source ? source : "smartctl", &smart,
				&why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		smart = smart_new();
		if (!smart)
			return error_oom(err);
		r = set_gap(smart, gap_of(host, r, &why), error_text(&why),
			    why.hint ? why.hint : _("ask the drive by hand: smartctl -x"), err);
	}
	if (r == 0)
		*ret = TAKE(smart);
	return r;
}

bool smart_tells_link(const struct smart *smart)
{
	return smart->source &&
	       (smart->max || smart->crc_errors >= 0 || !(smart->exit_status & EXIT_COULD_NOT_ASK));
}

int smart_captured_members(struct host *host, char ***ret, struct error *err)
{
	AUTO_STRV char **files = NULL, **members = NULL;

	*ret = NULL;
	if (host_is_live(host) || host_list(host, PATH_CAPTURED_SMART, &files, NULL) < 0)
		return 0;
	for (char **file = files; *file; file++) {
		size_t all = strlen(*file), end = strlen(".json");

		if (!strchr(*file, '-') || all < end || strcmp(*file + all - end, ".json") != 0)
			continue;
		if (strv_take(&members, strndup(*file, all - end)) < 0)
			return error_oom(err);
	}
	*ret = TAKE(members);
	return 0;
}

int smart_members_of(char *const *captured, const char *name, char ***ret, struct error *err)
{
	AUTO_STRV char **members = NULL;
	size_t len = strlen(name);

	*ret = NULL;
	for (; captured && *captured; captured++)
		if (strncmp(*captured, name, len) == 0 && (*captured)[len] == '-' &&
		    strv_add(&members, *captured) < 0)
			return error_oom(err);
	*ret = TAKE(members);
	return 0;
}
