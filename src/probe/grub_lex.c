/* SPDX-License-Identifier: MIT */
/* The words of GRUB's script language; nothing is expanded. */
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/grub.h"

#define WORDS_MAX 1024u

struct lexer {
	const char *text;
	size_t len, at;
	unsigned line;
	size_t line_start;
	struct buf word;
	bool in_word;
	struct grub_statement statement;
	int (*each)(const struct grub_statement *statement, void *data, struct error *err);
	void *data;
	size_t n_words;
};

static int end_word(struct lexer *lexer, struct error *err)
{
	if (!lexer->in_word)
		return 0;
	lexer->in_word = false;
	if (lexer->n_words++ == WORDS_MAX)
		return error_set(err, -EFBIG, "a command of more than %u words", WORDS_MAX);
	if (!lexer->statement.words) {
		const char *start = lexer->text + lexer->line_start, *end;

		end = memchr(start, '\n', lexer->len - lexer->line_start);
		lexer->statement.line = lexer->line;
		lexer->statement.start = start;
		lexer->statement.len = end ? (size_t)(end - start) : lexer->len - lexer->line_start;
	}
	if (buf_error(&lexer->word) < 0 ||
	    strv_add(&lexer->statement.words, buf_text(&lexer->word)) < 0)
		return error_oom(err);
	buf_clear(&lexer->word);
	return 0;
}

static int end_statement(struct lexer *lexer, struct error *err)
{
	int r = end_word(lexer, err);

	if (r == 0 && lexer->statement.words)
		r = lexer->each(&lexer->statement, lexer->data, err);
	strv_free(lexer->statement.words);
	lexer->statement.words = NULL;
	lexer->n_words = 0;
	return r;
}

static void new_line(struct lexer *lexer)
{
	lexer->line++;
	lexer->line_start = lexer->at;
}

/* A quoted part may run over lines; its word belongs to the line it began on. */
static void quoted(struct lexer *lexer, char quote)
{
	lexer->in_word = true;
	while (lexer->at < lexer->len) {
		char c = lexer->text[lexer->at++];

		if (c == quote)
			return;
		if (c == '\n')
			new_line(lexer);
		if (c == '\\' && quote == '"' && lexer->at < lexer->len) {
			c = lexer->text[lexer->at++];
			if (c == '\n') {
				new_line(lexer);
				continue;
			}
		}
		if (c)
			buf_addc(&lexer->word, c);
	}
}

static void escaped(struct lexer *lexer)
{
	char c;

	if (lexer->at == lexer->len)
		return;
	c = lexer->text[lexer->at++];
	if (c == '\r' && lexer->at < lexer->len && lexer->text[lexer->at] == '\n')
		c = lexer->text[lexer->at++];
	if (c == '\n') {
		new_line(lexer);
		return;
	}
	lexer->in_word = true;
	if (c)
		buf_addc(&lexer->word, c);
}

static void skip_comment(struct lexer *lexer)
{
	while (lexer->at < lexer->len && lexer->text[lexer->at] != '\n')
		lexer->at++;
}

/* "{" and "}" alone open and close a block; "${x}" is a part of a word. */
static int brace(struct lexer *lexer, char c, struct error *err)
{
	int r = end_statement(lexer, err);

	if (r < 0)
		return r;
	lexer->in_word = true;
	buf_addc(&lexer->word, c);
	return end_statement(lexer, err);
}

static bool is_variable(struct lexer *lexer)
{
	return lexer->in_word && lexer->word.len && lexer->word.data[lexer->word.len - 1] == '$';
}

static void variable(struct lexer *lexer)
{
	buf_addc(&lexer->word, '{');
	while (lexer->at < lexer->len && lexer->text[lexer->at] != '\n') {
		char c = lexer->text[lexer->at++];

		if (c)
			buf_addc(&lexer->word, c);
		if (c == '}')
			return;
	}
}

static int step(struct lexer *lexer, struct error *err)
{
	char c = lexer->text[lexer->at++];
	int r = 0;

	if (c == '\n' || c == ';') {
		r = end_statement(lexer, err);
		if (c == '\n')
			new_line(lexer);
	} else if (c == ' ' || c == '\t' || c == '\r') {
		r = end_word(lexer, err);
	} else if (c == '#' && !lexer->in_word) {
		skip_comment(lexer);
	} else if (c == '\'' || c == '"') {
		quoted(lexer, c);
	} else if (c == '\\') {
		escaped(lexer);
	} else if (c == '{' && is_variable(lexer)) {
		variable(lexer);
	} else if ((c == '{' && !lexer->in_word) || c == '}') {
		r = brace(lexer, c, err);
	} else {
		lexer->in_word = true;
		if (c)
			buf_addc(&lexer->word, c);
	}
	return r;
}

int grub_statements(const struct buf *text,
		    int (*each)(const struct grub_statement *statement, void *data,
				struct error *err),
		    void *data, struct error *err)
{
	struct lexer lexer = {
		.text = text->data, .len = text->len, .line = 1, .each = each, .data = data
	};
	int r = 0;

	while (lexer.at < lexer.len && r == 0)
		r = step(&lexer, err);
	if (r == 0)
		r = end_statement(&lexer, err);
	strv_free(lexer.statement.words);
	buf_done(&lexer.word);
	return r;
}

char *grubenv_value(const struct buf *text, const char *name)
{
	size_t at = 0, len, size = strlen(name);
	const char *line;

	while (text_line(text, &at, &line, &len))
		if (len > size && strncmp(line, name, size) == 0 && line[size] == '=')
			return strndup(line + size + 1, len - size - 1);
	return NULL;
}
