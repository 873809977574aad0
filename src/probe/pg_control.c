/* SPDX-License-Identifier: MIT */
#include "probe/pg_control.h"

#include <errno.h>
#include <limits.h>

#include "attr.h"
#include "base/bytes.h"

#define CRC32C_REVERSED 0x82f63b78u
#define VERSION_AT 8
#define STATE_AT 16
#define LINE_MAX_BYTES 16

static const struct {
	uint32_t version;
	size_t crc_at; /* the sum is of all bytes before it */
} layouts[] = {
	{ 1300, 288 }, /* PostgreSQL 13 to 17 */
	{ 1800, 292 }, /* 18 */
};
#define CRC_AT_MAX 292

const char *pg_state_name(enum pg_state state)
{
	static const char *const names[] = {
		[PG_STARTUP] = "starting up",
		[PG_SHUTDOWNED] = "shut down",
		[PG_SHUTDOWNED_IN_RECOVERY] = "shut down in recovery",
		[PG_SHUTDOWNING] = "shutting down",
		[PG_IN_CRASH_RECOVERY] = "in crash recovery",
		[PG_IN_ARCHIVE_RECOVERY] = "in archive recovery",
		[PG_IN_PRODUCTION] = "in production",
	};

	return (size_t)state < ELEMENTS(names) ? names[state] : "unrecognized status code";
}

/* Three hundred bytes: no table is worth its room. */
static uint32_t crc32c(const uint8_t *bytes, size_t len)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? CRC32C_REVERSED : 0);
	}
	return ~crc;
}

static int not_known(const struct bytes_at *file, uint32_t version, struct error *err)
{
	/* A version is below 65536: one that is not comes from the other byte order. */
	if (version > UINT16_MAX && (version & UINT16_MAX) == 0)
		error_set(err, -ENOTSUP, "%s was written by a machine of another byte order",
			  file->name);
	else
		error_set(err, -ENOTSUP, "%s has the version %u, which is not known", file->name,
			  version);
	error_hint(err, "ask the server's own program, with the server stopped: "
			"pg_controldata DIRECTORY");
	return -ENOTSUP;
}

static int damaged(const struct bytes_at *file, const char *how, struct error *err)
{
	error_set(err, -EBADMSG, "%s is damaged: %s", file->name, how);
	error_hint(err, "ask the server's own program: pg_controldata DIRECTORY; "
			"do not start the server on these files before they are copied");
	return -EBADMSG;
}

int pg_control_read(const struct bytes_at *file, struct pg_control *ret, struct error *err)
{
	uint8_t bytes[CRC_AT_MAX + 4];
	size_t crc_at = 0;
	uint32_t version, state;
	int r;

	if (file->size < sizeof(bytes))
		return damaged(file, "it is too short", err);
	r = bytes_read(file, 0, bytes, sizeof(bytes), err);
	if (r < 0)
		return r;
	version = bytes_host32(bytes + VERSION_AT);
	for (size_t i = 0; i < ELEMENTS(layouts); i++)
		if (layouts[i].version == version)
			crc_at = layouts[i].crc_at;
	if (!crc_at)
		return not_known(file, version, err);
	if (crc32c(bytes, crc_at) != bytes_host32(bytes + crc_at))
		return damaged(file, "its checksum is wrong", err);
	state = bytes_host32(bytes + STATE_AT);
	if (state > PG_IN_PRODUCTION)
		return damaged(file, "its state is none that PostgreSQL knows", err);
	*ret = (struct pg_control){
		.system_identifier = bytes_host64(bytes),
		.version = version,
		.state = (enum pg_state)state,
		.clean = state == PG_SHUTDOWNED || state == PG_SHUTDOWNED_IN_RECOVERY,
	};
	return 0;
}

int pg_pid_read(const struct bytes_at *file, pid_t *ret, struct error *err)
{
	char line[LINE_MAX_BYTES + 1] = "";
	size_t len = file->size < LINE_MAX_BYTES ? (size_t)file->size : LINE_MAX_BYTES, i;
	uint64_t pid = 0;
	int r = bytes_read(file, 0, line, len, err);

	if (r < 0)
		return r;
	i = line[0] == '-';
	for (; line[i] >= '0' && line[i] <= '9'; i++)
		pid = pid * 10 + (uint64_t)(line[i] - '0');
	if (pid == 0 || pid > INT_MAX || (line[i] != '\n' && (line[i] || len == LINE_MAX_BYTES))) {
		error_set(err, -EBADMSG, "the first line of %s is no process number", file->name);
		error_hint(err, "look whether a server runs: pgrep -a postgres");
		return -EBADMSG;
	}
	*ret = (pid_t)pid;
	return 0;
}
