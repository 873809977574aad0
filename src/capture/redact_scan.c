/* SPDX-License-Identifier: MIT */
/* Names told by what stands before them, and names told by their form. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/redact.h"

enum ends {
	ENDS_WORD, /* at a blank, a quote, a comma */
	ENDS_LINE,
	ENDS_HEX,
	ENDS_NAME, /* of a link of udev: the last '_' begins a serial */
	ENDS_QUOTE,
	ENDS_SEARCH, /* GRUB: the first word that is no option */
};

static const struct context {
	const char *before;
	enum id_type type;
	enum ends ends;
} contexts[] = {
	{ "ID_PART_ENTRY_TYPE=", ID_CONSTANT, ENDS_LINE },
	{ "ID_PART_ENTRY_NAME=", ID_LABEL, ENDS_LINE },
	{ "ID_FS_LABEL=", ID_LABEL, ENDS_LINE },
	{ "ID_FS_LABEL_ENC=", ID_LABEL, ENDS_LINE },
	{ "ID_SERIAL_SHORT=", ID_SERIAL, ENDS_LINE },
	{ "ID_SCSI_SERIAL=", ID_SERIAL, ENDS_LINE },
	{ "SCSI_IDENT_SERIAL=", ID_SERIAL, ENDS_LINE },
	{ "ID_SERIAL=", ID_SERIAL, ENDS_NAME },
	{ "ID_WWN=", ID_WWN, ENDS_LINE },
	{ "ID_WWN_WITH_EXTENSION=", ID_WWN, ENDS_LINE },
	{ "ID_WWN_VENDOR_EXTENSION=", ID_WWN, ENDS_LINE },
	{ "UUID=", ID_UUID, ENDS_WORD },
	{ "UUID_ENC=", ID_UUID, ENDS_LINE },
	{ "UUID_SUB=", ID_UUID, ENDS_LINE },
	{ "UUID_SUB_ENC=", ID_UUID, ENDS_LINE },
	{ "LABEL=", ID_LABEL, ENDS_WORD },
	{ "by-uuid/", ID_UUID, ENDS_WORD },
	{ "by-partuuid/", ID_UUID, ENDS_WORD },
	{ "by-label/", ID_LABEL, ENDS_WORD },
	{ "by-partlabel/", ID_LABEL, ENDS_WORD },
	{ "by-id/", ID_SERIAL, ENDS_NAME },
	{ "lvm-pv-uuid-", ID_UUID, ENDS_WORD },
	{ "dm-uuid-LVM-", ID_UUID, ENDS_WORD },
	{ "wwn-0x", ID_WWN, ENDS_HEX },
	{ "nvme-eui.", ID_WWN, ENDS_HEX },
	{ "scsi-3", ID_WWN, ENDS_HEX },
	{ "mpath-3", ID_WWN, ENDS_HEX },
	{ "naa.", ID_WWN, ENDS_HEX },
	{ "eui.", ID_WWN, ENDS_HEX },
	{ "exp0x", ID_WWN, ENDS_HEX },
	{ "sas-0x", ID_WWN, ENDS_HEX },
	{ "fc-0x", ID_WWN, ENDS_HEX },
	{ "\"0x", ID_WWN, ENDS_HEX },
	{ "\"serial_number\": \"", ID_SERIAL, ENDS_QUOTE },
	{ "\"serial_number\":\"", ID_SERIAL, ENDS_QUOTE },
	{ "SerialNumber: ", ID_SERIAL, ENDS_WORD },
	{ "device label ", ID_LABEL, ENDS_WORD },
	{ "search.fs_uuid ", ID_UUID, ENDS_WORD },
	{ "search.fs_label ", ID_LABEL, ENDS_WORD },
	{ "--fs-uuid ", ID_UUID, ENDS_SEARCH },
	{ "--label ", ID_LABEL, ENDS_SEARCH },
};

static bool ends_word(char c)
{
	return isspace((unsigned char)c) || !c || strchr("\"',;()[]{}<>/|&", c) != NULL;
}

