/* SPDX-License-Identifier: MIT */
/*
 * The script that k3s brings along is the usual answer to containers that go
 * on, and looks like the right tool.  It kills them hard, unmounts what lies
 * below its prefixes and then removes the mount points: where two mounts are
 * stacked on one path, what it removes are the files of the lower one.  The
 * installed copy is read, since versions differ in all of that.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/fskind.h"
#include "probe/killall.h"
#include "probe/mounts.h"
#include "probe/paths.h"
#include "step/unit_stop.h"

#define SHOWN 5

/* Where kubelet mounts what pods use, and k3s keeps its own. */
static bool is_of_kubernetes(const struct killall_mount *mount)
{
	return path_is_below(mount->target, PATH_KUBELET_PLUGINS) ||
	       path_is_below(mount->target, PATH_KUBELET_PODS) ||
	       path_is_below(mount->target, PATH_RANCHER);
}

/* What pods mount goes with them; what lies below k3s' own directory is somebody's disk. */
static bool is_own_filesystem(const struct killall_mount *mount)
{
	return path_is_below(mount->target, PATH_RANCHER) && !fskind_is_fleeting(mount->fstype) &&
	       fskind_of(mount->fstype) != FSKIND_STACKED;
}

static bool is_stacked(const struct killall_mount *mount)
{
	return mount->handled && mount->stacked;
}

static bool is_taken(const struct killall_mount *mount)
{
	return mount->handled && is_own_filesystem(mount);
}

static bool is_left(const struct killall_mount *mount)
{
	return !mount->handled && is_of_kubernetes(mount) && !fskind_is_fleeting(mount->fstype);
}

static size_t count(const struct killall *killall, bool (*wanted)(const struct killall_mount *))
{
	size_t n = 0;

	for (size_t i = 0; i < killall->n_mounts; i++)
		n += wanted(&killall->mounts[i]);
	return n;
}

static void cite_mounts(const struct killall *killall, bool (*wanted)(const struct killall_mount *),
			struct finding *finding, struct result *ret)
{
	size_t shown = 0;

	for (size_t i = 0; i < killall->n_mounts && shown < SHOWN; i++) {
		const struct killall_mount *mount = &killall->mounts[i];
		AUTO_BUF source = BUF_INIT;

		if (!wanted(mount))
			continue;
		buf_addf(&source, PATH_MOUNT_TABLE ":%u", mount->line);
		result_evidence(ret, finding, buf_text(&source), mount->text, NULL, NULL);
		shown++;
	}
}

static void say_removes(const struct killall *killall, const char *name, struct result *ret)
{
	size_t n = count(killall, is_stacked);
	struct finding *finding =
		result_find(ret, "killall-removes", n ? VERDICT_FAIL : VERDICT_WARN, "%s:%u",
			    killall->path, killall->removes);
	AUTO_BUF source = BUF_INIT;

	result_say(ret, finding,
		   n ? _("%s kills every container, unmounts and then removes; mounts are stacked "
			 "on one path here, so it would delete live data.")
		     : _("%s kills every container, unmounts and then removes the mount points: "
			 "it is not for stopping what has data open."),
		   killall->path);
	result_remedy(ret, finding,
		      _("Do not run it. Scale the workloads to 0, then stop %s; databases are "
			"closed properly only so."),
		      name);
	buf_addf(&source, "%s:%u", killall->path, killall->removes);
	result_evidence(ret, finding, buf_text(&source), killall->removes_text, NULL, NULL);
	cite_mounts(killall, is_stacked, finding, ret);
}

static void say_mounts(const struct killall *killall, const char *id,
		       bool (*wanted)(const struct killall_mount *), struct result *ret)
{
	struct finding *finding;

	if (!count(killall, wanted))
		return;
	finding = result_find(ret, id, VERDICT_WARN, "%s", killall->path);
	result_say(ret, finding,
		   wanted == is_taken
			   ? _("%s would unmount a filesystem of its own below the data of "
			       "Kubernetes.")
			   : _("%s leaves mounts of Kubernetes as they are: this version does not "
			       "know their place."),
		   killall->path);
	result_remedy(ret, finding, "%s",
		      _("Do not run it; let mount.release unmount what lies on the disks of the "
			"work, which proves that the device is free."));
	cite_mounts(killall, wanted, finding, ret);
}

int unit_stop_judge_killall(const struct step *step, const char *name, struct result *ret,
			    struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_KILLALL killall = { 0 };
	int r = killall_load(step->host, name, &killall, &why);

	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	/* It is nobody's step: where it cannot be read nothing of the work depends on it. */
	if (r < 0)
		return 0;
	if (killall.removes && (count(&killall, is_stacked) || count(&killall, is_taken)))
		say_removes(&killall, name, ret);
	if (killall.removes || killall.prefixes) {
		say_mounts(&killall, "killall-unmounts", is_taken, ret);
		say_mounts(&killall, "killall-leaves", is_left, ret);
	}
	return 0;
}
