/* SPDX-License-Identifier: MIT */
/* global/pg_control, its checksum made right first, and postmaster.pid. */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "fuzz.h"
#include "fuzz_bytes.h"
#include "probe/pg_control.h"

static uint32_t crc32c(const uint8_t *bytes, size_t len)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

static void seal(uint8_t *bytes, size_t size)
{
	uint32_t version = 0, crc;
	size_t at;

	if (size < 296)
		return;
	memcpy(&version, bytes + 8, sizeof(version));
	at = version == 1800 ? 292 : 288;
	crc = crc32c(bytes, at);
	memcpy(bytes + at, &crc, sizeof(crc));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE uint8_t *copy = malloc(size + 1);
	struct fuzz_bytes bytes = { copy, size };
	struct bytes_at file = fuzz_bytes_at(&bytes);
	struct pg_control control;
	pid_t pid = 0;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	if (pg_pid_read(&file, &pid, NULL) == 0)
		MUST(pid > 0);
	seal(copy, size);
	if (pg_control_read(&file, &control, NULL) == 0) {
		MUST(control.version == 1300 || control.version == 1800);
		MUST((unsigned)control.state <= PG_IN_PRODUCTION);
		MUST(control.clean == (control.state == PG_SHUTDOWNED ||
				       control.state == PG_SHUTDOWNED_IN_RECOVERY));
		MUST(*pg_state_name(control.state));
	}
	return 0;
}
