# SPDX-License-Identifier: MIT
"""SATA: AHCI controllers and their drives, as sysfs, udev, smartctl 7.3 and the kernel log tell of them."""

from capture import udev_escape
from firmware import pci

SPEED = {0: "<unknown>", 1: "1.5 Gbps", 2: "3.0 Gbps", 3: "6.0 Gbps"}
SSTATUS = {1: "113", 2: "123", 3: "133"}


class Drive:
    def __init__(
        self, model, serial, wwn, firmware, sectors, rpm=0, max_speed=3, ata="ATA-11", family=None
    ):
        self.model, self.serial, self.wwn, self.firmware, self.sectors = (
            model,
            serial,
            wwn,
            firmware,
            sectors,
        )
        self.rpm, self.max_speed, self.ata, self.family = rpm, max_speed, ata, family

    def udev(self, slot, port_no, table=None, scheme="gpt"):
        """Properties in the order in which udev's ata_id, path_id and blkid add them."""
        model = self.model.replace(" ", "_")
        path = f"pci-{slot}-ata-{port_no}"
        props = {
            "ID_ATA": 1,
            "ID_TYPE": "disk",
            "ID_BUS": "ata",
            "ID_MODEL": model,
            "ID_MODEL_ENC": udev_escape(self.model.ljust(40)),
            "ID_REVISION": self.firmware,
            "ID_SERIAL": f"{model}_{self.serial}",
            "ID_SERIAL_SHORT": self.serial,
            "ID_ATA_WRITE_CACHE": 1,
            "ID_ATA_WRITE_CACHE_ENABLED": 1,
            "ID_ATA_FEATURE_SET_HPA": 1,
            "ID_ATA_FEATURE_SET_HPA_ENABLED": 1,
            "ID_ATA_FEATURE_SET_PM": 1,
            "ID_ATA_FEATURE_SET_PM_ENABLED": 1,
            "ID_ATA_FEATURE_SET_SECURITY": 1,
            "ID_ATA_FEATURE_SET_SECURITY_ENABLED": 0,
            "ID_ATA_FEATURE_SET_SMART": 1,
            "ID_ATA_FEATURE_SET_SMART_ENABLED": 1,
            "ID_ATA_DOWNLOAD_MICROCODE": 1,
            "ID_ATA_SATA": 1,
        }
        if self.max_speed >= 2:
            props["ID_ATA_SATA_SIGNAL_RATE_GEN2"] = 1
        props |= {
            "ID_ATA_SATA_SIGNAL_RATE_GEN1": 1,
            "ID_ATA_ROTATION_RATE_RPM": self.rpm,
            "ID_WWN": self.wwn,
            "ID_WWN_WITH_EXTENSION": self.wwn,
            "ID_PATH": f"{path}.0",
            "ID_PATH_TAG": f"{path}.0".replace(":", "_").replace(".", "_"),
            "ID_PATH_ATA_COMPAT": path,
        }
        if table:
            props |= {"ID_PART_TABLE_UUID": table, "ID_PART_TABLE_TYPE": scheme}
        return props

    def links(self, slot, port_no):
        name = f"ata-{self.model.replace(' ', '_')}_{self.serial}"
        return [
            f"by-id/{name}",
            f"by-id/wwn-{self.wwn}",
            f"by-path/pci-{slot}-ata-{port_no}",
            f"by-path/pci-{slot}-ata-{port_no}.0",
        ]

    def identify(self):
        """IDENTIFY DEVICE as /sys/class/ata_device/devN.0/id shows it: 256 words in hexadecimal."""
        words = [0] * 256

        def text(first, count, value):
            raw = value.ljust(count * 2).encode()
            for i in range(count):
                words[first + i] = raw[2 * i] << 8 | raw[2 * i + 1]

        text(10, 10, self.serial.rjust(20))
        text(23, 4, self.firmware)
        text(27, 20, self.model)
        words[0], words[49], words[53], words[75] = 0x0040, 0x2F00, 0x0007, 31
        words[76] = 0x0700 | {1: 0x02, 2: 0x06, 3: 0x0E}[self.max_speed]
        words[80], words[83], words[86], words[88], words[93], words[106] = (
            0x03FE,
            0x7D69,
            0xBC01,
            0x407F,
            0,
            0x6003 if self.rpm else 0x4000,
        )
        for i in range(4):
            words[100 + i] = self.sectors >> 16 * i & 0xFFFF
            words[108 + i] = int(self.wwn, 16) >> 16 * (3 - i) & 0xFFFF
        words[217] = self.rpm or 1
        return "".join(f"{w:04x}{chr(10) if i % 8 == 7 else ' '}" for i, w in enumerate(words))


