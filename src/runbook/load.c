/* SPDX-License-Identifier: MIT */
/* Reading a runbook: a file of the operator, or one that was installed with the program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"
#include "sys/file.h"

/* As the parser would say it, had it been given the bytes. */
static int too_large(const char *path, struct diagnostics *diags, struct error *err)
{
	free(diags->file);
	diags->file = strdup(path);
	if (!diags->file)
		return error_oom(err);
	diagnostics_add(diags, (struct position){ 1, 1 },
			_("the file is larger than %zu KiB, the most that is read"),
			YAML_MAX_BYTES >> 10);
	return error_set(err, -EINVAL, _("%s is not a sound runbook"), path);
}

typedef int (*file_reader)(const char *path, size_t max, struct buf *ret, struct error *err);

/* -ENOENT, with the error as it stands, where there is no such runbook. */
static int read_installed(const char *name, file_reader read_file, char **ret_path, struct buf *ret,
			  struct error *err)
{
	static const char dir[] = RUNBOOKDIR;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	char *path;
	int r;

	if (asprintf(&path, "%s/%s.yaml", dir, name) < 0)
		return error_oom(err);
	r = read_file(path, YAML_MAX_BYTES, ret, &why);
	if (r == 0)
		error_done(err);
	else if (r != -ENOENT)
		error_copy(err, &why);
	*ret_path = path;
	return r;
}

static int load(const char *path, file_reader read_file, struct runbook **ret,
		struct diagnostics *diags, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *installed = NULL;
	int r = read_file(path, YAML_MAX_BYTES, &text, err);

	*ret = NULL;
	if (r == -ENOENT && id_is_valid(path)) {
		r = read_installed(path, read_file, &installed, &text, err);
		path = r ? path : installed;
	}
	if (r == -EFBIG)
		return too_large(path, diags, err);
	if (r) {
		error_wrap(err, _("the runbook cannot be read"));
		if (r == -ENOENT)
			error_hint(err, "%s",
				   _("name the file of a runbook; `coldswap draft` writes one"));
		return r;
	}
	return runbook_parse(buf_text(&text), text.len, path, ret, diags, err);
}

int runbook_load(const char *path, struct runbook **ret, struct diagnostics *diags,
		 struct error *err)
{
	return load(path, file_read, ret, diags, err);
}

int runbook_load_trusted(const char *path, struct runbook **ret, struct diagnostics *diags,
			 struct error *err)
{
	int r = load(path, file_read_trusted, ret, diags, err);

	/* The operator's to mend, and no fault of the system. */
	if (r == -EPERM)
		r = err ? (err->code = -EINVAL) : -EINVAL;
	return r;
}
