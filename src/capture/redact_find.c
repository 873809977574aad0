/* SPDX-License-Identifier: MIT */
/* Which names a capture holds: from the probes, from their places, from their forms. */
#include "capture/redact.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/identity.h"
#include "probe/udev.h"

/* GUIDs that mean the same on every host. */
static const char *const constants[] = {
	"8be4df61-93ca-11d2-aa0d-00e098032b8c", /* EFI's global variables */
	"4a67b082-0a4c-41cf-b6c7-440b29bb8c4f", /* boot loaders' variables */
	"c12a7328-f81f-11d2-ba4b-00a0c93ec93b", /* types of partitions: ESP */
	"bc13c2ff-59e6-4262-a352-b275fd6f7172", /* extended boot loader */
	"0fc63daf-8483-4772-8e79-3d69d8477de4", /* Linux */
	"0657fd6d-a4ab-43c4-84e5-0933c84b4f4f", /* swap */
	"e6d6d379-f507-44c2-a23c-238f2a3df928", /* LVM */
	"a19d880f-05fc-4d3b-a006-743f0f84911e", /* RAID */
	"ca7d7ccb-63ed-4c53-861c-1742536059cc", /* LUKS */
	"4f68bce3-e8cd-4db1-96e7-fbcaf984b709", /* root, x86-64 */
	"b921b045-1df0-41c3-af44-4c6f280d3fae", /* root, AArch64 */
	"933ac7e1-2eb4-4f13-b844-0e14e2aef915", /* home */
	"3b8f8425-20e0-4f3b-907f-1a25a76f98e8", /* srv */
	"21686148-6449-6e6f-744e-656564454649", /* BIOS boot */
	"6a898cc3-1dd2-11b2-99a6-080020736631", /* ZFS */
	"ebd0a0a2-b9e5-4433-87c0-68b6b72699c7", /* Windows data */
	"e3c9e316-0b5c-4db8-817d-f92df00215ae", /* Windows reserved */
	"de94bba4-06d1-4d40-a16a-bfd50179d6ac", /* Windows recovery */
};

/* Words of systems, paths and settings: as a name they are told by their place alone. */
static const char *const common_words[] = {
	"root",    "boot",       "home",       "var",        "usr",        "srv",      "opt",
	"tmp",     "etc",        "dev",        "sys",        "proc",       "run",      "mnt",
	"media",   "data",       "swap",       "efi",        "esp",        "state",    "server",
	"backup",  "backups",    "storage",    "docker",     "kubelet",    "kube",     "rancher",
	"vault",   "postgres",   "pgsql",      "system",     "linux",      "debian",   "ubuntu",
	"fedora",  "centos",     "rocky",      "arch",       "windows",    "ext4",     "btrfs",
	"vfat",    "raid",       "crypt",      "luks",       "primary",    "local",    "default",
	"host",    "localhost",  "disk",       "part",       "sata",       "nvme",     "scsi",
	"path",    "uuid",       "label",      "name",       "type",       "none",     "auto",
	"kernel",  "grub",       "systemd",    "service",    "mount",      "target",   "block",
	"class",   "devices",    "firmware",   "log",        "lib",        "etcd",     "global",
	"base",    "raft",       "core",       "audit",      "files",      "user",     "users",
	"images",  "store",      "main",       "node",       "master",     "worker",   "volume",
	"volumes", "device",     "generic",    "virtual",    "table",      "defaults", "nofail",
	"noauto",  "size",       "model",      "serial",     "state",      "fstab",    "mysql",
	"grafana", "prometheus", "postgresql", "kubernetes", "containers", "archive",  "linear",
	"ahci",    "port",       "link",       "host0",      "microsoft",  "shim",     "loader",
	"ata",     "pci",        "usb",        "mmc",        "sda",        "sdb",      "sdc",
	"sdd",     "vda",        "md0",        "xfs",        "zfs",        "nfs",      "gpt",
	"dos",     "fat",        "net",        "k3s",        "pvc",        "pod",      "raw",
	"ram",     "map",        "ide",        "sas",        "ssd",        "hdd",      "cpu",
	"irq",     "dir",        "pgp",        "app",        "job",        "api",      "new",
	"old",     "all",        "any",        "yes",        "not",        "max",      "min",
	"off",     "set",        "get",        "the",        "and",        "for",
};

