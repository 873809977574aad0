/* SPDX-License-Identifier: MIT */
#include "probe/efi.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/efi_path.h"
#include "probe/paths.h"

#define GLOBAL_GUID "8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define VARIABLE_MAX ((size_t)64 << 10)
#define ENTRIES_MAX 1024u
#define ATTRIBUTES 4 /* efivarfs puts the variable's attributes before its value */

static char *variable_path(const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s-%s", PATH_EFIVARS, name, GLOBAL_GUID) < 0 ? NULL : path;
}

/* The value of a variable, without its attributes. */
static int read_variable(struct host *host, const char *path, struct buf *ret, struct error *err)
{
	int r;

	ret->max = VARIABLE_MAX + ATTRIBUTES;
	r = host_read(host, path, ret->max, ret, err);
	if (r < 0)
		return r;
	if (ret->len < ATTRIBUTES)
		return error_set(err, -EBADMSG, "it is shorter than its attributes");
	return 0;
}

static const uint8_t *value_of(const struct buf *variable, size_t *ret_len)
{
	*ret_len = variable->len - ATTRIBUTES;
	return (const uint8_t *)variable->data + ATTRIBUTES;
}

static int say_entry(struct efi_entry *entry, struct error *err)
{
	int r;

	if (entry->form != EFI_UNREADABLE)
		r = asprintf(&entry->text, "%s%s %s\t%s", entry->name, entry->active ? "*" : " ",
			     entry->description, entry->path);
	else if (entry->error == -ENOENT)
		r = asprintf(&entry->text, "%s: no such variable", entry->name);
	else
		r = asprintf(&entry->text, "Skipping unreadable variable \"%s\": %s", entry->name,
			     entry->error == -EBADMSG ? entry->why : strerror(-entry->error));
	if (r >= 0)
		return 0;
	entry->text = NULL;
	return error_oom(err);
}

static int load_entry(struct efi_entry *entry, struct host *host, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF variable = BUF_INIT;
	const uint8_t *bytes;
	size_t len;
	int r;

	snprintf(entry->name, sizeof(entry->name), "Boot%04X", entry->number);
	entry->source = variable_path(entry->name);
	if (!entry->source)
		return error_oom(err);
	r = read_variable(host, entry->source, &variable, &why);
	if (r == 0) {
		bytes = value_of(&variable, &len);
		r = efi_option_parse(bytes, len, entry, &why);
	}
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		entry->form = EFI_UNREADABLE;
		entry->error = r;
		entry->why = strdup(error_text(&why));
		if (!entry->why)
			return error_oom(err);
	}
	return say_entry(entry, err);
}

/* "Boot0001-GUID" is 1; -1 for every other name. */
static int number_of(const char *name)
{
	char digits[5] = "";

	if (strncmp(name, "Boot", 4) != 0 || strlen(name) < 9 || name[8] != '-' ||
	    strcasecmp(name + 9, GLOBAL_GUID) != 0)
		return -1;
	memcpy(digits, name + 4, 4);
	if (digits[strspn(digits, "0123456789abcdefABCDEF")] != '\0')
		return -1;
	return (int)strtoul(digits, NULL, 16);
}

static bool has_number(const struct efi *efi, unsigned number)
{
	for (size_t i = 0; i < efi->n; i++)
		if (efi->entries[i].number == number)
			return true;
	return false;
}

static int add_entry(struct efi *efi, struct host *host, unsigned number, struct error *err)
{
	struct efi_entry *entries;

	if (has_number(efi, number))
		return 0;
	if (efi->n == ENTRIES_MAX)
		return error_set(err, -EFBIG, "more than %u boot entries", ENTRIES_MAX);
	entries = reallocarray(efi->entries, efi->n + 1, sizeof(*entries));
	if (!entries)
		return error_oom(err);
	efi->entries = entries;
	entries[efi->n] = (struct efi_entry){ .number = number };
	return load_entry(&entries[efi->n++], host, err);
}

