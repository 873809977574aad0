/* SPDX-License-Identifier: MIT */
/* Where the copy goes: which disk, what filesystem, how much room. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/fskind.h"
#include "probe/paths.h"
#include "step/copy_room.h"
#include "work/work.h"

/* What a copy takes beside its bytes: directories, partial blocks, the manifest. */
#define RESERVE_MIN ((uint64_t)64 << 20)

static struct finding *find(struct copy_look *look, const char *id, enum verdict verdict)
{
	const struct mount *mount = look->target.mount;
	struct finding *finding = result_find(look->result, id, verdict, "%s", look->target.path);
	AUTO_BUF observed = BUF_INIT;
	char source[64];

	snprintf(source, sizeof(source), PATH_MOUNTINFO ":%u", mount->line);
	buf_addf(&observed, "%s on %s type %s (%s)", mount->source ? mount->source : "none",
		 mount->target, mount->fstype, mount->options ? mount->options : "");
	result_evidence(look->result, finding, source, buf_text(&observed), NULL, NULL);
	return finding;
}

static void say_memory(struct copy_look *look)
{
	struct finding *finding = find(look, "dest-in-memory", VERDICT_FAIL);

	result_say(look->result, finding,
		   _("%s lies in memory: the copy is gone when the power is."), look->target.path);
	result_remedy(look->result, finding, "%s",
		      _("Choose a destination on a disk: copy_to=PATH"));
}

static void say_network(struct copy_look *look)
{
	struct finding *finding = find(look, "dest-network", VERDICT_WARN);

	result_say(look->result, finding, _("%s lies on another machine (%s)."), look->target.path,
		   look->target.mount->source ? look->target.mount->source : "");
	result_remedy(look->result, finding, "%s",
		      _("Make sure that the other machine stays up until the work is done."));
}

static void say_read_only(struct copy_look *look)
{
	struct finding *finding = find(look, "dest-read-only", VERDICT_FAIL);

	result_say(look->result, finding, _("The filesystem of %s is mounted read-only."),
		   look->target.path);
	result_remedy(look->result, finding,
		      _("See the kernel log for the reason, or choose another destination: "
			"copy_to=PATH"));
}

static void say_disk_unknown(struct copy_look *look)
{
	struct finding *finding = find(look, "dest-disk-unknown", VERDICT_UNKNOWN);

	result_say(look->result, finding, _("It is not known on which disk %s lies."),
		   look->target.path);
	result_remedy(look->result, finding, "%s",
		      _("Choose a destination on a filesystem of a disk: copy_to=PATH"));
}

static int judge_disk(struct copy_look *look, struct error *err)
{
	const struct block *device = look->target.device;
	struct finding *finding;

	if (!device || device->n_disks == 0) {
		say_disk_unknown(look);
		return 0;
	}
	for (size_t i = 0; i < device->n_disks; i++) {
		AUTO_FREE char *disk = NULL;

		if (!work_touches(look->step->work, device->disks[i]))
			continue;
		if (block_describe(device->disks[i], &disk) < 0)
			return error_oom(err);
		finding = find(look, "dest-on-moved-disk", VERDICT_FAIL);
		result_say(look->result, finding, _("%s lies on %s, which the work touches."),
			   look->target.path, disk);
		result_remedy(look->result, finding, "%s",
			      _("Choose a destination on a disk that stays as it is: "
				"copy_to=PATH"));
	}
	return 0;
}

static void judge_nesting(struct copy_look *look)
{
	for (size_t i = 0; i < look->sources.n; i++) {
		const struct copy_source *source = &look->sources.items[i];
		bool inside = path_is_below(look->target.path, source->path);
		struct finding *finding;

		if (!inside && !path_is_below(source->path, look->target.path))
			continue;
		finding =
			result_find(look->result, "nested", VERDICT_FAIL, "%s", look->target.path);
		result_say(look->result, finding,
			   inside ? _("%s lies inside %s, which is copied.")
				  : _("%s holds %s, which is copied."),
			   look->target.path, source->path);
		result_remedy(look->result, finding, "%s",
			      _("Choose a destination outside all sources: copy_to=PATH"));
		result_evidence(look->result, finding, source->path, NULL, NULL, NULL);
	}
}

int copy_judge_target(struct copy_look *look, struct error *err)
{
	const struct mount *mount = look->target.mount;

	judge_nesting(look);
	if (option_has(mount->options, "ro"))
		say_read_only(look);
	switch (fskind_of(mount->fstype)) {
	case FSKIND_MEMORY:
		say_memory(look);
		return 0;
	case FSKIND_NETWORK:
		say_network(look);
		return 0;
	case FSKIND_DEVICE:
		break;
	}
	return judge_disk(look, err);
}

