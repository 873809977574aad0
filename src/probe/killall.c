/* SPDX-License-Identifier: MIT */
#include "probe/killall.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strv.h"
#include "probe/paths.h"

#define SCRIPT_MAX ((size_t)256 << 10)
#define MOUNTS_MAX ((size_t)16 << 20)

static const struct {
	const char *unit, *path;
} scripts[] = {
	{ "k3s", PATH_K3S_KILLALL },
	{ "rke2", PATH_RKE2_KILLALL },
};

/* The next line, without its end; NULL past the last. */
static char *take_line(const char **text)
{
	size_t len = strcspn(*text, "\n");
	char *line = strndup(*text, len);

	*text += len + ((*text)[len] == '\n');
	return line;
}

/* "do_unmount_and_remove '/run/k3s'": a call with a path, whatever it is called. */
static int take_prefix(const char *line, struct killall *killall)
{
	const char *word = line + strspn(line, " \t");
	size_t len = strcspn(word, " \t"), at = len + strspn(word + len, " \t'\"");
	AUTO_FREE char *name = strndup(word, len), *prefix = NULL;

	if (!name)
		return -ENOMEM;
	if (!strstr(name, "unmount") || word[at] != '/')
		return 0;
	prefix = strndup(word + at, strcspn(word + at, " \t'\""));
	return prefix ? strv_take(&killall->prefixes, TAKE(prefix)) : -ENOMEM;
}

int killall_parse_script(const char *text, struct killall *killall)
{
	int r = 0;

	for (unsigned number = 1; r == 0 && *text; number++) {
		AUTO_FREE char *line = take_line(&text);

		if (!line)
			return -ENOMEM;
		if (line[strspn(line, " \t")] == '#')
			continue;
		if (!killall->removes && strstr(line, "umount") && strstr(line, "rm -r")) {
			killall->removes = number;
			killall->removes_text = strdup(line + strspn(line, " \t"));
			r = killall->removes_text ? 0 : -ENOMEM;
		} else {
			r = take_prefix(line, killall);
		}
	}
	return r;
}

static bool has_prefix(const struct killall *killall, const char *target)
{
	for (char **prefix = killall->prefixes; prefix && *prefix; prefix++)
		if (strncmp(target, *prefix, strlen(*prefix)) == 0)
			return true;
	return false;
}

static int add_mount(struct killall *killall, char *line, unsigned number)
{
	struct killall_mount *more =
		reallocarray(killall->mounts, killall->n_mounts + 1, sizeof(*more));
	struct killall_mount *mount;
	char *rest, *target, *fstype;

	if (!more)
		return -ENOMEM;
	killall->mounts = more;
	mount = &more[killall->n_mounts];
	*mount = (struct killall_mount){ .line = number, .text = strdup(line) };
	rest = line;
	strsep(&rest, " ");
	target = strsep(&rest, " ");
	fstype = strsep(&rest, " ");
	mount->target = strdup(target ? target : "");
	mount->fstype = strdup(fstype ? fstype : "");
	killall->n_mounts++;
	if (!mount->text || !mount->target || !mount->fstype)
		return -ENOMEM;
	mount->handled = has_prefix(killall, mount->target);
	for (size_t i = 0; i + 1 < killall->n_mounts; i++)
		if (*mount->target && strcmp(more[i].target, mount->target) == 0)
			more[i].stacked = mount->stacked = true;
	return 0;
}

int killall_parse_mounts(const char *text, struct killall *killall)
{
	int r = 0;

	for (unsigned number = 1; r == 0 && *text; number++) {
		AUTO_FREE char *line = take_line(&text);

		r = line ? add_mount(killall, line, number) : -ENOMEM;
	}
	return r;
}

int killall_load(struct host *host, const char *unit, struct killall *ret, struct error *err)
{
	AUTO_KILLALL killall = { 0 };
	AUTO_BUF script = BUF_INIT, mounts = BUF_INIT;
	int r;

	for (size_t i = 0; i < ELEMENTS(scripts) && !killall.path; i++)
		if (strncmp(unit, scripts[i].unit, strlen(scripts[i].unit)) == 0)
			killall.path = scripts[i].path;
	if (!killall.path)
		return error_set(err, -ENOENT, "%s has no such script", unit);
	r = host_read(host, killall.path, SCRIPT_MAX, &script, err);
	if (r == 0)
		r = host_read(host, PATH_MOUNT_TABLE, MOUNTS_MAX, &mounts, err);
	if (r < 0)
		return r;
	if (killall_parse_script(buf_text(&script), &killall) < 0 ||
	    killall_parse_mounts(buf_text(&mounts), &killall) < 0)
		return error_oom(err);
	*ret = killall;
	killall = (struct killall){ 0 };
	return 0;
}

void killall_done(struct killall *killall)
{
	for (size_t i = 0; i < killall->n_mounts; i++) {
		free(killall->mounts[i].target);
		free(killall->mounts[i].fstype);
		free(killall->mounts[i].text);
	}
	free(killall->mounts);
	free(killall->removes_text);
	strv_free(killall->prefixes);
	*killall = (struct killall){ 0 };
}