class Ahci:
    """One controller.  Ports outside the mask are DUMMY ports, which sysfs shows like any other."""

    def __init__(
        self,
        machine,
        path,
        device,
        mask,
        ports,
        first_ata=1,
        first_host=0,
        vendor="0x8086",
        abar=0xF7D1A000,
        irq=27,
        version="10300",
    ):
        self.machine, self.path, self.slot, self.mask, self.ports = (
            machine,
            path,
            path.split("/")[-1],
            mask,
            ports,
        )
        self.first_ata, self.first_host, self.abar, self.irq = first_ata, first_host, abar, irq
        t = machine.tree
        pci(t, path, vendor, device, "0x010601", "ahci", irq=irq)
        for port in range(ports):
            ata, host, base = (
                first_ata + port,
                first_host + port,
                f"sys/devices/{path}/ata{first_ata + port}",
            )
            t.attrs(f"{base}/ata_port/ata{ata}", port_no=port + 1, idle_irq=0, nr_pmp_links=0)
            t.point(f"{base}/ata_port/ata{ata}/device", base)
            t.point(f"sys/class/ata_port/ata{ata}", f"{base}/ata_port/ata{ata}")
            scsi = f"{base}/host{host}/scsi_host/host{host}"
            t.attrs(
                scsi,
                proc_name="ahci",
                unique_id=ata,
                state="running",
                can_queue=32,
                cmd_per_lun=1,
                host_busy=0,
                ahci_host_caps=f"c720ff{ports - 1 & 31:02x}",
                ahci_host_cap2="24",
                ahci_host_version=version,
                link_power_management_policy="med_power_with_dipm",
            )
            t.point(f"{scsi}/device", f"{base}/host{host}")
            t.point(f"sys/class/scsi_host/host{host}", scsi)
            self.link(port, 0)
            self.device(port, "unknown" if not mask >> port & 1 else "none", None)

    def base(self, port):
        return f"sys/devices/{self.path}/ata{self.first_ata + port}"

    def link(self, port, speed, limit=0, hw_limit=0):
        ata, t = self.first_ata + port, self.machine.tree
        path = f"{self.base(port)}/link{ata}/ata_link/link{ata}"
        t.attrs(
            path,
            sata_spd=SPEED[speed],
            sata_spd_limit=SPEED[limit],
            hw_sata_spd_limit=SPEED[hw_limit],
        )
        t.point(f"{path}/device", f"{self.base(port)}/link{ata}")
        t.point(f"sys/class/ata_link/link{ata}", path)

    def device(self, port, class_, drive):
        ata, t = self.first_ata + port, self.machine.tree
        path = f"{self.base(port)}/link{ata}/dev{ata}.0/ata_device/dev{ata}.0"
        mode = "XFER_UDMA_6" if drive else "none" if class_ == "none" else "unknown"
        t.attrs(
            path,
            **{"class": class_},
            spdn_cnt=0,
            dma_mode=mode,
            xfer_mode=mode,
            pio_mode="XFER_PIO_4" if drive else mode,
            trim="unsupported" if not drive or drive.rpm else "unqueued",
        )
        t.put(f"{path}/ering", "")
        t.put(f"{path}/id", drive.identify() if drive else "")
        t.point(f"{path}/device", f"{self.base(port)}/link{ata}/dev{ata}.0")
        t.point(f"sys/class/ata_device/dev{ata}.0", path)

    def plug(self, port, name, devno, drive, speed, parts=(), table=None, scheme="gpt", limit=0):
        """A drive with its link up."""
        ata, host, t = self.first_ata + port, self.first_host + port, self.machine.tree
        self.link(port, speed, limit)
        self.device(port, "ata", drive)
        target = f"{self.path}/ata{ata}/host{host}/target{host}:0:0/{host}:0:0:0"
        t.attrs(
            f"sys/devices/{target}",
            vendor="ATA     ",
            model=drive.model[:16].ljust(16),
            rev=drive.firmware[-4:],
            type=0,
            state="running",
            queue_depth=32,
            timeout=30,
            wwid=f"naa.{drive.wwn[2:]}",
            scsi_level=6,
        )
        serial = drive.serial.rjust(20).encode()
        t.put(f"sys/devices/{target}/vpd_pg80", bytes([0, 0x80, 0, len(serial)]) + serial)
        self.machine.disk(
            name,
            devno,
            drive.sectors,
            target,
            drive.udev(self.slot, port + 1, table, scheme),
            drive.links(self.slot, port + 1),
            rotational=int(drive.rpm > 0),
            parts=parts,
        )

    def tell(
        self, at, links, generation="6", lines=2, flags="64bit ncq led clo pio slum part ems apst"
    ):
        """The controller's part of a kernel log of Linux <= 6.1.  `links`: port -> (speed, drive); else down."""
        say = self.machine.say
        count = max(p for p in range(32) if self.mask >> p & 1) + 1
        say(at, f"ahci {self.slot}: version 3.0")
        say(
            at + 0.01,
            f"ahci {self.slot}: AHCI 0001.0300 32 slots {count} ports {generation} Gbps 0x{self.mask:x} impl SATA mode",
        )
        say(at + 0.0101, f"ahci {self.slot}: flags: {flags}")
        for port in range(self.ports):
            say(at + 0.03 + port / 1000, f"scsi host{self.first_host + port}: ahci")
        for port in range(self.ports):
            ata = self.first_ata + port
            text = f"SATA max UDMA/133 abar m2048@0x{self.abar:x} port 0x{self.abar + 0x100 + 0x80 * port:x} irq {self.irq}"
            say(at + 0.04 + port / 10000, f"ata{ata}: {text if self.mask >> port & 1 else 'DUMMY'}")
        for port in range(self.ports):
            ata = self.first_ata + port
            if port in links:
                speed, drive = links[port]
                say(
                    at + 0.35 + port / 1000,
                    f"ata{ata}: SATA link up {SPEED[speed]} (SStatus {SSTATUS[speed]} SControl 300)",
                )
                say(
                    at + 0.36 + port / 1000,
                    f"ata{ata}.00: {drive.ata}: {drive.model}, {drive.firmware}, max UDMA/133",
                )
                say(
                    at + 0.36 + port / 1000,
                    f"ata{ata}.00: {drive.sectors} sectors, multi 16: LBA48 NCQ (depth 32), AA",
                )
                say(at + 0.37 + port / 1000, f"ata{ata}.00: configured for UDMA/133")
            elif self.mask >> port & 1:
                say(at + 0.35 + port / 1000, f"ata{ata}: SATA link down (SStatus 0 SControl 300)")


