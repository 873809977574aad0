/* SPDX-License-Identifier: MIT */
#include "report/frontmatter.h"

#include "base/json.h"
#include "version.h"

int json_set_host(json_t *document, const char *key, const struct identity *identity,
		  const char *root)
{
	json_t *host = json_object();

	if (json_object_set_new(document, key, host) < 0)
		return -1;
	if (json_set_text(host, "name", identity->name) < 0 ||
	    json_set_text(host, "machine_id", identity->machine_id) < 0 ||
	    json_set_text(host, "boot_id", identity->boot_id) < 0)
		return -1;
	return json_set_text(host, "root", root);
}

int frontmatter_of(const char *command, const struct identity *identity, const char *root,
		   json_t **ret, struct error *err)
{
	AUTO_JSON document = json_object();

	if (json_object_set_new(document, "schema_version", json_integer(SCHEMA_VERSION)) < 0 ||
	    json_set_text(document, "tool", "coldswap") < 0 ||
	    json_set_text(document, "version", COLDSWAP_VERSION) < 0 ||
	    json_set_text(document, "command", command) < 0)
		return error_oom(err);
	if (root && json_set_host(document, "host", identity, root) < 0)
		return error_oom(err);
	*ret = TAKE(document);
	return 0;
}

int frontmatter_new(const char *command, struct facts *facts, json_t **ret, struct error *err)
{
	struct host *host = facts_host(facts);
	struct identity identity = IDENTITY_INIT;
	int r;

	r = identity_load(host, &identity, err);
	if (r < 0)
		return r;
	r = frontmatter_of(command, &identity, host_root(host), ret, err);
	identity_done(&identity);
	return r;
}
