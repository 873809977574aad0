# SPDX-License-Identifier: MIT
"""No SATA disk at all: a SAS enclosure and a container."""

from capture import uid
from firmware import pci
from machine import Machine
from machines_parts import ether, room


def sas_hba():
    """sas-hba: eight bays on an LSI HBA; the chipset's SATA ports are empty"""
    name = "sas-hba"
    m = Machine(
        name,
        "6.1.0-26-amd64",
        cmdline=f"BOOT_IMAGE=/boot/vmlinuz-6.1.0-26-amd64 root=UUID={uid(name, 'sda', 2)} ro quiet",
    )
    t = m.tree
    hba = "pci0000:00/0000:00:01.0/0000:01:00.0"
    pci(t, hba, "0x1000", "0x0097", "0x010700", "mpt3sas", ("0x1000", "0x30e0"))
    m.say(1.5, "mpt3sas version 43.100.00.00 loaded")
    m.say(1.51, "mpt2sas_cm0: LSISAS3008: FWVersion(16.00.12.00), ChipRevision(0x02)")
    for bay in range(4):
        disk, serial, wwn = (
            f"sd{'abcd'[bay]}",
            f"ZC1{bay}R7K{bay}0000C90",
            f"0x5000c500d1e0{bay}a{bay}7",
        )
        target = f"{hba}/host0/port-0:{bay}/end_device-0:{bay}/target0:0:{bay}/0:0:{bay}:0"
        t.attrs(
            f"sys/devices/{target}",
            vendor="SEAGATE ",
            model="ST4000NM0025    ",
            rev="N004",
            type=0,
            state="running",
            sas_address=f"{wwn[:-1]}5",
            wwid=f"naa.{wwn[2:]}",
        )
        path = f"pci-0000:01:00.0-sas-phy{bay}-lun-0"
        udev = {
            "ID_SCSI": 1,
            "ID_VENDOR": "SEAGATE",
            "ID_MODEL": "ST4000NM0025",
            "ID_REVISION": "N004",
            "ID_TYPE": "disk",
            "ID_SERIAL": f"3{wwn[2:]}",
            "ID_SERIAL_SHORT": wwn[2:],
            "ID_WWN": wwn,
            "ID_WWN_WITH_EXTENSION": wwn,
            "ID_BUS": "scsi",
            "ID_SCSI_SERIAL": serial,
            "ID_PATH": path,
            "ID_PATH_TAG": path.translate(str.maketrans(":.", "__")),
            "ID_PART_TABLE_UUID": uid(name, disk),
            "ID_PART_TABLE_TYPE": "gpt",
        }
        parts = (
            [
                {
                    "n": 1,
                    "start": 2048,
                    "size": 1048576,
                    "fs": "vfat",
                    "uuid": "A1B2-C3D4",
                    "partuuid": uid(name, disk, "p1"),
                    "type": "c12a7328-f81f-11d2-ba4b-00a0c93ec93b",
                },
                {
                    "n": 2,
                    "start": 1050624,
                    "size": 7812984832,
                    "fs": "ext4",
                    "uuid": uid(name, disk, 2),
                    "partuuid": uid(name, disk, "p2"),
                },
            ]
            if bay == 0
            else [
                {
                    "n": 1,
                    "start": 2048,
                    "size": 7814033408,
                    "fs": "xfs",
                    "uuid": uid(name, disk, 1),
                    "partuuid": uid(name, disk, "p1"),
                }
            ]
        )
        m.disk(
            disk,
            (8, 16 * bay),
            7814037168,
            target,
            udev,
            [
                f"by-id/scsi-3{wwn[2:]}",
                f"by-id/scsi-SSEAGATE_ST4000NM0025_{serial}",
                f"by-id/wwn-{wwn}",
                f"by-path/{path}",
            ],
            rotational=1,
            parts=parts,
        )
        m.say(
            2 + bay / 10,
            f"scsi 0:0:{bay}:0: Direct-Access     SEAGATE  ST4000NM0025     N004 PQ: 0 ANSI: 6",
        )
        m.say(2.5 + bay / 10, f"sd 0:0:{bay}:0: [{disk}] Attached SCSI disk")
        t.json(
            f"coldswap/smart/{disk}.json",
            {
                "json_format_version": [1, 0],
                "smartctl": {"version": [7, 3], "exit_status": 0},
                "device": {"name": f"/dev/{disk}", "type": "scsi", "protocol": "SCSI"},
                "scsi_vendor": "SEAGATE",
                "scsi_product": "ST4000NM0025",
                "serial_number": serial,
                "rotation_rate": 7200,
                "smart_status": {"passed": True},
                "temperature": {"current": 34, "drive_trip": 60},
                "power_on_time": {"hours": 41207, "minutes": 12},
                "scsi_grown_defect_list": 0,
                "scsi_error_counter_log": {
                    which: {"total_errors_corrected": 0, "total_uncorrected_errors": 0}
                    for which in ("read", "write", "verify")
                },
            },
        )
    m.pseudo()
    m.mount(
        "8:2",
        "/",
        "ext4",
        "/dev/sda2",
        super_options="rw,errors=remount-ro",
        space=room(3940 * 10**9, 20e9),
    )
    m.mount("8:1", "/boot/efi", "vfat", "/dev/sda1", space={"total": 535805952, "used": 6e6})
    lines = [
        f"UUID={uid(name, 'sda', 2)} /               ext4    errors=remount-ro 0       1",
        "UUID=A1B2-C3D4  /boot/efi       vfat    umask=0077      0       1",
    ]
    for bay in range(1, 4):
        disk = f"sd{'abcd'[bay]}"
        m.mount(
            f"8:{16 * bay + 1}",
            f"/srv/brick{bay}",
            "xfs",
            f"/dev/{disk}1",
            "rw,noatime",
            space=room(4000 * 10**9, 900e9),
        )
        lines.append(
            f"UUID={uid(name, disk, 1)} /srv/brick{bay}     xfs     noatime,nofail,x-systemd.device-timeout=30s 0 0"
        )
    t.put("etc/fstab", "\n".join(lines) + "\n")
    ether(m, "eno1", "pci0000:00/0000:00:1c.0/0000:04:00.0", 10000, "ixgbe")
    t.empty.append("run/systemd/system")
    m.finish()
    return m