FLAGS = {
    0x0001: ("P", "prefailure"),
    0x0002: ("O", "updated_online"),
    0x0004: ("S", "performance"),
    0x0008: ("R", "error_rate"),
    0x0010: ("C", "event_count"),
    0x0020: ("K", "auto_keep"),
}


def attribute(id_, name, flags, value, worst, thresh, raw, text=None):
    return {
        "id": id_,
        "name": name,
        "value": value,
        "worst": worst,
        "thresh": thresh,
        "when_failed": "",
        "flags": {
            "value": flags,
            "string": "".join(c if flags & bit else "-" for bit, (c, _) in FLAGS.items()) + " ",
            **{word: bool(flags & bit) for bit, (_, word) in FLAGS.items()},
        },
        "raw": {"value": raw, "string": text or str(raw)},
    }


def speed(generation):
    tenths = {1: 15, 2: 30, 3: 60}[generation]
    return {
        "sata_value": {1: 2, 2: 6, 3: 14}[generation],
        "string": f"{tenths / 10} Gb/s",
        "units_per_second": tenths,
        "bits_per_unit": 100000000,
    }


def smart(
    name, drive, current, table, hours, cycles, celsius, release="6.1.0-26-amd64", when=1786262400
):
    """`smartctl --json -x` of smartmontools 7.3, less the logs."""
    wwn = int(drive.wwn, 16)
    doc = {
        "json_format_version": [1, 0],
        "smartctl": {
            "version": [7, 3],
            "svn_revision": "5338",
            "platform_info": f"x86_64-linux-{release}",
            "build_info": "(local build)",
            "argv": ["smartctl", "--json", "-x", f"/dev/{name}"],
            "drive_database_version": {"string": "7.3/5319"},
            "exit_status": 0,
        },
        "local_time": {"time_t": when, "asctime": "Sun Aug  9 08:00:00 2026 UTC"},
        "device": {
            "name": f"/dev/{name}",
            "info_name": f"/dev/{name} [SAT]",
            "type": "sat",
            "protocol": "ATA",
        },
    }
    if drive.family:
        doc["model_family"] = drive.family
    doc |= {
        "model_name": drive.model,
        "serial_number": drive.serial,
        "wwn": {"naa": wwn >> 60, "oui": wwn >> 36 & 0xFFFFFF, "id": wwn & 0xFFFFFFFFF},
        "firmware_version": drive.firmware,
        "user_capacity": {"blocks": drive.sectors, "bytes": drive.sectors * 512},
        "logical_block_size": 512,
        "physical_block_size": 4096 if drive.rpm else 512,
        "rotation_rate": drive.rpm,
        "form_factor": {
            "ata_value": 2 if drive.rpm else 3,
            "name": "3.5 inches" if drive.rpm else "2.5 inches",
        },
        "trim": {"supported": not drive.rpm},
        "in_smartctl_database": bool(drive.family),
        "ata_version": {
            "string": "ACS-4 T13/BSR INCITS 529 revision 5",
            "major_value": 4092,
            "minor_value": 94,
        },
        "sata_version": {
            "string": f"SATA 3.{1 if drive.rpm else 3}",
            "value": 127 if drive.rpm else 511,
        },
        "interface_speed": {"max": speed(drive.max_speed), "current": speed(current)},
        "smart_support": {"available": True, "enabled": True},
        "read_lookahead": {"enabled": True},
        "write_cache": {"enabled": True},
        "ata_security": {
            "state": 41,
            "string": "Disabled, frozen [SEC2]",
            "enabled": False,
            "frozen": True,
        },
        "smart_status": {"passed": True},
        "ata_smart_data": {
            "offline_data_collection": {
                "status": {"value": 0, "string": "was never started"},
                "completion_seconds": 0,
            },
            "self_test": {
                "status": {"value": 0, "string": "completed without error", "passed": True},
                "polling_minutes": {"short": 2, "extended": 160},
            },
        },
        "ata_smart_attributes": {"revision": 1, "table": table},
        "power_on_time": {"hours": hours},
        "power_cycle_count": cycles,
        "temperature": {"current": celsius},
        "ata_smart_error_log": {"extended": {"revision": 1, "sectors": 1, "count": 0}},
        "ata_smart_self_test_log": {"extended": {"revision": 1, "sectors": 1, "count": 0}},
    }
    return doc
