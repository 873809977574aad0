# SPDX-License-Identifier: MIT
"""A host: its tree, and the tables (/proc/partitions, mountinfo, ...) that grow with its devices."""

import os
import re

from capture import Tree, udev_escape, uid


class Machine:
    """A host: its tree, and the tables (/proc/partitions, mountinfo, ...) that grow with its devices."""

    def __init__(
        self,
        name,
        release="6.1.0-26-amd64",
        version="#1 SMP PREEMPT_DYNAMIC Debian 6.1.112-1",
        cmdline="",
    ):
        self.tree, self.name, self.release, self.cmdline = Tree(), name, release, cmdline
        self.partitions, self.diskstats, self.mounts, self.log, self.space = [], [], [], [], {}
        self.machine_id, self.boot_id = uid(name, "machine").replace("-", ""), uid(name, "boot")
        self.say(0, f"Linux version {release} (builder@build) {version}")
        if cmdline:
            self.say(0, f"Command line: {cmdline}")

    def say(self, seconds, text):
        self.log.append(f"[{seconds:12.6f}] {text}")

    # ---- block devices

    def disk(
        self,
        name,
        devno,
        sectors,
        devpath,
        udev,
        links,
        rotational=0,
        parts=(),
        ro=0,
        removable=0,
        block=512,
        hw=None,
    ):
        """One whole disk.  `udev` are its properties, `links` its names below /dev/disk; `parts` are dicts with
        n, start, size and what else udev tells of them (fs, uuid, label, partuuid, type)."""
        t, path = self.tree, f"sys/devices/{devpath}/block/{name}"
        t.attrs(
            path,
            dev=f"{devno[0]}:{devno[1]}",
            size=sectors,
            ro=ro,
            removable=removable,
            range=16,
            ext_range=256,
            alignment_offset=0,
            discard_alignment=0,
            capability=0,
            inflight="       0        0",
            hidden=0,
        )
        t.attrs(
            f"{path}/queue",
            rotational=rotational,
            logical_block_size=block,
            physical_block_size=hw or (4096 if rotational else 512),
            hw_sector_size=block,
            scheduler="[mq-deadline] none",
            nr_requests=64,
            read_ahead_kb=128,
            write_cache="write back",
        )
        uevent = f"MAJOR={devno[0]}\nMINOR={devno[1]}\nDEVNAME={name}\nDEVTYPE=disk\n"
        t.put(f"{path}/uevent", uevent)
        t.point(f"{path}/subsystem", "sys/class/block")
        t.point(f"{path}/device", f"sys/devices/{devpath}")
        t.point(f"sys/block/{name}", path)
        table = {k: udev[k] for k in ("ID_PART_TABLE_UUID", "ID_PART_TABLE_TYPE") if k in udev}
        self.device(name, path, devno, sectors, udev, links)
        for p in parts:
            pname = f"{name}{'p' if name[-1].isdigit() else ''}{p['n']}"
            pno, ppath = (devno[0], devno[1] + p["n"]), f"{path}/{pname}"
            t.attrs(
                ppath,
                dev=f"{pno[0]}:{pno[1]}",
                partition=p["n"],
                start=p["start"],
                size=p["size"],
                ro=ro,
                alignment_offset=0,
            )
            t.put(
                f"{ppath}/uevent",
                f"MAJOR={pno[0]}\nMINOR={pno[1]}\nDEVNAME={pname}\nDEVTYPE=partition\nPARTN={p['n']}\n",
            )
            t.point(f"{ppath}/subsystem", "sys/class/block")
            props = {
                **udev,
                **self.signature(p),
                **table,
                "ID_PART_ENTRY_SCHEME": table.get("ID_PART_TABLE_TYPE", "gpt"),
                "ID_PART_ENTRY_UUID": p["partuuid"],
                "ID_PART_ENTRY_TYPE": p.get("type", "0fc63daf-8483-4772-8e79-3d69d8477de4"),
                "ID_PART_ENTRY_NUMBER": p["n"],
                "ID_PART_ENTRY_OFFSET": p["start"],
                "ID_PART_ENTRY_SIZE": p["size"],
                "ID_PART_ENTRY_DISK": f"{devno[0]}:{devno[1]}",
            }
            if "partlabel" in p:
                props["ID_PART_ENTRY_NAME"] = udev_escape(p["partlabel"])
            names = (
                [f"{link}-part{p['n']}" for link in links]
                + self.tag_links(p)
                + [f"by-partuuid/{p['partuuid']}"]
            )
            if "partlabel" in p:
                names.append(f"by-partlabel/{udev_escape(p['partlabel'])}")
            self.device(pname, ppath, pno, p["size"], props, names)

    def virtual(
        self, name, devno, sectors, udev, links, slaves, extra_links=(), rotational=0, attrs=None
    ):
        """A device made of others (md, dm): below sys/devices/virtual/block, with slaves and holders."""
        t, path = self.tree, f"sys/devices/virtual/block/{name}"
        t.attrs(path, dev=f"{devno[0]}:{devno[1]}", size=sectors, ro=0, removable=0)
        t.attrs(
            f"{path}/queue",
            rotational=rotational,
            logical_block_size=512,
            physical_block_size=4096,
            hw_sector_size=512,
        )
        for folder, values in (attrs or {}).items():
            t.attrs(f"{path}/{folder}", **values)
        t.put(
            f"{path}/uevent", f"MAJOR={devno[0]}\nMINOR={devno[1]}\nDEVNAME={name}\nDEVTYPE=disk\n"
        )
        t.point(f"sys/block/{name}", path)
        for slave in slaves:
            real = os.path.normpath(f"sys/class/block/{t.links[f'sys/class/block/{slave}']}")
            t.point(f"{path}/slaves/{slave}", real)
            t.point(f"{real}/holders/{name}", path)
        self.device(name, path, devno, sectors, udev, links, extra_links)

    def device(self, name, path, devno, sectors, props, links, extra_links=()):
        """What every block device has: class links, udev's record, a node in /dev, names below /dev/disk."""
        t = self.tree
        t.point(f"sys/class/block/{name}", path)
        t.point(f"sys/dev/block/{devno[0]}:{devno[1]}", path)
        names = [f"disk/{link}" for link in links] + list(extra_links)
        lines = [f"S:{link}" for link in sorted(names)] + [
            f"I:{1000000 + devno[0] * 1000 + devno[1]}"
        ]
        lines += [f"E:{k}={v}" for k, v in props.items()] + ["G:systemd", "Q:systemd", "V:1"]
        t.put(f"run/udev/data/b{devno[0]}:{devno[1]}", "\n".join(lines) + "\n")
        t.put(f"dev/{name}", "".join(f"{k}={v}\n" for k, v in sorted(props.items())))
        for link in names:
            t.point(f"dev/{link}", f"dev/{name}")
        self.partitions.append(f"{devno[0]:4d} {devno[1]:8d} {sectors // 2:10d} {name}")
        self.diskstats.append([devno[0], devno[1], name])

    @staticmethod
    def signature(part):
        """udev's ID_FS_ properties of what blkid finds on a device."""
        props = {}
        if "label" in part:
            props |= {
                "ID_FS_LABEL": part["label"].replace(" ", "_"),
                "ID_FS_LABEL_ENC": udev_escape(part["label"]),
            }
        if "uuid" in part:
            props |= {"ID_FS_UUID": part["uuid"], "ID_FS_UUID_ENC": udev_escape(part["uuid"])}
        if "sub" in part:
            props |= {"ID_FS_UUID_SUB": part["sub"], "ID_FS_UUID_SUB_ENC": part["sub"]}
        if "fs" in part:
            usage = {
                "swap": "other",
                "linux_raid_member": "raid",
                "LVM2_member": "raid",
                "crypto_LUKS": "crypto",
            }
            versions = {
                "ext4": "1.0",
                "vfat": "FAT32",
                "swap": "1",
                "linux_raid_member": "1.2",
                "zfs_member": "5000",
            }
            props |= {"ID_FS_TYPE": part["fs"], "ID_FS_USAGE": usage.get(part["fs"], "filesystem")}
            if part["fs"] in versions:
                props["ID_FS_VERSION"] = versions[part["fs"]]
        return props

    @staticmethod
    def tag_links(part):
        links = (
            [f"by-uuid/{part['uuid']}"]
            if "uuid" in part and part.get("fs") not in ("linux_raid_member", "LVM2_member")
            else []
        )
        return links + (
            [f"by-label/{udev_escape(part['label'])}"]
            if "label" in part and part.get("fs") != "linux_raid_member"
            else []
        )

    # ---- mounts

    def mount(
        self,
        devno,
        target,
        fstype,
        source,
        options="rw,relatime",
        super_options="rw",
        root="/",
        space=None,
    ):
        self.mounts.append((devno, root, target, options, fstype, source, super_options))
        if space:
            self.space[target] = statvfs(source, fstype, **space)

    def pseudo(self, efi=True, systemd=True):
        for devno, target, fstype, source, options in (
            ("0:21", "/sys", "sysfs", "sysfs", "rw,nosuid,nodev,noexec,relatime"),
            ("0:22", "/proc", "proc", "proc", "rw,nosuid,nodev,noexec,relatime"),
            ("0:5", "/dev", "devtmpfs", "udev", "rw,nosuid,relatime"),
            ("0:23", "/dev/pts", "devpts", "devpts", "rw,nosuid,noexec,relatime"),
            ("0:24", "/run", "tmpfs", "tmpfs", "rw,nosuid,nodev,noexec,relatime"),
        ):
            self.mount(devno, target, fstype, source, options)
        if systemd:
            self.mount(
                "0:27",
                "/sys/fs/cgroup",
                "cgroup2",
                "cgroup2",
                "rw,nosuid,nodev,noexec,relatime",
                "rw,nsdelegate,memory_recursiveprot",
            )
        if efi:
            self.mount(
                "0:29",
                "/sys/firmware/efi/efivars",
                "efivarfs",
                "efivarfs",
                "rw,nosuid,nodev,noexec,relatime",
            )

    def mountinfo(self):
        ids, rows, plain = {}, [], []
        order = sorted(range(len(self.mounts)), key=lambda i: self.mounts[i][2] != "/")
        for number, i in enumerate(order):
            devno, root, target, options, fstype, source, super_options = self.mounts[i]
            above = [t for t in ids if t == "/" or target == t or target.startswith(t + "/")]
            parent = ids[max(above, key=len)] if above else 1
            ids[target] = 25 + number
            quote = lambda text: re.sub(r"[\\ \t\n]", lambda m: f"\\{ord(m[0]):03o}", text)
            rows.append(
                f"{25 + number} {parent} {devno} {quote(root)} {quote(target)} {options} shared:{number + 1} - {fstype} {quote(source)} {super_options}"
            )
            plain.append(
                f"{quote(source)} {quote(target)} {fstype} {','.join(dict.fromkeys((options + ',' + super_options).split(',')))} 0 0"
            )
        return "\n".join(rows) + "\n", "\n".join(plain) + "\n"

    # ---- what every host has

    def finish(self, swaps=(), stats=None):
        t = self.tree
        info, plain = self.mountinfo()
        t.put("proc/self/mountinfo", info)
        t.put("proc/self/mounts", plain)
        t.link("proc/mounts", "self/mounts")
        t.put("proc/cmdline", self.cmdline + "\n")
        head = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
        t.put(
            "proc/swaps",
            head
            + "".join(
                f"{s:<40}{'partition' if s.startswith('/dev/') else 'file'}\t{kib}\t\t{used}\t\t-2\n"
                for s, kib, used in swaps
            ),
        )
        t.put(
            "proc/partitions",
            "major minor  #blocks  name\n\n" + "".join(line + "\n" for line in self.partitions),
        )
        t.put(
            "proc/diskstats",
            "".join(
                f"{major:4d} {minor:7d} {name} {(stats or {}).get(name, '2163 511 148312 1873 918 604 21392 1220 0 1936 3093 0 0 0 0 0 0')}\n"
                for major, minor, name in self.diskstats
            ),
        )
        t.put("etc/hostname", self.name + "\n")
        t.put("etc/machine-id", self.machine_id + "\n")
        t.attrs("proc/sys/kernel", hostname=self.name, osrelease=self.release, ostype="Linux")
        t.attrs("proc/sys/kernel/random", boot_id=self.boot_id)
        t.attrs("proc/sys/fs", **{"leases-enable": 1, "lease-break-time": 45})
        self.log.sort(key=lambda line: float(line[1:13]))
        t.put("coldswap/kernel.log", "\n".join(self.log) + "\n")
        t.json(
            "coldswap/host.json",
            {"name": self.name, "machine_id": self.machine_id, "boot_id": self.boot_id},
        )
        t.json("coldswap/statvfs.json", self.space)
        return t


def statvfs(device, fstype, total, used, files=0, files_used=0, reserved=0.05, block=4096):
    """struct statvfs for a filesystem of `total` bytes."""
    blocks, free = total // block, (total - used) // block
    kept = int(blocks * reserved) if fstype == "ext4" else 0
    return {
        "device": device,
        "fstype": fstype,
        "f_bsize": block,
        "f_frsize": block,
        "f_blocks": blocks,
        "f_bfree": free,
        "f_bavail": max(free - kept, 0),
        "f_files": files,
        "f_ffree": files - files_used,
        "f_favail": files - files_used,
        "f_flag": 4096,
        "f_namemax": 255,
    }
