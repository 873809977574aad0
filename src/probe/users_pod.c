/* SPDX-License-Identifier: MIT */
/* What a kubelet starts: static pods by their manifests, pods and volumes by the API's lists. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "base/json.h"
#include "base/strv.h"
#include "probe/identity.h"
#include "probe/paths.h"
#include "probe/users_internal.h"

#define MANIFEST_MAX ((size_t)256 << 10)
#define LIST_MAX ((size_t)32 << 20)
#define MAX_DEPTH 32 /* libyaml has no limit of its own, and is quadratic in it */

/* hostPath types that make what is missing, or do not look. */
static bool must_exist(const char *type)
{
	return type && *type && strcmp(type, "DirectoryOrCreate") != 0 &&
	       strcmp(type, "FileOrCreate") != 0;
}

/* ---- manifests -------------------------------------------------------- */

struct manifest {
	const char *file;
	struct user_list *list;
	char *keys[MAX_DEPTH]; /* the key that is open at each depth of mappings */
	bool expects_value[MAX_DEPTH];
	bool mapping[MAX_DEPTH];
	size_t depth;
	char *pod, *path, *type; /* of the document, and of the hostPath that is open */
	unsigned line;
};

static bool open_key(const struct manifest *manifest, size_t up, const char *key)
{
	size_t at = manifest->depth - 1 - up;

	return manifest->depth > up && manifest->mapping[at] && manifest->keys[at] &&
	       strcmp(manifest->keys[at], key) == 0;
}

static int finish_host_path(struct manifest *manifest)
{
	AUTO_FREE char *source = NULL, *observed = NULL;
	struct user user = { .type = USER_STATIC_POD };
	int r = 0;

	if (manifest->path) {
		if (asprintf(&source, "%s:%u", manifest->file, manifest->line) < 0)
			source = NULL;
		if (asprintf(&observed, "hostPath path: %s%s%s", manifest->path,
			     manifest->type ? ", type: " : "",
			     manifest->type ? manifest->type : "") < 0)
			observed = NULL;
		user.name = manifest->pod ? manifest->pod : strrchr(manifest->file, '/') + 1;
		user.path = manifest->path;
		user.existing = must_exist(manifest->type);
		user.source = source;
		user.observed = observed;
		r = source && observed ? user_add(manifest->list, &user) : -ENOMEM;
	}
	free(manifest->path);
	free(manifest->type);
	manifest->path = manifest->type = NULL;
	return r;
}

static int keep(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int on_value(struct manifest *manifest, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	if (open_key(manifest, 1, "metadata") && open_key(manifest, 0, "name"))
		return keep(&manifest->pod, text);
	if (!open_key(manifest, 1, "hostPath"))
		return 0;
	if (open_key(manifest, 0, "type")) { /* what makes the directory is at fault */
		manifest->line = (unsigned)event->start_mark.line + 1;
		return keep(&manifest->type, text);
	}
	if (!open_key(manifest, 0, "path"))
		return 0;
	if (!manifest->type)
		manifest->line = (unsigned)event->start_mark.line + 1;
	return keep(&manifest->path, text);
}

static int on_scalar(struct manifest *manifest, const yaml_event_t *event)
{
	size_t at = manifest->depth - 1;

	if (!manifest->depth || !manifest->mapping[at])
		return 0;
	if (!manifest->expects_value[at]) {
		manifest->expects_value[at] = true;
		return keep(&manifest->keys[at], (const char *)event->data.scalar.value);
	}
	manifest->expects_value[at] = false;
	return on_value(manifest, event);
}

static int on_start(struct manifest *manifest, bool mapping)
{
	if (manifest->depth == MAX_DEPTH)
		return -EFBIG;
	manifest->mapping[manifest->depth] = mapping;
	manifest->expects_value[manifest->depth] = false;
	manifest->depth++;
	return 0;
}

static int on_end(struct manifest *manifest)
{
	size_t at = --manifest->depth;
	int r = 0;

	free(manifest->keys[at]);
	manifest->keys[at] = NULL;
	if (at && manifest->mapping[at - 1]) {
		if (manifest->mapping[at] && open_key(manifest, 0, "hostPath"))
			r = finish_host_path(manifest);
		manifest->expects_value[at - 1] = false;
	}
	return r;
}

static int on_event(struct manifest *manifest, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return on_scalar(manifest, event);
	case YAML_ALIAS_EVENT:
		if (manifest->depth && manifest->mapping[manifest->depth - 1])
			manifest->expects_value[manifest->depth - 1] ^= true;
		return 0;
	case YAML_MAPPING_START_EVENT:
		return on_start(manifest, true);
	case YAML_SEQUENCE_START_EVENT:
		return on_start(manifest, false);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		return on_end(manifest);
	case YAML_DOCUMENT_END_EVENT:
		free(manifest->pod);
		manifest->pod = NULL;
		return 0;
	default:
		return 0;
	}
}

