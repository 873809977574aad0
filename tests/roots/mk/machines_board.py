# SPDX-License-Identifier: MIT
"""No SATA disk at all: a virtual machine and a Raspberry Pi."""

from ata import attribute
from capture import uid
from firmware import pci
from machine import Machine
from machines_parts import ether, room


def virtio_vm():
    """virtio-vm: QEMU's pc machine, one virtio disk; its DVD drive hangs on ata_piix, which is no SATA"""
    name, sig = "virtio-vm", "7c0a52de"
    root, swap = uid(name, "root"), uid(name, "swap")
    m = Machine(
        name,
        cmdline=f"BOOT_IMAGE=/boot/vmlinuz-6.1.0-26-amd64 root=UUID={root} ro console=tty0 console=ttyS0,115200",
    )
    t, path = m.tree, "pci0000:00/0000:00:04.0/virtio1"
    pci(t, "pci0000:00/0000:00:04.0", "0x1af4", "0x1001", "0x010000", "virtio-pci")
    t.point(f"sys/devices/{path}/driver", "sys/bus/virtio/drivers/virtio_blk")
    udev = {
        "ID_PATH": "pci-0000:00:04.0",
        "ID_PATH_TAG": "pci-0000_00_04_0",
        "ID_PART_TABLE_UUID": sig,
        "ID_PART_TABLE_TYPE": "dos",
    }
    parts = [
        {
            "n": 1,
            "start": 2048,
            "size": 81786880,
            "fs": "ext4",
            "uuid": root,
            "partuuid": f"{sig}-01",
            "type": "0x83",
        },
        {
            "n": 5,
            "start": 81790976,
            "size": 2093056,
            "fs": "swap",
            "uuid": swap,
            "partuuid": f"{sig}-05",
            "type": "0x82",
        },
    ]
    m.disk(
        "vda",
        (254, 0),
        83886080,
        path,
        udev,
        ["by-path/pci-0000:00:04.0", "by-path/virtio-pci-0000:00:04.0"],
        rotational=1,
        parts=parts,
        hw=512,
    )
    pci(t, "pci0000:00/0000:00:01.1", "0x8086", "0x7010", "0x010180", "ata_piix")
    for n in (1, 2):
        base = f"sys/devices/pci0000:00/0000:00:01.1/ata{n}"
        t.attrs(f"{base}/ata_port/ata{n}", port_no=n, idle_irq=0, nr_pmp_links=0)
        t.attrs(
            f"{base}/link{n}/ata_link/link{n}",
            sata_spd="<unknown>",
            sata_spd_limit="<unknown>",
            hw_sata_spd_limit="<unknown>",
        )
        t.attrs(
            f"{base}/host{n - 1}/scsi_host/host{n - 1}",
            proc_name="ata_piix",
            unique_id=n,
            state="running",
        )
        for kind, leaf, at in (
            ("ata_port", f"ata{n}", f"{base}/ata_port/ata{n}"),
            ("ata_link", f"link{n}", f"{base}/link{n}/ata_link/link{n}"),
            ("scsi_host", f"host{n - 1}", f"{base}/host{n - 1}/scsi_host/host{n - 1}"),
        ):
            t.point(f"sys/class/{kind}/{leaf}", at)
    cd = "pci0000:00/0000:00:01.1/ata2/host1/target1:0:0/1:0:0:0"
    t.attrs(f"sys/devices/{cd}", vendor="QEMU    ", model="QEMU DVD-ROM    ", rev="2.5+", type=5)
    m.disk(
        "sr0",
        (11, 0),
        2097151,
        cd,
        {
            "ID_CDROM": 1,
            "ID_TYPE": "cd",
            "ID_BUS": "ata",
            "ID_MODEL": "QEMU_DVD-ROM",
            "ID_SERIAL": "QEMU_DVD-ROM_QM00003",
            "ID_SERIAL_SHORT": "QM00003",
            "ID_PATH": "pci-0000:00:01.1-ata-2.0",
            "ID_PATH_ATA_COMPAT": "pci-0000:00:01.1-ata-2",
            "ID_ATA": 1,
        },
        [
            "by-id/ata-QEMU_DVD-ROM_QM00003",
            "by-path/pci-0000:00:01.1-ata-2",
            "by-path/pci-0000:00:01.1-ata-2.0",
        ],
        rotational=1,
        removable=1,
    )
    for at, text in (
        (0.91, "ata_piix 0000:00:01.1: version 2.13"),
        (0.92, "scsi host0: ata_piix"),
        (0.921, "scsi host1: ata_piix"),
        (0.922, "ata1: PATA max MWDMA2 cmd 0x1f0 ctl 0x3f6 bmdma 0xc0a0 irq 14"),
        (0.923, "ata2: PATA max MWDMA2 cmd 0x170 ctl 0x376 bmdma 0xc0a8 irq 15"),
        (1.08, "ata2.00: ATAPI: QEMU DVD-ROM, 2.5+, max UDMA/100"),
        (0.95, "virtio_blk virtio1: 2/0/0 default/read/poll queues"),
        (0.96, "virtio_blk virtio1: [vda] 83886080 512-byte logical blocks (42.9 GB/40.0 GiB)"),
        (0.97, " vda: vda1 vda2 < vda5 >"),
    ):
        m.say(at, text)
    m.pseudo(efi=False)
    m.mount(
        "254:1",
        "/",
        "ext4",
        "/dev/vda1",
        super_options="rw,errors=remount-ro",
        space=room(41 * 10**9, 4e9),
    )
    t.put(
        "etc/fstab",
        f"# / was on /dev/vda1 during installation\nUUID={root} /               ext4    errors=remount-ro 0       1\n"
        f"# swap was on /dev/vda5 during installation\nUUID={swap} none            swap    sw              0       0\n/dev/sr0        /media/cdrom0   udf,iso9660 user,noauto     0       0\n",
    )
    ether(m, "ens3", "pci0000:00/0000:00:03.0/virtio0", None, "virtio_net")
    t.empty.append("run/systemd/system")
    m.finish([("/dev/vda5", 1046524, 0)])
    return m