/*
 * Constants first, since they are no names; then labels as they are, since
 * udev also writes "_" for their blanks and the two must stay one.
 */
enum stage { STAGE_CONSTANTS, STAGE_SPACED, STAGE_ALL };

struct finding_names {
	struct renames *renames;
	enum stage stage;
};

static bool is_common(const char *text, size_t len)
{
	for (size_t i = 0; i < ELEMENTS(common_words); i++)
		if (strlen(common_words[i]) == len && strncasecmp(common_words[i], text, len) == 0)
			return true;
	return false;
}

bool redact_is_distinct(const char *text, size_t len)
{
	bool letter = false, digit = false;

	for (size_t i = 0; i < len; i++) {
		letter |= isalpha((unsigned char)text[i]) || (unsigned char)text[i] >= 0x80;
		digit |= isdigit((unsigned char)text[i]) != 0;
	}
	if (len < 4 || (!letter && len < 6) || (!letter && !digit))
		return false;
	return !is_common(text, len);
}

bool redact_is_distinct_host(const char *text, size_t len)
{
	bool letter = false;

	for (size_t i = 0; i < len; i++)
		letter |= isalpha((unsigned char)text[i]) != 0;
	return redact_is_distinct(text, len) || (len == 3 && letter && !is_common(text, len));
}

/* A FAT or MBR number, a UUID, an array's or LVM's: what is no hexadecimal number is text. */
int redact_add_uuid(struct renames *renames, const char *text, size_t len)
{
	char digits[64];
	const char *dash = memchr(text, '-', len);

	/* A partition of an MBR disk: "1234abcd-02". */
	if (len == 11 && dash == text + 8)
		len = 8;
	if (renames_digits(text, len, digits, sizeof(digits)))
		return renames_add_hex(renames, text, len, 0);
	/* Device mapper says first whose the rest is. */
	if (len > 4 && memcmp(text, "LVM-", 4) == 0)
		return redact_add_uuid(renames, text + 4, len < 68 ? len - 4 : 64);
	if (memmem(text, len, "LUKS", 4) || memmem(text, len, "mpath-", 6))
		return 0; /* told by their form */
	/* LVM: group and volume as one word. */
	if (len == 64 && !dash) {
		int r = renames_add_text(renames, text, 32);

		return r < 0 ? r : renames_add_text(renames, text + 32, 32);
	}
	if (len == 38) { /* LVM with its dashes: the bare form knows both */
		char bare[39];
		size_t n = 0;

		for (size_t i = 0; i < len; i++)
			if (text[i] != '-')
				bare[n++] = text[i];
		if (n == 32)
			return renames_add_text(renames, bare, n);
	}
	return redact_is_distinct(text, len) ? renames_add_text(renames, text, len) : 0;
}

int redact_add_wwn(struct renames *renames, const char *text, size_t len)
{
	if (len > 2 && text[0] == '0' && (text[1] | 32) == 'x') {
		text += 2;
		len -= 2;
	}
	/* Shorter ones are no names of the world. */
	return len < 8 ? 0 : renames_add_hex(renames, text, len, 1);
}

static int add_name(struct renames *renames, const char *text, size_t len)
{
	AUTO_FREE char *raw = strndup(text, len), *plain = NULL;

	if (!raw || udev_decode(raw, &plain) < 0)
		return -ENOMEM;
	/* fstab's blank. */
	for (char *at = plain; plain && (at = strstr(at, "\\040")); at++) {
		*at = ' ';
		memmove(at + 1, at + 4, strlen(at + 4) + 1);
	}
	if (!plain || !redact_is_distinct(plain, strlen(plain)))
		return 0;
	return renames_add_text(renames, plain, strlen(plain));
}

static int found(void *data, enum id_type type, const char *at, size_t len)
{
	struct finding_names *finding = data;
	AUTO_FREE char *text = NULL;

	if (type == ID_CONSTANT && finding->stage != STAGE_CONSTANTS)
		return 0;
	if (type != ID_CONSTANT && finding->stage == STAGE_CONSTANTS)
		return 0;
	if (finding->stage == STAGE_SPACED &&
	    (type != ID_LABEL || (!memchr(at, '\\', len) && !memchr(at, ' ', len))))
		return 0;
	switch (type) {
	case ID_CONSTANT:
		text = strndup(at, len);
		return text ? renames_exempt(finding->renames, text) : -ENOMEM;
	case ID_UUID:
		return redact_add_uuid(finding->renames, at, len);
	case ID_WWN:
		return redact_add_wwn(finding->renames, at, len);
	case ID_SERIAL:
	case ID_LABEL:
		return add_name(finding->renames, at, len);
	}
	return 0;
}

