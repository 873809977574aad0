# SPDX-License-Identifier: MIT
"""An NVMe laptop, and Fedora on btrfs."""

from ata import Ahci
from capture import uid
from firmware import efi_entry, efi_variable, pci
from machine import Machine
from machines_parts import ESP, HDD, SSD, healthy, nic, part, room, systemd


def nvme_laptop():
    m = Machine(
        "nvme-laptop",
        "6.8.0-45-generic",
        "#45-Ubuntu SMP PREEMPT_DYNAMIC Fri Aug 30 12:02:04 UTC 2024",
        "BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=UUID=%s ro quiet splash"
        % uid("nvme-laptop", 2, 1050624 + 2097152),
    )
    path, serial = "pci0000:00/0000:00:06.0/0000:02:00.0", "S6XNNS0W310283B"
    pci(m.tree, path, "0x144d", "0xa80c", "0x010802", "nvme")
    model = "Samsung SSD 990 PRO 1TB"
    parts = [
        part("nvme-laptop", 1, 2048, 2201600, "vfat", type=ESP, partlabel="EFI System Partition"),
        part("nvme-laptop", 2, 1050624 + 2097152, 1950375936, "ext4"),
    ]
    udev = {
        "ID_SERIAL_SHORT": serial,
        "ID_WWN": "eui.0025384331408231",
        "ID_MODEL": model.replace(" ", "_"),
        "ID_REVISION": "4B2QJXD7",
        "ID_NSID": 1,
        "ID_SERIAL": f"{model.replace(' ', '_')}_{serial}_1",
        "ID_PATH": "pci-0000:02:00.0-nvme-1",
        "ID_PATH_TAG": "pci-0000_02_00_0-nvme-1",
        "ID_PART_TABLE_UUID": uid("nvme-laptop", "table"),
        "ID_PART_TABLE_TYPE": "gpt",
    }
    m.tree.attrs(
        f"sys/devices/{path}/nvme/nvme0",
        model=model.ljust(40),
        serial=serial.ljust(20),
        firmware_rev="4B2QJXD7",
        state="live",
        transport="pcie",
    )
    m.tree.point(f"sys/devices/{path}/nvme/nvme0/device", f"sys/devices/{path}")
    m.tree.point("sys/class/nvme/nvme0", f"sys/devices/{path}/nvme/nvme0")
    nvme_disk(m, path, udev, parts)
    nvme_smart(m, model, serial)
    m.say(1.2, "nvme nvme0: pci function 0000:02:00.0")
    m.say(1.21, "nvme nvme0: 8/0/0 default/read/poll queues")
    m.say(1.22, " nvme0n1: p1 p2")
    m.pseudo()
    m.mount(
        "259:2",
        "/",
        "ext4",
        "/dev/nvme0n1p2",
        super_options="rw,errors=remount-ro",
        space=room(980 * 10**9, 120e9),
    )
    m.mount(
        "259:1", "/boot/efi", "vfat", "/dev/nvme0n1p1", space={"total": 1124999168, "used": 6400000}
    )
    m.tree.put(
        "etc/fstab",
        f"# /etc/fstab: static file system information.\n#\n# / was on /dev/nvme0n1p2 during curtin installation\n"
        f"/dev/disk/by-uuid/{parts[1]['uuid']} / ext4 defaults 0 1\n# /boot/efi was on /dev/nvme0n1p1 during curtin installation\n"
        f"/dev/disk/by-uuid/{parts[0]['uuid']} /boot/efi vfat defaults 0 1\n/swap.img\tnone\tswap\tsw\t0\t0\n",
    )
    place = (1, 2048, 2201600, parts[0]["partuuid"])
    efi_variable(m.tree, "Boot0000", efi_entry("Ubuntu", *place, "\\EFI\\ubuntu\\shimx64.efi"))
    efi_variable(m.tree, "BootOrder", b"\0\0")
    efi_variable(m.tree, "BootCurrent", b"\0\0", 6)
    nic(m, "enp0s31f6", "pci0000:00/0000:00:1f.6", "e1000e", -1, 0)
    systemd(m)
    m.finish([("/swap.img", 8388604, 0)])
    return m


