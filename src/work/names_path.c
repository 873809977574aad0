/* SPDX-License-Identifier: MIT */
/* by-path names, as udev's path_id builds them for ATA disks. */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "work/names_form.h"

static const char part_mark[] = "-part";
static const char ata_mark[] = "-ata-";

static const char *last_of(const char *text, const char *mark)
{
	const char *found = NULL;

	for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark))
		found = at;
	return found;
}

unsigned link_partition(const char *path)
{
	const char *mark = last_of(path, part_mark);
	unsigned number;

	if (!mark || parse_unsigned(mark + strlen(part_mark), &number) < 0)
		return 0;
	return number;
}

/* "3", "3.0", "3.2.0": the numbers between the dots; 0 = anything else. */
static size_t dotted(const char *text, size_t len, unsigned numbers[3])
{
	size_t n = 0;

	while (n < 3) {
		size_t digits = strspn(text, "0123456789");
		char number[11] = { 0 };

		if (!digits || digits > len || digits >= sizeof(number))
			return 0;
		memcpy(number, text, digits);
		if (parse_unsigned(number, &numbers[n++]) < 0)
			return 0;
		text += digits;
		len -= digits;
		if (!len)
			return n;
		if (*text != '.')
			return 0;
		text++;
		len--;
	}
	return 0;
}

/* The controller is the last device of the chain: "platform-x.pcie-pci-0001:01:00.0". */
static char *controller_of(const char *name, size_t len)
{
	const char *start = name;

	for (size_t i = 0; i < len; i++)
		if (name[i] == '-')
			start = name + i + 1;
	return strndup(start, (size_t)(name + len - start));
}

int by_path_parse(const char *path, struct by_path *ret)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *ata = last_of(name, ata_mark), *port, *part;
	unsigned numbers[3];
	size_t n;

	if (!ata)
		return 0;
	port = ata + strlen(ata_mark);
	part = last_of(port, part_mark);
	n = dotted(port, part ? (size_t)(part - port) : strlen(port), numbers);
	if (!n || !numbers[0])
		return 0;
	*ret = (struct by_path){ .port = (int)numbers[0] - 1,
				 .whole_port = n == 1,
				 .pmp = n == 3 ? (int)numbers[1] : -1,
				 .device = n == 2 ? (int)numbers[1] : 0,
				 .partition = link_partition(name) };
	ret->controller = controller_of(name, (size_t)(ata - name));
	return ret->controller ? 1 : -ENOMEM;
}

void by_path_done(struct by_path *by_path)
{
	free(by_path->controller);
	*by_path = (struct by_path){ 0 };
}
