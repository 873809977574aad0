/* SPDX-License-Identifier: MIT */
#include "probe/fstab.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/same_text.h"
#include "probe/paths.h"
#include "probe/table_line.h"

#define FSTAB_MAX_BYTES ((size_t)1 << 20)
#define FSTAB_MAX_ENTRIES 4096

static void entry_done(struct fstab_entry *entry)
{
	free(entry->text);
	free(entry->spec);
	free(entry->target);
	free(entry->fstype);
	free(entry->options);
	free(entry->why);
}

void fstab_free(struct fstab *fstab)
{
	if (!fstab)
		return;
	for (size_t i = 0; i < fstab->n; i++)
		entry_done(&fstab->items[i]);
	free(fstab->items);
	free(fstab);
}

/* The start of the `index`th field, or NULL. */
static const char *field(const char *line, unsigned index)
{
	line += strspn(line, " \t");
	while (*line && index-- > 0) {
		line += strcspn(line, " \t");
		line += strspn(line, " \t");
	}
	return *line ? line : NULL;
}

static bool is_number(const char *text)
{
	size_t len = strcspn(text, " \t");

	if (*text == '-')
		text++, len--;
	return len > 0 && strspn(text, "0123456789") == len;
}

/* libmount only says that it refuses a line; find out why. */
static const char *refusal(const struct table_line *line)
{
	if (line->nul)
		return _("it holds a NUL byte");
	if (!field(line->text, 1))
		return _("it has no mount point");
	if (!field(line->text, 2))
		return _("it has no filesystem type");
	if (field(line->text, 4) && !is_number(field(line->text, 4)))
		return _("its fifth field is no number; a blank in a name is written \\040");
	if (field(line->text, 5) && !is_number(field(line->text, 5)))
		return _("its sixth field is no number; a blank in a name is written \\040");
	return _("libmount cannot read it");
}

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -ENOMEM : 0;
}

static int fill(struct fstab_entry *entry, const struct table_line *line)
{
	const char *options = line->fs ? mnt_fs_get_options(line->fs) : NULL;

	entry->line = line->number;
	if (copy_text(&entry->text, line->text) < 0)
		return -ENOMEM;
	if (!line->fs) {
		entry->malformed = true;
		return copy_text(&entry->why, refusal(line));
	}
	if (copy_text(&entry->spec, mnt_fs_get_source(line->fs)) < 0 ||
	    copy_text(&entry->target, mnt_fs_get_target(line->fs)) < 0 ||
	    copy_text(&entry->fstype, mnt_fs_get_fstype(line->fs)) < 0)
		return -ENOMEM;
	return copy_text(&entry->options, options && *options ? options : "defaults");
}

static int add_line(const struct table_line *line, void *data, struct error *err)
{
	struct fstab *fstab = data;
	struct fstab_entry *more;

	if (line->blank)
		return 0;
	if (fstab->n == FSTAB_MAX_ENTRIES)
		return error_set(err, -EFBIG, "it has more than %d entries", FSTAB_MAX_ENTRIES);
	more = reallocarray(fstab->items, fstab->n + 1, sizeof(*more));
	if (!more)
		return error_oom(err);
	fstab->items = more;
	memset(&more[fstab->n], 0, sizeof(*more));
	return fill(&more[fstab->n++], line) < 0 ? error_oom(err) : 0;
}

int fstab_load(struct host *host, struct fstab **ret, struct error *err)
{
	CLEANUP(cleanup_fstab) struct fstab *fstab = NULL;
	AUTO_BUF text = BUF_INIT;
	int r;

	r = host_read(host, PATH_FSTAB, FSTAB_MAX_BYTES, &text, err);
	if (r < 0)
		return r;
	fstab = calloc(1, sizeof(*fstab));
	if (!fstab)
		return error_oom(err);
	r = table_read(buf_text(&text), text.len, TABLE_FSTAB, add_line, fstab, &fstab->n_lines,
		       err);
	if (r < 0) {
		error_wrap(err, "cannot read " PATH_FSTAB);
		return r;
	}
	*ret = TAKE(fstab);
	return 0;
}

const struct fstab_entry *fstab_at(const struct fstab *fstab, const char *target)
{
	for (size_t i = 0; fstab && i < fstab->n; i++)
		if (same_text(fstab->items[i].target, target))
			return &fstab->items[i];
	return NULL;
}

bool option_has(const char *options, const char *name)
{
	return options && mnt_optstr_get_option(options, name, NULL, NULL) == 0;
}

int option_value(const char *options, const char *name, size_t index, char **ret)
{
	AUTO_FREE char *copy = options ? strdup(options) : NULL;
	char *rest = copy, *key, *value;
	size_t key_len, value_len, len = strlen(name);

	if (!copy)
		return options ? -ENOMEM : 0;
	while (mnt_optstr_next_option(&rest, &key, &key_len, &value, &value_len) == 0) {
		if (key_len != len || memcmp(key, name, len) != 0 || !value || index-- > 0)
			continue;
		if (value_len >= 2 && value[0] == '"' && value[value_len - 1] == '"') {
			value++;
			value_len -= 2;
		}
		*ret = strndup(value, value_len);
		return *ret ? 1 : -ENOMEM;
	}
	return 0;
}
