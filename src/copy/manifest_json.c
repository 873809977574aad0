/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "copy/manifest_internal.h"

static const char *const types[] = {
	[ENTRY_FILE] = "file",       [ENTRY_DIRECTORY] = "directory",
	[ENTRY_SYMLINK] = "symlink", [ENTRY_HARD_LINK] = "hard link",
	[ENTRY_FIFO] = "fifo",       [ENTRY_SOCKET] = "socket",
	[ENTRY_DEVICE] = "device",
};

int manifest_hex(const void *bytes, size_t len, struct buf *ret)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *at = bytes;
	size_t i;

	for (i = 0; i < len; i++) {
		char pair[2] = { hex[at[i] >> 4], hex[at[i] & 15] };

		(void)buf_add(ret, pair, 2);
	}
	return buf_error(ret);
}

static int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int manifest_unhex(const char *text, unsigned char *ret)
{
	for (; *text; text += 2) {
		int high = nibble(text[0]), low = high < 0 ? -1 : nibble(text[1]);

		if (low < 0)
			return -EBADMSG;
		*ret++ = (unsigned char)(high << 4 | low);
	}
	return 0;
}

static int set(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) < 0 ? -ENOMEM : 0;
}

static int put_hex(json_t *object, const char *key, const void *bytes, size_t len)
{
	AUTO_BUF hex = BUF_INIT;
	int r = manifest_hex(bytes, len, &hex);

	return r < 0 ? r : set(object, key, json_string(buf_text(&hex)));
}

int manifest_put(json_t *object, const char *key, const char *bytes)
{
	AUTO_FREE char *key_hex = NULL;
	AUTO_BUF name = BUF_INIT;
	int r;

	if (!bytes)
		return 0;
	r = json_set_text(object, key, bytes);
	if (r < 0 || text_is_utf8(bytes, strlen(bytes)))
		return r;
	(void)buf_addf(&name, "%s_hex", key);
	key_hex = buf_take(&name);
	return key_hex ? put_hex(object, key_hex, bytes, strlen(bytes)) : -ENOMEM;
}

static int put_time(json_t *object, const char *key, const struct timespec *time)
{
	return set(object, key,
		   json_pack("[I,I]", (json_int_t)time->tv_sec, (json_int_t)time->tv_nsec));
}

static int put_number(json_t *object, const char *key, uint64_t number)
{
	return set(object, key, json_integer((json_int_t)number));
}

static int put_xattrs(json_t *object, const struct copy_entry *entry)
{
	json_t *array = json_array();
	size_t i;
	int r = entry->n_xattrs ? set(object, "xattrs", array) : 0;

	if (!entry->n_xattrs)
		json_decref(array);
	for (i = 0; r == 0 && i < entry->n_xattrs; i++) {
		json_t *one = json_object();

		r = json_array_append_new(array, one) < 0 ? -ENOMEM : 0;
		if (r == 0)
			r = manifest_put(one, "name", entry->xattrs[i].name);
		if (r == 0)
			r = put_hex(one, "value_hex", entry->xattrs[i].value, entry->xattrs[i].len);
	}
	return r;
}

static int fill(json_t *json, const struct copy_entry *entry)
{
	AUTO_BUF mode = BUF_INIT;
	int r;

	(void)buf_addf(&mode, "%06o", (unsigned)entry->mode);
	r = manifest_put(json, "path", entry->path);
	r = r < 0 ? r : set(json, "type", json_string(types[entry->type]));
	r = r < 0 ? r : manifest_put(json, "target", entry->target);
	r = r < 0 ? r : put_number(json, "size", entry->size);
	r = r < 0 ? r : put_number(json, "data", entry->data);
	r = r < 0 ? r : set(json, "mode", json_string(buf_text(&mode)));
	r = r < 0 ? r : put_number(json, "uid", entry->uid);
	r = r < 0 ? r : put_number(json, "gid", entry->gid);
	r = r < 0 ? r : put_time(json, "mtime", &entry->mtime);
	r = r < 0 ? r : put_time(json, "ctime", &entry->ctime);
	r = r < 0 ? r : put_number(json, "ino", entry->ino);
	r = r < 0 ? r : put_number(json, "dev", entry->dev);
	if (r == 0 && entry->type == ENTRY_FILE)
		r = put_hex(json, "sha256", entry->sha256, sizeof(entry->sha256));
	return r < 0 ? r : put_xattrs(json, entry);
}

json_t *manifest_entry_json(const struct copy_entry *entry)
{
	json_t *json = json_object();

	if (json && fill(json, entry) == 0)
		return json;
	json_decref(json);
	return NULL;
}