/* -1: the variable is not there, or `why` says what is wrong with it. */
static int load_number(struct host *host, const char *name, int *ret, char **ret_source,
		       char **ret_why, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *path = variable_path(name);
	AUTO_BUF variable = BUF_INIT;
	size_t len;
	int r;

	*ret = -1;
	if (!path)
		return error_oom(err);
	r = read_variable(host, path, &variable, &why);
	if (r == 0) {
		const uint8_t *bytes = value_of(&variable, &len);

		if (len >= 2)
			*ret = le16(bytes);
		else
			r = error_set(&why, -EBADMSG, "it is shorter than a number");
	}
	if (r < 0 && r != -ENOENT && ret_why) {
		*ret_why = strdup(error_text(&why));
		if (!*ret_why)
			return error_oom(err);
	}
	if (ret_source)
		*ret_source = TAKE(path);
	return r == -ENOMEM ? error_oom(err) : 0;
}

static int load_order(struct efi *efi, struct host *host, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF variable = BUF_INIT;
	const uint8_t *bytes;
	size_t len;
	int r;

	efi->order_source = variable_path("BootOrder");
	if (!efi->order_source)
		return error_oom(err);
	r = read_variable(host, efi->order_source, &variable, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		efi->why_no_order = strdup(error_text(&why));
		return efi->why_no_order ? 0 : error_oom(err);
	}
	bytes = value_of(&variable, &len);
	efi->order = calloc(len / 2 + 1, sizeof(*efi->order));
	if (!efi->order)
		return error_oom(err);
	for (size_t i = 0; i + 1 < len && efi->n_order < ENTRIES_MAX; i += 2)
		efi->order[efi->n_order++] = le16(bytes + i);
	return 0;
}

static int load_entries(struct efi *efi, struct host *host, char *const *names, struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < strv_length(names) && r == 0; i++) {
		int number = number_of(names[i]);

		if (number >= 0)
			r = add_entry(efi, host, (unsigned)number, err);
	}
	for (size_t i = 0; i < efi->n_order && r == 0; i++)
		r = add_entry(efi, host, efi->order[i], err);
	if (r == 0 && efi->current >= 0)
		r = add_entry(efi, host, (unsigned)efi->current, err);
	if (r == 0 && efi->next >= 0)
		r = add_entry(efi, host, (unsigned)efi->next, err);
	return r;
}

static bool holds_boot_variables(char *const *names)
{
	for (size_t i = 0; i < strv_length(names); i++)
		if (strncmp(names[i], "Boot", 4) == 0)
			return true;
	return false;
}

static int list_variables(struct host *host, char ***ret, struct error *err)
{
	int r = host_exists(host, PATH_EFI, err);

	if (r == 0)
		return error_set(err, -ENOENT, "there is no %s", PATH_EFI);
	if (r > 0)
		r = host_list(host, PATH_EFIVARS, ret, err);
	if (r == -ENOENT || (r == 0 && !holds_boot_variables(*ret))) {
		r = error_set(err, -ENODATA, "%s holds no boot variables", PATH_EFIVARS);
		error_hint(err, "mount -t efivarfs efivarfs %s, and be root", PATH_EFIVARS);
	}
	return r;
}

int efi_load(struct host *host, struct efi **ret, struct error *err)
{
	CLEANUP(cleanup_efi) struct efi *efi = calloc(1, sizeof(*efi));
	AUTO_STRV char **names = NULL;
	int r;

	if (!efi)
		return error_oom(err);
	r = list_variables(host, &names, err);
	if (r == 0)
		r = load_order(efi, host, err);
	if (r == 0)
		r = load_number(host, "BootCurrent", &efi->current, &efi->current_source,
				&efi->why_no_current, err);
	if (r == 0)
		r = load_number(host, "BootNext", &efi->next, NULL, NULL, err);
	if (r == 0)
		r = load_entries(efi, host, names, err);
	if (r < 0)
		return r;
	*ret = TAKE(efi);
	return 0;
}

const struct efi_entry *efi_entry(const struct efi *efi, int number)
{
	for (size_t i = 0; number >= 0 && i < efi->n; i++)
		if (efi->entries[i].number == (unsigned)number)
			return &efi->entries[i];
	return NULL;
}

void efi_free(struct efi *efi)
{
	if (!efi)
		return;
	for (size_t i = 0; i < efi->n; i++)
		efi_entry_done(&efi->entries[i]);
	free(efi->entries);
	free(efi->order);
	free(efi->why_no_current);
	free(efi->why_no_order);
	free(efi->order_source);
	free(efi->current_source);
	free(efi);
}
