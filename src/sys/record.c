/* SPDX-License-Identifier: MIT */
#include "sys/record.h"

#include <errno.h>
#include <string.h>

#include "sys/host_root.h"

int host_record(struct host *host, struct error *err)
{
	if (!host->recording)
		host->recording = calloc(1, sizeof(*host->recording));
	if (!host->recording)
		return error_oom(err);
	host->recording->on = true;
	return 0;
}

int host_record_stop(struct host *host, const struct recording **ret, struct error *err)
{
	if (!host->recording || host->recording->failed)
		return error_oom(err);
	host->recording->on = false;
	*ret = host->recording;
	return 0;
}

static int add_path(struct recording *recording, const char *path, unsigned how)
{
	struct touched *more;

	if (recording->n_paths == recording->paths_capacity) {
		size_t capacity = recording->paths_capacity ? recording->paths_capacity * 2 : 256;

		more = reallocarray(recording->paths, capacity, sizeof(*more));
		if (!more)
			return -ENOMEM;
		recording->paths = more;
		recording->paths_capacity = capacity;
	}
	if (strmap_add(&recording->places, path, recording->n_paths) < 0)
		return -ENOMEM;
	more = &recording->paths[recording->n_paths];
	*more = (struct touched){ strdup(path), how };
	if (!more->path)
		return -ENOMEM;
	recording->n_paths++;
	return 0;
}

void host_note(struct host *host, const char *path, unsigned how)
{
	struct recording *recording = host->recording;
	size_t *place;

	if (!recording || !recording->on || recording->failed)
		return;
	place = strmap_find(&recording->places, path);
	if (place)
		recording->paths[*place].how |= how;
	else
		recording->failed = add_path(recording, path, how);
}

static bool is_noted(const struct recording *recording, enum host_fact fact, const char *name)
{
	for (size_t i = 0; i < recording->n_facts; i++) {
		const struct told *told = &recording->facts[i];

		if (told->fact == fact && !told->name == !name &&
		    (!name || strcmp(told->name, name) == 0))
			return true;
	}
	return false;
}

static int add_fact(struct recording *recording, const struct told *told)
{
	struct told *more = reallocarray(recording->facts, recording->n_facts + 1, sizeof(*more));
	struct told copy = { .fact = told->fact, .code = told->code, .len = told->len };

	if (!more)
		return -ENOMEM;
	recording->facts = more;
	copy.name = told->name ? strdup(told->name) : NULL;
	copy.text = malloc(told->len + 1);
	if ((told->name && !copy.name) || !copy.text) {
		free(copy.name);
		free(copy.text);
		return -ENOMEM;
	}
	if (told->len)
		memcpy(copy.text, told->text, told->len);
	copy.text[told->len] = '\0';
	more[recording->n_facts++] = copy;
	return 0;
}

void host_note_fact(struct host *host, const struct told *told)
{
	struct recording *recording = host->recording;

	if (recording && recording->on && !recording->failed &&
	    !is_noted(recording, told->fact, told->name))
		recording->failed = add_fact(recording, told);
}

void host_free_recording(struct host *host)
{
	struct recording *recording = host->recording;

	if (!recording)
		return;
	for (size_t i = 0; i < recording->n_paths; i++)
		free(recording->paths[i].path);
	for (size_t i = 0; i < recording->n_facts; i++) {
		free(recording->facts[i].name);
		free(recording->facts[i].text);
	}
	free(recording->paths);
	free(recording->facts);
	strmap_done(&recording->places);
	free(recording);
}