def nvme_smart(m, model, serial):
    """`smartctl --json -a` of smartmontools 7.3, less what names the controller"""
    m.tree.json(
        "coldswap/smart/nvme0n1.json",
        {
            "json_format_version": [1, 0],
            "smartctl": {"version": [7, 3], "exit_status": 0},
            "device": {"name": "/dev/nvme0n1", "info_name": "/dev/nvme0n1", "type": "nvme", "protocol": "NVMe"},
            "model_name": model,
            "serial_number": serial,
            "firmware_version": "4B2QJXD7",
            "smart_status": {"passed": True, "nvme": {"value": 0}},
            "nvme_smart_health_information_log": {
                "critical_warning": 0,
                "temperature": 38,
                "available_spare": 100,
                "available_spare_threshold": 10,
                "percentage_used": 3,
                "power_cycles": 512,
                "power_on_hours": 2903,
                "unsafe_shutdowns": 21,
                "media_errors": 0,
                "num_err_log_entries": 0,
            },
            "temperature": {"current": 38},
            "power_cycle_count": 512,
            "power_on_time": {"hours": 2903},
        },
    )


def nvme_disk(m, path, udev, parts):
    model, serial = udev["ID_MODEL"], udev["ID_SERIAL_SHORT"]
    links = [
        f"by-id/nvme-{udev['ID_WWN']}",
        f"by-id/nvme-{model}_{serial}",
        f"by-id/nvme-{model}_{serial}_1",
        "by-path/pci-0000:02:00.0-nvme-1",
    ]
    base = f"sys/devices/{path}/nvme/nvme0/nvme0n1"
    m.disk("nvme0n1", (259, 0), 1953525168, f"{path}/nvme/nvme0", udev, links, parts=parts)
    # NVMe namespaces have no "block" directory between them and their controller.
    old = f"sys/devices/{path}/nvme/nvme0/block/nvme0n1"
    for table in (m.tree.files, m.tree.links):
        for name in [n for n in table if n.startswith(old)]:
            table[base + name[len(old) :]] = table.pop(name)
    for n in ("nvme0n1", *(f"nvme0n1p{p['n']}" for p in parts)):
        full = base if n == "nvme0n1" else f"{base}/{n}"
        m.tree.point(f"sys/class/block/{n}", full)
        m.tree.point(f"sys/dev/block/259:{0 if n == 'nvme0n1' else n[-1]}", full)
        m.tree.point(f"{full}/subsystem", "sys/class/block")
    m.tree.point("sys/block/nvme0n1", base)
    m.tree.point(f"{base}/device", f"sys/devices/{path}/nvme/nvme0")
    m.tree.attrs(base, wwid=udev["ID_WWN"], nsid=1)


