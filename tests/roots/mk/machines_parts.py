# SPDX-License-Identifier: MIT
"""What the machines have in common: partitions, healthy drives, network cards."""

from ata import Drive, attribute, smart
from capture import uid
from firmware import pci

ESP = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"

SSD = lambda serial, gb=500: Drive(
    f"CT{gb}MX500SSD1",
    serial,
    f"0x500a0751e{sum(serial.encode()):07x}",
    "M3CR046",
    gb * 1953125 // 2048 * 2048,
)

HDD = lambda serial, gb=4000: Drive(
    "WDC WD40EFRX-68N32N0",
    serial,
    f"0x50014ee2b{sum(serial.encode()):07x}",
    "82.00A82",
    gb * 1953125 // 2048 * 2048,
    rpm=5400,
    ata="ATA-9",
)


def part(host, n, start, size, fs=None, **more):
    found = {"fs": fs, "uuid": uid(host, n, start)} if fs else {}
    if fs == "vfat":
        found["uuid"] = f"{uid(host, n)[:4]}-{uid(host, n)[4:8]}".upper()
    return {
        "n": n,
        "start": start,
        "size": size,
        "partuuid": uid(host, "partition", n, start),
        **found,
        **more,
    }


def healthy(m, name, drive, current):
    row = lambda id_, text, raw=0: attribute(id_, text, 0x32, 100, 100, 0, raw)
    rows = [
        row(5, "Reallocated_Sector_Ct"),
        row(9, "Power_On_Hours", 8123),
        row(12, "Power_Cycle_Count", 41),
        row(187, "Reported_Uncorrect"),
        row(197, "Current_Pending_Sector"),
        row(198, "Offline_Uncorrectable"),
        row(199, "UDMA_CRC_Error_Count"),
    ]
    m.tree.json(
        f"coldswap/smart/{name}.json", smart(name, drive, current, rows, 8123, 41, 33, m.release)
    )


def nic(m, name, path, driver, mbps=1000, carrier=1):
    slot = path.split("/")[-1]
    pci(m.tree, path, "0x8086", "0x15b8", "0x020000", driver)
    full = f"sys/devices/{path}/net/{name}"
    m.tree.attrs(
        full,
        address="02:00:5e:10:00:01",
        carrier=carrier,
        speed=mbps,
        duplex="full",
        operstate="up" if carrier else "down",
        mtu=1500,
        type=1,
        ifindex=2,
        flags="0x1003",
    )
    m.tree.point(f"{full}/device", f"sys/devices/{path}")
    m.tree.point(f"sys/class/net/{name}", full)
    m.say(3.1, f"{driver} {slot} {name}: Link is Up - {mbps}Mbps/Full")


def systemd(m):
    m.tree.empty.append("run/systemd/system")


def room(total, used):
    return {
        "total": total // 4096 * 4096,
        "used": int(used),
        "files": total // 16384,
        "files_used": int(used // 90000),
    }


def ether(m, name, path, mbps, driver):
    full = f"sys/devices/{path}/net/{name}"
    m.tree.attrs(
        full,
        address="52:54:00:12:34:56",
        carrier=1,
        operstate="up",
        mtu=1500,
        type=1,
        ifindex=2,
        flags="0x1003",
        speed=mbps or -1,
        duplex="full" if mbps else "unknown",
    )
    if driver:
        m.tree.point(f"{full}/device", f"sys/devices/{path}")
        m.tree.point(
            f"sys/devices/{path}/driver",
            f"sys/bus/{'pci' if '0000:' in path and 'virtio' not in path else 'virtio' if 'virtio' in path else 'platform'}/drivers/{driver}",
        )
    m.tree.point(f"sys/class/net/{name}", full)
