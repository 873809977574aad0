/* SPDX-License-Identifier: MIT */
/*
 * What a search for text does not see: nodes of EFI device paths, the words
 * of IDENTIFY DEVICE, a WWN as decimal numbers in smartctl's JSON.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/redact.h"

#define ID_WORDS 256
#define ID_SERIAL_AT 10 /* to 19, in words of two letters, the second first */
#define ID_SERIAL_WORDS 10
#define ID_WWN_AT 108 /* to 111 */
#define ID_MEDIA_SERIAL_AT 176
#define ID_MEDIA_SERIAL_WORDS 30

static bool contains(const char *path, const char *part)
{
	return strstr(path, part) != NULL;
}

static bool ends(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len >= n && strcmp(path + len - n, end) == 0;
}

/* ---- EFI device paths ------------------------------------------------- */

struct node {
	unsigned char head[4]; /* type, subtype, length */
	size_t at, len;        /* of the number in it */
	bool little;           /* least byte first */
	bool guid;
};

static const struct node nodes[] = {
	{ { 4, 1, 42, 0 }, 24, 16, false, true },  /* hard drive: signature */
	{ { 3, 11, 37, 0 }, 4, 6, false, false },  /* MAC address */
	{ { 3, 23, 16, 0 }, 8, 8, false, false },  /* NVMe: EUI-64 */
	{ { 3, 12, 19, 0 }, 4, 4, false, false },  /* IPv4, local */
	{ { 3, 12, 27, 0 }, 4, 4, false, false },  /* IPv4, local */
	{ { 3, 13, 60, 0 }, 4, 16, false, false }, /* IPv6, local */
};

static const struct node *node_at(const char *bytes, size_t len, size_t at)
{
	for (size_t i = 0; i < ELEMENTS(nodes); i++)
		if (len - at >= nodes[i].head[2] && memcmp(bytes + at, nodes[i].head, 4) == 0)
			return &nodes[i];
	return NULL;
}

/* The digits of a node's number as people write it. */
static size_t node_digits(const struct node *node, const unsigned char *bytes, char ret[33])
{
	static const unsigned char guid[] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
	};
	static const unsigned char little[] = { 3, 2, 1, 0 };
	bool mbr = node->guid && bytes[41] == 1; /* type of the signature */
	size_t len = mbr ? 4 : node->len;

	for (size_t i = 0; i < len; i++) {
		size_t from = mbr ? little[i] : node->guid ? guid[i] : i;

		snprintf(ret + 2 * i, 3, "%02x", bytes[node->at + from]);
	}
	return 2 * len;
}

static int find_nodes(struct renames *renames, const char *bytes, size_t len)
{
	char digits[33];
	int r = 0;

	for (size_t at = 0; r == 0 && at + 4 <= len; at++) {
		const struct node *node = node_at(bytes, len, at);

		if (node)
			r = renames_add_hex(
				renames, digits,
				node_digits(node, (const unsigned char *)bytes + at, digits), 0);
	}
	return r;
}

/* Short numbers are not replaced as bytes everywhere, but here. */
static int replace_nodes(const struct renames *renames, char *bytes, size_t len)
{
	int r = 0;

	for (size_t at = 0; r == 0 && at + 4 <= len; at++) {
		const struct node *node = node_at(bytes, len, at);
		char digits[33], new[33];
		size_t n;

		if (!node)
			continue;
		n = node_digits(node, (const unsigned char *)bytes + at, digits);
		if (n != 8)
			continue;
		r = renames_hex_of(renames, digits, n, 0, new);
		for (size_t i = 0; r == 0 && i < 4; i++) {
			unsigned byte = 0;

			sscanf(new + 2 * i, "%2x", &byte);
			bytes[at + node->at + (node->guid ? 3 - i : i)] = (char)byte;
		}
	}
	return r;
}

/* ---- IDENTIFY DEVICE -------------------------------------------------- */

static bool read_words(const struct entry *entry, unsigned words[ID_WORDS])
{
	const char *p = entry->data;

	for (size_t i = 0; i < ID_WORDS; i++) {
		int used = 0;

		if (sscanf(p, "%4x%n", &words[i], &used) != 1)
			return false;
		p += used;
	}
	return true;
}

