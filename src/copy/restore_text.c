/* SPDX-License-Identifier: MIT */
/*
 * RESTORE.md is read on a bad day, by somebody who did not make the copy and
 * perhaps on a system without coldswap.  Each block of commands stands for
 * itself: it can be pasted into a fresh shell, stops at its first error, and
 * names the copy once, in its first line.
 */
#include "copy/restore_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/intl.h"
#include "base/shell.h"
#include "base/text.h"
#include "copy/validate.h"

int restore_name(const char *path, struct buf *ret)
{
	buf_addc(ret, '`');
	text_inert(path, ret);
	return buf_addc(ret, '`');
}

int restore_word(const char *path, struct buf *ret)
{
	AUTO_BUF inert = BUF_INIT;

	if (text_inert(path, &inert) < 0)
		return -ENOMEM;
	if (strcmp(buf_text(&inert), path) == 0)
		return shell_word(path, ret);
	buf_adds(ret, "$'");
	for (const char *at = path; *at; at++) {
		unsigned char byte = (unsigned char)*at;

		if (byte < 0x20 || byte >= 0x7f || byte == '\'' || byte == '\\')
			buf_addf(ret, "\\%03o", byte);
		else
			buf_addc(ret, *at);
	}
	return buf_addc(ret, '\'');
}

static int add_size(uint64_t bytes, struct buf *ret)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	double value = (double)bytes / 1000;
	size_t i = 0;

	if (bytes < 1000)
		return buf_addf(ret, PLURAL("%" PRIu64 " byte", "%" PRIu64 " bytes", bytes), bytes);
	while (value >= 1000 && i + 1 < ELEMENTS(units)) {
		value /= 1000;
		i++;
	}
	return buf_addf(ret, value < 10 ? "%.1f %s" : "%.0f %s", value, units[i]);
}

static void add_paragraph(const char *text, struct buf *ret)
{
	buf_addf(ret, "%s\n\n", text);
}

static void add_heading(const char *text, struct buf *ret)
{
	buf_addf(ret, "## %s\n\n", text);
}

/* The first lines of a block of commands. */
static void open_block(const char *dir, struct buf *ret)
{
	buf_adds(ret, "```sh\ncopy=");
	restore_word(dir, ret);
	buf_addc(ret, '\n');
}

static void add_sources(const struct copy_head *head, struct buf *ret)
{
	for (size_t i = 0; i < head->n_sources; i++) {
		const struct copy_source_row *source = &head->sources[i];

		buf_adds(ret, "- ");
		restore_name(source->given, ret);
		if (source->database)
			buf_addf(ret, " (%s)", source->database);
		buf_addf(ret,
			 PLURAL(": %" PRIu64 " file, ", ": %" PRIu64 " files, ", source->files),
			 source->files);
		add_size(source->bytes, ret);
		if (source->reason) {
			buf_adds(ret, "; ");
			text_inert(source->reason, ret);
		}
		buf_addc(ret, '\n');
	}
	buf_addc(ret, '\n');
}

static void add_left_out(const struct copy_head *head, struct buf *ret)
{
	if (!head->n_left_out)
		return;
	add_paragraph(_("Not in this copy, because it can be made again:"), ret);
	for (size_t i = 0; i < head->n_left_out; i++) {
		buf_adds(ret, "- ");
		restore_name(head->left_out[i].path, ret);
		buf_adds(ret, ", ");
		add_size(head->left_out[i].bytes, ret);
		if (head->left_out[i].reason) {
			buf_adds(ret, ": ");
			text_inert(head->left_out[i].reason, ret);
		}
		buf_addc(ret, '\n');
	}
	buf_addc(ret, '\n');
}

static void add_checks(const struct copy_head *head, struct buf *ret)
{
	if (!head->n_checks)
		return;
	add_paragraph(_("What was checked on scratch copies of it when it was made:"), ret);
	for (size_t i = 0; i < head->n_checks; i++) {
		buf_addf(ret, "- %s, ", head->checks[i].what);
		restore_name(head->checks[i].path, ret);
		buf_adds(ret, ": ");
		text_inert(head->checks[i].text, ret);
		buf_addc(ret, '\n');
	}
	buf_addc(ret, '\n');
}