/* The kernel's first line names who built it. */
static bool entry_is_log(const struct entry *entry)
{
	return strncmp(entry->path, CAPTURED, strlen(CAPTURED)) == 0;
}

static int find_in(struct renames *renames, const struct entry *entry, enum stage stage)
{
	struct finding_names finding = { renames, stage };
	int r = contexts_scan(entry->data, entry->len, found, &finding);

	if (r == 0)
		r = contexts_scan(entry->path, strlen(entry->path), found, &finding);
	if (r < 0 || stage != STAGE_ALL)
		return r;
	r = patterns_scan(renames, entry->data, entry->len);
	if (r == 0 && capture_hold(entry->path) != HOLD_RAW && !entry_is_log(entry))
		r = mail_scan(renames, entry->data, entry->len);
	if (r == 0)
		r = patterns_scan(renames, entry->path, strlen(entry->path));
	return r == 0 ? special_find(renames, entry) : r;
}

static int add_text(struct renames *renames, const char *text)
{
	return text ? add_name(renames, text, strlen(text)) : 0;
}

static int add_uuid(struct renames *renames, const char *text)
{
	return text ? redact_add_uuid(renames, text, strlen(text)) : 0;
}

/* What the probes know a device by, wherever they had it from. */
static int find_in_blocks(struct renames *renames, struct facts *facts)
{
	const struct blocks *blocks;
	int r = 0;

	if (facts_blocks(facts, &blocks, NULL) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < blocks->n; i++) {
		const struct block *block = blocks->items[i];
		const char *const uuids[] = { block->table_uuid, block->fs_uuid, block->fs_uuid_sub,
					      block->part_uuid, block->md_uuid };
		const char *const names[] = { block->serial, block->fs_label, block->part_label };

		for (size_t k = 0; r == 0 && k < ELEMENTS(uuids); k++)
			r = add_uuid(renames, uuids[k]);
		/* A pool's name stands before each of its datasets, where no place tells it. */
		if (r == 0 && block->fs_type && block->fs_label &&
		    strcmp(block->fs_type, "zfs_member") == 0)
			r = renames_keep(renames, block->fs_label, strlen(block->fs_label));
		for (size_t k = 0; r == 0 && k < ELEMENTS(names); k++)
			r = add_text(renames, names[k]);
		if (r == 0 && block->wwn) {
			const char *dot = strchr(block->wwn, '.');

			dot = dot ? dot + 1 : block->wwn;
			r = redact_add_wwn(renames, dot, strlen(dot));
		}
	}
	return r;
}

static int find_in_identity(struct capture *capture, struct renames *renames)
{
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(capture->host, &identity, NULL);

	if (r == 0 && identity.name &&
	    redact_is_distinct_host(identity.name, strlen(identity.name)))
		r = renames_add_text(renames, identity.name, strlen(identity.name));
	/* The name alone, and with its domain. */
	if (r == 0 && identity.name && strchr(identity.name, '.'))
		r = add_name(renames, identity.name, strcspn(identity.name, "."));
	if (r == 0)
		r = add_uuid(renames, identity.machine_id);
	if (r == 0)
		r = add_uuid(renames, identity.boot_id);
	free(capture->host_name);
	capture->host_name = TAKE(identity.name);
	identity_done(&identity);
	return r == -ENOMEM ? r : 0;
}

static int find_in_all(struct capture *capture, struct renames *renames, enum stage stage)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < capture->entries.n; i++)
		r = find_in(renames, &capture->entries.items[i], stage);
	return r;
}

int redact_find(struct capture *capture, struct renames *renames)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(constants); i++)
		r = renames_exempt(renames, constants[i]);
	if (r == 0)
		r = find_in_all(capture, renames, STAGE_CONSTANTS);
	if (r == 0)
		r = find_in_identity(capture, renames);
	if (r == 0)
		r = find_in_blocks(renames, capture->facts);
	if (r == 0)
		r = find_in_all(capture, renames, STAGE_SPACED);
	if (r == 0)
		r = find_in_all(capture, renames, STAGE_ALL);
	return r == 0 ? renames_seal(renames) : r;
}
