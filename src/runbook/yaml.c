/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <yaml.h>

#include "base/intl.h"
#include "runbook/yaml.h"
#include "runbook/yaml_bytes.h"

struct reading {
	yaml_parser_t parser;
	struct diagnostics *diags;
	const char *text;
	size_t len, n_nodes;
	bool broken; /* nothing more can be read */
	bool oom;
};

static const char *const type_names[] = {
	[YAML_SCALAR] = N_("a text"),
	[YAML_SEQUENCE] = N_("a list"),
	[YAML_MAPPING] = N_("a mapping"),
	[YAML_REFUSED] = N_("a refused value"),
};

const char *yaml_type_name(enum yaml_type type)
{
	return _(type_names[type]);
}

void yaml_node_free(struct yaml_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->n; i++)
		yaml_node_free(node->items[i]);
	free(node->items);
	free(node->text);
	free(node);
}

static struct position position_of(yaml_mark_t mark)
{
	return (struct position){ (unsigned)mark.line + 1, (unsigned)mark.column + 1 };
}

static void syntax_error(struct reading *r)
{
	const yaml_parser_t *parser = &r->parser;
	const char *problem = parser->problem ? parser->problem : _("this cannot be read");
	struct position at = position_of(parser->problem_mark);

	if (parser->error == YAML_MEMORY_ERROR)
		r->oom = true;
	else if (parser->error == YAML_READER_ERROR)
		diagnostics_add(r->diags, position_at(r->text, parser->problem_offset),
				_("a character that YAML does not allow: %s"), problem);
	else if (tab_indents(r->text, r->len, parser->problem_mark.line))
		diagnostics_add(r->diags, at, _("a tab cannot indent; use blanks"));
	else if (parser->context)
		diagnostics_add(r->diags, at, _("not YAML: %s (%s from line %zu on)"), problem,
				parser->context, parser->context_mark.line + 1);
	else
		diagnostics_add(r->diags, at, _("not YAML: %s"), problem);
}

static bool next(struct reading *r, yaml_event_t *ret)
{
	if (r->broken || r->oom)
		return false;
	if (yaml_parser_parse(&r->parser, ret))
		return true;
	syntax_error(r);
	r->broken = true;
	return false;
}

static struct yaml_node *new_node(struct reading *r, enum yaml_type type, const yaml_event_t *event)
{
	struct position at = position_of(event->start_mark);
	struct yaml_node *node;

	if (++r->n_nodes > YAML_MAX_NODES) {
		diagnostics_add(r->diags, at, _("more than %d values: too many for a runbook"),
				YAML_MAX_NODES);
		r->broken = true;
		return NULL;
	}
	node = calloc(1, sizeof(*node));
	if (!node) {
		r->oom = true;
		return NULL;
	}
	node->type = type;
	node->at = at;
	return node;
}

static struct yaml_node *read_scalar(struct reading *r, const yaml_event_t *event)
{
	struct yaml_node *node = new_node(r, YAML_SCALAR, event);
	const char *value = (const char *)event->data.scalar.value;

	if (!node)
		return NULL;
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	node->text = strdup(value);
	if (!node->text) {
		r->oom = true;
	} else if (strlen(value) != event->data.scalar.length) {
		diagnostics_add(r->diags, node->at, _("a text cannot hold a NUL character"));
		node->type = YAML_REFUSED;
	}
	return node;
}

static int append(struct reading *r, struct yaml_node *node, struct yaml_node *item)
{
	struct yaml_node **grown;

	/* Capacity is the next power of two: appending stays linear. */
	if (!(node->n & (node->n - 1))) {
		grown = reallocarray(node->items, node->n ? node->n * 2 : 1, sizeof(*grown));
		if (!grown) {
			yaml_node_free(item);
			r->oom = true;
			return -ENOMEM;
		}
		node->items = grown;
	}
	node->items[node->n++] = item;
	return 0;
}

static void refuse_key(struct diagnostics *diags, struct yaml_node *key, const char *why)
{
	diagnostics_add(diags, key->at, "%s", why);
	key->type = YAML_REFUSED;
}

static int compare_keys(const void *a, const void *b)
{
	const struct yaml_node *const *x = a;
	const struct yaml_node *const *y = b;
	int order = strcmp((*x)->text, (*y)->text);

	if (order)
		return order;
	if ((*x)->at.line != (*y)->at.line)
		return (*x)->at.line < (*y)->at.line ? -1 : 1;
	return (*x)->at.column < (*y)->at.column ? -1 : 1;
}

/* Sorted, because comparing each key with each takes quadratic time. */
static void check_duplicates(struct reading *r, const struct yaml_node *mapping)
{
	AUTO_FREE struct yaml_node **keys = calloc(mapping->n / 2 + 1, sizeof(struct yaml_node *));
	const struct yaml_node *first = NULL;
	size_t n = 0;

	if (!keys) {
		r->oom = true;
		return;
	}
	for (size_t i = 0; i < mapping->n; i += 2)
		if (mapping->items[i]->type == YAML_SCALAR)
			keys[n++] = mapping->items[i];
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < n; i++) {
		if (!first || strcmp(first->text, keys[i]->text) != 0) {
			first = keys[i];
			continue;
		}
		diagnostics_add(r->diags, keys[i]->at,
				_("key '%.80s' is given twice; it first stands on line %u"),
				keys[i]->text, first->at.line);
		keys[i]->type = YAML_REFUSED;
	}
}

