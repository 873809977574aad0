/* SPDX-License-Identifier: MIT */
/* Who holds a filesystem or its devices, and what would end that. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "step/mount_release.h"

#define HOLDERS_SHOWN 16
#define MOUNTINFO_MAX ((size_t)16 << 20)

/* ---- asking ----------------------------------------------------------------------------- */

/* The members; of a disk its partitions too, and of a partition its disk: each is a way in. */
static int list_devices(const struct step *step, const struct release_fs *fs, dev_t **ret,
			size_t *ret_n, struct error *err)
{
	const struct blocks *blocks;
	size_t n = 0;
	int r = facts_blocks(step->facts, &blocks, err);

	if (r < 0)
		return r;
	*ret = calloc(blocks->n + fs->n_members + 1, sizeof(**ret));
	if (!*ret)
		return error_oom(err);
	for (size_t i = 0; i < fs->n_members; i++)
		(*ret)[n++] = makedev(fs->members[i].major, fs->members[i].minor);
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];
		bool related = false, itself = false;

		for (size_t k = 0; k < fs->n_members; k++) {
			const struct block *member =
				blocks_by_devno(blocks, fs->members[k].major, fs->members[k].minor);

			itself |= member == block;
			related |= member && (member->disk == block || block->disk == member);
		}
		if (related && !itself)
			(*ret)[n++] = makedev(block->major, block->minor);
	}
	*ret_n = n;
	return 0;
}

int release_holders(const struct step *step, const struct release_fs *fs, struct holders *ret,
		    struct error *err)
{
	AUTO_FREE struct holders_filesystem *filesystems =
		calloc(fs->n_mounts + 1, sizeof(*filesystems));
	AUTO_FREE dev_t *devices = NULL;
	struct holders_asked asked = { .filesystems = filesystems };
	int r;

	if (!filesystems)
		return error_oom(err);
	/* Each subvolume has a number of its own, and all have one in mountinfo. */
	for (size_t i = 0; i < fs->n_mounts; i++)
		filesystems[asked.n_filesystems++] = (struct holders_filesystem){
			.dev = fs->mounts[i].dev,
			.major = fs->major,
			.minor = fs->minor,
			.mount_point = fs->mounts[i].target,
		};
	r = list_devices(step, fs, &devices, &asked.n_devices, err);
	if (r < 0)
		return r;
	asked.devices = devices;
	return holders_find(step->host, &asked, step->cancelled, ret, err);
}

/* ---- saying --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *tail)
{
	size_t len = strlen(text), tail_len = strlen(tail);

	return len >= tail_len && strcmp(text + len - tail_len, tail) == 0;
}

static void add_remedy(const struct holder *holder, struct result *result, struct finding *finding)
{
	if (holder->type == HOLDER_LOOP)
		result_remedy(result, finding,
			      _("Unmount what lies on the loop device, and detach it: losetup -d "
				"/dev/%s."),
			      holder->comm ? holder->comm : "loopN");
	else if (holder->type == HOLDER_SWAP)
		result_remedy(result, finding, _("Take it out of use: swapoff %s."),
			      holder->text ? holder->text : "FILE");
	else if (holder->pod)
		result_remedy(
			result, finding,
			_("Scale the workload of the pod %s to 0 replicas, with a step before "
			  "this one."),
			holder->pod);
	else if (holder->container)
		result_remedy(result, finding, _("Stop the container %.12s before this step."),
			      holder->container);
	else if (holder->unit && !ends_with(holder->unit, ".scope"))
		result_remedy(result, finding,
			      _("Stop %s with a step before this one: use: unit.stop, with: {unit: "
				"%s}"),
			      holder->unit, holder->unit);
	else
		result_remedy(result, finding,
			      _("End it where it was started (pid %d); a shell there: cd /"),
			      (int)holder->pid);
}

void release_say_holder(const struct release_fs *fs, const struct holder *holder, const char *id,
			enum verdict verdict, struct result *result)
{
	AUTO_BUF who = BUF_INIT;
	struct finding *finding;

	if (holder_describe(holder, &who) < 0)
		result->failed = -ENOMEM;
	finding = result_find(result, id, verdict, "%s", release_name(fs));
	result_say(result, finding, "%s: %s.", release_name(fs), buf_text(&who));
	if (verdict > VERDICT_PASS)
		add_remedy(holder, result, finding);
	result_evidence(result, finding, holder->source ? holder->source : PATH_PROC,
			holder->observed ? holder->observed : holder->text, NULL, NULL);
}

/* ---- mount namespaces -------------------------------------------------------------------------- */

