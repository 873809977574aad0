/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "probe/grub_parser.h"

static void entry_done(struct grub_entry *entry)
{
	free(entry->title);
	free(entry->id);
	free(entry->path);
	free(entry->linux_text);
	free(entry->linux_args);
}

int grub_grow(void **items, size_t n, size_t size, struct error *err)
{
	void *more;

	if (n == ITEMS_MAX)
		return error_set(err, -EFBIG, "more than %u commands of a kind", ITEMS_MAX);
	more = reallocarray(*items, n + 1, size);
	if (!more)
		return error_oom(err);
	*items = more;
	return 0;
}

char *grub_text(const struct grub_statement *statement)
{
	const char *start = statement->start;
	size_t len = statement->len;

	while (len && strchr(" \t\r", *start))
		start++, len--;
	while (len && strchr(" \t\r", start[len - 1]))
		len--;
	return strndup(start, len);
}

char *const *grub_operand(char *const *words)
{
	for (words++; *words && **words == '-'; words++)
		;
	return words;
}

static int on_default(struct parser *parser, const char *value, struct error *err)
{
	if (strstr(value, "next_entry"))
		return 0;
	free(parser->grub->fallback);
	parser->grub->fallback = strdup(value);
	return parser->grub->fallback ? 0 : error_oom(err);
}

static int on_assignment(struct parser *parser, const struct grub_statement *statement,
			 const char *word, struct error *err)
{
	if (strncmp(word, "root=", 5) == 0)
		return grub_set_root(parser, statement, word + 5, err);
	if (strncmp(word, "default=", 8) == 0 && parser->entry < 0)
		return on_default(parser, word + 8, err);
	return 0;
}

static int on_set(struct parser *parser, const struct grub_statement *statement, struct error *err)
{
	return statement->words[1] ? on_assignment(parser, statement, statement->words[1], err) : 0;
}

static int join_args(char *const *words, char **ret, struct error *err)
{
	AUTO_BUF args = BUF_INIT;

	for (; *words; words++)
		buf_addf(&args, "%s%s", args.len ? " " : "", *words);
	if (buf_error(&args) < 0)
		return error_oom(err);
	*ret = buf_take(&args);
	return *ret ? 0 : error_oom(err);
}

static int on_file(struct parser *parser, const struct grub_statement *statement, struct error *err)
{
	char *const *operand = grub_operand(statement->words);

	return *operand ? grub_add_use(parser, statement, *operand, err) : 0;
}

static int on_linux(struct parser *parser, const struct grub_statement *statement,
		    struct error *err)
{
	char *const *operand = grub_operand(statement->words);
	struct grub_entry *entry;

	if (!*operand)
		return 0;
	if (parser->entry >= 0 && !parser->grub->entries[parser->entry].linux_line) {
		entry = &parser->grub->entries[parser->entry];
		entry->linux_line = statement->line;
		entry->linux_text = grub_text(statement);
		if (!entry->linux_text)
			return error_oom(err);
		if (join_args(operand + 1, &entry->linux_args, err) < 0)
			return -ENOMEM;
	}
	return grub_add_use(parser, statement, *operand, err);
}

/* menuentry 'TITLE' --class x --id ID, or $menuentry_id_option 'ID' */
static int on_menu(struct parser *parser, const struct grub_statement *statement, struct error *err)
{
	char **words = statement->words;

	free(parser->title);
	free(parser->id);
	parser->title = words[1] ? strdup(words[1]) : NULL;
	parser->id = NULL;
	for (size_t i = 2; words[1] && words[i]; i++)
		if ((strcmp(words[i], "--id") == 0 || words[i][0] == '$') && words[i + 1] &&
		    !parser->id)
			parser->id = strdup(words[i + 1]);
	parser->coming = strcmp(words[0], "submenu") == 0 ? BLOCK_SUBMENU : BLOCK_ENTRY;
	parser->line = statement->line;
	return parser->title || !words[1] ? 0 : error_oom(err);
}

static int open_entry(struct parser *parser, unsigned index, struct error *err)
{
	struct grub *grub = parser->grub;
	struct grub_entry entry = { .line = parser->line };
	const char *prefix = parser->menus ? parser->prefixes[parser->menus - 1] : "";
	int r;

	r = GROW(grub->entries, grub->n, err);
	if (r < 0)
		return r;
	if (asprintf(&entry.path, "%s%u", prefix, index) < 0)
		entry.path = NULL;
	entry.title = TAKE(parser->title);
	entry.id = TAKE(parser->id);
	parser->entry = (int)grub->n;
	parser->own_root = false;
	grub_root_done(&parser->local);
	grub->entries[grub->n++] = entry;
	return entry.path ? 0 : error_oom(err);
}

static int open_submenu(struct parser *parser, unsigned index, struct error *err)
{
	const char *prefix = parser->menus ? parser->prefixes[parser->menus - 1] : "";
	char *path = NULL;

	if (asprintf(&path, "%s%u>", prefix, index) < 0)
		return error_oom(err);
	parser->prefixes[parser->menus++] = path;
	parser->counts[parser->menus] = 0;
	return 0;
}

