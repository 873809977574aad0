/* SPDX-License-Identifier: MIT */
#include "probe/identity.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"

static int copy_text(const json_t *object, const char *key, char **ret)
{
	const char *text = json_text(object, key);

	if (!text || !*text)
		return 0;
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

static int identity_parse(const json_t *object, struct identity *ret, struct error *err)
{
	struct identity identity = IDENTITY_INIT;

	if (copy_text(object, "name", &identity.name) < 0 ||
	    copy_text(object, "machine_id", &identity.machine_id) < 0 ||
	    copy_text(object, "boot_id", &identity.boot_id) < 0) {
		identity_done(&identity);
		return error_oom(err);
	}
	*ret = identity;
	return 0;
}

int identity_load(struct host *host, struct identity *ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *source = NULL;
	AUTO_JSON object = NULL;
	int r;

	*ret = (struct identity)IDENTITY_INIT;
	r = host_fact(host, HOST_FACT_IDENTITY, NULL, &text, &source, NULL);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		return 0;
	r = json_parse(buf_text(&text), text.len, source, &object, err);
	if (r < 0)
		return r;
	r = identity_parse(object, ret, err);
	if (r == 0)
		ret->source = TAKE(source);
	return r;
}

void identity_done(struct identity *identity)
{
	free(identity->name);
	free(identity->machine_id);
	free(identity->boot_id);
	free(identity->source);
	*identity = (struct identity)IDENTITY_INIT;
}
