/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/json.h"
#include "sys/live.h"

/* What the host does not tell stays null. */
static int put_line(struct host *host, const char *path, json_t *object, const char *key,
		    struct error *err)
{
	AUTO_FREE char *line = NULL;
	int r = host_read_line(host, path, &line, NULL);

	if (r == -ENOMEM)
		return error_oom(err);
	return json_set_text(object, key, r == 0 && *line ? line : NULL) < 0 ? error_oom(err) : 0;
}

int live_identity(struct host *host, const char *name, struct buf *ret, char **ret_source,
		  struct error *err)
{
	AUTO_JSON object = json_object();
	struct utsname system;
	int r;

	(void)name;
	if (!object || uname(&system) < 0 || json_set_text(object, "name", system.nodename) < 0)
		return error_oom(err);
	r = put_line(host, "/etc/machine-id", object, "machine_id", err);
	if (r == 0)
		r = put_line(host, "/proc/sys/kernel/random/boot_id", object, "boot_id", err);
	if (r == 0)
		r = json_print(object, ret, err);
	if (r < 0)
		return r;
	*ret_source = strdup("uname, /etc/machine-id");
	return *ret_source ? 0 : error_oom(err);
}