def fedora_btrfs():
    name = "fedora-btrfs"
    ssd, hdd = SSD("2145E5D0A731"), HDD("WD-WCC7K4RLH2J5")
    parts = [
        part(name, 1, 2048, 1228800, "vfat", type=ESP, partlabel="EFI System Partition"),
        part(name, 2, 1230848, 2097152, "ext4"),
        part(name, 3, 3328000, 973234176, "btrfs", label="fedora", sub=uid(name, "sub3")),
    ]
    media = [
        part(
            name, 1, 2048 * 2, 7812493312 - 4096, "btrfs", label="media", sub=uid(name, "sub-media")
        )
    ]
    m = Machine(
        name,
        "6.10.9-200.fc40.x86_64",
        "#1 SMP PREEMPT_DYNAMIC Sun Sep  8 17:23:55 UTC 2024",
        f"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-6.10.9-200.fc40.x86_64 root=UUID={parts[2]['uuid']} ro rootflags=subvol=root rhgb quiet",
    )
    ahci = Ahci(m, "pci0000:00/0000:00:17.0", "0xa352", mask=0x0F, ports=4, version="10301")
    ahci.plug(0, "sda", (8, 0), ssd, 3, table=uid(name, "table"), parts=parts)
    ahci.plug(1, "sdb", (8, 16), hdd, 3, table=uid(name, "table2"), parts=media)
    slot = "0000:00:17.0"
    for at, text in (
        (1.30, f"ahci {slot}: AHCI vers 0001.0301, 32 command slots, 6 Gbps, SATA mode"),
        (1.3001, f"ahci {slot}: 4/4 ports implemented (port mask 0xf)"),
        (
            1.3002,
            f"ahci {slot}: flags: 64bit ncq sntf pm led clo only pio slum part ems deso sadm sds apst ",
        ),
    ):
        m.say(at, text)
    for n in range(4):
        m.say(
            1.31 + n / 1000,
            f"ata{n + 1}: SATA max UDMA/133 abar m2048@0xa1233000 port 0xa1233{n * 128 + 256:x} irq 127 lpm-pol 3",
        )
        m.say(
            1.62 + n / 1000,
            f"ata{n + 1}: SATA link "
            + (
                "up 6.0 Gbps (SStatus 133 SControl 300)"
                if n < 2
                else "down (SStatus 4 SControl 300)" if n == 3 else "down (SStatus 0 SControl 300)"
            ),
        )
    for n, drive in ((1, ssd), (2, hdd)):
        m.say(1.63, f"ata{n}.00: {drive.ata}: {drive.model}, {drive.firmware}, max UDMA/133")
        m.say(1.64, f"ata{n}.00: configured for UDMA/133")
    m.say(
        2.4,
        "BTRFS: device label fedora devid 1 transid 90211 /dev/sda3 (8:3) scanned by (udev-worker) (512)",
    )
    m.say(2.9, f"BTRFS info (device sda3): first mount of filesystem {parts[2]['uuid']}")
    m.pseudo()
    space, big = room(498 * 10**9, 61e9), room(3990 * 10**9, 1400e9)
    space["files"] = space["files_used"] = big["files"] = big["files_used"] = 0
    m.mount(
        "0:33",
        "/",
        "btrfs",
        "/dev/sda3",
        super_options="rw,seclabel,compress=zstd:1,ssd,discard=async,space_cache=v2,subvolid=257,subvol=/root",
        root="/root",
        space=space,
    )
    m.mount(
        "0:33",
        "/home",
        "btrfs",
        "/dev/sda3",
        super_options="rw,seclabel,compress=zstd:1,ssd,discard=async,space_cache=v2,subvolid=256,subvol=/home",
        root="/home",
        space=space,
    )
    m.mount(
        "8:2",
        "/boot",
        "ext4",
        "/dev/sda2",
        super_options="rw,seclabel",
        space=room(1020 * 10**6, 400e6),
    )
    m.mount("8:1", "/boot/efi", "vfat", "/dev/sda1", space={"total": 627900416, "used": 20e6})
    m.mount(
        "0:52",
        "/srv/media",
        "btrfs",
        "/dev/sdb1",
        super_options="rw,seclabel,noatime,space_cache=v2,subvolid=256,subvol=/media",
        root="/media",
        space=big,
    )
    m.tree.put(
        "etc/fstab",
        f"""
#
# /etc/fstab
# Created by anaconda on Sat May 11 09:12:44 2024
#
# Accessible filesystems, by reference, are maintained under '/dev/disk/'.
# See man pages fstab(5), findfs(8), mount(8) and/or blkid(8) for more info.
#
# After editing this file, run 'systemctl daemon-reload' to update systemd
# units generated from this file.
#
UUID={parts[2]['uuid']} /                       btrfs   subvol=root,compress=zstd:1 0 0
UUID={parts[1]['uuid']} /boot                   ext4    defaults        1 2
UUID={parts[0]['uuid']}          /boot/efi               vfat    umask=0077,shortname=winnt 0 2
UUID={parts[2]['uuid']} /home                   btrfs   subvol=home,compress=zstd:1 0 0
UUID={media[0]['uuid']} /srv/media              btrfs   subvol=media,noatime,nofail,x-systemd.device-timeout=30s 0 0
""",
    )
    m.virtual(
        "zram0",
        (252, 0),
        16777216,
        {
            "ID_FS_TYPE": "swap",
            "ID_FS_USAGE": "other",
            "ID_FS_LABEL": "zram0",
            "ID_FS_UUID": uid(name, "zram"),
            "ID_FS_VERSION": "1",
        },
        [f"by-uuid/{uid(name, 'zram')}", "by-label/zram0"],
        [],
    )
    healthy(m, "sda", ssd, 3)
    healthy(m, "sdb", hdd, 3)
    nic(m, "eno1", "pci0000:00/0000:00:1f.6", "e1000e")
    systemd(m)
    m.finish([("/dev/zram0", 8388604, 0)])
    return m
