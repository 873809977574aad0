/* SPDX-License-Identifier: MIT */
/* What a copy would be: everything that reading alone can tell. */
#include <errno.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/files_copy.h"

static int read_facts(struct copying *copying, const char **ret_source, struct error *err)
{
	int r = facts_mounts(copying->step->facts, &copying->to.mounts, err);

	*ret_source = PATH_MOUNTINFO;
	if (r < 0)
		return r;
	r = facts_blocks(copying->step->facts, &copying->to.blocks, err);
	*ret_source = PATH_CLASS_BLOCK;
	if (r < 0)
		return r;
	*ret_source = "coldswap/files.json";
	return filetree_open(copying->step->host, &copying->tree, err);
}

static bool is_copied(const struct copying *copying)
{
	for (size_t i = 0; i < copying->n; i++)
		if (!copying->items[i].recreatable)
			return true;
	return false;
}

static void judge_nesting(struct copying *copying)
{
	for (size_t i = 0; i < copying->n; i++) {
		const struct dataset *set = copying->items[i].set;

		for (size_t k = 0; set && k < set->n_roots; k++)
			destination_nesting(&copying->to, set->roots[k].path);
	}
}

static int judge_destination(struct copying *copying, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(destination_room_done)
	struct destination_room room = {
		.bytes = copying->bytes,
		/* Directories are not counted: as many as files is more than there are. */
		.inodes = copying->files * 2,
	};
	int r = destination_find(&copying->to, copying->tree, copying->params->to, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(copying->result, "unreadable", copying->params->to,
			       copying->params->to, &why);
		return 0;
	}
	judge_nesting(copying);
	r = destination_judge(&copying->to, err);
	if (r < 0 || !copying->known)
		return r; /* a sum with a part missing would be a promise */
	return destination_judge_room(&copying->to, &room, err);
}

static void sum_up(struct copying *copying)
{
	AUTO_FREE char *size = NULL, *left = NULL;
	const char *to = copying->to.path ? copying->to.path : copying->params->to;
	bool all_left_known = true;

	for (size_t i = 0; i < copying->n; i++)
		all_left_known &= copying->items[i].known;
	if (size_words(copying->bytes, &size) < 0 || size_words(copying->left_out, &left) < 0) {
		copying->result->failed = -ENOMEM;
		return;
	}
	result_output_int(copying->result, "bytes", (int64_t)copying->bytes);
	result_output_int(copying->result, "files", (int64_t)copying->files);
	result_output_int(copying->result, "left_out_bytes", (int64_t)copying->left_out);
	if (!copying->known)
		result_summary(copying->result, "%s",
			       _("How much must be copied is not wholly known."));
	else if (!copying->left_out && all_left_known)
		result_summary(copying->result, _("%s are copied to %s."), size, to);
	else if (all_left_known)
		result_summary(copying->result,
			       _("%s are copied to %s; %s are left out and can be had again."),
			       size, to, left);
	else
		result_summary(copying->result,
			       _("%s are copied to %s; more than %s are left out and can be had "
				 "again."),
			       size, to, left);
}

static void say_nothing(struct copying *copying)
{
	struct finding *finding;

	if (copying->params->sources.n || copying->result->n_findings) {
		finding = result_find(copying->result, "nothing", VERDICT_PASS, "sources");
		result_say(copying->result, finding, "%s",
			   _("No source is irreplaceable: there is nothing to copy."));
		result_evidence(copying->result, finding, "sources", NULL, NULL, NULL);
		return;
	}
	result_skip(copying->result, "%s",
		    _("No database directory was found: there is nothing to copy."));
}

int copying_look(struct copying *copying, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const char *source = NULL;
	int r = read_facts(copying, &source, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(copying->result, "unreadable", source, source, &why);
		return 0;
	}
	r = copying_find(copying, err);
	if (!r)
		r = copying_classify(copying, err);
	if (r)
		return r;
	copying_links(copying);
	r = copying_rest(copying, err);
	if (r)
		return r;
	if (!is_copied(copying)) {
		say_nothing(copying);
		return 0;
	}
	r = judge_destination(copying, err);
	if (!r)
		sum_up(copying);
	return r;
}

void copying_done(struct copying *copying)
{
	for (size_t i = 0; i < copying->n; i++) {
		free(copying->items[i].given);
		free(copying->items[i].path);
		free(copying->items[i].reason);
		dataset_free(copying->items[i].set);
	}
	free(copying->items);
	destination_done(&copying->to);
	filetree_free(copying->tree);
}