bool release_is_own_namespace(const struct step *step, const struct holder *holder)
{
	AUTO_FREE char *path = NULL, *own = NULL, *its = NULL;

	if (holder->type != HOLDER_MOUNT)
		return false;
	if (asprintf(&path, PATH_PROCESS_FMT "/ns/mnt", (int)holder->pid) < 0) {
		path = NULL;
		return false;
	}
	return host_readlink(step->host, PATH_SELF_MNT_NS, &own, NULL) == 0 &&
	       host_readlink(step->host, path, &its, NULL) == 0 && strcmp(own, its) == 0;
}

/* The N of "shared:N" or "master:N" in a line of mountinfo; 0 = it has none. */
static unsigned long tag_of(const char *line, const char *name)
{
	const char *end = strpbrk(line, "\n"), *at = strstr(line, name);

	return at && (!end || at < end) ? strtoul(at + strlen(name), NULL, 10) : 0;
}

static bool is_line_of(const struct release_fs *fs, const char *line)
{
	unsigned major, minor;

	return sscanf(line, "%*d %*d %u:%u ", &major, &minor) == 2 && major == fs->major &&
	       minor == fs->minor;
}

static bool is_id(const char *line, unsigned long id)
{
	return strtoul(line, NULL, 10) == id;
}

/* The line of the mount that this one is mounted on, or NULL. */
static const char *parent_line(const char *text, const char *line)
{
	unsigned long id;

	if (sscanf(line, "%*d %lu ", &id) != 1)
		return NULL;
	for (; text && *text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (is_id(text, id))
			return text;
	}
	return NULL;
}

/* A umount goes where the mount above it is shared to. */
static bool reaches(const struct release_fs *fs, const char *here, unsigned long group)
{
	for (const char *line = here; group && line && *line; line = strchr(line, '\n')) {
		const char *parent;

		line += *line == '\n';
		parent = is_line_of(fs, line) ? parent_line(here, line) : NULL;
		if (parent && tag_of(parent, " shared:") == group)
			return true;
	}
	return false;
}

/*
 * A service with a mount namespace of its own follows the umounts of the host
 * as a rule (systemd makes them so); a mount that was made private does not.
 */
bool release_spreads(const struct step *step, const struct release_fs *fs,
		     const struct holder *holder)
{
	AUTO_BUF here = BUF_INIT, there = BUF_INIT;
	bool any = false;

	if (!holder->source || !ends_with(holder->source, "/mountinfo") ||
	    host_read(step->host, PATH_MOUNTINFO, MOUNTINFO_MAX, &here, NULL) < 0 ||
	    host_read(step->host, holder->source, MOUNTINFO_MAX, &there, NULL) < 0)
		return false;
	for (const char *line = buf_text(&there); line && *line; line = strchr(line, '\n')) {
		const char *parent;

		line += *line == '\n';
		if (!is_line_of(fs, line))
			continue;
		parent = parent_line(buf_text(&there), line);
		if (!parent || (!reaches(fs, buf_text(&here), tag_of(parent, " shared:")) &&
				!reaches(fs, buf_text(&here), tag_of(parent, " master:"))))
			return false;
		any = true;
	}
	return any;
}

