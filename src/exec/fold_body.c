/* SPDX-License-Identifier: MIT */
/* What is taken out of the bodies of events. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/fold.h"

int fold_misfit(const char *key, struct error *err)
{
	return error_set(err, -EBADMSG, _("'%s' is missing or of a wrong type"), key);
}

int fold_text(const json_t *body, const char *key, bool may_lack, char **ret, struct error *err)
{
	const json_t *value = json_object_get(body, key);
	char *copy = NULL;

	if (!json_is_string(value) && !(may_lack && (!value || json_is_null(value))))
		return fold_misfit(key, err);
	if (json_is_string(value) && !(copy = strdup(json_string_value(value))))
		return error_oom(err);
	free(*ret);
	*ret = copy;
	return 0;
}

int fold_count(const json_t *body, const char *key, uint64_t max, uint64_t *ret, struct error *err)
{
	const json_t *value = json_object_get(body, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    (uint64_t)json_integer_value(value) > max)
		return fold_misfit(key, err);
	*ret = (uint64_t)json_integer_value(value);
	return 0;
}

int fold_bool(const json_t *body, const char *key, bool *ret, struct error *err)
{
	const json_t *value = json_object_get(body, key);

	if (!json_is_boolean(value))
		return fold_misfit(key, err);
	*ret = json_is_true(value);
	return 0;
}

int fold_word(const json_t *body, const char *key, const char *const *words, size_t n,
	      bool may_lack, char **ret, struct error *err)
{
	int r = fold_text(body, key, may_lack, ret, err);

	if (r < 0 || !*ret)
		return r;
	for (size_t i = 0; i < n; i++)
		if (strcmp(*ret, words[i]) == 0)
			return 0;
	return fold_misfit(key, err);
}
