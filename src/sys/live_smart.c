/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sys/child.h"
#include "sys/device.h"
#include "sys/host_root.h"
#include "sys/live.h"
#include "sys/process.h"
#include "sys/smartctl.h"

#define OUTPUT_MAX ((size_t)4 << 20)
/* A disk that is busy recovering from errors answers late. */
#define TIMEOUT_US 20000000

static int not_root(const char *device, struct error *err)
{
	error_set(err, -EPERM, "only root may ask %s for its SMART data", device);
	error_hint(err, LIVE_HINT_ROOT);
	return -EPERM;
}

static int not_installed(struct error *err)
{
	error_set(err, -ENOENT, "smartctl is not installed");
	error_hint(err, "apt-get install smartmontools");
	return -ENOENT;
}

/* A disk that sleeps is left asleep. */
static int ask(const char *program, const char *device, uint64_t timeout_us, struct buf *ret,
	       struct error *err)
{
	AUTO_BUF output = BUF_INIT;
	int status = 0, r;

	r = child_run(
		(const char *const[]){ program, "--json=c", "-n", "standby", "-a", device, NULL },
		timeout_us, OUTPUT_MAX, &output, &status, err);
	if (r == 0)
		r = smartctl_judge(buf_text(&output), output.len, device, err);
	if (r < 0)
		return r;
	if (buf_add(ret, output.data, output.len) < 0)
		return error_set(err, buf_error(ret), "the answer of smartctl does not fit");
	return 0;
}

int live_smart(struct host *host, const char *name, struct buf *ret, char **ret_source,
	       struct error *err)
{
	AUTO_FREE char *device = NULL, *program = NULL;
	uint64_t left;
	int r = device_path(name, &device);

	if (r < 0)
		return error_oom(err);
	r = device_check(host, device, err);
	if (r < 0)
		return r;
	if (!process_is_root())
		return not_root(device, err);
	r = child_find("smartctl", &program, err);
	if (r == -ENOENT)
		return not_installed(err);
	if (r == 0)
		r = host_time_left(host, TIMEOUT_US, &left, err);
	if (r == 0)
		r = ask(program, device, left, ret, err);
	if (r < 0)
		return r;
	if (asprintf(ret_source, "smartctl %s", device) >= 0)
		return 0;
	*ret_source = NULL;
	return error_oom(err);
}
