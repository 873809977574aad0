/* SPDX-License-Identifier: MIT */
/* Does a user of a filesystem wait for it? */
#include <string.h>

#include "base/intl.h"
#include "step/unit_mounts.h"

/* The line at fault, or the one that makes it right; then what it uses. */
static void cite(struct result *ret, struct finding *finding, const struct user *user)
{
	if (user->at)
		result_evidence(ret, finding, user->at, user->at_text, NULL, NULL);
	if (!user->at || strcmp(user->at, user->source) != 0)
		result_evidence(ret, finding, user->source, user->observed, NULL, NULL);
}

static void advise(struct result *ret, struct finding *finding, const struct spot *spot,
		   const struct user *user)
{
	/* A requirement on a mount that systemd has no unit for is dropped in silence. */
	if (spot->known_to_boot == TRI_NO)
		result_remedy(ret, finding,
			      _("Add AssertPathIsMountPoint=%s to the [Unit] section of %s "
				"(`systemctl edit %s`): systemd has no unit that mounts it."),
			      spot->target, user->name, user->name);
	else if (spot->known_to_boot == TRI_UNKNOWN)
		result_remedy(ret, finding,
			      _("Add AssertPathIsMountPoint=%s to the [Unit] section of %s "
				"(`systemctl edit %s`): whether systemd has a unit that mounts it "
				"could not be read."),
			      spot->target, user->name, user->name);
	else
		result_remedy(ret, finding,
			      _("Add RequiresMountsFor=%s to the [Unit] section of %s (`systemctl "
				"edit %s`)."),
			      spot->target, user->name, user->name);
}

static struct finding *find(struct result *ret, const char *id, enum verdict verdict,
			    const struct spot *spot, const struct user *user)
{
	return result_find(ret, id, verdict, "%s, %s", user->name, spot->target);
}

static void say_waits(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "waits", VERDICT_PASS, spot, user);

	if (user->wait == WAIT_YES && user->at)
		result_evidence(ret, finding, user->at, user->at_text, NULL, NULL);
	else
		result_evidence(ret, finding, spot->source, spot->text, NULL, NULL);
	if (user->wait == WAIT_YES)
		result_say(ret, finding, _("%s starts when %s is mounted, and not without it."),
			   user->name, spot->target);
	else
		result_say(ret, finding,
			   _("%s is mounted when %s looks into it, which waits or gets an error."),
			   spot->target, user->name);
}

static void say_boot_stops(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "boot-stops", VERDICT_PASS, spot, user);

	result_say(ret, finding,
		   _("%s does not wait for %s itself, but the boot stops before it where the "
		     "mount fails."),
		   user->name, spot->target);
	result_evidence(ret, finding, spot->source, spot->text, NULL, NULL);
}

static void say_ordering(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "ordering-only", VERDICT_WARN, spot, user);

	result_say(ret, finding,
		   _("%s starts after %s was tried, and also where that has failed: then on an "
		     "empty directory."),
		   user->name, spot->target);
	advise(ret, finding, spot, user);
	cite(ret, finding, user);
}

static void say_pulling(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "no-ordering", VERDICT_WARN, spot, user);

	result_say(ret, finding,
		   _("%s requires the mount of %s without After=, so that both start at once: it "
		     "may be on the empty directory first."),
		   user->name, spot->target);
	advise(ret, finding, spot, user);
	cite(ret, finding, user);
}

static void say_passing(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "waits-until-reboot", VERDICT_WARN, spot, user);

	result_say(ret, finding,
		   _("%s waits for %s by a file below /run alone, which the next boot does not "
		     "find."),
		   user->name, spot->target);
	advise(ret, finding, spot, user);
	cite(ret, finding, user);
}

static void say_not(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "not-waiting", VERDICT_WARN, spot, user);

	if (user->by_pods)
		result_say(ret, finding,
			   _("%s does not wait for %s, which its pods use: where the disk does not "
			     "come up, they start on an empty directory."),
			   user->name, spot->target);
	else
		result_say(ret, finding,
			   _("%s uses %s and does not wait for %s: where the disk does not come "
			     "up, it starts on an empty directory."),
			   user->name, user->path, spot->target);
	advise(ret, finding, spot, user);
	cite(ret, finding, user);
}

/* No API and no operator stands between the kubelet and such a pod. */
static void say_static_pod(struct result *ret, const struct spot *spot, const struct user *user)
{
	struct finding *finding = find(ret, "static-pod", VERDICT_FAIL, spot, user);

	result_say(ret, finding,
		   _("The static pod %s makes %s where it is missing: where the disk does not come "
		     "up, it starts afresh on an empty directory."),
		   user->name, user->path);
	result_remedy(ret, finding,
		      _("Add RequiresMountsFor=%s to the unit of the kubelet (`systemctl edit "
			"kubelet`), or set the hostPath's type to Directory for a directory below "
			"the mount point."),
		      spot->target);
	result_evidence(ret, finding, user->source, user->observed, NULL, NULL);
}

static void judge_unit(struct result *ret, const struct spot *spot, const struct user *user)
{
	static void (*const say[])(struct result *, const struct spot *, const struct user *) = {
		[WAIT_NOT] = say_not,      [WAIT_ORDER] = say_ordering,
		[WAIT_PULL] = say_pulling, [WAIT_PASSING] = say_passing,
		[WAIT_YES] = say_waits,
	};

	if (spot->automount)
		say_waits(ret, spot, user);
	else if (user->wait != WAIT_YES && spot->required && !user->early)
		say_boot_stops(ret, spot, user);
	else
		say[user->wait](ret, spot, user);
}

/* Pods and volumes of the API are their kubelet's: its unit has the finding. */
void judge_user(struct result *ret, const struct spot *spot, const struct user *user)
{
	if (user->type == USER_UNIT)
		judge_unit(ret, spot, user);
	else if (user->type == USER_STATIC_POD && user->wait != WAIT_YES && !spot->required &&
		 !spot->automount)
		say_static_pod(ret, spot, user);
}
