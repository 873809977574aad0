# SPDX-License-Identifier: MIT
"""One disk on SATA: an old board that boots by its BIOS, and a mini PC."""

from ata import Ahci
from capture import uid
from firmware import efi_entry, efi_variable
from machine import Machine
from machines_parts import ESP, SSD, healthy, nic, part, room, systemd


def bios_boot():
    name = "bios-boot"
    ssd = SSD("1904E1F2B3C4", 250)
    sig = "9d3f1c2a"
    parts = [part(name, 1, 2048, 486187008, "ext4"), part(name, 5, 486191104, 2195456, "swap")]
    parts[0] |= {"partuuid": f"{sig}-01", "type": "0x83"}
    parts[1] |= {"partuuid": f"{sig}-05", "type": "0x82"}
    m = Machine(
        name,
        "5.10.0-32-amd64",
        "#1 SMP Debian 5.10.223-1 (2024-08-10)",
        f"BOOT_IMAGE=/boot/vmlinuz-5.10.0-32-amd64 root=UUID={parts[0]['uuid']} ro quiet",
    )
    m.say(0, "DMI: Gigabyte Technology Co., Ltd. EP45-DS3/EP45-DS3, BIOS F11 02/02/2009")
    ahci = Ahci(m, "pci0000:00/0000:00:1f.2", "0x3a02", mask=0x3F, ports=6, version="10200", irq=29)
    ahci.plug(2, "sda", (8, 0), ssd, 2, table=sig, scheme="dos", parts=parts)
    ahci.tell(1.4, {2: (2, ssd)}, generation="3")
    m.pseudo(efi=False)
    # what a kernel that a BIOS started shows of its firmware
    for name_, text in (("start", "0x0\n"), ("end", "0x9fbff\n"), ("type", "System RAM\n")):
        m.tree.put(f"sys/firmware/memmap/0/{name_}", text)
    m.mount(
        "8:1",
        "/",
        "ext4",
        "/dev/sda1",
        super_options="rw,errors=remount-ro",
        space=room(244 * 10**9, 31e9),
    )
    m.tree.put(
        "etc/fstab",
        f"# / was on /dev/sda1 during installation\nUUID={parts[0]['uuid']} /               ext4    errors=remount-ro 0       1\n"
        f"# swap was on /dev/sda5 during installation\nUUID={parts[1]['uuid']} none            swap    sw              0       0\n"
        "/dev/sr0        /media/cdrom0   udf,iso9660 user,noauto     0       0\n",
    )
    healthy(m, "sda", ssd, 2)
    nic(m, "enp2s0", "pci0000:00/0000:00:1c.4/0000:02:00.0", "r8169")
    systemd(m)
    m.finish([("/dev/sda5", 1097724, 0)])
    return m


def one_disk():
    name = "one-disk"
    ssd = SSD("2031E4B1D7A9", 500)
    parts = [
        part(name, 1, 2048, 1048576, "vfat", type=ESP),
        part(name, 2, 1050624, 968794112, "ext4"),
        part(name, 3, 969844736, 6815744, "swap"),
    ]
    m = Machine(
        name,
        cmdline=f"BOOT_IMAGE=/boot/vmlinuz-6.1.0-26-amd64 root=UUID={parts[1]['uuid']} ro quiet",
    )
    ahci = Ahci(m, "pci0000:00/0000:00:17.0", "0x9d03", mask=0x05, ports=3, version="10301")
    ahci.plug(2, "sda", (8, 0), ssd, 3, table=uid(name, "table"), parts=parts)
    ahci.tell(1.1, {2: (3, ssd)})
    m.pseudo()
    m.mount(
        "8:2",
        "/",
        "ext4",
        "/dev/sda2",
        super_options="rw,errors=remount-ro",
        space=room(487 * 10**9, 44e9),
    )
    m.mount("8:1", "/boot/efi", "vfat", "/dev/sda1", space={"total": 535805952, "used": 6e6})
    m.tree.put(
        "etc/fstab",
        f"UUID={parts[1]['uuid']} /               ext4    errors=remount-ro 0       1\nUUID={parts[0]['uuid']}  /boot/efi       vfat    umask=0077      0       1\n"
        f"UUID={parts[2]['uuid']} none            swap    sw              0       0\n",
    )
    efi_variable(
        m.tree,
        "Boot0000",
        efi_entry("debian", 1, 2048, 1048576, parts[0]["partuuid"], "\\EFI\\debian\\shimx64.efi"),
    )
    efi_variable(m.tree, "BootOrder", b"\0\0")
    efi_variable(m.tree, "BootCurrent", b"\0\0", 6)
    healthy(m, "sda", ssd, 3)
    nic(m, "eno1", "pci0000:00/0000:00:1f.6", "e1000e")
    systemd(m)
    m.finish([("/dev/sda3", 3407868, 0)])
    return m
