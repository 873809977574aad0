/* SPDX-License-Identifier: MIT */
/* What a copy would be: everything that reading alone can tell. */
#include <errno.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/files_copy.h"

#define ASSUMED_MB_S 100

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

/* Written, and read back, at the rate that was measured on the disk, or a slow disk's. */
static int expect_time(struct copying *copying, struct error *err)
{
	const struct block *device = copying->to.device;
	AUTO_FREE char *source = NULL;
	double mb_s = 0;
	int r = 0;

	if (!copying->known || !copying->to.path)
		return 0;
	if (device && device->n_disks)
		r = facts_measured_write(copying->step->facts, device->disks[0], &mb_s, &source,
					 NULL);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r <= 0 || mb_s < 1)
		mb_s = ASSUMED_MB_S;
	result_output_int(copying->result, "seconds",
			  (int64_t)((double)copying->bytes / 1e6 / mb_s * 2) + 1);
	return 0;
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
	/* A capture has what was looked at: that there is no other is not proved. */
	result_skip(copying->result, "%s",
		    host_is_live(copying->step->host)
			    ? _("No database directory was found: there is nothing to copy.")
			    : _("The capture tells of no database directory: there is nothing to "
				"judge."));
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
		r = expect_time(copying, err);
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
