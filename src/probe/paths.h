/* SPDX-License-Identifier: MIT */
/*
 * Every path of a host that the program names, in one place.
 *
 * A path is absolute, as on the host; the host root puts it below a capture.
 * A name that ends in _DIR has names to be added after a slash; a name that
 * ends in _FMT is a format of the names that it takes.
 */
#ifndef COLDSWAP_PROBE_PATHS_H
#define COLDSWAP_PROBE_PATHS_H

/* block devices */
#define PATH_DEV "/dev"
#define PATH_DEV_ROOT "/dev/root"
#define PATH_DEV_ROOT_KEPT "/dev//root" /* the same to the kernel; see table_line.c */
#define PATH_DEV_MAPPER "/dev/mapper"
#define PATH_DEV_MD "/dev/md"
#define PATH_DEV_NULL "/dev/null"
#define PATH_DEV_BY_UUID "/dev/disk/by-uuid"
#define PATH_DEV_BY_LABEL "/dev/disk/by-label"
#define PATH_DEV_BY_PARTUUID "/dev/disk/by-partuuid"
#define PATH_DEV_BY_PARTLABEL "/dev/disk/by-partlabel"
#define PATH_DEV_BY_ID "/dev/disk/by-id"
#define PATH_DEV_BY_PATH "/dev/disk/by-path"
#define PATH_CLASS_BLOCK "/sys/class/block"
#define PATH_BLOCK "/sys/block"
#define PATH_LOOP_BACKING_FMT "/sys/block/%s/loop/backing_file"
#define PATH_UDEV_DATA "/run/udev/data"

/* ATA */
#define PATH_CLASS_ATA_PORT "/sys/class/ata_port"
#define PATH_CLASS_ATA_LINK "/sys/class/ata_link"
#define PATH_CLASS_ATA_DEVICE "/sys/class/ata_device"
#define PATH_PCI_DEVICES "/sys/bus/pci/devices"

/* mounts */
#define PATH_FSTAB "/etc/fstab"
#define PATH_MOUNTINFO "/proc/self/mountinfo"
#define PATH_SWAPS "/proc/swaps"
#define PATH_SELF_MNT_NS "/proc/self/ns/mnt"
#define PATH_FS_EXT4 "/sys/fs/ext4"
#define PATH_FS_XFS "/sys/fs/xfs"
#define PATH_FS_F2FS "/sys/fs/f2fs"
#define PATH_FS_BTRFS "/sys/fs/btrfs"
#define PATH_ETC "/etc"
#define PATH_RUN "/run"                 /* mounts below it come and go with sessions */
#define PATH_KUBELET "/var/lib/kubelet" /* and here with pods */

/* the machine as a whole */
#define PATH_CMDLINE "/proc/cmdline"
#define PATH_SELF_EXE "/proc/self/exe"
#define PATH_SELF_MAPS "/proc/self/maps"
#define PATH_PROC "/proc"
#define PATH_PROCESS_FMT "/proc/%d"
#define PATH_UPTIME "/proc/uptime"
#define PATH_DISKSTATS "/proc/diskstats"
#define PATH_EFI "/sys/firmware/efi"
#define PATH_SYS "/sys"
#define PATH_EFIVARS "/sys/firmware/efi/efivars"
/* which partition the boot loader came from, by systemd's Boot Loader Interface */
#define PATH_LOADER_DEVICE                                                                         \
	"/sys/firmware/efi/efivars/LoaderDevicePartUUID-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
#define PATH_RUN_SYSTEMD "/run/systemd"
#define PATH_SYSTEMD_RUN "/run/systemd/system"

/* what the host is called */
#define PATH_HOSTNAME "/etc/hostname"
#define PATH_KERNEL_HOSTNAME "/proc/sys/kernel/hostname"

/* configuration that names devices */
#define PATH_CRYPTTAB "/etc/crypttab"
#define PATH_MDADM_CONF "/etc/mdadm/mdadm.conf"
#define PATH_MDADM_CONF_REDHAT "/etc/mdadm.conf"
#define PATH_MDADM_CONF_D "/etc/mdadm/mdadm.conf.d"
#define PATH_MDADM_CONF_D_REDHAT "/etc/mdadm.conf.d"

