/* SPDX-License-Identifier: MIT */
/* By what GRUB finds the disk of a file: its root, a search, a number. */
#include <stdio.h>
#include <string.h>

#include "probe/grub_parser.h"

void grub_root_done(struct grub_root *root)
{
	free(root->text);
	*root = (struct grub_root){ 0 };
}

void grub_use_done(struct grub_use *use)
{
	free(use->text);
	free(use->root_text);
}

/* "hd0,gpt1", "(hd0)", "ahci1,msdos1": a disk by the order in which it was found. */
static bool is_number(const char *device)
{
	static const char *const drivers[] = { "hd", "ahci", "ata", "scsi", "usb" };

	device += *device == '(';
	for (size_t i = 0; i < ELEMENTS(drivers); i++) {
		size_t len = strlen(drivers[i]);

		if (strncmp(device, drivers[i], len) == 0 && device[len] >= '0' &&
		    device[len] <= '9')
			return true;
	}
	return false;
}

static struct grub_root *root_now(struct parser *parser)
{
	if (parser->entry < 0)
		return &parser->global;
	parser->own_root = true;
	return &parser->local;
}

int grub_set_root(struct parser *parser, const struct grub_statement *statement, const char *value,
		  struct error *err)
{
	struct grub_root *root = root_now(parser);

	grub_root_done(root);
	root->by_number = is_number(value);
	root->line = statement->line;
	root->text = grub_text(statement);
	return root->text ? 0 : error_oom(err);
}

/* A file of the disk that `root` names, or of one that the path itself names. */
int grub_add_use(struct parser *parser, const struct grub_statement *statement, const char *path,
		 struct error *err)
{
	struct grub *grub = parser->grub;
	bool named = path[0] == '(' && path[1] != '$', number = named && is_number(path);
	bool inherits = parser->entry >= 0 && !parser->own_root;
	const struct grub_root *root = parser->entry >= 0 ? &parser->local : &parser->global;
	struct grub_use use = { .entry = parser->entry, .line = statement->line };
	int r;

	if (named ? !number : !inherits && !root->by_number)
		return 0;
	r = GROW(grub->uses, grub->n_uses, err);
	if (r < 0)
		return r;
	use.text = grub_text(statement);
	/* an inherited root is known at the end of the file: root_line stays 0 until then */
	if (named || !inherits) {
		use.root_line = named ? statement->line : root->line;
		use.root_text = named ? grub_text(statement) : strdup(root->text);
	}
	grub->uses[grub->n_uses++] = use;
	return use.text && (use.root_text || !use.root_line) ? 0 : error_oom(err);
}

static int add_search(struct parser *parser, const struct grub_statement *statement,
		      const char *tag, const char *value, struct error *err)
{
	struct grub *grub = parser->grub;
	struct grub_search search = { .entry = parser->entry, .line = statement->line };
	int r;

	if (!tag || value[0] == '$')
		return 0;
	r = GROW(grub->searches, grub->n_searches, err);
	if (r < 0)
		return r;
	search.text = grub_text(statement);
	if (asprintf(&search.tag, "%s=%s", tag, value) < 0)
		search.tag = NULL;
	grub->searches[grub->n_searches++] = search;
	return search.text && search.tag ? 0 : error_oom(err);
}

/* "--set" alone means root; what follows it may name the variable all the same. */
static size_t take_variable(char *const *words, const char **ret)
{
	*ret = "root";
	return words[1] && strcmp(words[1], "root") == 0;
}

/* search [--no-floppy] --fs-uuid --set=root [--hint...] VALUE; search.fs_uuid VALUE VAR HINT... */
int grub_on_search(struct parser *parser, const struct grub_statement *statement, struct error *err)
{
	char **words = statement->words;
	const char *tag = NULL, *value = NULL, *variable = NULL;
	int r = 0;

	if (strcmp(words[0], "search.fs_uuid") == 0)
		tag = "UUID";
	else if (strcmp(words[0], "search.fs_label") == 0)
		tag = "LABEL";
	if (words[0][6] == '.')
		variable = words[1] ? words[2] : NULL;
	for (size_t i = 1; words[i]; i++) {
		if (strcmp(words[i], "--fs-uuid") == 0 || strcmp(words[i], "-u") == 0)
			tag = "UUID";
		else if (strcmp(words[i], "--label") == 0 || strcmp(words[i], "-l") == 0)
			tag = "LABEL";
		else if (strncmp(words[i], "--set=", 6) == 0)
			variable = words[i] + 6;
		else if (strcmp(words[i], "--set") == 0 || strcmp(words[i], "-s") == 0)
			i += take_variable(&words[i], &variable);
		else if (strncmp(words[i], "--hint", 6) == 0 && !strchr(words[i], '='))
			i += words[i + 1] != NULL;
		else if (words[i][0] != '-' && !value)
			value = words[i];
	}
	if (!value || !variable || strcmp(variable, "root") != 0)
		return 0;
	r = grub_set_root(parser, statement, "searched", err);
	return r < 0 ? r : add_search(parser, statement, tag, value, err);
}

int grub_settle_uses(struct grub *grub, const struct grub_root *global, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < grub->n_uses; i++) {
		struct grub_use *use = &grub->uses[i];

		if (!use->root_line && !global->by_number) {
			grub_use_done(use);
			continue;
		}
		if (!use->root_line) {
			use->root_line = global->line;
			use->root_text = strdup(global->text);
		}
		grub->uses[kept++] = *use;
	}
	grub->n_uses = kept;
	for (size_t i = 0; i < kept; i++)
		if (!grub->uses[i].root_text)
			return error_oom(err);
	return 0;
}