/* A kubelet skips a manifest that it cannot parse; what was read until then counts. */
int manifest_parse(struct user_list *list, const char *path, const char *text, size_t len)
{
	struct manifest manifest = { .file = path, .list = list };
	yaml_parser_t parser;
	bool done = false;
	int r = 0;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	while (!done && r == 0) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event))
			break;
		done = event.type == YAML_STREAM_END_EVENT;
		r = on_event(&manifest, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	for (size_t i = 0; i < MAX_DEPTH; i++)
		free(manifest.keys[i]);
	free(manifest.pod);
	free(manifest.path);
	free(manifest.type);
	return r == -ENOMEM ? r : 0;
}

static int note_unreadable(struct users *users, const char *path, const char *why)
{
	AUTO_BUF note = BUF_INIT;

	buf_addf(&note, "%s: %s", path, why);
	return buf_error(&note) ? -ENOMEM : strv_add(&users->units->unreadable, buf_text(&note));
}

static int load_manifests(struct users *users, struct user_list *list)
{
	AUTO_STRV char **names = NULL;

	if (host_list(users->host, PATH_KUBE_MANIFESTS, &names, NULL) < 0)
		return 0;
	for (size_t i = 0; i < strv_length(names); i++) {
		CLEANUP(error_done) struct error why = ERROR_INIT;
		AUTO_BUF text = BUF_INIT;
		AUTO_FREE char *path = NULL;
		int r;

		if (names[i][0] == '.') /* as the kubelet does */
			continue;
		if (asprintf(&path, "%s/%s", PATH_KUBE_MANIFESTS, names[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		r = host_read(users->host, path, MANIFEST_MAX, &text, &why);
		if (r == -EACCES || r == -EPERM)
			r = note_unreadable(users, path, error_text(&why));
		else if (r == 0)
			r = manifest_parse(list, path, buf_text(&text), text.len);
		if (r == -ENOMEM)
			return r;
	}
	return 0;
}

/* ---- lists of the API ------------------------------------------------- */

/* A node is named by its host, with or without the domain. */
static bool same_host(const char *a, const char *b)
{
	size_t len = strcspn(a, ".");

	return len == strcspn(b, ".") && strncasecmp(a, b, len) == 0;
}

/* A local volume is bound to nodes; one that is bound to others is none of ours. */
static bool lies_elsewhere(const json_t *item, const char *host)
{
	const json_t *terms = json_at(json_at(item, "spec", NULL), "nodeAffinity", "required",
				      "nodeSelectorTerms", NULL);
	bool named = false;

	for (size_t t = 0; host && t < json_array_size(terms); t++) {
		const json_t *all = json_at(json_array_get(terms, t), "matchExpressions", NULL);

		for (size_t e = 0; e < json_array_size(all); e++) {
			const json_t *one = json_array_get(all, e);
			const json_t *values = json_at(one, "values", NULL);
			const char *key = json_text(one, "key"), *op = json_text(one, "operator");

			if (!key || strcmp(key, "kubernetes.io/hostname") != 0 || !op ||
			    strcmp(op, "In") != 0)
				continue;
			named = true;
			for (size_t v = 0; v < json_array_size(values); v++) {
				const char *node = json_string_value(json_array_get(values, v));

				if (node && same_host(node, host))
					return false;
			}
		}
	}
	return named;
}

static int add_source(struct user_list *list, enum user_type type, const char *name,
		      const json_t *host_path, bool local, const char *source)
{
	const char *path = json_text(host_path, "path"), *kind = json_text(host_path, "type");
	AUTO_FREE char *observed = NULL, *name_copy = NULL, *path_copy = NULL, *from = NULL;
	struct user user = { .type = type };

	if (!path || path[0] != '/')
		return 0;
	if (asprintf(&observed, "%s path: %s%s%s", local ? "local" : "hostPath", path,
		     kind ? ", type: " : "", kind ? kind : "") < 0)
		observed = NULL;
	user.name = name_copy = strdup(name);
	user.path = path_copy = strdup(path);
	user.source = from = strdup(source);
	user.observed = observed;
	user.existing = local || must_exist(kind);
	if (!observed || !user.name || !user.path || !user.source)
		return -ENOMEM;
	return user_add(list, &user);
}

static int add_volume(struct user_list *list, const json_t *item, const char *host)
{
	const json_t *spec = json_at(item, "spec", NULL);
	const char *name = json_text(json_at(item, "metadata", NULL), "name");
	const char *source = &PATH_KUBE_VOLUMES[1];
	int r;

	if (lies_elsewhere(item, host))
		return 0;
	r = add_source(list, USER_VOLUME, name ? name : "?", json_at(spec, "hostPath", NULL), false,
		       source);
	if (r < 0)
		return r;
	return add_source(list, USER_VOLUME, name ? name : "?", json_at(spec, "local", NULL), true,
			  source);
}

/* A mirror pod stands for a static one, which its manifest tells of. */
static int add_pod(struct user_list *list, const json_t *item, const char *host)
{
	const json_t *metadata = json_at(item, "metadata", NULL);
	const json_t *volumes = json_at(item, "spec", "volumes", NULL);
	const char *node = json_text(json_at(item, "spec", NULL), "nodeName");
	const char *space = json_text(metadata, "namespace"), *pod = json_text(metadata, "name");
	AUTO_FREE char *name = NULL;
	int r = 0;

	if (json_at(metadata, "annotations", "kubernetes.io/config.mirror", NULL) ||
	    (host && node && !same_host(node, host)))
		return 0;
	if (asprintf(&name, "%s/%s", space ? space : "default", pod ? pod : "?") < 0) {
		name = NULL;
		return -ENOMEM;
	}
	for (size_t i = 0; i < json_array_size(volumes) && r == 0; i++)
		r = add_source(list, USER_POD, name,
			       json_at(json_array_get(volumes, i), "hostPath", NULL), false,
			       &PATH_KUBE_PODS[1]);
	return r;
}

static int load_list(struct users *users, const char *path, const char *host,
		     int (*add)(struct user_list *list, const json_t *item, const char *host),
		     struct user_list *list)
{
	AUTO_BUF text = BUF_INIT_MAX(LIST_MAX);
	AUTO_JSON document = NULL;
	const json_t *items;
	int r = 0;

	if (host_read(users->host, path, LIST_MAX, &text, NULL) < 0 ||
	    json_parse(buf_text(&text), text.len, path, &document, NULL) < 0)
		return 0;
	items = json_at(document, "items", NULL);
	for (size_t i = 0; i < json_array_size(items) && r == 0; i++)
		r = add(list, json_array_get(items, i), host);
	return r;
}

int pods_load(struct users *users, struct error *err)
{
	CLEANUP(identity_done) struct identity identity = IDENTITY_INIT;
	struct user_list list = { 0 };
	int r = load_manifests(users, &list);

	/* No file of a running system holds the API's lists. */
	if (r == 0 && !host_is_live(users->host)) {
		identity_load(users->host, &identity, NULL);
		r = load_list(users, PATH_KUBE_VOLUMES, identity.name, add_volume, &list);
		if (r == 0)
			r = load_list(users, PATH_KUBE_PODS, identity.name, add_pod, &list);
	}
	users->pods = list.items;
	users->n_pods = list.n;
	return r < 0 ? error_oom(err) : 0;
}
