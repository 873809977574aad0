# SPDX-License-Identifier: MIT
"""A ZFS mirror, and Alpine without systemd or udev."""

from ata import Ahci
from capture import uid
from machine import Machine
from machines_parts import ESP, HDD, SSD, healthy, nic, part, room, systemd


def zfs_mirror():
    name = "zfs-mirror"
    a, b = SSD("2210E62A0C11", 1000), SSD("2210E62A0C27", 1000)
    guid = "11903488102945872344"
    m = Machine(
        name,
        "6.8.12-1-pve",
        "#1 SMP PREEMPT_DYNAMIC PMX 6.8.12-1 (2024-08-05T16:17Z)",
        "initrd=\\EFI\\proxmox\\6.8.12-1-pve\\initrd.img-6.8.12-1-pve root=ZFS=rpool/ROOT/pve-1 boot=zfs",
    )
    ahci = Ahci(m, "pci0000:00/0000:00:17.0", "0xa282", mask=0x3F, ports=6, version="10301")
    for port, disk, minor, drive in ((0, "sda", 0, a), (1, "sdb", 16, b)):
        host = f"{name}-{disk}"
        parts = [
            part(host, 1, 34, 2014, type="21686148-6449-6e6f-744e-656564454649"),
            part(host, 2, 2048, 2097152, "vfat", type=ESP),
            part(
                host,
                3,
                2099200,
                drive.sectors - 2101248,
                type="6a898cc3-1dd2-11b2-99a6-080020736631",
            ),
        ]
        parts[2] |= {
            "fs": "zfs_member",
            "uuid": guid,
            "sub": uid(host, "vdev")
            .replace("-", "")[:18]
            .translate(str.maketrans("abcdef", "123456")),
            "label": "rpool",
        }
        ahci.plug(port, disk, (8, minor), drive, 3, table=uid(host, "table"), parts=parts)
        healthy(m, disk, drive, 3)
    ahci.tell(1.2, {0: (3, a), 1: (3, b)})
    m.say(3.4, "ZFS: Loaded module v2.2.4-pve1, ZFS pool version 5000, ZFS filesystem version 5")
    m.pseudo()
    space = room(940 * 10**9, 12e9)
    m.mount(
        "0:28",
        "/",
        "zfs",
        "rpool/ROOT/pve-1",
        "rw,relatime",
        "rw,xattr,posixacl,casesensitive",
        space=space,
    )
    for target, dataset in (
        ("/rpool", "rpool"),
        ("/rpool/ROOT", "rpool/ROOT"),
        ("/rpool/data", "rpool/data"),
        ("/var/lib/vz", "rpool/var-lib-vz"),
    ):
        m.mount(
            f"0:{40 + len(target)}",
            target,
            "zfs",
            dataset,
            "rw,relatime",
            "rw,xattr,posixacl,casesensitive",
            space=space,
        )
    m.tree.put(
        "etc/fstab",
        "# <file system> <mount point> <type> <options> <dump> <pass>\nproc /proc proc defaults 0 0\n",
    )
    m.tree.put(
        "etc/kernel/proxmox-boot-uuids",
        "".join(
            f"{uid(f'{name}-{d}', 2)[:4]}-{uid(f'{name}-{d}', 2)[4:8]}\n".upper()
            for d in ("sda", "sdb")
        ),
    )
    nic(m, "enp0s31f6", "pci0000:00/0000:00:1f.6", "e1000e")
    systemd(m)
    m.finish()
    return m


