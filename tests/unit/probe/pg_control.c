/* SPDX-License-Identifier: MIT */
/* What PostgreSQL itself wrote is read by tests/databases; here, what it would not. */
#include "probe/pg_control.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "bytes.h"

#define SIZE 8192

struct control {
	uint8_t bytes[SIZE];
	struct bytes_buffer buffer;
	struct bytes_at at;
};

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* CRC-32C by its definition, from the highest bit of the reversed text on. */
static uint32_t crc(const uint8_t *bytes, size_t len)
{
	uint32_t sum = 0xffffffff, reversed = 0;

	for (size_t i = 0; i < len; i++)
		for (int bit = 0; bit < 8; bit++) {
			uint32_t top = sum >> 31 ^ (bytes[i] >> bit & 1u);

			sum = sum << 1 ^ (top ? 0x1edc6f41u : 0);
		}
	for (int bit = 0; bit < 32; bit++)
		reversed |= (sum >> bit & 1u) << (31 - bit);
	return ~reversed;
}

static void make(struct control *control, uint32_t version, size_t crc_at, uint32_t state)
{
	*control = (struct control){ .buffer = { control->bytes, SIZE, 0 } };
	control->at = bytes_of_buffer(&control->buffer);
	put32(control->bytes, 4711);
	put32(control->bytes + 8, version);
	put32(control->bytes + 16, state);
	put32(control->bytes + crc_at, crc(control->bytes, crc_at));
}

Test(pg_control, states_of_both_layouts)
{
	static const struct {
		const char *name;
		bool clean;
	} states[] = {
		{ "starting up", false },          { "shut down", true },
		{ "shut down in recovery", true }, { "shutting down", false },
		{ "in crash recovery", false },    { "in archive recovery", false },
		{ "in production", false },
	};
	static const struct {
		uint32_t version;
		size_t crc_at;
	} layouts[] = { { 1300, 288 }, { 1800, 292 } };

	for (size_t l = 0; l < ELEMENTS(layouts); l++)
		for (uint32_t state = 0; state < ELEMENTS(states); state++) {
			struct control control;
			struct pg_control found = { 0 };

			make(&control, layouts[l].version, layouts[l].crc_at, state);
			cr_assert_eq(pg_control_read(&control.at, &found, NULL), 0);
			cr_expect_eq(found.state, state);
			cr_expect_eq(found.clean, states[state].clean);
			cr_expect_eq(found.system_identifier, 4711);
			cr_expect_eq(found.version, layouts[l].version);
			cr_expect_str_eq(pg_state_name(found.state), states[state].name);
		}
}

static void refused(struct control *control, int code, const char *words)
{
	struct pg_control found = { 0 };
	struct error err = ERROR_INIT;

	cr_expect_eq(pg_control_read(&control->at, &found, &err), code, "%s", words);
	cr_expect(strstr(error_text(&err), words), "%s", error_text(&err));
	cr_expect(code == -EIO || err.hint);
	error_done(&err);
}

Test(pg_control, what_cannot_be_relied_on)
{
	struct control control;

	for (unsigned at = 0; at < 288; at += 9) {
		make(&control, 1300, 288, 1);
		control.bytes[at] ^= 4;
		if (at < 8 || at > 11) /* another version is no damage */
			refused(&control, -EBADMSG, "its checksum is wrong");
	}
	make(&control, 1300, 288, 7);
	refused(&control, -EBADMSG, "its state is none that PostgreSQL knows");
	make(&control, 1300, 288, UINT32_MAX);
	refused(&control, -EBADMSG, "its state is none that PostgreSQL knows");
	make(&control, 1201, 288, 1);
	refused(&control, -ENOTSUP, "has the version 1201, which is not known");
	make(&control, __builtin_bswap32(1300), 288, 1);
	refused(&control, -ENOTSUP, "another byte order");
	make(&control, 1300, 288, 1);
	control.at.size = 200;
	refused(&control, -EBADMSG, "it is too short");
	control.at.size = 0;
	refused(&control, -EBADMSG, "it is too short");
	make(&control, 1300, 288, 1);
	control.buffer.bad = 30;
	refused(&control, -EIO, "cannot read /srv/file");
}

Test(pg_pid, the_first_line)
{
	static const struct {
		const char *text;
		pid_t pid; /* 0: none */
	} files[] = {
		{ "4711\n/var/lib/postgresql/15/main\n1786250000\n5432\n", 4711 },
		{ "4711", 4711 },
		{ "-4711\n", 4711 }, /* single-user mode */
		{ "", 0 },
		{ "\n", 0 },
		{ "-\n", 0 },
		{ "0\n", 0 },
		{ "4711 \n", 0 },
		{ "4711x\n", 0 },
		{ "x4711\n", 0 },
		{ "2147483647\n", 2147483647 },
		{ "2147483648\n", 0 },
		{ "9999999999999999\n", 0 },
		{ "000000000000000000001\n", 0 },
	};

	for (size_t i = 0; i < ELEMENTS(files); i++) {
		struct bytes_buffer buffer = { (uint8_t *)strdup(files[i].text),
					       strlen(files[i].text), 0 };
		struct bytes_at at = bytes_of_buffer(&buffer);
		struct error err = ERROR_INIT;
		pid_t pid = 0;

		cr_expect_eq(pg_pid_read(&at, &pid, &err), files[i].pid ? 0 : -EBADMSG, "'%s'",
			     files[i].text);
		cr_expect_eq(pid, files[i].pid, "'%s'", files[i].text);
		cr_expect(files[i].pid || err.hint);
		error_done(&err);
		free(buffer.bytes);
	}
}