/* "ata-MODEL_SERIAL-part1": between the last '_' and "-part". */
static void cut_serial(const char **at, size_t *len)
{
	const char *under = memrchr(*at, '_', *len);
	const char *part = memmem(*at, *len, "-part", 5);

	if (part)
		*len = (size_t)(part - *at);
	if (under && under < *at + *len) {
		*len -= (size_t)(under + 1 - *at);
		*at = under + 1;
	} else {
		*len = 0;
	}
}

static size_t value_length(const char *at, const char *end, enum ends ends)
{
	const char *p = at;

	switch (ends) {
	case ENDS_LINE:
		while (p < end && *p != '\n')
			p++;
		break;
	case ENDS_HEX:
		while (p < end && isxdigit((unsigned char)*p))
			p++;
		break;
	case ENDS_QUOTE:
		while (p < end && *p != '"')
			p++;
		break;
	case ENDS_WORD:
	case ENDS_NAME:
	case ENDS_SEARCH:
		while (p < end && !ends_word(*p))
			p++;
		break;
	}
	return (size_t)(p - at);
}

static const char *skip_options(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '-'))
		if (*at == ' ')
			at++;
		else
			at += value_length(at, end, ENDS_WORD);
	return at;
}

static int take_context(const struct context *context, const char *at, const char *end,
			found_function *found, void *data)
{
	size_t len;

	if (context->ends == ENDS_SEARCH)
		at = skip_options(at, end);
	if (context->ends == ENDS_WORD && at < end && (*at == '"' || *at == '\'')) {
		const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));

		at++;
		len = close ? (size_t)(close - at) : value_length(at, end, ENDS_WORD);
	} else {
		len = value_length(at, end, context->ends);
	}
	if (context->ends == ENDS_NAME)
		cut_serial(&at, &len);
	return len ? found(data, context->type, at, len) : 0;
}

int contexts_scan(const char *text, size_t len, found_function *found, void *data)
{
	const char *end = text + len;
	int r = 0;

	for (const char *at = text; r == 0 && at < end; at++) {
		/* Every prefix ends in one of these. */
		if (!strchr("=/-.x3 \"", *at) || !*at)
			continue;
		for (size_t i = 0; r == 0 && i < ELEMENTS(contexts); i++) {
			size_t n = strlen(contexts[i].before);

			if ((size_t)(at + 1 - text) >= n &&
			    memcmp(at + 1 - n, contexts[i].before, n) == 0)
				r = take_context(&contexts[i], at + 1, end, found, data);
		}
	}
	return r;
}