static void check_keys(struct reading *r, const struct yaml_node *mapping)
{
	for (size_t i = 0; i < mapping->n; i += 2) {
		struct yaml_node *key = mapping->items[i];

		if (key->type == YAML_SEQUENCE || key->type == YAML_MAPPING)
			refuse_key(r->diags, key, _("a key is a word, not a list or a mapping"));
		else if (key->type == YAML_SCALAR && !key->quoted && !strcmp(key->text, "<<"))
			refuse_key(r->diags, key,
				   _("merge keys ('<<') are not allowed; write the keys out"));
	}
	check_duplicates(r, mapping);
}

static struct yaml_node *read_node(struct reading *r, const yaml_event_t *event, unsigned depth);

static struct yaml_node *read_collection(struct reading *r, const yaml_event_t *start,
					 enum yaml_type type, yaml_event_type_t end, unsigned depth)
{
	struct yaml_node *node = new_node(r, type, start);
	yaml_event_t event;
	bool ended = false;

	if (!node)
		return NULL;
	if (depth == YAML_MAX_DEPTH) {
		diagnostics_add(r->diags, node->at, _("nested more than %d levels deep"),
				YAML_MAX_DEPTH);
		r->broken = true;
	}
	while (!ended && next(r, &event)) {
		struct yaml_node *item = NULL;

		ended = event.type == end;
		if (!ended)
			item = read_node(r, &event, depth + 1);
		yaml_event_delete(&event);
		if (item && append(r, node, item))
			break;
	}
	if (!r->broken && !r->oom && type == YAML_MAPPING)
		check_keys(r, node);
	return node;
}

static void check_properties(struct reading *r, const yaml_event_t *event,
			     const yaml_char_t *anchor, const yaml_char_t *tag)
{
	struct position at = position_of(event->start_mark);

	if (anchor)
		diagnostics_add(r->diags, at, _("anchors ('&%.80s') are not allowed"), anchor);
	if (tag)
		diagnostics_add(r->diags, at,
				_("tags ('%.80s') are not allowed; the kind's parameters have "
				  "the types"),
				tag);
}

/* Never NULL unless the reading is over. */
static struct yaml_node *read_node(struct reading *r, const yaml_event_t *event, unsigned depth)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		check_properties(r, event, event->data.scalar.anchor, event->data.scalar.tag);
		return read_scalar(r, event);
	case YAML_SEQUENCE_START_EVENT:
		check_properties(r, event, event->data.sequence_start.anchor,
				 event->data.sequence_start.tag);
		return read_collection(r, event, YAML_SEQUENCE, YAML_SEQUENCE_END_EVENT, depth);
	case YAML_MAPPING_START_EVENT:
		check_properties(r, event, event->data.mapping_start.anchor,
				 event->data.mapping_start.tag);
		return read_collection(r, event, YAML_MAPPING, YAML_MAPPING_END_EVENT, depth);
	default:
		diagnostics_add(r->diags, position_of(event->start_mark),
				_("aliases ('*%.80s') are not allowed; write the value out"),
				event->type == YAML_ALIAS_EVENT ? event->data.alias.anchor
								: (const yaml_char_t *)"");
		return new_node(r, YAML_REFUSED, event);
	}
}

/* The stream: one document, and the end. */
static struct yaml_node *read_document(struct reading *r)
{
	struct yaml_node *root = NULL;
	yaml_event_t event;
	unsigned documents = 0;
	bool ended = false;

	while (!ended && next(r, &event)) {
		switch (event.type) {
		case YAML_DOCUMENT_START_EVENT:
			if (++documents < 2)
				break;
			diagnostics_add(r->diags, position_of(event.start_mark),
					_("a second document begins here; a runbook is one"));
			ended = true;
			break;
		case YAML_STREAM_END_EVENT:
			ended = true;
			break;
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		default:
			root = read_node(r, &event, 0);
		}
		yaml_event_delete(&event);
	}
	if (!root && !r->broken && !r->oom)
		diagnostics_add(r->diags, (struct position){ 1, 1 }, _("the file is empty"));
	return root;
}

int yaml_read(const char *text, size_t len, struct yaml_node **ret, struct diagnostics *diags,
	      struct error *err)
{
	struct reading r = { .diags = diags };
	CLEANUP(cleanup_yaml_node) struct yaml_node *root = NULL;
	size_t before = diags->n;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3; /* a byte order mark is no character of line 1 */
		len -= 3;
	}
	*ret = NULL;
	if (!bytes_acceptable(text, len, diags))
		return error_set(err, -EINVAL, _("the file is not a runbook"));
	if (!yaml_parser_initialize(&r.parser))
		return error_oom(err);
	r.text = text;
	r.len = len;
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	root = read_document(&r);
	yaml_parser_delete(&r.parser);
	if (r.oom || diags->failed)
		return error_oom(err);
	if (!r.broken)
		*ret = TAKE(root);
	if (r.broken || diags->n > before)
		return error_set(err, -EINVAL, _("the file is not a runbook"));
	return 0;
}