def container():
    """container: an overlay for a root, no block device, no kernel log that it may read"""
    m = Machine(
        "container",
        "6.8.0-45-generic",
        cmdline="BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=/dev/mapper/vg-root ro",
    )
    store = "/var/lib/docker/overlay2"
    m.mount(
        "0:113",
        "/",
        "overlay",
        "overlay",
        super_options=f"rw,lowerdir={store}/l/Q7ZC:{store}/l/4MTI,upperdir={store}/9c1f/diff,workdir={store}/9c1f/work",
        space=room(480 * 10**9, 100e9),
    )
    for devno, target, fstype, source in (
        ("0:116", "/proc", "proc", "proc"),
        ("0:117", "/dev", "tmpfs", "tmpfs"),
        ("0:118", "/dev/pts", "devpts", "devpts"),
        ("0:119", "/sys", "sysfs", "sysfs"),
        ("0:30", "/sys/fs/cgroup", "cgroup2", "cgroup"),
        ("0:115", "/dev/mqueue", "mqueue", "mqueue"),
        ("0:120", "/dev/shm", "tmpfs", "shm"),
    ):
        m.mount(
            devno,
            target,
            fstype,
            source,
            (
                "rw,nosuid,nodev,noexec,relatime"
                if target != "/sys"
                else "ro,nosuid,nodev,noexec,relatime"
            ),
        )
    for name in ("resolv.conf", "hostname", "hosts"):
        m.mount(
            "253:0",
            f"/etc/{name}",
            "ext4",
            "/dev/mapper/vg-root",
            root=f"/var/lib/docker/containers/5f0c/{name}",
            super_options="rw,errors=remount-ro",
        )
    m.tree.put("etc/fstab", "# UNCONFIGURED FSTAB FOR BASE SYSTEM\n")
    m.tree.put(".dockerenv", "")
    ether(m, "eth0", "virtual", 10000, None)
    t = m.finish()
    del t.files["coldswap/kernel.log"]
    t.empty += ["sys/class/block", "sys/block"]
    t.put("coldswap/unreadable.tsv", "/coldswap/kernel.log\tEPERM\n")
    return m
