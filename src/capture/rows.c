/* SPDX-License-Identifier: MIT */
#include "capture/rows.h"

#include <fnmatch.h>
#include <string.h>

#include "attr.h"

/* Read by the probes; taken wherever no probe asked yet. */
#define TAKE_ROW(glob, hold)                                                                       \
	{                                                                                          \
		glob, hold, true, false                                                            \
	}
#define TAKE_BELOW(glob, hold)                                                                     \
	{                                                                                          \
		glob, hold, true, true                                                             \
	}
/* Held so if a probe asks. */
#define ASKED(glob, hold)                                                                          \
	{                                                                                          \
		glob, hold, false, false                                                           \
	}
#define ASKED_BELOW(glob, hold)                                                                    \
	{                                                                                          \
		glob, hold, false, true                                                            \
	}

static const struct capture_row rows[] = {
	/* keys, tokens, memory and environments of processes */
	ASKED("/etc/shadow*", HOLD_NEVER),
	ASKED("/etc/gshadow*", HOLD_NEVER),
	ASKED_BELOW("/etc/ssl/private", HOLD_NEVER),
	ASKED_BELOW("/etc/ssh", HOLD_NEVER),
	ASKED_BELOW("/etc/cryptsetup-keys.d", HOLD_NEVER),
	ASKED_BELOW("/etc/luks", HOLD_NEVER),
	ASKED_BELOW("/etc/keys", HOLD_NEVER),
	ASKED_BELOW("/etc/credstore*", HOLD_NEVER),
	ASKED_BELOW("/etc/kubernetes/pki", HOLD_NEVER),
	ASKED("/etc/kubernetes/*.conf", HOLD_NEVER),
	ASKED("/etc/rancher/*/*.yaml.d", HOLD_NEVER),
	ASKED("/etc/rancher/k3s/k3s.yaml", HOLD_NEVER),
	ASKED("/etc/rancher/node/*", HOLD_NEVER),
	ASKED("/etc/NetworkManager/system-connections/*", HOLD_NEVER),
	ASKED("/etc/wireguard/*", HOLD_NEVER),
	ASKED_BELOW("/root", HOLD_NEVER),
	ASKED_BELOW("/run/secrets", HOLD_NEVER),
	ASKED_BELOW("/run/credentials", HOLD_NEVER),
	ASKED_BELOW("/proc/[0-9]*", HOLD_NEVER),
	ASKED("/proc/kcore", HOLD_NEVER),
	ASKED_BELOW("/proc/keys", HOLD_NEVER),
	ASKED("/sys/firmware/efi/efivars/*Token-*", HOLD_NEVER),
	ASKED("/coldswap/kube/secrets.json", HOLD_NEVER),
	ASKED("/coldswap/kube/configmaps.json", HOLD_NEVER),

	/* tables of filesystems, arrays and volumes */
	TAKE_ROW("/etc/fstab", HOLD_TEXT),
	TAKE_ROW("/etc/crypttab", HOLD_CRYPTTAB),
	TAKE_ROW("/etc/mdadm.conf", HOLD_TEXT),
	TAKE_BELOW("/etc/mdadm.conf.d", HOLD_TEXT),
	TAKE_BELOW("/etc/mdadm", HOLD_TEXT),
	TAKE_ROW("/etc/lvm/lvm.conf", HOLD_TEXT),
	TAKE_ROW("/etc/lvm/lvmlocal.conf", HOLD_TEXT),
	TAKE_BELOW("/etc/lvm/devices", HOLD_TEXT),
	TAKE_ROW("/etc/multipath.conf", HOLD_TEXT),
	TAKE_BELOW("/etc/multipath", HOLD_TEXT),
	TAKE_ROW("/etc/zfs/vdev_id.conf", HOLD_TEXT),
	TAKE_ROW("/etc/zfs/zpool.cache", HOLD_RAW),
	TAKE_ROW("/etc/smartd.conf", HOLD_TEXT),
	TAKE_ROW("/etc/hdparm.conf", HOLD_TEXT),
	TAKE_ROW("/etc/auto.*", HOLD_TEXT),
	TAKE_BELOW("/etc/auto.master.d", HOLD_TEXT),
	TAKE_ROW("/etc/udev/rules.d/*.rules", HOLD_TEXT),
	TAKE_ROW("/etc/rtslib-fb-target/saveconfig.json", HOLD_JSON),
	TAKE_ROW("/etc/target/saveconfig.json", HOLD_JSON),
	TAKE_ROW("/etc/tgt/conf.d/*.conf", HOLD_TEXT),

	/* who it is */
	TAKE_ROW("/etc/hostname", HOLD_TEXT),
	TAKE_ROW("/etc/machine-id", HOLD_TEXT),
	TAKE_ROW("/etc/os-release", HOLD_TEXT),
	ASKED("/usr/lib/os-release", HOLD_TEXT),

	/* how it boots */
	TAKE_ROW("/etc/default/grub", HOLD_TEXT),
	TAKE_BELOW("/etc/default/grub.d", HOLD_TEXT),
	TAKE_ROW("/etc/kernel/cmdline", HOLD_TEXT),
	TAKE_BELOW("/etc/cmdline.d", HOLD_TEXT),
	ASKED("/usr/lib/kernel/cmdline", HOLD_TEXT),
	TAKE_ROW("/etc/kernel/install.conf", HOLD_TEXT),
	TAKE_ROW("/etc/kernel/entry-token", HOLD_TEXT),
	TAKE_ROW("/etc/modprobe.d/*.conf", HOLD_TEXT),
	TAKE_ROW("/etc/initramfs-tools/initramfs.conf", HOLD_TEXT),
	TAKE_BELOW("/etc/initramfs-tools/conf.d", HOLD_TEXT),
	TAKE_ROW("/etc/dracut.conf", HOLD_TEXT),
	TAKE_BELOW("/etc/dracut.conf.d", HOLD_TEXT),
	TAKE_ROW("/boot/grub/grub.cfg", HOLD_TEXT),
	TAKE_ROW("/boot/grub/device.map", HOLD_TEXT),
	TAKE_ROW("/boot/grub2/grub.cfg", HOLD_TEXT),
	TAKE_ROW("/boot/grub2/device.map", HOLD_TEXT),
	ASKED("/boot/grub*/*.cfg", HOLD_TEXT),
	TAKE_ROW("/boot/loader/loader.conf", HOLD_TEXT),
	TAKE_ROW("/boot/loader/entries/*.conf", HOLD_TEXT),
	TAKE_ROW("/boot/extlinux/extlinux.conf", HOLD_TEXT),
	TAKE_ROW("/boot/cmdline.txt", HOLD_TEXT),
	TAKE_ROW("/boot/firmware/cmdline.txt", HOLD_TEXT),
	ASKED("/boot/*.txt", HOLD_TEXT),
	ASKED("/boot/firmware/*.txt", HOLD_TEXT),
	TAKE_ROW("/boot/efi/loader/loader.conf", HOLD_TEXT),
	TAKE_ROW("/boot/efi/loader/entries/*.conf", HOLD_TEXT),
	TAKE_ROW("/boot/efi/EFI/*/*.[cC][fF][gG]", HOLD_TEXT),
	TAKE_ROW("/boot/EFI/*/*.[cC][fF][gG]", HOLD_TEXT),
	TAKE_ROW("/efi/loader/loader.conf", HOLD_TEXT),
	TAKE_ROW("/efi/loader/entries/*.conf", HOLD_TEXT),
	TAKE_ROW("/efi/EFI/*/*.[cC][fF][gG]", HOLD_TEXT),
	TAKE_BELOW("/boot/efi/EFI", HOLD_NAME),
	TAKE_BELOW("/boot/EFI", HOLD_NAME),
	TAKE_BELOW("/efi/EFI", HOLD_NAME),
	ASKED_BELOW("/boot", HOLD_NAME),
	ASKED_BELOW("/efi", HOLD_NAME),

	/* what is started */
	TAKE_BELOW("/etc/systemd/system", HOLD_UNIT),
	ASKED_BELOW("/usr/local/lib/systemd/system", HOLD_UNIT),
	ASKED_BELOW("/usr/lib/systemd/system", HOLD_UNIT),
	ASKED_BELOW("/lib/systemd/system", HOLD_UNIT),
	ASKED_BELOW("/run/systemd/generator*", HOLD_UNIT),
	ASKED_BELOW("/run/systemd/system", HOLD_UNIT),
	TAKE_ROW("/run/systemd/generator*/*.mount", HOLD_UNIT),
	TAKE_ROW("/run/systemd/generator*/*.swap", HOLD_UNIT),
	TAKE_ROW("/etc/rancher/*/config.yaml", HOLD_YAML),
	TAKE_ROW("/etc/rancher/*/config.yaml.d/*.yaml", HOLD_YAML),
	TAKE_ROW("/etc/kubernetes/manifests/*", HOLD_YAML),

	/* the kernel's word */
	TAKE_ROW("/proc/cmdline", HOLD_TEXT),
	TAKE_ROW("/proc/mounts", HOLD_TEXT),
	TAKE_ROW("/proc/self/mounts", HOLD_TEXT),
	TAKE_ROW("/proc/self/mountinfo", HOLD_TEXT),
	TAKE_ROW("/proc/swaps", HOLD_RAW),
	TAKE_ROW("/proc/diskstats", HOLD_RAW),
	TAKE_ROW("/proc/mdstat", HOLD_RAW),
	TAKE_ROW("/proc/partitions", HOLD_RAW),
	TAKE_ROW("/proc/meminfo", HOLD_RAW),
	TAKE_ROW("/proc/sys/kernel/osrelease", HOLD_RAW),
	TAKE_ROW("/proc/sys/kernel/hostname", HOLD_RAW),
	TAKE_ROW("/proc/sys/kernel/random/boot_id", HOLD_RAW),
	TAKE_ROW("/proc/sys/fs/leases-enable", HOLD_RAW),
	TAKE_ROW("/proc/sys/fs/lease-break-time", HOLD_RAW),
	TAKE_ROW("/proc/sys/net/core/[rw]mem_*", HOLD_RAW),
	TAKE_ROW("/proc/sys/net/ipv4/tcp_[rw]mem", HOLD_RAW),
	TAKE_ROW("/proc/sys/net/ipv4/tcp_adv_win_scale", HOLD_RAW),
	TAKE_ROW("/proc/sys/net/ipv4/tcp_timestamps", HOLD_RAW),
	TAKE_ROW("/proc/sys/net/ipv4/tcp_moderate_rcvbuf", HOLD_RAW),
	TAKE_ROW("/proc/sys/net/ipv4/tcp_window_scaling", HOLD_RAW),
	ASKED_BELOW("/proc", HOLD_TEXT),

	TAKE_ROW("/sys/firmware/efi/fw_platform_size", HOLD_RAW),
	TAKE_ROW("/sys/firmware/efi/efivars/Boot*", HOLD_RAW),
	TAKE_ROW("/sys/firmware/efi/efivars/SecureBoot-*", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/dev", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/size", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/ro", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/removable", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/partition", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/stat", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/queue/rotational", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/slaves/*", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/holders/*", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/dm/*", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/md/*", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/loop/backing_file", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/model", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/vendor", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/rev", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/type", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/state", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/serial", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/wwid", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/device/vpd_pg80", HOLD_RAW),
	TAKE_ROW("/sys/class/block/*/wwid", HOLD_RAW),
	TAKE_ROW("/sys/block/*", HOLD_RAW),
	TAKE_ROW("/sys/dev/block/*", HOLD_RAW),
	TAKE_ROW("/sys/class/ata_port/*/*", HOLD_RAW),
	TAKE_ROW("/sys/class/ata_link/*/*", HOLD_RAW),
	TAKE_ROW("/sys/class/ata_device/*/*", HOLD_RAW),
	TAKE_ROW("/sys/class/scsi_host/*/unique_id", HOLD_RAW),
	TAKE_ROW("/sys/class/scsi_host/*/proc_name", HOLD_RAW),
	TAKE_ROW("/sys/class/scsi_host/*/ahci_*", HOLD_RAW),
	TAKE_ROW("/sys/class/net/*/address", HOLD_RAW),
	TAKE_ROW("/sys/class/net/*/mtu", HOLD_RAW),
	TAKE_ROW("/sys/class/net/*/type", HOLD_RAW),
	TAKE_ROW("/sys/class/net/*/device", HOLD_RAW),
	ASKED_BELOW("/sys", HOLD_RAW),

	/* udev's word */
	TAKE_ROW("/run/udev/data/b*", HOLD_TEXT),
	TAKE_ROW("/dev/disk/by-*/*", HOLD_TEXT),
	TAKE_ROW("/dev/mapper/*", HOLD_TEXT),
	TAKE_ROW("/dev/md/*", HOLD_TEXT),
	ASKED_BELOW("/dev", HOLD_TEXT),

	/* what a capture holds and no file of a host */
	TAKE_ROW("/coldswap/kube/*.json", HOLD_JSON),
	TAKE_ROW("/coldswap/vault/*.json", HOLD_JSON),
	TAKE_ROW("/coldswap/systemd/*.json", HOLD_JSON),
	TAKE_ROW("/coldswap/smart/*.json", HOLD_RAW),
	TAKE_ROW("/coldswap/openfiles.json", HOLD_JSON),
	TAKE_ROW("/coldswap/host.json", HOLD_RAW),
	TAKE_ROW("/coldswap/measures.json", HOLD_RAW),
	TAKE_ROW("/coldswap/*.json", HOLD_JSON),
	TAKE_ROW("/coldswap/*", HOLD_TEXT),
	ASKED_BELOW("/coldswap", HOLD_JSON),
};

const struct capture_row *capture_row_at(size_t index)
{
	return index < ELEMENTS(rows) ? &rows[index] : NULL;
}

/* Does the pattern fit the whole path, or (`below`) a directory above it? */
static bool fits(const struct capture_row *row, const char *path)
{
	int flags = FNM_PATHNAME | FNM_NOESCAPE | (row->below ? FNM_LEADING_DIR : 0);

	return fnmatch(row->glob, path, flags) == 0;
}

/* Names that give themselves away, wherever they lie. */
static bool is_key_file(const char *path)
{
	static const char *const globs[] = { "*/server/token", "*/node-token",
					     "*/agent-token",  "*.key",
					     "*.pem",          "*.p12",
					     "*.pfx",          "*.jks",
					     "*.kdbx",         "*.gpg",
					     "*/id_rsa*",      "*/id_ed25519*",
					     "*/id_ecdsa*",    "*/.ssh/*",
					     "*/.vault-token", "*/kubeconfig",
					     "*/.kube/*",      "*keyfile",
					     "*/passwd-file",  "*/server/cred/*",
					     "*/server/tls/*", "*/.smbcredentials" };

	for (size_t i = 0; i < ELEMENTS(globs); i++)
		if (fnmatch(globs[i], path, FNM_NOESCAPE) == 0)
			return true;
	return false;
}

enum hold capture_hold(const char *path)
{
	if (is_key_file(path))
		return HOLD_NEVER;
	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (fits(&rows[i], path))
			return rows[i].hold;
	return HOLD_GUARDED;
}

bool capture_is_system(const char *path)
{
	static const char *const roots[] = { "/etc",  "/proc", "/sys", "/dev", "/run",
					     "/boot", "/efi",  "/usr", "/lib", "/coldswap" };

	for (size_t i = 0; i < ELEMENTS(roots); i++) {
		size_t len = strlen(roots[i]);

		if (strncmp(path, roots[i], len) == 0 && (path[len] == '/' || !path[len]))
			return true;
	}
	return false;
}

/* A link to the one who reads; in a capture there is but one. */
bool capture_is_self(const char *path)
{
	return strcmp(path, "/proc/self") == 0 || strcmp(path, "/proc/thread-self") == 0;
}

const char *capture_usual_top(size_t index)
{
	static const char *const tops[] = { "bin", "boot", "dev",  "etc", "home", "lib",
					    "mnt", "opt",  "proc", "run", "sbin", "srv",
					    "sys", "tmp",  "usr",  "var" };

	return index < ELEMENTS(tops) ? tops[index] : NULL;
}
