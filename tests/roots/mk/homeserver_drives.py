# SPDX-License-Identifier: MIT
"""The home server's three drives: what smartctl says of them, and how fast they were measured."""

from ata import Drive, attribute, smart

RELEASE = "6.1.0-50-amd64"
HDD = Drive(
    "ST1000DX001-1NS162",
    "Z4YD7R2M",
    "0x5000c500a61f3c2e",
    "CC41",
    1953525168,
    rpm=7200,
    ata="ATA-9",
    family="Seagate Desktop SSHD",
)
EVO860 = Drive(
    "Samsung SSD 860 EVO 250GB",
    "S3YJNB0K417362F",
    "0x5002538e40a1d7b5",
    "RVT02B6Q",
    488397168,
    family="Samsung based SSDs",
)
EVO870 = Drive(
    "Samsung SSD 870 EVO 2TB",
    "S620NJ0R510748W",
    "0x5002538f31b4c06a",
    "SVT01B6Q",
    3907029168,
    family="Samsung based SSDs",
)


def hdd_table():
    rows = (
        (1, "Raw_Read_Error_Rate", 0x0F, 117, 99, 6, 129871320),
        (3, "Spin_Up_Time", 0x03, 97, 96, 0, 0),
        (4, "Start_Stop_Count", 0x32, 100, 100, 20, 163),
        (5, "Reallocated_Sector_Ct", 0x33, 100, 100, 10, 0),
        (7, "Seek_Error_Rate", 0x0F, 84, 60, 30, 283719456),
        (9, "Power_On_Hours", 0x32, 41, 41, 0, 52104),
        (10, "Spin_Retry_Count", 0x13, 100, 100, 97, 0),
        (12, "Power_Cycle_Count", 0x32, 100, 100, 20, 158),
        (183, "Runtime_Bad_Block", 0x32, 100, 100, 0, 0),
        (184, "End-to-End_Error", 0x32, 100, 100, 99, 0),
        (187, "Reported_Uncorrect", 0x32, 100, 100, 0, 0),
        (188, "Command_Timeout", 0x32, 100, 100, 0, 0),
        (189, "High_Fly_Writes", 0x3A, 100, 100, 0, 0),
        (190, "Airflow_Temperature_Cel", 0x22, 66, 51, 45, 34),
        (191, "G-Sense_Error_Rate", 0x32, 100, 100, 0, 0),
        (192, "Power-Off_Retract_Count", 0x32, 100, 100, 0, 41),
        (193, "Load_Cycle_Count", 0x32, 88, 88, 0, 25410),
        (194, "Temperature_Celsius", 0x22, 34, 49, 0, 34),
        (197, "Current_Pending_Sector", 0x12, 100, 100, 0, 0),
        (198, "Offline_Uncorrectable", 0x10, 100, 100, 0, 0),
        (199, "UDMA_CRC_Error_Count", 0x3E, 200, 200, 0, 0),
        (240, "Head_Flying_Hours", 0x00, 100, 253, 0, 50917),
        (241, "Total_LBAs_Written", 0x00, 100, 253, 0, 40817263512),
        (242, "Total_LBAs_Read", 0x00, 100, 253, 0, 61204877390),
    )
    return [attribute(*row) for row in rows]


def ssd_table(bad, bad_value, hours, hours_value, cycles, wear, wear_value, celsius, written):
    rows = (
        (5, "Reallocated_Sector_Ct", 0x33, bad_value, bad_value, 10, bad),
        (9, "Power_On_Hours", 0x32, hours_value, hours_value, 0, hours),
        (12, "Power_Cycle_Count", 0x32, 99, 99, 0, cycles),
        (177, "Wear_Leveling_Count", 0x13, wear_value, wear_value, 0, wear),
        (179, "Used_Rsvd_Blk_Cnt_Tot", 0x13, bad_value, bad_value, 10, bad),
        (181, "Program_Fail_Cnt_Total", 0x32, 100, 100, 10, 0),
        (182, "Erase_Fail_Count_Total", 0x32, 100, 100, 10, 0),
        (183, "Runtime_Bad_Block", 0x13, bad_value, bad_value, 10, bad),
        (187, "Uncorrectable_Error_Cnt", 0x32, 100, 100, 0, 0),
        (190, "Airflow_Temperature_Cel", 0x32, 100 - celsius, 52, 0, celsius),
        (195, "ECC_Error_Rate", 0x1A, 200, 200, 0, 0),
        (199, "UDMA_CRC_Error_Count", 0x3E, 100, 100, 0, 0),
        (235, "POR_Recovery_Count", 0x12, 99, 99, 0, 27),
        (241, "Total_LBAs_Written", 0x32, 99, 99, 0, written),
    )
    return [attribute(*row) for row in rows]


def drives(m):
    told = (
        (
            "sda",
            EVO860,
            3,
            ssd_table(0, 100, 44871, 90, 89, 38, 97, 31, 21873460112),
            44871,
            89,
            31,
        ),
        ("sdb", HDD, 3, hdd_table(), 52104, 158, 34),
        (
            "sdc",
            EVO870,
            2,
            ssd_table(393, 83, 31628, 93, 61, 519, 78, 36, 1408267351920),
            31628,
            61,
            36,
        ),
    )
    for name, drive, current, table, hours, cycles, celsius in told:
        m.tree.json(
            f"coldswap/smart/{name}.json",
            smart(name, drive, current, table, hours, cycles, celsius, RELEASE),
        )
    figure = lambda drive, path, mb_s: {
        "kind": "disk.write",
        "disk": drive.serial,
        "path": path,
        "mb_s": mb_s,
        "date": "2026-08-08",
        "conditions": "sequential write + fdatasync, 2 GiB, two rounds, order reversed in the second, writeback settled before each run",
    }
    m.tree.json(
        "coldswap/measures.json",
        {
            "schema_version": 1,
            "figures": [
                figure(HDD, "/home", [162, 152]),
                figure(EVO860, "/srv/state", [332, 333]),
                figure(EVO870, "/data", [206, 207]),
                {
                    "kind": "net.receive",
                    "interface": "enp3s0",
                    "mib_s": [11.0],
                    "date": "2026-08-08",
                    "conditions": "50 MB in 4.3 s, one connection",
                },
            ],
        },
    )