/* Two letters a word; its blanks at both ends left out. */
static size_t serial_of(const unsigned words[ID_WORDS], char ret[2 * ID_SERIAL_WORDS + 1],
			size_t *ret_start)
{
	size_t start = 0, end = 2 * (size_t)ID_SERIAL_WORDS;

	for (size_t i = 0; i < ID_SERIAL_WORDS; i++) {
		ret[2 * i] = (char)(words[ID_SERIAL_AT + i] >> 8);
		ret[2 * i + 1] = (char)(words[ID_SERIAL_AT + i] & 0xff);
	}
	while (start < end && (ret[start] == ' ' || !ret[start]))
		start++;
	while (end > start && (ret[end - 1] == ' ' || !ret[end - 1]))
		end--;
	*ret_start = start;
	return end - start;
}

static void wwn_of(const unsigned words[ID_WORDS], char ret[17])
{
	snprintf(ret, 17, "%04x%04x%04x%04x", words[ID_WWN_AT], words[ID_WWN_AT + 1],
		 words[ID_WWN_AT + 2], words[ID_WWN_AT + 3]);
}

static int find_identify(struct renames *renames, const struct entry *entry)
{
	unsigned words[ID_WORDS];
	char serial[2 * ID_SERIAL_WORDS + 1], wwn[17];
	size_t start, len;
	int r;

	if (!read_words(entry, words))
		return 0;
	len = serial_of(words, serial, &start);
	r = redact_is_distinct(serial + start, len) ? renames_add_text(renames, serial + start, len)
						    : 0;
	wwn_of(words, wwn);
	return r < 0 ? r : redact_add_wwn(renames, wwn, 16);
}

static int replace_identify(const struct renames *renames, const struct entry *entry,
			    struct buf *ret)
{
	unsigned words[ID_WORDS];
	char serial[2 * ID_SERIAL_WORDS + 1], wwn[17], new[17] = "";
	size_t start, len;
	int r;

	/* What is no list of words, and tells nothing to anybody, is left out. */
	if (!read_words(entry, words))
		return 1;
	len = serial_of(words, serial, &start);
	r = renames_text_of(renames, serial + start, len, serial + start);
	wwn_of(words, wwn);
	if (r == 0 && strcmp(wwn, "0000000000000000") != 0)
		r = renames_hex_of(renames, wwn, 16, 1, new);
	for (size_t i = 0; i < ID_SERIAL_WORDS; i++)
		words[ID_SERIAL_AT + i] = (unsigned)(unsigned char)serial[2 * i] << 8 |
					  (unsigned char)serial[2 * i + 1];
	for (size_t i = 0; *new &&i < 4; i++)
		sscanf(new + 4 * i, "%4x", &words[ID_WWN_AT + i]);
	memset(&words[ID_MEDIA_SERIAL_AT], 0, ID_MEDIA_SERIAL_WORDS * sizeof(*words));
	for (size_t i = 0; i < ID_WORDS; i++)
		buf_addf(ret, "%04x%c", words[i], i % 8 == 7 ? '\n' : ' ');
	return r < 0 ? r : buf_error(ret) < 0 ? -ENOMEM : 1;
}

/* ---- smartctl's JSON -------------------------------------------------- */

/* {"naa": 5, "oui": 9528, "id": 123}, or {"oui": 9528, "ext_id": 123}. */
static const struct parts {
	const char *object;
	const char *keys[3];
	unsigned digits[3]; /* hexadecimal, in this order */
} parts[] = {
	{ "\"wwn\"", { "\"naa\"", "\"oui\"", "\"id\"" }, { 1, 6, 9 } },
	{ "\"eui64\"", { "\"oui\"", "\"ext_id\"", NULL }, { 6, 10, 0 } },
};

/* The digits of the number at `key` between `at` and `end`, or NULL. */
static const char *number_at(const char *at, const char *end, const char *key)
{
	at = memmem(at, (size_t)(end - at), key, strlen(key));
	if (!at)
		return NULL;
	for (at += strlen(key); at < end && (isspace((unsigned char)*at) || *at == ':');)
		at++;
	return at < end && isdigit((unsigned char)*at) ? at : NULL;
}

static bool hex_of_parts(const struct parts *row, const char *at, const char *end, char ret[33])
{
	size_t n = 0;

	for (size_t i = 0; i < ELEMENTS(row->keys) && row->keys[i]; i++) {
		const char *number = number_at(at, end, row->keys[i]);
		uint64_t value = 0;

		if (!number || sscanf(number, "%" SCNu64, &value) != 1 ||
		    value >> (4 * row->digits[i]))
			return false;
		n += (size_t)snprintf(ret + n, 33 - n, "%0*" PRIx64, (int)row->digits[i], value);
	}
	return true;
}