def no_systemd():
    """Alpine: OpenRC and mdev; no udev database and no /dev/disk, so tags are what blkid reads from the device."""
    name = "no-systemd"
    a, b = SSD("2118E5983D02", 250), HDD("WD-WCC7K1AAXF80", 4000)
    parts = [
        part(name, 1, 2048, 614400, "ext4"),
        part(name, 2, 616448, 8388608, "swap"),
        part(name, 3, 9005056, 479272960, "ext4"),
    ]
    data = [part(name, 1, 4096, 7812487168, "xfs")]
    m = Machine(
        name,
        "6.6.49-0-lts",
        "#1-Alpine SMP PREEMPT_DYNAMIC 2024-09-04 09:16:02",
        f"BOOT_IMAGE=vmlinuz-lts root=UUID={parts[2]['uuid']} modules=sd-mod,usb-storage,ext4 quiet rootfstype=ext4",
    )
    ahci = Ahci(
        m, "pci0000:00/0000:00:11.0", "0x7801", mask=0x0F, ports=4, vendor="0x1022", version="10200"
    )
    ahci.plug(0, "sda", (8, 0), a, 3, table=uid(name, "table"), parts=parts)
    ahci.plug(1, "sdb", (8, 16), b, 3, table=uid(name, "table2"), parts=data)
    for at, text in (
        (1.30, "ahci 0000:00:11.0: AHCI vers 0001.0200, 32 command slots, 6 Gbps, SATA mode"),
        (1.3001, "ahci 0000:00:11.0: 4/4 ports implemented (port mask 0xf)"),
        (1.3002, "ahci 0000:00:11.0: flags: 64bit ncq sntf ilck pm led clk pmp pio slum part "),
    ):
        m.say(at, text)
    for n in range(4):
        m.say(
            1.31 + n / 1000,
            f"ata{n + 1}: SATA max UDMA/133 abar m1024@0xfeb4f000 port 0xfeb4f{n * 128 + 256:x} irq 19 lpm-pol 0",
        )
        m.say(
            1.72 + n / 1000,
            f"ata{n + 1}: SATA link "
            + (
                "up 6.0 Gbps (SStatus 133 SControl 300)"
                if n < 2
                else "down (SStatus 0 SControl 300)"
            ),
        )
    for path in [
        p for p in [*m.tree.files, *m.tree.links] if p.startswith(("run/udev/", "dev/disk/"))
    ]:
        (m.tree.files if path in m.tree.files else m.tree.links).pop(path)
    for path in [
        p for p in m.tree.files if p.startswith("dev/sd")
    ]:  # what libblkid finds, and no more
        kept = [
            line
            for line in m.tree.files[path].decode().splitlines()
            if line.startswith(("ID_FS_", "ID_PART_"))
        ]
        m.tree.put(path, "".join(line + "\n" for line in kept))
    m.pseudo(efi=False, systemd=False)
    m.mount("8:3", "/", "ext4", "/dev/sda3", space=room(241 * 10**9, 3e9))
    m.mount("8:1", "/boot", "ext4", "/dev/sda1", space=room(300 * 10**6, 60e6))
    m.mount("0:31", "/tmp", "tmpfs", "tmpfs", "rw,nosuid,nodev,relatime")
    m.mount(
        "8:17",
        "/srv",
        "xfs",
        "/dev/sdb1",
        "rw,noatime",
        "rw,attr2,inode64,logbufs=8,logbsize=32k,noquota",
        space=room(3998 * 10**9, 900e9),
    )
    m.tree.put(
        "etc/fstab",
        f"UUID={parts[2]['uuid']}\t/\text4\trw,relatime 0 1\nUUID={parts[0]['uuid']}\t/boot\text4\trw,relatime 0 2\nUUID={parts[1]['uuid']}\tswap\tswap\tdefaults\t0 0\n"
        f"UUID={data[0]['uuid']}\t/srv\txfs\tnoatime,nofail 0 2\n/dev/cdrom\t/media/cdrom\tiso9660\tnoauto,ro 0 0\n/dev/usbdisk\t/media/usb\tvfat\tnoauto\t0 0\ntmpfs\t/tmp\ttmpfs\tnosuid,nodev\t0\t0\n",
    )
    m.tree.put("etc/alpine-release", "3.20.3\n")
    healthy(m, "sda", a, 3)
    healthy(m, "sdb", b, 3)
    nic(m, "eth0", "pci0000:00/0000:00:15.2/0000:03:00.0", "r8169")
    m.finish([("/dev/sda2", 4194300, 0)])
    return m
