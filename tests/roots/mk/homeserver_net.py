# SPDX-License-Identifier: MIT
"""The home server's network: enp3s0 at 100 Mb/s full duplex, the cluster's virtual devices, the kernel's TCP settings."""

from firmware import pci

SETTINGS = {
    "core": {
        "rmem_default": 212992,
        "rmem_max": 212992,
        "wmem_default": 212992,
        "wmem_max": 212992,
        "netdev_max_backlog": 1000,
    },
    "ipv4": {
        "tcp_rmem": "4096\t131072\t6291456",
        "tcp_wmem": "4096\t16384\t4194304",
        "tcp_adv_win_scale": 1,
        "tcp_moderate_rcvbuf": 1,
        "tcp_timestamps": 1,
        "tcp_window_scaling": 1,
        "tcp_sack": 1,
        "tcp_congestion_control": "cubic",
        "tcp_no_metrics_save": 0,
        "ip_forward": 1,
    },
}
DEV = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
"""
ROUTES = """\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
enp3s0\t00000000\t0102A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0
enp3s0\t0002A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
cni0\t00002A0A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
"""


def interface(m, name, path, index, mac, mtu, physical=False, **more):
    t, full = m.tree, f"sys/devices/{path}/net/{name}"
    t.attrs(
        full,
        address=mac,
        mtu=mtu,
        ifindex=index,
        iflink=index,
        type=772 if name == "lo" else 1,
        tx_queue_len=1000,
        dormant=0,
        flags="0x1003" if name != "lo" else "0x9",
        broadcast="ff:ff:ff:ff:ff:ff" if name != "lo" else "00:00:00:00:00:00",
        **more,
    )
    t.point(f"{full}/subsystem", "sys/class/net")
    t.put(f"{full}/uevent", f"INTERFACE={name}\nIFINDEX={index}\n")
    t.point(f"sys/class/net/{name}", full)
    if physical:
        t.point(f"{full}/device", f"sys/devices/{path}")


def network(m):
    t, nic = m.tree, "pci0000:00/0000:00:1c.2/0000:03:00.0"
    pci(t, nic, "0x10ec", "0x8168", "0x020000", "r8169", ("0x1043", "0x8554"), "0x0c", 28)
    interface(m, "lo", "virtual", 1, "00:00:00:00:00:00", 65536, operstate="unknown", carrier=1)
    interface(
        m,
        "enp3s0",
        nic,
        2,
        "1c:b7:2c:5e:90:3a",
        1500,
        physical=True,
        operstate="up",
        carrier=1,
        carrier_changes=2,
        carrier_up_count=1,
        carrier_down_count=1,
        speed=100,
        duplex="full",
    )
    t.attrs(
        f"sys/devices/{nic}/net/enp3s0/statistics",
        rx_bytes=918273645512,
        tx_bytes=402118377201,
        rx_errors=0,
        tx_errors=0,
        rx_dropped=0,
        rx_crc_errors=0,
        collisions=0,
    )
    interface(
        m,
        "flannel.1",
        "virtual",
        3,
        "5a:1f:0c:e7:44:9b",
        1450,
        operstate="unknown",
        carrier=1,
        speed=-1,
        duplex="unknown",
    )
    interface(
        m,
        "cni0",
        "virtual",
        4,
        "b6:30:d1:7a:22:0e",
        1450,
        operstate="up",
        carrier=1,
        speed=10000,
        duplex="unknown",
    )
    m.say(1.05, "r8169 0000:03:00.0 eth0: RTL8168g/8111g, 1c:b7:2c:5e:90:3a, XID 4c0, IRQ 28")
    m.say(1.91, "r8169 0000:03:00.0 enp3s0: renamed from eth0")
    m.say(9.47, "r8169 0000:03:00.0 enp3s0: Link is Up - 100Mbps/Full - flow control rx/tx")
    m.say(9.471, "IPv6: ADDRCONF(NETDEV_CHANGE): enp3s0: link becomes ready")
    for name, values in SETTINGS.items():
        t.attrs(f"proc/sys/net/{name}", **values)
    t.put(
        "proc/net/dev",
        DEV
        + "".join(
            f"{n:>6}: {rx} {rp} 0 0 0 0 0 0 {tx} {tp} 0 0 0 0 0 0\n"
            for n, rx, rp, tx, tp in (
                ("lo", 80219337410, 41203318, 80219337410, 41203318),
                ("enp3s0", 918273645512, 712044120, 402118377201, 380112047),
                ("flannel.1", 0, 0, 0, 0),
                ("cni0", 120331184402, 90112043, 98120443211, 88120441),
            )
        ),
    )
    t.put("proc/net/route", ROUTES)
    t.put(
        "etc/network/interfaces",
        "source /etc/network/interfaces.d/*\n\nauto lo\niface lo inet loopback\n\nallow-hotplug enp3s0\niface enp3s0 inet dhcp\n",
    )
