# SPDX-License-Identifier: MIT
"""What is done to the machine: one function a fault, its rows stand in faults.tsv."""
from case import AS_BUILT, EXCHANGED, blocking

FAULTS = {}


def fault(name):
    def register(function):
        FAULTS[name] = function
        return function
    return register


def serials(wiring):
    return {port: {"boot": "BOOT0001", "state": "STATE0003", "data": "DATA0005"}.get(name, name)
            for port, name in wiring.items()}


def expect_ports(case, wiring):
    ports = case.ports()
    if ports != serials(wiring):
        raise RuntimeError(f"the machine is wired {ports}, not {serials(wiring)}")


# ---- looking, which changes nothing ----------------------------------------------------------------
@fault("looking")
def looking(case):
    """audit, ports, and verify against a capture, over the exchange of two cables."""
    case.first_boot()
    expect_ports(case, AS_BUILT)
    code, document = case.json("audit --exchange STATE0003,DATA0005")
    case.observe("audit", blocking(document), code)
    code, document = case.json("ports")
    seen = {port["index"]: port["disk"]["serial"]
            for controller in document["controllers"] for port in controller["ports"] if port["disk"]}
    if seen != serials(AS_BUILT):
        raise RuntimeError(f"coldswap ports says {seen}")
    case.guest.check("coldswap capture /root/before")
    case.guest.power_off()

    case.power_on(EXCHANGED)
    case.settle()
    expect_ports(case, EXCHANGED)
    code, document = case.json("verify --before /root/before --exchange STATE0003,DATA0005")
    case.observe("exchanged", blocking(document), code)
    code, document = case.json("verify --before /root/before --exchange BOOT0001,DATA0005")
    case.observe("another pair", blocking(document), code)
