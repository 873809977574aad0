/* SPDX-License-Identifier: MIT */
#include "probe/listeners.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "attr.h"
#include "base/parse.h"
#include "probe/paths.h"

#define TABLE_MAX ((size_t)8 << 20)
#define SERVICES_MAX ((size_t)1 << 20)
/*
 * Above, the kernel gives out ports by itself: a bound UDP socket there serves
 * somebody only where its port is a known one.
 */
#define EPHEMERAL 32768

/* What /etc/services does not name, and what such hosts serve. */
static const struct known {
	unsigned port;
	const char *protocol, *name;
} known[] = {
	{ 6443, "tcp", "kubernetes" },
	{ 8200, "tcp", "vault" },
	{ 51820, "udp", "wireguard" },
};

static const struct table {
	const char *path, *protocol, *state;
	unsigned below; /* ports from here on must have a name; 0 = none must */
} tables[] = {
	{ PATH_NET_TCP, "tcp", "0A", 0 },
	{ PATH_NET_TCP6, "tcp", "0A", 0 },
	{ PATH_NET_UDP, "udp", "07", EPHEMERAL },
	{ PATH_NET_UDP6, "udp", "07", EPHEMERAL },
};

void listeners_done(struct listeners *listeners)
{
	for (size_t i = 0; i < listeners->n; i++)
		free(listeners->items[i].name);
	free(listeners->items);
	*listeners = (struct listeners){ 0 };
}

/* Addresses are words of the host's byte order: 127.0.0.1 ends in 7F, ::1 in 01000000. */
static bool is_loopback(const char *address, size_t len)
{
	static const char six[] = "00000000000000000000000001000000";

	if (len == 8)
		return strncmp(address + 6, "7F", 2) == 0;
	return len == 32 && strncmp(address, six, 32) == 0;
}

static int add(struct listeners *ret, unsigned port, const char *protocol)
{
	struct listener *grown;

	for (size_t i = 0; i < ret->n; i++)
		if (ret->items[i].port == port && strcmp(ret->items[i].protocol, protocol) == 0)
			return 0;
	grown = reallocarray(ret->items, ret->n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	ret->items = grown;
	grown[ret->n++] = (struct listener){ .port = port, .protocol = protocol };
	return 0;
}

/* "  0: 0100007F:0035 00000000:0000 0A ...": number, local, remote, state. */
static int take_line(const struct table *table, const char *line, struct listeners *ret)
{
	const char *fields[4];
	AUTO_FREE char *hex = NULL;
	const char *colon;
	uint64_t port;

	for (size_t i = 0; i < ELEMENTS(fields); i++) {
		line += strspn(line, " ");
		fields[i] = line;
		line += strcspn(line, " ");
	}
	colon = strchr(fields[1], ':');
	if (!colon || strncmp(fields[3], table->state, 2) != 0 ||
	    is_loopback(fields[1], (size_t)(colon - fields[1])))
		return 0;
	hex = strndup(colon + 1, strcspn(colon + 1, " "));
	if (!hex)
		return -ENOMEM;
	if (parse_hex_u64(hex, &port) || !port || port > UINT16_MAX)
		return 0;
	return add(ret, (unsigned)port, table->protocol);
}

static int take_table(const struct table *table, char *text, struct listeners *ret)
{
	int r = 0;

	for (char *line = strchr(text, '\n'); !r && line; line = strchr(line, '\n')) {
		char *end = strchr(++line, '\n');
		AUTO_FREE char *copy = strndup(line, end ? (size_t)(end - line) : strlen(line));

		r = copy ? take_line(table, copy, ret) : -ENOMEM;
	}
	return r;
}

static int load_table(struct host *host, const struct table *table, struct listeners *ret,
		      struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	int r = host_read(host, table->path, TABLE_MAX, &text, err);

	if (r)
		return r;
	if (text.data && take_table(table, text.data, ret))
		return error_oom(err);
	return 0;
}

/* ---- names ------------------------------------------------------------------------ */

/* "domain  53/tcp  # comment" */
static int name_by(const char *line, size_t len, struct listeners *ret)
{
	const char *end = line + len, *word = line, *port;
	size_t word_len = 0;
	unsigned long number;
	char *slash;

	while (word + word_len < end && !isspace((unsigned char)word[word_len]) &&
	       word[word_len] != '#')
		word_len++;
	port = word + word_len;
	while (port < end && isspace((unsigned char)*port))
		port++;
	if (!word_len || port >= end)
		return 0;
	number = strtoul(port, &slash, 10);
	if (slash == port || *slash != '/')
		return 0;
	for (size_t i = 0; i < ret->n; i++) {
		struct listener *item = &ret->items[i];

		if (item->name || item->port != number ||
		    strncmp(slash + 1, item->protocol, strlen(item->protocol)) != 0)
			continue;
		item->name = strndup(word, word_len);
		if (!item->name)
			return -ENOMEM;
	}
	return 0;
}

static bool is_named(const struct listener *item)
{
	for (size_t i = 0; i < ELEMENTS(tables); i++)
		if (strcmp(tables[i].protocol, item->protocol) == 0 && tables[i].below &&
		    item->port >= tables[i].below)
			return item->name;
	return true;
}

static int name_known(struct listeners *ret)
{
	for (size_t i = 0; i < ret->n; i++)
		for (size_t k = 0; k < ELEMENTS(known) && !ret->items[i].name; k++) {
			if (ret->items[i].port != known[k].port ||
			    strcmp(ret->items[i].protocol, known[k].protocol) != 0)
				continue;
			ret->items[i].name = strdup(known[k].name);
			if (!ret->items[i].name)
				return -ENOMEM;
		}
	return 0;
}

static void leave_unnamed(struct listeners *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < ret->n; i++)
		if (is_named(&ret->items[i]))
			ret->items[n++] = ret->items[i];
	ret->n = n;
}

static int name_all(struct host *host, struct listeners *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	int r = host_read(host, PATH_SERVICES, SERVICES_MAX, &text, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	/* Without names the numbers are told. */
	for (const char *line = buf_text(&text); *line;) {
		size_t len = strcspn(line, "\n");

		if (name_by(line, len, ret))
			return error_oom(err);
		line += len + (line[len] == '\n');
	}
	if (name_known(ret))
		return error_oom(err);
	leave_unnamed(ret);
	return 0;
}

static int by_port(const void *a, const void *b)
{
	const struct listener *one = a, *other = b;

	if (one->port != other->port)
		return one->port < other->port ? -1 : 1;
	return strcmp(one->protocol, other->protocol);
}

int listeners_load(struct host *host, struct listeners *ret, struct error *err)
{
	CLEANUP(listeners_done) struct listeners all = { 0 };
	bool any = false;
	int r = 0;

	for (size_t i = 0; (!r || r == -ENOENT) && i < ELEMENTS(tables); i++) {
		r = load_table(host, &tables[i], &all, err);
		any = any || !r;
	}
	if (r && (r != -ENOENT || !any))
		return r;
	if (err) /* one of the four may be missing: a kernel without IPv6 */
		error_done(err);
	r = name_all(host, &all, err);
	if (r)
		return r;
	if (all.n)
		qsort(all.items, all.n, sizeof(*all.items), by_port);
	*ret = all;
	all = (struct listeners){ 0 };
	return 0;
}
