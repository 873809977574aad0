# SPDX-License-Identifier: MIT
"""PCI functions, and EFI variables in the firmware's binary form."""

import struct
import uuid


def pci(
    tree,
    path,
    vendor,
    device,
    class_,
    driver,
    subsystem=("0x1043", "0x8534"),
    revision="0x05",
    irq=27,
):
    """A PCI function at sys/devices/PATH, bound to a driver."""
    slot, full = path.split("/")[-1], f"sys/devices/{path}"
    tree.attrs(
        full,
        vendor=vendor,
        device=device,
        **{"class": class_},
        subsystem_vendor=subsystem[0],
        subsystem_device=subsystem[1],
        revision=revision,
        irq=irq,
        numa_node=-1,
        enable=1,
    )
    tree.put(
        f"{full}/uevent",
        f"DRIVER={driver}\nPCI_CLASS={int(class_, 16):X}\nPCI_ID={vendor[2:].upper()}:{device[2:].upper()}\nPCI_SLOT_NAME={slot}\n",
    )
    tree.point(f"{full}/driver", f"sys/bus/pci/drivers/{driver}")
    tree.point(f"{full}/subsystem", "sys/bus/pci")
    tree.point(f"sys/bus/pci/devices/{slot}", full)
    tree.point(f"sys/bus/pci/drivers/{driver}/{slot}", full)


def efi_variable(tree, name, data, attributes=7, guid="8be4df61-93ca-11d2-aa0d-00e098032b8c"):
    tree.put(f"sys/firmware/efi/efivars/{name}-{guid}", struct.pack("<I", attributes) + data)


def efi_entry(description, number, start, size, partuuid, file):
    """A load option that names the partition by its GUID: HD(number,GPT,partuuid,start,size)/File(...)."""
    text = file.encode("utf-16-le") + b"\0\0"
    path = (
        struct.pack("<BBHIQQ", 4, 1, 42, number, start, size)
        + uuid.UUID(partuuid).bytes_le
        + b"\x02\x02"
    )
    path += struct.pack("<BBH", 4, 4, 4 + len(text)) + text + b"\x7f\xff\x04\x00"
    return struct.pack("<IH", 1, len(path)) + description.encode("utf-16-le") + b"\0\0" + path