static void add_head(const struct copy_head *head, struct buf *ret)
{
	buf_adds(ret, "# ");
	buf_addf(ret, _("Cold copy of %s, %s"), head->host ? head->host : "?",
		 head->created ? head->created : "?");
	buf_adds(ret, "\n\n");
	buf_addf(ret,
		 _("Made by coldswap %s in step %s of session %" PRId64
		   ", while nobody had the files open. It holds:"),
		 head->version ? head->version : "?", head->step ? head->step : "?", head->session);
	buf_adds(ret, "\n\n");
	add_sources(head, ret);
	add_left_out(head, ret);
	add_checks(head, ret);
	add_paragraph(
		_("**It holds secrets**: whatever the databases and files hold, tokens, keys "
		  "and passwords included. Its directory is root's alone; keep it so wherever "
		  "you take it."),
		ret);
	add_paragraph(
		_("Each block of commands below is for a root shell (bash), stands for itself "
		  "and stops at its first error. If the copy lies elsewhere by now, change the "
		  "line `copy=`."),
		ret);
}

static void add_verify(const char *dir, struct buf *ret)
{
	add_heading(_("1. Verify the copy first"), ret);
	add_paragraph(
		_("Both must say nothing bad and exit with 0; the second also looks at owners, "
		  "modes, times and links, and needs coldswap."),
		ret);
	open_block(dir, ret);
	buf_adds(ret, "(cd -- \"$copy\" && sha256sum -c --quiet " COPY_SUMS ")\n"
		      "coldswap copies verify \"$copy\"\n```\n\n");
}

/* A path that is there is asked about; on a new disk there is nothing to hold. */
static void add_stop(const struct copy_head *head, struct buf *ret)
{
	add_heading(_("2. Stop what uses the files, and prove it"), ret);
	add_paragraph(
		_("Stop the services and scale down the workloads that use them (`systemctl "
		  "stop UNIT`, `kubectl scale --replicas=0 NAME`). Then each of these must name no "
		  "holder; what it says of the state of a database that you are about to "
		  "replace does not matter. Skip what is not there any more."),
		ret);
	buf_adds(ret, "```sh\n");
	for (size_t i = 0; i < head->n_sources; i++) {
		buf_adds(ret, "coldswap check files.quiescent path=");
		restore_word(head->sources[i].given, ret);
		buf_addc(ret, '\n');
	}
	buf_adds(ret, "```\n\n");
}

static void add_back(const struct copy_head *head, const char *dir, struct buf *ret)
{
	add_heading(_("3. Put aside what is there, and copy back"), ret);
	add_paragraph(
		_("Nothing is overwritten: what stands there now is kept as "
		  "`NAME.before-restore`, or in a directory `before-restore` where a filesystem "
		  "is mounted. Owners, modes, times, links and attributes come back as they were. "
		  "Mount the filesystems first, so that nothing lands below a mount point."),
		ret);
	for (size_t i = 0; i < head->n_sources; i++)
		restore_source(&head->sources[i], dir, ret);
}

static void add_compare(const struct copy_head *head, const char *dir, struct buf *ret)
{
	add_heading(_("4. Compare before anything starts"), ret);
	add_paragraph(
		_("The restored files against the sums of the copy. No output and exit code 0: "
		  "every byte is right. If you restored a part of it only, the rest is told "
		  "as differing."),
		ret);
	open_block(dir, ret);
	buf_adds(ret, "sed -E 's,^(\\\\?[0-9a-f]{64} [ *])" COPY_DATA
		      "/,\\1/,' \"$copy\"/" COPY_SUMS " | sha256sum -c --quiet -\n```\n\n");
	restore_links(head, ret);
}

static void add_end(const struct copy_head *head, const char *dir, struct buf *ret)
{
	AUTO_BUF size = BUF_INIT;

	add_heading(_("5. Start, and look"), ret);
	restore_after(head, ret);
	add_heading(_("6. Remove this copy when it is not needed any more"), ret);
	add_size(head->bytes, &size);
	buf_addf(ret,
		 _("It takes %s in %" PRIu64
		   " files, holds secrets, and is removed by nobody but you. "
		   "So is what step 3 put aside."),
		 buf_text(&size), head->files);
	buf_adds(ret, "\n\n```sh\nrm -rf -- ");
	restore_word(dir, ret);
	buf_adds(ret, "\n```\n");
}

int copy_restore_text(const char *final_dir, const struct copy_head *head, struct buf *ret,
		      struct error *err)
{
	add_head(head, ret);
	add_verify(final_dir, ret);
	add_stop(head, ret);
	add_back(head, final_dir, ret);
	add_compare(head, final_dir, ret);
	add_end(head, final_dir, ret);
	return buf_error(ret) < 0 ? error_oom(err) : 0;
}