def raspberry_pi():
    """raspberry-pi: boots from its SD card, data on a USB disk; no SATA, no EFI"""
    name, sig = "raspberry-pi", "4e639091"
    data = uid(name, "data")
    m = Machine(
        name,
        "6.6.51+rpt-rpi-v8",
        "#1 SMP PREEMPT Debian 1:6.6.51-1+rpt3 (2024-10-08)",
        f"coherent_pool=1M 8250.nr_uarts=0 console=tty1 root=PARTUUID={sig}-02 rootfstype=ext4 fsck.repair=yes rootwait",
    )
    m.log[0] = m.log[0].replace(
        "Linux version",
        "Booting Linux on physical CPU 0x0000000000 [0x410fd083]\n[    0.000000] Linux version",
    )
    t = m.tree
    sd = "platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:aaaa"
    t.attrs(
        f"sys/devices/{sd}",
        name="SD64G",
        serial="0x30a1c5f2",
        type="SD",
        cid="035344534436344785a1c5f200014a00",
        manfid="0x000003",
        oemid="0x5344",
    )
    udev = {
        "ID_NAME": "SD64G",
        "ID_SERIAL": "0x30a1c5f2",
        "ID_PATH": "platform-fe340000.mmc",
        "ID_PATH_TAG": "platform-fe340000_mmc",
        "ID_PART_TABLE_UUID": sig,
        "ID_PART_TABLE_TYPE": "dos",
    }
    parts = [
        {
            "n": 1,
            "start": 8192,
            "size": 1048576,
            "fs": "vfat",
            "uuid": "91FE-7499",
            "label": "bootfs",
            "partuuid": f"{sig}-01",
            "type": "0xc",
        },
        {
            "n": 2,
            "start": 1056768,
            "size": 123682816,
            "fs": "ext4",
            "uuid": uid(name, "root"),
            "label": "rootfs",
            "partuuid": f"{sig}-02",
            "type": "0x83",
        },
    ]
    m.disk(
        "mmcblk0",
        (179, 0),
        124739584,
        sd,
        udev,
        ["by-id/mmc-SD64G_0x30a1c5f2", "by-path/platform-fe340000.mmc"],
        parts=parts,
    )
    usb = "platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0/usb2/2-1/2-1:1.0/host0/target0:0:0/0:0:0:0"
    path = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1:1.0-scsi-0:0:0:0"
    t.attrs(
        "sys/devices/platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0/usb2/2-1",
        idVendor="0bc2",
        idProduct="2344",
        speed=5000,
        serial="NA8F1K2Z",
        manufacturer="Seagate",
        product="Portable",
    )
    t.attrs(f"sys/devices/{usb}", vendor="Seagate ", model="Portable        ", rev="0712", type=0)
    udev = {
        "ID_VENDOR": "Seagate",
        "ID_MODEL": "Portable",
        "ID_REVISION": "0712",
        "ID_SERIAL": "Seagate_Portable_NA8F1K2Z-0:0",
        "ID_SERIAL_SHORT": "NA8F1K2Z",
        "ID_TYPE": "disk",
        "ID_INSTANCE": "0:0",
        "ID_BUS": "usb",
        "ID_USB_DRIVER": "uas",
        "ID_PATH": path,
        "ID_PATH_TAG": path.translate(str.maketrans(":.", "__")),
        "ID_PART_TABLE_UUID": uid(name, "table"),
        "ID_PART_TABLE_TYPE": "gpt",
    }
    m.disk(
        "sda",
        (8, 0),
        3907029167,
        usb,
        udev,
        ["by-id/usb-Seagate_Portable_NA8F1K2Z-0:0", f"by-path/{path}"],
        rotational=1,
        parts=[
            {
                "n": 1,
                "start": 2048,
                "size": 3907024896,
                "fs": "ext4",
                "uuid": data,
                "label": "data",
                "partuuid": uid(name, "partition"),
            }
        ],
    )
    row = lambda id_, text, raw=0: attribute(id_, text, 0x32, 100, 100, 0, raw)
    t.json(
        "coldswap/smart/sda.json",
        {
            "json_format_version": [1, 0],
            "smartctl": {"version": [7, 3], "exit_status": 4},
            "device": {"name": "/dev/sda", "info_name": "/dev/sda [SAT]", "type": "sat", "protocol": "ATA"},
            "model_name": "ST2000LM015-2E8174",
            "serial_number": "NA8F1K2Z",
            "smart_status": {"passed": True},
            "ata_smart_attributes": {
                "revision": 10,
                "table": [
                    row(5, "Reallocated_Sector_Ct"),
                    row(197, "Current_Pending_Sector"),
                    row(199, "UDMA_CRC_Error_Count"),
                ],
            },
        },
    )
    for at, text in (
        (1.9, "mmcblk0: mmc0:aaaa SD64G 59.5 GiB"),
        (1.91, " mmcblk0: p1 p2"),
        (2.6, "usb 2-1: new SuperSpeed USB device number 2 using xhci_hcd"),
        (2.9, "scsi host0: uas"),
        (2.91, "scsi 0:0:0:0: Direct-Access     Seagate  Portable         0712 PQ: 0 ANSI: 6"),
        (3.1, "sd 0:0:0:0: [sda] Attached SCSI disk"),
    ):
        m.say(at, text)
    m.pseudo(efi=False)
    m.mount("179:2", "/", "ext4", "/dev/mmcblk0p2", "rw,noatime", space=room(62 * 10**9, 7e9))
    m.mount(
        "179:1",
        "/boot/firmware",
        "vfat",
        "/dev/mmcblk0p1",
        space={"total": 535805952, "used": 80e6},
    )
    m.mount("8:1", "/srv/data", "ext4", "/dev/sda1", "rw,noatime", space=room(1968 * 10**9, 700e9))
    t.put(
        "etc/fstab",
        f"proc            /proc           proc    defaults          0       0\nPARTUUID={sig}-01  /boot/firmware  vfat    defaults          0       2\n"
        f"PARTUUID={sig}-02  /               ext4    defaults,noatime  0       1\nUUID={data}  /srv/data  ext4  defaults,noatime,nofail,x-systemd.device-timeout=30s  0  2\n"
        "# a swapfile is not a swap partition, no line here\n#   use  dphys-swapfile swap[on|off]  for that\n",
    )
    t.put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    ether(m, "eth0", "platform/scb/fd580000.ethernet", None, "bcmgenet")
    t.empty.append("run/systemd/system")
    m.finish([("/var/swap", 524284, 0)])
    return m