static int put_parts(const struct parts *row, const char *hex, const char **done, const char *end,
		     struct buf *ret)
{
	for (size_t k = 0; k < ELEMENTS(row->keys); k++) {
		const char *next = NULL;
		size_t which = 0, offset = 0;
		char digits[17] = "";

		/* In the order of the text, whatever it is. */
		for (size_t i = 0; i < ELEMENTS(row->keys) && row->keys[i]; i++) {
			const char *number = number_at(*done, end, row->keys[i]);

			if (number && (!next || number < next))
				next = number, which = i;
		}
		if (!next)
			break;
		for (size_t i = 0; i < which; i++)
			offset += row->digits[i];
		memcpy(digits, hex + offset, row->digits[which]);
		buf_add(ret, *done, (size_t)(next - *done));
		buf_addf(ret, "%llu", strtoull(digits, NULL, 16));
		for (*done = next; *done < end && isdigit((unsigned char)**done);)
			(*done)++;
	}
	return buf_error(ret);
}

typedef int parts_function(void *data, const struct parts *row, const char *hex, const char *at,
			   const char *end);

static int each_parts(const struct entry *entry, parts_function *function, void *data)
{
	const char *at = entry->data, *end = entry->data + entry->len;
	int r = 0;

	while (r == 0 && at < end) {
		const char *open = NULL, *close;
		const struct parts *row = NULL;
		char hex[33];

		for (size_t i = 0; i < ELEMENTS(parts); i++) {
			const char *found = memmem(at, (size_t)(end - at), parts[i].object,
						   strlen(parts[i].object));

			if (found && (!open || found < open))
				open = found, row = &parts[i];
		}
		if (!row)
			break;
		at = open + strlen(row->object);
		close = memchr(at, '}', (size_t)(end - at));
		if (close && hex_of_parts(row, at, close, hex))
			r = function(data, row, hex, at, close);
	}
	return r;
}

static int find_parts(void *data, const struct parts *row, const char *hex, const char *at,
		      const char *end)
{
	(void)row;
	(void)at;
	(void)end;
	return redact_add_wwn(data, hex, strlen(hex));
}

struct replacing {
	const struct renames *renames;
	const char *done;
	struct buf *ret;
};

static int replace_parts(void *data, const struct parts *row, const char *hex, const char *at,
			 const char *end)
{
	struct replacing *replacing = data;
	char new[33] = "";
	int r = renames_hex_of(replacing->renames, hex, strlen(hex), 1, new);

	if (r < 0)
		return r;
	buf_add(replacing->ret, replacing->done, (size_t)(at - replacing->done));
	replacing->done = at;
	return put_parts(row, new, &replacing->done, end, replacing->ret);
}

/* ---- which file is which ---------------------------------------------- */

static bool is_boot_entry(const struct entry *entry)
{
	return entry->type == ENTRY_FILE && contains(entry->path, "/efivars/");
}

static bool is_identify(const struct entry *entry)
{
	return entry->type == ENTRY_FILE && entry->len && contains(entry->path, "/ata_device/") &&
	       ends(entry->path, "/id");
}

static bool is_smart(const struct entry *entry)
{
	return entry->type == ENTRY_FILE && contains(entry->path, CAPTURED "smart/");
}

int special_find(struct renames *renames, const struct entry *entry)
{
	if (is_boot_entry(entry))
		return find_nodes(renames, entry->data, entry->len);
	if (is_identify(entry))
		return find_identify(renames, entry);
	return is_smart(entry) ? each_parts(entry, find_parts, renames) : 0;
}

int special_replace(const struct renames *renames, const struct entry *entry, struct buf *ret)
{
	struct replacing replacing = { renames, entry->data, ret };
	int r;

	if (is_identify(entry))
		return replace_identify(renames, entry, ret);
	if (is_boot_entry(entry)) {
		r = buf_add(ret, entry->data, entry->len);
		if (r == 0 && entry->len)
			r = replace_nodes(renames, ret->data, ret->len);
		return r < 0 ? r : 1;
	}
	if (!is_smart(entry))
		return 0;
	r = each_parts(entry, replace_parts, &replacing);
	if (r == 0)
		r = buf_add(ret, replacing.done,
			    (size_t)(entry->data + entry->len - replacing.done));
	return r < 0 ? r : 1;
}