/* ---- a umount that was refused ------------------------------------------------------------------- */

static void say_nobody(const struct release_fs *fs, const struct error *why,
		       const struct holders *holders, struct result *result)
{
	struct finding *finding = result_find(result, "busy", VERDICT_FAIL, "%s", release_name(fs));

	result_say(result, finding,
		   _("%s cannot be unmounted (%s), and nobody is seen to hold it."),
		   release_name(fs), error_text(why));
	result_remedy(result, finding,
		      _("It may be the kernel: a loop device or a swap file on it, a mount below "
			"it, an NFS export. See: losetup -l; swapon; findmnt -R %s; exportfs."),
		      release_name(fs));
	result_evidence(result, finding, PATH_PROC,
			holders->gaps ? holders->gaps[0] : _("no process holds anything of it"),
			NULL, NULL);
}

/* One finding a process: the first of its holdings is the most telling. */
static bool is_told(const struct holders *holders, size_t index)
{
	const struct holder *holder = &holders->items[index];

	for (size_t i = 0; i < index; i++)
		if (holder->pid && holders->items[i].pid == holder->pid &&
		    holders->items[i].type != HOLDER_MOUNT)
			return true;
	return false;
}

int release_say_busy(const struct step *step, const struct release_fs *fs, const struct error *why,
		     struct result *result, struct error *err)
{
	AUTO_HOLDERS holders = { 0 };
	size_t shown = 0;
	int r = release_holders(step, fs, &holders, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < holders.n && shown < HOLDERS_SHOWN; i++) {
		const struct holder *holder = &holders.items[i];

		/* What has it mounted does not keep a umount from it. */
		if (holder->type == HOLDER_MOUNT || holder->type == HOLDER_DEVICE ||
		    is_told(&holders, i))
			continue;
		release_say_holder(fs, holder, "busy", VERDICT_FAIL, result);
		shown++;
	}
	if (!shown)
		say_nobody(fs, why, &holders, result);
	return 0;
}

/* ---- before the session ---------------------------------------------------------------------------- */

static int foresee_holder(const struct step *step, const struct release_fs *fs,
			  const struct holder *holder, struct result *result, struct error *err)
{
	const struct stoppable who = { holder->pid, holder->cgroup, holder->unit, holder->pod,
				       holder->container };
	const char *by = NULL;
	AUTO_BUF name = BUF_INIT;
	struct finding *finding;
	int r = holder->pid ? step_stopper(step, &who, &by, err) : 0;

	if (r == -ENOMEM || r == -ECANCELED)
		return r;
	if (r <= 0) {
		release_say_holder(fs, holder, "not-covered", VERDICT_FAIL, result);
		return 0;
	}
	holder_describe(holder, &name);
	finding = result_find(result, "covered", VERDICT_PASS, "%s", release_name(fs));
	result_say(result, finding, _("%s: %s; step '%s' ends it."), release_name(fs),
		   buf_text(&name), by);
	result_evidence(result, finding, holder->source ? holder->source : PATH_PROC,
			holder->observed, NULL, NULL);
	return 0;
}

int release_foresee_holders(const struct step *step, const struct release_fs *fs,
			    struct result *result, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_HOLDERS holders = { 0 };
	size_t shown = 0;
	int r = release_holders(step, fs, &holders, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r < 0) {
		result_unknown(result, "unreadable", release_name(fs), PATH_PROC, &why);
		return 0;
	}
	for (size_t i = 0; r >= 0 && i < holders.n && shown < HOLDERS_SHOWN; i++) {
		const struct holder *holder = &holders.items[i];

		if (is_told(&holders, i) || release_is_own_namespace(step, holder) ||
		    (holder->type == HOLDER_MOUNT && release_spreads(step, fs, holder)))
			continue;
		r = foresee_holder(step, fs, holder, result, err);
		shown++;
	}
	return r < 0 ? r : 0;
}
