/* SPDX-License-Identifier: MIT */
#include "report/json_work.h"

#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "work/work.h"

static const char *const types[] = {
	[WORK_EXCHANGE] = "exchange", [WORK_MOVE] = "move",       [WORK_REMOVE] = "remove",
	[WORK_REPLACE] = "replace",   [WORK_RECABLE] = "recable",
};

static const char *const origins[] = {
	[WORK_GIVEN] = "given",
	[WORK_ADVISED] = "advised",
	[WORK_POWER_CYCLE] = "power-cycle",
};

static int set_disk(json_t *op, const char *key, const struct block *disk)
{
	json_t *object;

	if (!disk)
		return json_object_set_new(op, key, json_null());
	object = json_object();
	if (json_object_set_new(op, key, object) < 0)
		return -1;
	if (json_set_text(object, "key", disk->key) < 0 ||
	    json_set_text(object, "name", disk->name) < 0 ||
	    json_set_text(object, "model", disk->model) < 0 ||
	    json_set_text(object, "serial", disk->serial) < 0 ||
	    json_set_text(object, "wwn", disk->wwn) < 0 ||
	    json_set_text(object, "controller", disk->place.controller) < 0)
		return -1;
	return json_object_set_new(object, "port",
				   disk->place.port < 0 ? json_null()
							: json_integer(disk->place.port));
}

static int set_target(json_t *object, const struct work_op *op)
{
	json_t *to = json_object();

	if (json_object_set_new(object, "to", to) < 0 ||
	    json_set_text(to, "controller", op->controller) < 0)
		return -1;
	return json_object_set_new(to, "port", json_integer(op->port));
}

static int add_op(json_t *list, const struct work_op *op)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "type", types[op->type]) < 0 ||
	    set_disk(object, "disk", op->disk) < 0)
		return -1;
	if (op->type == WORK_EXCHANGE)
		return set_disk(object, "other", op->other);
	if (op->type == WORK_MOVE)
		return set_target(object, op);
	return op->type == WORK_REPLACE ? json_set_text(object, "new", op->new_text) : 0;
}

static int add_text(json_t *list, const char *text)
{
	AUTO_BUF valid = BUF_INIT;

	if (text_to_utf8(text, strlen(text), &valid) < 0)
		return -1;
	return json_array_append_new(list, json_string(buf_text(&valid)));
}

static int add_texts(json_t *list, char *const *texts)
{
	for (; texts && *texts; texts++)
		if (add_text(list, *texts) < 0)
			return -1;
	return 0;
}

int json_set_work(json_t *document, const struct plan *plan)
{
	const struct work *work = plan->work;
	json_t *list = json_array(), *notes = json_array();
	int r;

	r = json_object_set_new(document, "work", list);
	if (json_object_set_new(document, "notes", notes) < 0 || r < 0)
		return -1;
	for (size_t i = 0; work && i < work->n; i++)
		if (add_op(list, &work->ops[i]) < 0)
			return -1;
	if (add_texts(notes, plan->notes) < 0 || add_texts(notes, work ? work->warnings : NULL) < 0)
		return -1;
	return json_set_text(document, "work_origin",
			     origins[work ? work->origin : WORK_POWER_CYCLE]);
}

int json_set_runbook(json_t *document, const struct plan *plan)
{
	json_t *runbook;

	if (!plan->name)
		return json_object_set_new(document, "runbook", json_null());
	runbook = json_object();
	if (json_object_set_new(document, "runbook", runbook) < 0 ||
	    json_set_text(runbook, "name", plan->name) < 0)
		return -1;
	return json_set_text(runbook, "sha256", plan->sha256);
}