/* Does the text have this form?  'h' is a hexadecimal digit, the rest itself. */
static size_t form_length(const char *at, const char *end, const char *form)
{
	size_t n = strlen(form);

	if ((size_t)(end - at) < n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (form[i] == 'h' ? !isxdigit((unsigned char)at[i]) : at[i] != form[i])
			return 0;
	return n;
}

static size_t run_of(const char *at, const char *end, const char *letters)
{
	const char *p = at;

	while (p < end && *p && (isxdigit((unsigned char)*p) || strchr(letters, *p)))
		p++;
	return (size_t)(p - at);
}

static bool is_special_ipv4(const unsigned char *bytes)
{
	return bytes[0] == 0 || bytes[0] == 127 || bytes[0] == 255 ||
	       (bytes[0] >= 224 && bytes[0] < 240);
}

/* Another address of a private network; "1.2.3.4" may as well be a version. */
static int add_ipv4(struct renames *renames, const char *at, size_t len, const unsigned char *bytes)
{
	char old[9], new[9], text[32];
	unsigned a, b, c;
	int n, r;

	if (is_special_ipv4(bytes))
		return 0;
	snprintf(old, sizeof(old), "%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
	r = renames_hex_of(renames, old, 8, 0, new);
	if (r < 0)
		return r;
	new[8] = '\0';
	sscanf(new, "%2x%2x%2x", &a, &b, &c);
	n = snprintf(text, sizeof(text), "10.%u.%u.%u", a, b, c);
	return renames_add_form(renames, at, len, text, (size_t)n, false, true);
}

static int add_ipv6(struct renames *renames, const char *at, size_t len)
{
	char digits[64], new[64], text[64];
	size_t n = renames_digits(at, len, digits, sizeof(digits)), k = 0;
	int r;

	if (n < 4 || len >= sizeof(text))
		return 0;
	r = renames_hex_of(renames, digits, n, 4, new);
	for (size_t i = 0; r == 0 && i < len; i++)
		text[i] = at[i] == ':' ? ':' : new[k++];
	return r < 0 ? r : renames_add_form(renames, at, len, text, len, false, true);
}

static int try_address(struct renames *renames, const char *at, const char *end, bool four_only,
		       size_t *ret_len)
{
	size_t four = run_of(at, end, "."), six = run_of(at, end, ":");
	unsigned char bytes[16];
	char text[64];
	int r = 0;

	*ret_len = 0;
	if (four >= 7 && four <= 16) {
		memcpy(text, at, four);
		while (four && text[four - 1] == '.')
			four--;
		text[four] = '\0';
		if (inet_pton(AF_INET, text, bytes) == 1) {
			*ret_len = four;
			return add_ipv4(renames, at, four, bytes);
		}
	}
	if (!four_only && six >= 6 && six < 46 && memchr(at, ':', six)) {
		memcpy(text, at, six);
		text[six] = '\0';
		if (inet_pton(AF_INET6, text, bytes) == 1) {
			*ret_len = six;
			r = add_ipv6(renames, at, six);
		}
	}
	return r;
}

int patterns_scan(struct renames *renames, const char *text, size_t len)
{
	static const char *const forms[] = {
		"hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh",
		"hhhhhhhh:hhhhhhhh:hhhhhhhh:hhhhhhhh",
		"hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh",
		"hh:hh:hh:hh:hh:hh",
	};
	const char *end = text + len;
	int r = 0;

	for (const char *at = text; r == 0 && at < end; at++) {
		size_t n = 0;
		bool inside;

		if (!isxdigit((unsigned char)*at) && *at != ':')
			continue;
		if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '.'))
			continue;
		/* Within a row of colons only what holds none can begin: "ip=10.0.0.2::10.0.0.1". */
		inside = at > text && at[-1] == ':';
		for (size_t i = 0; !inside && !n && i < ELEMENTS(forms); i++) {
			n = form_length(at, end, forms[i]);
			if (n && at + n < end && (isalnum((unsigned char)at[n]) || at[n] == ':'))
				n = 0;
		}
		r = n ? renames_add_hex(renames, at, n, 0)
		      : try_address(renames, at, end, inside, &n);
		at += n ? n - 1 : 0;
	}
	return r;
}

static bool is_mail_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._+-", c));
}

/* local@domain.tld; a unit's instance (getty@tty1.service) looks alike. */
int mail_scan(struct renames *renames, const char *text, size_t len)
{
	static const char *const units[] = { ".service", ".socket", ".target", ".timer", ".mount",
					     ".slice",   ".device", ".path",   ".swap",  ".scope" };
	const char *end = text + len;
	int r = 0;

	for (const char *at = memchr(text, '@', len); r == 0 && at;
	     at = memchr(at + 1, '@', (size_t)(end - at - 1))) {
		const char *from = at, *to = at + 1, *dot;
		bool unit = false;

		while (from > text && is_mail_char(from[-1]))
			from--;
		while (to < end && is_mail_char(*to))
			to++;
		dot = memrchr(at + 1, '.', (size_t)(to - at - 1));
		for (size_t i = 0; dot && i < ELEMENTS(units); i++)
			unit |= (size_t)(to - dot) == strlen(units[i]) &&
				memcmp(dot, units[i], strlen(units[i])) == 0;
		if (from < at && dot && dot > at + 1 && dot + 1 < to && !unit)
			r = renames_add_text(renames, from, (size_t)(to - from));
	}
	return r;
}
