/* SPDX-License-Identifier: MIT */
/*
 * Does the copy that this step made stand?  Its manifest is whole, every file
 * of it is there with its size, and every source is what it was when it was
 * proved unchanged.  The bytes were read back when it was made; this is asked
 * again and again, and looks at names, sizes and times alone.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/identity.h"
#include "step/files_copy.h"
#include "sys/copydir.h"
#include "sys/io.h"

static enum standing say(struct result *ret, const char *id, const char *dir, const char *words)
{
	bool none = strcmp(id, "no-copy") == 0;
	struct finding *finding = result_find(ret, id, VERDICT_FAIL, "%s", dir);

	result_say(ret, finding, "%s", words);
	result_remedy(ret, finding, "%s",
		      none ? _("Go on with the session, which makes it: coldswap resume")
			   : _("Go on with the session, which makes another one: coldswap resume"));
	result_evidence(ret, finding, dir, words, NULL, NULL);
	return STANDING_NO;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* NULL: as it was; else in which way it is not. */
static const char *compare(const struct copy_entry *entry, const struct stat *now)
{
	if (entry->ino != now->st_ino)
		return _("it is another file of that name");
	if (S_ISREG(now->st_mode) && entry->size != (uint64_t)now->st_size)
		return _("its size changed");
	if (!same_time(&entry->mtime, &now->st_mtim))
		return _("it was written to");
	if (!same_time(&entry->ctime, &now->st_ctim))
		return _("it was changed");
	return NULL;
}

/* 0 as it was, 1 and words in `why`, or a negative errno. */
static int look_at(const struct step *step, const char *dir, const struct copy_entry *entry,
		   struct buf *why, struct error *err)
{
	AUTO_FREE char *copied = NULL;
	const char *how = NULL;
	uint64_t size = 0;
	struct stat now;
	int r;

	if (entry->type != ENTRY_FILE && entry->type != ENTRY_DIRECTORY)
		return 0;
	r = host_stat(step->host, entry->path, &now, err);
	if (r && r != -ENOENT && r != -ENOTDIR)
		return r;
	how = r ? _("it is gone") : compare(entry, &now);
	if (how) {
		error_done(err);
		return buf_addf(why, _("%s: %s."), entry->path, how) ? -ENOMEM : 1;
	}
	if (entry->type != ENTRY_FILE)
		return 0;
	if (asprintf(&copied, "%s/" COPY_DATA "%s", dir, entry->path) < 0) {
		copied = NULL;
		return error_oom(err);
	}
	r = copydir_size(copied, &size, err);
	if (r == -ENOENT || (!r && size != entry->size)) {
		error_done(err);
		return buf_addf(why, _("%s is not in the copy as it was."), entry->path) ? -ENOMEM
											 : 1;
	}
	return r;
}

static int compare_all(const struct step *step, const char *dir, struct manifest_reader *reader,
		       struct copy_head *head, struct buf *why, struct error *err)
{
	int r = 1;

	while (r > 0) {
		struct copy_entry entry = { 0 };

		if (step->cancelled && *step->cancelled)
			return error_set(err, -ECANCELED, "%s", _("cancelled"));
		r = manifest_next(reader, &entry, head, err);
		if (r <= 0)
			break;
		r = look_at(step, dir, &entry, why, err);
		copy_entry_done(&entry);
		if (r)
			return r;
		r = 1;
	}
	return r;
}

/* The copy of another boot is none of this session's, whatever its sources look like. */
static int is_of_this_boot(const struct step *step, const struct copy_head *head, struct error *err)
{
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(step->host, &identity, err);
	bool same;

	if (r < 0)
		return r;
	/* One that was made in this boot was made after the restart that the session tells of. */
	same = head->boot_id && identity.boot_id ? strcmp(head->boot_id, identity.boot_id) == 0
						 : !step->restarted;
	identity_done(&identity);
	return same;
}

static int judge(const struct step *step, const char *dir, struct manifest_reader *reader,
		 struct copy_head *head, struct result *ret, struct error *err)
{
	AUTO_BUF why = BUF_INIT;
	struct finding *finding;
	int r = is_of_this_boot(step, head, err);

	if (r < 0)
		return r;
	if (!r) {
		say(ret, "stale", dir,
		    _("The machine was started again since the copy was made: what runs at the "
		      "boot may have written to its sources."));
		return STANDING_NO;
	}
	r = compare_all(step, dir, reader, head, &why, err);
	if (r == -EBADMSG || (r == 0 && !head->complete)) {
		error_done(err);
		return say(ret, "no-copy", dir, _("The copy is not whole."));
	}
	if (r < 0)
		return r;
	if (r > 0)
		return say(ret, "stale", dir, buf_text(&why));
	finding = result_find(ret, "stands", VERDICT_PASS, "%s", dir);
	result_say(ret, finding, _("%s is whole, and its sources are as they were."), dir);
	result_evidence(ret, finding, dir, COPY_MANIFEST, NULL, NULL);
	return STANDING_YES;
}

int copying_stands(const struct step *step, const char *dir, enum standing *ret_standing,
		   struct result *ret, struct error *err)
{
	CLEANUP(cleanup_manifest_reader) struct manifest_reader *reader = NULL;
	CLEANUP(copy_head_done) struct copy_head head = { 0 };
	AUTO_FD fd = -1;
	int r;

	*ret_standing = STANDING_UNKNOWN;
	if (!dir) {
		*ret_standing = say(ret, "no-copy", step->id, _("No copy was begun."));
		return 0;
	}
	r = copydir_exists(dir, err);
	if (r > 0) {
		fd = copydir_open(dir, err);
		r = fd < 0 ? fd : manifest_open(fd, &reader, &head, err);
	} else if (r == 0) {
		r = -ENOENT;
	}
	if (r == -ENOENT || r == -EBADMSG) {
		error_done(err);
		*ret_standing = say(ret, "no-copy", dir,
				    r == -ENOENT ? _("The copy is not there.")
						 : _("The copy is not whole."));
		return 0;
	}
	if (r == 0)
		r = judge(step, dir, reader, &head, ret, err);
	if (r < 0)
		return r;
	*ret_standing = (enum standing)r;
	return 0;
}
