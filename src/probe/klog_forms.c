/* SPDX-License-Identifier: MIT */
#include "probe/klog_forms.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- scanning ----------------------------------------------------------- */

/* A number at *at, in base 10 or 16 ("0x" is optional); moves behind it. */
static bool scan_number(const char **at, int base, unsigned long *ret)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return false;
	errno = 0;
	unsigned long value = strtoul(*at, &end, base);
	if (end == *at || errno == ERANGE)
		return false;
	*at = end;
	*ret = value;
	return true;
}

static bool scan_unsigned(const char **at, unsigned *ret)
{
	unsigned long value;

	if (!scan_number(at, 10, &value) || value > UINT_MAX)
		return false;
	*ret = (unsigned)value;
	return true;
}

static bool scan_word(const char **at, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*at, word, len) != 0)
		return false;
	*at += len;
	return true;
}

/* "1.5 Gbps", "6 Gbps": a generation, or 0 for a speed that is none. */
static unsigned scan_generation(const char *at)
{
	static const struct {
		const char *lead;
		unsigned generation;
	} speeds[] = { { "1.5", 1 }, { "3.0", 2 }, { "6.0", 3 }, { "3 ", 2 }, { "6 ", 3 } };

	for (size_t i = 0; i < ELEMENTS(speeds); i++)
		if (strncmp(at, speeds[i].lead, strlen(speeds[i].lead)) == 0)
			return speeds[i].generation;
	return 0;
}

static bool read_hex_after(const char *text, const char *name, uint32_t *ret)
{
	const char *at = strstr(text, name);
	unsigned long value;

	if (at == NULL)
		return false;
	at += strlen(name);
	if (!scan_number(&at, 16, &value) || value > UINT32_MAX)
		return false;
	*ret = (uint32_t)value;
	return true;
}

/* ---- forms of lines ----------------------------------------------------- */

/* "AHCI 0001.0300 32 slots 6 ports 6 Gbps 0x29 impl SATA mode" */
static bool read_header(const char *rest, struct klog_event *event)
{
	const char *at = strstr(rest, " slots ");
	unsigned long mask;

	if (at == NULL)
		return false;
	at += strlen(" slots ");
	if (!scan_unsigned(&at, &event->ports) || !scan_word(&at, " ports "))
		return false;
	event->generation = scan_generation(at);
	at = strstr(at, "Gbps ");
	if (at == NULL)
		return false;
	at += strlen("Gbps ");
	if (scan_number(&at, 16, &mask) && mask <= UINT32_MAX && scan_word(&at, " impl")) {
		event->mask = (uint32_t)mask;
		event->has_mask = true;
	}
	return true;
}

/* "AHCI vers 0001.0301, 32 command slots, 6 Gbps, SATA mode" */
static bool read_header_new(const char *rest, struct klog_event *event)
{
	const char *at = strstr(rest, " slots, ");

	if (at == NULL)
		return false;
	event->generation = scan_generation(at + strlen(" slots, "));
	return true;
}

/* "3/6 ports implemented (port mask 0x29)" */
static bool read_mask(const char *rest, struct klog_event *event)
{
	unsigned implemented;

	if (!scan_unsigned(&rest, &implemented) || !scan_word(&rest, "/") ||
	    !scan_unsigned(&rest, &event->ports))
		return false;
	event->has_mask = read_hex_after(rest, "(port mask ", &event->mask);
	return event->has_mask;
}

/* "6.0 Gbps (SStatus 133 SControl 300)" behind "SATA link up "; down has no speed */
static bool read_link(const char *rest, struct klog_event *event)
{
	if (!read_hex_after(rest, "SStatus ", &event->sstatus) ||
	    !read_hex_after(rest, "SControl ", &event->scontrol))
		return false;
	if (event->type == KLOG_LINK_UP) {
		event->generation = scan_generation(rest + strlen("SATA link up "));
		if (event->generation == 0)
			event->generation = event->sstatus >> 4 & 0xf;
		if (event->generation > 3)
			event->generation = 0;
	}
	return true;
}

static bool read_slowed(const char *rest, struct klog_event *event)
{
	event->generation = scan_generation(rest + strlen("limiting SATA link speed to "));
	return true;
}

/* "Port Multiplier 1.2, 0x197b:0x0325 r0, 5 ports, ..."; not "... detaching" */
static bool read_multiplier(const char *rest, struct klog_event *event)
{
	if (!isdigit((unsigned char)rest[strlen("Port Multiplier ")]))
		return false;
	const char *at = strstr(rest, " ports");
	while (at != NULL && at > rest && isdigit((unsigned char)at[-1]))
		at--;
	return at == NULL || scan_unsigned(&at, &event->ports);
}

/* An exception is the link's when SError has a bit set; else the drive's. */
static bool read_exception(const char *rest, struct klog_event *event)
{
	uint32_t serror;

	(void)event;
	return read_hex_after(rest, " SErr ", &serror) && serror != 0;
}