static int on_open(struct parser *parser, const struct grub_statement *statement, struct error *err)
{
	enum block block = parser->coming;
	int r = 0;

	(void)statement;
	parser->coming = BLOCK_OTHER;
	if (parser->depth == DEPTH_MAX - 1) {
		parser->ignored++;
		return 0;
	}
	if (parser->entry >= 0)
		block = BLOCK_OTHER;
	if (block == BLOCK_ENTRY)
		r = open_entry(parser, parser->counts[parser->menus]++, err);
	else if (block == BLOCK_SUBMENU)
		r = open_submenu(parser, parser->counts[parser->menus]++, err);
	if (r == 0)
		parser->blocks[parser->depth++] = block;
	return r;
}

static int on_close(struct parser *parser, const struct grub_statement *statement,
		    struct error *err)
{
	(void)statement;
	(void)err;
	if (parser->ignored) {
		parser->ignored--;
		return 0;
	}
	if (!parser->depth)
		return 0;
	switch (parser->blocks[--parser->depth]) {
	case BLOCK_ENTRY:
		parser->entry = -1;
		break;
	case BLOCK_SUBMENU:
		free(parser->prefixes[--parser->menus]);
		break;
	default:
		break;
	}
	return 0;
}

static int on_blscfg(struct parser *parser, const struct grub_statement *statement,
		     struct error *err)
{
	(void)statement;
	(void)err;
	parser->grub->blscfg = true;
	return 0;
}

static const struct {
	const char *word;
	int (*on)(struct parser *parser, const struct grub_statement *statement, struct error *err);
} commands[] = {
	{ "set", on_set },
	{ "search", grub_on_search },
	{ "search.fs_uuid", grub_on_search },
	{ "search.fs_label", grub_on_search },
	{ "search.file", grub_on_search },
	{ "menuentry", on_menu },
	{ "submenu", on_menu },
	{ "{", on_open },
	{ "}", on_close },
	{ "linux", on_linux },
	{ "linux16", on_linux },
	{ "linuxefi", on_linux },
	{ "initrd", on_file },
	{ "initrd16", on_file },
	{ "initrdefi", on_file },
	{ "multiboot", on_file },
	{ "multiboot2", on_file },
	{ "module", on_file },
	{ "module2", on_file },
	{ "chainloader", on_file },
	{ "configfile", on_file },
	{ "blscfg", on_blscfg },
};

/* A word of the shell that a command may stand behind: "then set root=...". */
static bool is_keyword(const char *word)
{
	static const char *const keywords[] = { "if", "then", "else", "elif", "do", "!" };

	for (size_t i = 0; i < ELEMENTS(keywords); i++)
		if (strcmp(keywords[i], word) == 0)
			return true;
	return false;
}

static int on_statement(const struct grub_statement *statement, void *data, struct error *err)
{
	struct grub_statement command = *statement;

	while (command.words[0] && is_keyword(command.words[0]))
		command.words++;
	if (!command.words[0])
		return 0;
	for (size_t i = 0; i < ELEMENTS(commands); i++)
		if (strcmp(commands[i].word, command.words[0]) == 0)
			return commands[i].on(data, &command, err);
	return on_assignment(data, &command, command.words[0], err);
}

static bool is_called(const struct grub_entry *entry, const char *name)
{
	const char *last = strrchr(name, '>');

	if (strcmp(entry->path, name) == 0)
		return true;
	last = last ? last + 1 : name;
	return (entry->title && strcmp(entry->title, last) == 0) ||
	       (entry->id && strcmp(entry->id, last) == 0);
}

static void mark_default(struct grub *grub, const char *saved, const char *next)
{
	const char *name = grub->fallback;

	if (name && strstr(name, "saved_entry"))
		name = saved;
	if (next && *next)
		name = next;
	for (size_t i = 0; name && *name && i < grub->n; i++)
		if (is_called(&grub->entries[i], name)) {
			grub->entries[i].boots = true;
			return;
		}
	/* a name that is no entry's is the first, as GRUB has it */
	if (grub->n)
		grub->entries[0].boots = true;
}

int grub_parse(const char *path, const struct buf *text, const char *saved, const char *next,
	       struct grub **ret, struct error *err)
{
	CLEANUP(cleanup_grub) struct grub *grub = calloc(1, sizeof(*grub));
	struct parser parser = { .grub = grub, .entry = -1 };
	int r;

	if (!grub || !(grub->path = strdup(path)))
		return error_oom(err);
	r = grub_statements(text, on_statement, &parser, err);
	if (r == 0)
		r = grub_settle_uses(grub, &parser.global, err);
	while (parser.menus)
		free(parser.prefixes[--parser.menus]);
	free(parser.title);
	free(parser.id);
	grub_root_done(&parser.global);
	grub_root_done(&parser.local);
	if (r < 0)
		return r;
	mark_default(grub, saved, next);
	*ret = TAKE(grub);
	return 0;
}

void grub_free(struct grub *grub)
{
	if (!grub)
		return;
	for (size_t i = 0; i < grub->n; i++)
		entry_done(&grub->entries[i]);
	for (size_t i = 0; i < grub->n_uses; i++)
		grub_use_done(&grub->uses[i]);
	for (size_t i = 0; i < grub->n_searches; i++) {
		free(grub->searches[i].text);
		free(grub->searches[i].tag);
	}
	free(grub->entries);
	free(grub->uses);
	free(grub->searches);
	free(grub->fallback);
	free(grub->path);
	free(grub);
}