/* what the firmware, a boot loader and the kernel are told */
#define PATH_FIRMWARE "/sys/firmware"
#define PATH_HYPERVISOR_TYPE "/sys/hypervisor/type"
#define PATH_DEFAULT_GRUB "/etc/default/grub"
#define PATH_DEFAULT_GRUB_D "/etc/default/grub.d"
#define PATH_KERNEL_CMDLINE "/etc/kernel/cmdline"
#define PATH_KERNEL_CMDLINE_USR "/usr/lib/kernel/cmdline"
#define PATH_INITRAMFS_CONF "/etc/initramfs-tools/initramfs.conf"
#define PATH_INITRAMFS_CONF_D "/etc/initramfs-tools/conf.d"
#define PATH_DRACUT_CONF "/etc/dracut.conf"
#define PATH_DRACUT_CONF_D "/etc/dracut.conf.d"
#define PATH_BOOT "/boot"
#define PATH_BOOT_EFI "/boot/efi"
#define PATH_EFI_MOUNT "/efi"
#define PATH_BOOT_FIRMWARE "/boot/firmware"
#define PATH_GRUB "/boot/grub"
#define PATH_GRUB_REDHAT "/boot/grub2"
#define PATH_CAPTURED_CLEVIS "/coldswap/clevis-luks-list.txt" /* of a capture */

/* what systemd and a kubelet start, by precedence */
#define PATH_SYSTEMD_CONTROL "/etc/systemd/system.control"
#define PATH_SYSTEMD_RUN_CONTROL "/run/systemd/system.control"
#define PATH_SYSTEMD_TRANSIENT "/run/systemd/transient"
#define PATH_SYSTEMD_EARLY "/run/systemd/generator.early"
#define PATH_SYSTEMD_ETC "/etc/systemd/system"
#define PATH_HOLD_DIR_FMT "/etc/systemd/system/%s.d"
#define PATH_HOLD_NAME "90-coldswap-hold.conf"
#define PATH_BOOT_UNIT "/etc/systemd/system/coldswap-verify.service"
#define PATH_BOOT_UNIT_NAME "coldswap-verify.service"
#define PATH_BOOT_UNIT_WANTS "/etc/systemd/system/multi-user.target.wants"
#define PATH_LOGIN_NOTICE_DIR "/run/motd.d"
#define PATH_LOGIN_NOTICE "/run/motd.d/coldswap"
#define PATH_SYSTEMD_GENERATED "/run/systemd/generator"
#define PATH_SYSTEMD_LOCAL "/usr/local/lib/systemd/system"
#define PATH_SYSTEMD_USR "/usr/lib/systemd/system"
#define PATH_SYSTEMD_LIB "/lib/systemd/system"
#define PATH_SYSTEMD_LATE "/run/systemd/generator.late"
#define PATH_K3S_RUN "/run/k3s"
#define PATH_K3S_KILLALL "/usr/local/bin/k3s-killall.sh"
#define PATH_RKE2_KILLALL "/usr/local/bin/rke2-killall.sh"
#define PATH_KUBELET_PLUGINS "/var/lib/kubelet/plugins"
#define PATH_KUBELET_PODS "/var/lib/kubelet/pods"
#define PATH_RANCHER "/var/lib/rancher"
#define PATH_MOUNT_TABLE "/proc/self/mounts" /* as a shell script reads it */
#define PATH_KUBE_MANIFESTS "/etc/kubernetes/manifests"
#define PATH_KUBE_VOLUMES "/coldswap/kube/persistentvolumes.json" /* of a capture */
#define PATH_KUBE_PODS "/coldswap/kube/pods.json"                 /* of a capture */

/* drives behind a RAID controller, and units, of a capture */
#define PATH_CAPTURED_SMART "/coldswap/smart"
#define PATH_CAPTURED_UNITS "/coldswap/systemd"
#define PATH_CAPTURED_OPEN_FILES "/coldswap/openfiles.json" /* of a capture */

/* network */
#define PATH_CLASS_NET "/sys/class/net"
#define PATH_NET_TCP "/proc/self/net/tcp"
#define PATH_NET_TCP6 "/proc/self/net/tcp6"
#define PATH_NET_UDP "/proc/self/net/udp"
#define PATH_NET_UDP6 "/proc/self/net/udp6"
#define PATH_SERVICES "/etc/services"

/* databases, in their usual places */
#define PATH_K3S_DATA "/var/lib/rancher/k3s"
#define PATH_K3S_CONFIG "/etc/rancher/k3s/config.yaml"
#define PATH_POSTGRESQL_DEBIAN "/var/lib/postgresql"
#define PATH_POSTGRESQL_REDHAT "/var/lib/pgsql"
#define PATH_VAULT "/var/lib/vault"
#define PATH_VAULT_OPT "/opt/vault/data"
#define PATH_OPENBAO "/var/lib/openbao"
#define PATH_OPENBAO_OPT "/opt/openbao/data"
#define PATH_ETCD "/var/lib/etcd"
#define PATH_MYSQL "/var/lib/mysql"
#define PATH_GRAFANA "/var/lib/grafana"

/* where a cold copy goes unless the runbook says otherwise */
#define PATH_COPY_TO "/home/backup/coldswap"

/* where the system itself lies, if not in / */
#define PATH_USR "/usr"
#define PATH_VAR "/var"
#define PATH_VAR_LIB "/var/lib"
#define PATH_VAR_LOG "/var/log"
#define PATH_HOME "/home"

#endif