static bool read_drive(const char *rest, struct klog_event *event)
{
	(void)event;
	return isdigit((unsigned char)rest[strlen("ATA-")]);
}

static bool read_dummy(const char *rest, struct klog_event *event)
{
	(void)event;
	return rest[strlen("DUMMY")] == '\0';
}

struct form {
	enum klog_type type;
	const char *lead;   /* the message begins so, or NULL */
	const char *inside; /* the message has this in it, or NULL */
	bool (*read)(const char *rest, struct klog_event *event); /* or NULL */
};

static const struct form controller_forms[] = {
	{ KLOG_CONTROLLER, "AHCI vers ", NULL, read_header_new },
	{ KLOG_CONTROLLER, "AHCI ", NULL, read_header },
	{ KLOG_MASK, NULL, " ports implemented (port mask ", read_mask },
	{ KLOG_FLAGS, "flags: ", NULL, NULL },
};

static const struct form ata_forms[] = {
	{ KLOG_LINK_UP, "SATA link up ", NULL, read_link },
	{ KLOG_LINK_DOWN, "SATA link down", NULL, read_link },
	{ KLOG_DUMMY, "DUMMY", NULL, read_dummy },
	{ KLOG_PORT, "SATA max ", NULL, NULL },
	{ KLOG_PORT, "PATA max ", NULL, NULL },
	{ KLOG_DRIVE, "ATA-", NULL, read_drive },
	{ KLOG_ATAPI, "ATAPI: ", NULL, NULL },
	{ KLOG_MULTIPLIER, "Port Multiplier ", NULL, read_multiplier },
	{ KLOG_SLOWED, "limiting SATA link speed to ", NULL, read_slowed },
	{ KLOG_ERROR, "exception Emask ", NULL, read_exception },
	{ KLOG_ERROR, "SError: {", NULL, NULL },
	{ KLOG_ERROR, NULL, "interface fatal error", NULL },
	{ KLOG_ERROR, NULL, "ICRC", NULL },
	{ KLOG_ERROR, NULL, "BadCRC", NULL },
	{ KLOG_RESET, "hard resetting link", NULL, NULL },
	{ KLOG_RESET, "COMRESET failed", NULL, NULL },
	{ KLOG_RESET, "softreset failed", NULL, NULL },
	{ KLOG_RESET, "link is slow to respond", NULL, NULL },
	{ KLOG_RESET, "failed to resume link", NULL, NULL },
};

static bool match(const struct form *forms, size_t n, const char *rest, struct klog_event *event)
{
	for (size_t i = 0; i < n; i++) {
		const struct form *form = &forms[i];

		if (form->lead != NULL && strncmp(rest, form->lead, strlen(form->lead)) != 0)
			continue;
		if (form->inside != NULL && strstr(rest, form->inside) == NULL)
			continue;
		event->type = form->type;
		if (form->read == NULL || form->read(rest, event))
			return true;
	}
	return false;
}

/* "ata6: ...", "ata1 : ..." (vendor kernels), "ata1.00: ..." */
static bool parse_ata(const char *text, struct klog_event *event)
{
	unsigned device;

	event->device = -1;
	if (!scan_word(&text, "ata") || !scan_unsigned(&text, &event->ata) || event->ata == 0)
		return false;
	if (scan_word(&text, ".")) {
		if (!scan_unsigned(&text, &device) || device > 15)
			return false;
		event->device = (int)device;
	}
	text += strspn(text, " ");
	if (!scan_word(&text, ": "))
		return false;
	text += strspn(text, " ");
	return match(ata_forms, ELEMENTS(ata_forms), text, event);
}

/* "ahci 0000:00:1f.2: ...", "ahci f2540000.sata: ..." */
static bool parse_controller(const char *text, struct klog_event *event, const char **ret_name,
			     size_t *ret_len)
{
	const char *name = strchr(text, ' ');
	const char *end = strstr(text, ": ");

	if (name == NULL || end == NULL || name >= end)
		return false;
	name++;
	if (name == end || memchr(name, ' ', (size_t)(end - name)) != NULL)
		return false;
	event->device = -1;
	*ret_name = name;
	*ret_len = (size_t)(end - name);
	return match(controller_forms, ELEMENTS(controller_forms), end + 2, event);
}

bool klog_form_read(const char *text, struct klog_event *event, const char **ret_name,
		    size_t *ret_len)
{
	struct klog_event found = { .line = event->line };

	*ret_name = NULL;
	*ret_len = 0;
	if (parse_ata(text, &found)) {
		*event = found;
		return true;
	}
	found = (struct klog_event){ .line = event->line };
	if (!parse_controller(text, &found, ret_name, ret_len))
		return false;
	*event = found;
	return true;
}