int manifest_get(const json_t *object, const char *key, char **ret)
{
	AUTO_BUF name = BUF_INIT;
	const char *hex, *text = json_text(object, key);

	*ret = NULL;
	(void)buf_addf(&name, "%s_hex", key);
	hex = json_text(object, buf_text(&name));
	if (!hex) {
		*ret = text ? strdup(text) : NULL;
		return text && !*ret ? -ENOMEM : 0;
	}
	*ret = calloc(1, strlen(hex) / 2 + 1);
	if (!*ret)
		return -ENOMEM;
	return manifest_unhex(hex, (unsigned char *)*ret);
}

static int get_number(const json_t *object, const char *key, uint64_t *ret)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value))
		return -EBADMSG;
	*ret = (uint64_t)json_integer_value(value);
	return 0;
}

static int get_time(const json_t *object, const char *key, struct timespec *ret)
{
	const json_t *pair = json_object_get(object, key);
	json_int_t sec = 0, nsec = 0;

	if (json_unpack((json_t *)(uintptr_t)pair, "[I,I]", &sec, &nsec) < 0 || nsec < 0 ||
	    nsec >= 1000000000)
		return -EBADMSG;
	ret->tv_sec = (time_t)sec;
	ret->tv_nsec = (long)nsec;
	return 0;
}

static int get_type(const json_t *object, enum entry_type *ret)
{
	const char *text = json_text(object, "type");
	size_t i;

	for (i = 0; text && i < ELEMENTS(types); i++) {
		if (strcmp(types[i], text) != 0)
			continue;
		*ret = (enum entry_type)i;
		return 0;
	}
	return -EBADMSG;
}

static int get_mode(const json_t *object, mode_t *ret)
{
	const char *text = json_text(object, "mode");
	unsigned mode = 0;

	if (!text || strlen(text) != 6 || strspn(text, "01234567") != 6)
		return -EBADMSG;
	for (; *text; text++)
		mode = mode << 3 | (unsigned)(*text - '0');
	*ret = mode;
	return 0;
}

static int get_hash(const json_t *object, unsigned char ret[32])
{
	const char *hex = json_text(object, "sha256");

	return hex && strlen(hex) == 64 ? manifest_unhex(hex, ret) : -EBADMSG;
}

static int get_xattr(const json_t *object, struct xattr_entry *ret)
{
	const char *hex = json_text(object, "value_hex");
	int r = manifest_get(object, "name", &ret->name);

	if (r < 0)
		return r;
	if (!hex || !ret->name)
		return -EBADMSG;
	ret->len = strlen(hex) / 2;
	ret->value = calloc(1, ret->len + 1);
	return ret->value ? manifest_unhex(hex, (unsigned char *)ret->value) : -ENOMEM;
}

static int get_xattrs(const json_t *object, struct copy_entry *ret)
{
	const json_t *array = json_object_get(object, "xattrs");
	size_t i, n = json_array_size(array);
	int r = 0;

	if (!n)
		return 0;
	ret->xattrs = calloc(n, sizeof(*ret->xattrs));
	if (!ret->xattrs)
		return -ENOMEM;
	ret->n_xattrs = n;
	for (i = 0; r == 0 && i < n; i++)
		r = get_xattr(json_array_get(array, i), &ret->xattrs[i]);
	return r;
}

static int get_owner(const json_t *json, struct copy_entry *ret)
{
	uint64_t uid = 0, gid = 0;
	int r = get_number(json, "uid", &uid);

	r = r < 0 ? r : get_number(json, "gid", &gid);
	if (r == 0 && (uid > UINT32_MAX || gid > UINT32_MAX))
		r = -EBADMSG;
	ret->uid = (uid_t)uid;
	ret->gid = (gid_t)gid;
	return r;
}

int manifest_entry_parse(const json_t *json, struct copy_entry *ret)
{
	int r = manifest_get(json, "path", &ret->path);

	r = r < 0 ? r : get_type(json, &ret->type);
	r = r < 0 ? r : manifest_get(json, "target", &ret->target);
	r = r < 0 ? r : get_number(json, "size", &ret->size);
	r = r < 0 ? r : get_number(json, "data", &ret->data);
	r = r < 0 ? r : get_mode(json, &ret->mode);
	r = r < 0 ? r : get_owner(json, ret);
	r = r < 0 ? r : get_time(json, "mtime", &ret->mtime);
	r = r < 0 ? r : get_time(json, "ctime", &ret->ctime);
	r = r < 0 ? r : get_number(json, "ino", &ret->ino);
	r = r < 0 ? r : get_number(json, "dev", &ret->dev);
	if (r == 0 && ret->type == ENTRY_FILE)
		r = get_hash(json, ret->sha256);
	if (r == 0 && (!ret->path || ret->path[0] != '/'))
		r = -EBADMSG;
	if (r == 0 && !ret->target && (ret->type == ENTRY_SYMLINK || ret->type == ENTRY_HARD_LINK))
		r = -EBADMSG;
	return r < 0 ? r : get_xattrs(json, ret);
}
