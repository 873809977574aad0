/* SPDX-License-Identifier: MIT */
/* To whom each path belongs, and how much each source has of its own. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/files_copy.h"

/* How much of `path` this source's name covers: 0 = nothing. */
static size_t covers(const struct copy_item *item, const char *path)
{
	size_t longest = 0;

	if (!item->set)
		return item->path && path_is_below(path, item->path) ? strlen(item->path) : 0;
	for (size_t i = 0; i < item->set->n_roots; i++) {
		const char *root = item->set->roots[i].path;

		if (path_is_below(path, root) && strlen(root) > longest)
			longest = strlen(root);
	}
	return longest;
}

const struct copy_item *copying_owner(const struct copying *copying, const char *path)
{
	const struct copy_item *owner = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < copying->n; i++) {
		size_t len = covers(&copying->items[i], path);

		/* Of two entries for one path the one that copies it counts. */
		if (len > longest || (len && len == longest && owner->recreatable &&
				      !copying->items[i].recreatable)) {
			longest = len;
			owner = &copying->items[i];
		}
	}
	return owner;
}

bool copying_is_above(const struct copying *copying, const char *path)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct copy_item *item = &copying->items[i];

		if (item->path && path_is_below(item->path, path))
			return true;
		for (size_t k = 0; item->set && k < item->set->n_roots; k++)
			if (path_is_below(item->set->roots[k].path, path))
				return true;
	}
	return false;
}

static int count_copied(struct copying *copying, struct copy_item *item)
{
	const struct dataset *set = item->set;

	for (size_t i = 0; set && i < set->n_files; i++) {
		const struct datafile *file = &set->files[i];

		if (copying_owner(copying, file->path) != item)
			continue;
		item->files++;
		if (__builtin_add_overflow(item->bytes, file->size, &item->bytes))
			return -EOVERFLOW;
	}
	copying->files += item->files;
	return __builtin_add_overflow(copying->bytes, item->bytes, &copying->bytes) ? -EOVERFLOW
										    : 0;
}

/* What other sources have below this one is not its own. */
static uint64_t others_below(const struct copying *copying, const struct copy_item *item)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < copying->n; i++) {
		const struct copy_item *other = &copying->items[i];

		if (other == item || !other->known)
			continue;
		for (size_t k = 0; other->set && k < other->set->n_files; k++)
			if (path_is_below(other->set->files[k].path, item->path) &&
			    copying_owner(copying, other->set->files[k].path) != item)
				bytes += other->set->files[k].size;
		if (!other->set && other->path && path_is_below(other->path, item->path) &&
		    strcmp(other->path, item->path) != 0)
			bytes += other->bytes;
	}
	return bytes;
}

static int sum_left_out(struct copying *copying, struct copy_item *item, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct filetree_sum sum = { 0 };
	int r;

	if (copying_owner(copying, item->path) != item)
		return 0;
	r = filetree_sum(copying->tree, item->path, copying->step->cancelled, &sum, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r) {
		item->known = false; /* it is left out all the same */
		return 0;
	}
	item->bytes = sum.bytes;
	item->files = sum.files;
	return 0;
}

static void say_source(struct copying *copying, const struct copy_item *item)
{
	struct finding *finding =
		result_find(copying->result, "source", VERDICT_PASS, "%s", item->given);
	const char *what = item->set->database ? database_name(item->set->database) : NULL;
	AUTO_FREE char *size = NULL;
	AUTO_BUF observed = BUF_INIT;

	if (size_words(item->bytes, &size) < 0)
		copying->result->failed = -ENOMEM;
	if (item->reason)
		what = item->reason;
	result_say(copying->result, finding,
		   PLURAL("%s in %llu file are copied%s%s.", "%s in %llu files are copied%s%s.",
			  item->files),
		   size ? size : "?", (unsigned long long)item->files, what ? ": " : "",
		   what ? what : "");
	buf_addf(&observed, "%llu bytes, %llu files", (unsigned long long)item->bytes,
		 (unsigned long long)item->files);
	for (size_t i = 0; i < item->set->n_roots; i++)
		result_evidence(copying->result, finding, item->set->roots[i].path,
				i ? item->set->roots[i].by : buf_text(&observed), NULL, NULL);
}

static void say_left_out(struct copying *copying, const struct copy_item *item)
{
	struct finding *finding =
		result_find(copying->result, "left-out", VERDICT_PASS, "%s", item->given);
	AUTO_FREE char *size = NULL;
	AUTO_BUF observed = BUF_INIT;

	if (size_words(item->bytes, &size) < 0)
		copying->result->failed = -ENOMEM;
	buf_addf(&observed, "%llu bytes", (unsigned long long)item->bytes);
	if (item->known)
		result_say(copying->result, finding, _("%s are left out: %s."), size ? size : "?",
			   item->reason ? item->reason : "?");
	else
		result_say(copying->result, finding,
			   _("It is left out, its size is not known: %s."),
			   item->reason ? item->reason : "?");
	result_evidence(copying->result, finding, item->path,
			item->known ? buf_text(&observed) : NULL, NULL, NULL);
}

int copying_classify(struct copying *copying, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < copying->n; i++) {
		struct copy_item *item = &copying->items[i];

		if (item->set)
			r = count_copied(copying, item);
		else if (item->known)
			r = sum_left_out(copying, item, err);
	}
	if (r == -EOVERFLOW)
		return error_set(err, r, "%s", _("the sizes of the sources have no sum"));
	for (size_t i = 0; r == 0 && i < copying->n; i++) {
		struct copy_item *item = &copying->items[i];
		uint64_t others = item->set || !item->path ? 0 : others_below(copying, item);

		if (item->set) {
			say_source(copying, item);
		} else if (item->recreatable && item->path) {
			item->bytes -= others < item->bytes ? others : item->bytes;
			copying->left_out += item->bytes;
			say_left_out(copying, item);
		}
	}
	return r;
}
