/* SPDX-License-Identifier: MIT */
/* The parts of the kind names.fstab. */
#ifndef COLDSWAP_STEP_NAMES_FSTAB_H
#define COLDSWAP_STEP_NAMES_FSTAB_H

#include "probe/facts.h"
#include "probe/users.h"
#include "step.h"
#include "work/names.h"

/* What an entry is for, and so how bad its absence is. */
struct role {
	bool swap;
	bool root;     /* mounted by the initramfs: a failure stops before systemd */
	bool system;   /* root, /boot and the like: without their disk nothing boots anyway */
	bool optional; /* nofail, noauto, an automount, or a network filesystem */
	bool noauto;   /* not mounted at boot */
	bool automount;
	bool nofail; /* tried at boot, and let go */
};

struct role role_of(const struct fstab_entry *entry);
/* Swap that is missing costs a wait, a required filesystem the boot. */
enum verdict role_verdict(const struct role *role);
/* The same for a name that silently means another disk: nofail is no help. */
enum verdict role_verdict_other(const struct role *role);
/* What the boot does when the device is not there: one clause. */
const char *role_harm(const struct role *role);

struct entry_view {
	const struct fstab_entry *entry;
	struct role role;
	struct ref ref;
	bool at_stake;     /* a disk of the work that does not come up takes it away */
	bool judged;       /* its name is at fault: a finding has said so */
	bool asks_nofail;  /* no-nofail was reported */
	char *source;      /* "/etc/fstab:7" */
	const char *where; /* the line without its first field: what a mount option is judged by */
	const char *what;  /* the mount point, or "swap" */
};

struct fstab_check {
	const struct step *step;
	const struct work *work; /* the step's, and the disks that the parameter adds */
	struct result *ret;
	const struct fstab *fstab;
	const struct blocks *blocks;
	struct entry_view *views; /* as fstab->items */
	bool systemd;
	unsigned md_arrays;
	bool missing;                        /* there is no fstab: `fstab` has no entries */
	const struct entry_view **by_target; /* those that are mounts */
	size_t n_by_target;
	char **duplicates; /* kernel names that were reported already */
};

/* The reference of the entry: kernel name, by-path, tag, ... */
void judge_name(struct fstab_check *check, struct entry_view *view);
/* btrfs device= and degraded, log devices. */
int judge_options(struct fstab_check *check, struct entry_view *view, struct error *err);
/* nofail, who uses data below, what is mounted below: over all entries. */
int judge_mounts(struct fstab_check *check, struct error *err);
/* An mdadm.conf without ARRAY lines, once. */
int judge_md_configuration(struct fstab_check *check, struct error *err);

/* An fstab without entries, or none: what mounts the disks then?  Ends with the summary. */
int judge_without_entries(struct fstab_check *check, struct error *err);

extern const struct finding_row names_fstab_findings[];

#endif