/* The law: what is copied, and a tenth of it or 64 MiB, whichever is more. */
static int need_of(uint64_t bytes, uint64_t *ret, struct buf *formula)
{
	uint64_t tenth = bytes / 10, reserve = tenth > RESERVE_MIN ? tenth : RESERVE_MIN;

	if (__builtin_add_overflow(bytes, reserve, ret))
		return -EOVERFLOW;
	return buf_addf(formula, "%llu + max(%llu / 10, 64 MiB)", (unsigned long long)bytes,
			(unsigned long long)bytes);
}

static void judge_bytes(struct copy_look *look, const struct space *space)
{
	AUTO_BUF formula = BUF_INIT, derived = BUF_INIT, observed = BUF_INIT;
	AUTO_FREE char *sum = NULL, *available = NULL, *wanted = NULL, *missing = NULL;
	struct finding *finding;
	uint64_t need = UINT64_MAX;
	bool fits;

	if (need_of(look->sources.total.bytes, &need, &formula) < 0)
		need = UINT64_MAX;
	fits = need <= space->available;
	if (copy_size(look->sources.total.bytes, &sum) < 0 ||
	    copy_size(space->available, &available) < 0 || copy_size(need, &wanted) < 0 ||
	    copy_size(fits ? 0 : need - space->available, &missing) < 0) {
		look->result->failed = -ENOMEM;
		return;
	}
	finding = result_find(look->result, fits ? "room" : "no-room",
			      fits ? VERDICT_PASS : VERDICT_FAIL, "%s", look->target.path);
	result_say(look->result, finding,
		   fits ? _("The copy of %s needs %s; %s has %s free.")
			: _("The copy of %s needs %s, but %s has only %s free."),
		   sum, wanted, look->target.mount->target, available);
	if (!fits)
		result_remedy(look->result, finding,
			      _("Free %s on %s, or choose another destination: copy_to=PATH"),
			      missing, look->target.mount->target);
	buf_addf(&observed, "%s: %llu bytes available", look->target.mount->target,
		 (unsigned long long)space->available);
	buf_addf(&derived, "%llu %s %llu", (unsigned long long)need, fits ? "<=" : ">",
		 (unsigned long long)space->available);
	result_evidence(look->result, finding, space->source, buf_text(&observed),
			buf_text(&formula), buf_text(&derived));
	result_output_int(look->result, "need_bytes",
			  (int64_t)(need > INT64_MAX ? INT64_MAX : need));
	result_output_int(look->result, "available_bytes",
			  (int64_t)(space->available > INT64_MAX ? INT64_MAX : space->available));
	result_summary(look->result,
		       fits ? PLURAL("%s of %zu source fit into %s, which has %s free.",
				     "%s of %zu sources fit into %s, which has %s free.",
				     look->sources.n)
			    : PLURAL("%s of %zu source do not fit into %s, which has %s free.",
				     "%s of %zu sources do not fit into %s, which has %s free.",
				     look->sources.n),
		       sum, look->sources.n, look->target.mount->target, available);
}

static void judge_inodes(struct copy_look *look, const struct space *space)
{
	uint64_t need = look->sources.total.files + look->sources.total.directories;
	AUTO_BUF formula = BUF_INIT, derived = BUF_INIT;
	struct finding *finding;

	if (space->inodes == 0 || need <= space->inodes_available)
		return;
	buf_addf(&formula, "%llu files + %llu directories",
		 (unsigned long long)look->sources.total.files,
		 (unsigned long long)look->sources.total.directories);
	buf_addf(&derived, "%llu > %llu", (unsigned long long)need,
		 (unsigned long long)space->inodes_available);
	finding = result_find(look->result, "no-inodes", VERDICT_FAIL, "%s", look->target.path);
	result_say(look->result, finding, _("The copy needs %llu inodes; %s has only %llu free."),
		   (unsigned long long)need, look->target.mount->target,
		   (unsigned long long)space->inodes_available);
	result_remedy(look->result, finding, "%s", _("Choose another destination: copy_to=PATH"));
	result_evidence(look->result, finding, space->source, NULL, buf_text(&formula),
			buf_text(&derived));
}

int copy_judge_room(struct copy_look *look, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct space space = { 0 };
	int r;

	/* A sum with a part missing would be a promise; the part is a finding already. */
	if (!look->sources.all_known) {
		result_summary(look->result, _("How much must be copied is not wholly known."));
		return 0;
	}
	r = facts_space(look->step->facts, look->target.mount->target, &space, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(look->result, "unreadable", look->target.mount->target,
			       look->target.mount->target, &why);
		return 0;
	}
	judge_bytes(look, &space);
	judge_inodes(look, &space);
	space_done(&space);
	return look->result->failed ? error_oom(err) : 0;
}
