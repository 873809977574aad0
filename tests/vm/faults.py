# SPDX-License-Identifier: MIT
"""What is done to the machine: one function a fault, its rows stand in faults.tsv."""
import os
import re

from case import AS_BUILT, EXCHANGED, HERE, Case, blocking

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


# ---- the shipped runbook ---------------------------------------------------------------------------
@fault("clean")
def clean(case):
    """disk-port-swap from its first step to its report, over the exchange of two cables."""
    case.first_boot()
    case.walk("coldswap run disk-port-swap --var move_up=DATA0005 --var move_down=STATE0003"
              " --var service=ledger.service --var copy_to=/root/copy")
    case.guest.wait_off()
    case.power_on(EXCHANGED)
    case.settle()
    expect_ports(case, EXCHANGED)
    case.guest.wait_for("test -s /run/motd.d/coldswap", 120)
    code, document = case.json("verify")
    case.observe("booted", blocking(document), code)
    walk = case.walk("coldswap resume")
    case.stands("closed", walk.code, compare=True)
    code, document = case.json("report 1")
    case.observe("report", blocking(document), code, "-" if document["record"]["chain"]["whole"] else "broken")


# ---- after the boundary: all start from a machine that waits for its cables ------------------------
def run_swap(case, **how):
    with open(f"{HERE}/swap.yaml", "rb") as file:
        case.guest.put("/root/swap.yaml", file.read())
    return case.walk("coldswap run /root/swap.yaml", **how)


def cross(case):
    """Give `case` the disks of a machine that has powered itself off for the work."""
    crossed = case.bench.crossed
    if not os.path.exists(crossed):
        maker = Case(case.bench, f"{case.bench.logs}/crossed.console")
        try:
            maker.first_boot()
            walk = run_swap(maker)
            if walk.code not in (None, 10):
                raise RuntimeError(f"no power-off: exit code {walk.code}\n{walk.shown}")
            maker.guest.wait_off()
            maker.keep_disks(f"{crossed}.making")
            os.rename(f"{crossed}.making", crossed)
        finally:
            maker.close()
    case.take_disks(crossed)
    with open(f"{crossed}/before", encoding="utf-8") as file:
        case.before = file.read().splitlines()


def boot_with(case, wiring, clock=None):
    case.power_on(wiring, clock)
    case.settle()
    expect_ports(case, wiring)


def resume(case, stage, compare=True, **how):
    walk = case.walk("coldswap resume", **how)
    case.stands(stage, walk.code, compare)
    return walk


def off_again(case, wiring):
    """The operator stops at the question, mends the cables, and goes on."""
    case.guest.power_off()
    boot_with(case, wiring)
    resume(case, "mended")


@fault("same-cables")
def same_cables(case):
    """Nobody exchanged anything: keep it as it is."""
    cross(case)
    boot_with(case, AS_BUILT)
    resume(case, "kept", answers={"off": "keep"})


@fault("wrong-pair")
def wrong_pair(case):
    """Another pair was exchanged: off again with a new card, then the right pair."""
    cross(case)
    boot_with(case, {3: "boot", 0: "state", 5: "data"})
    walk = case.walk("coldswap resume", hold=("off",))
    case.stands("asked", "-")
    first = case.guest.check("cat /var/lib/coldswap/1/card.txt")
    walk.type("off")
    walk.hold = ("saved",)
    walk.go()
    if case.guest.check("cat /var/lib/coldswap/1/card.txt") == first:
        raise RuntimeError("the second power-off shows the card of the first")
    walk.type("saved")
    walk.hold = ()
    walk.go()
    case.guest.wait_off()
    boot_with(case, EXCHANGED)
    resume(case, "mended")


@fault("disk-missing")
def disk_missing(case):
    cross(case)
    boot_with(case, {0: "boot", 5: "state"})
    resume(case, "stopped", compare=False, answers={"off": "q"})
    off_again(case, EXCHANGED)


@fault("boot-disk-moved")
def boot_disk_moved(case):
    """The right pair, and the boot disk on another port too."""
    cross(case)
    boot_with(case, {1: "boot", 5: "state", 3: "data"})
    resume(case, "stopped", compare=False, answers={"off": "q"})
    off_again(case, EXCHANGED)


@fault("third-disk")
def third_disk(case):
    """A drive that nobody named stands where one of the two should be."""
    cross(case)
    case.blank("OTHER0001")
    boot_with(case, {0: "boot", 5: "state", 3: "OTHER0001", 4: "data"})
    resume(case, "kept", answers={"off": "keep"})


@fault("clock-a-year-on")
def clock_a_year_on(case):
    cross(case)
    boot_with(case, EXCHANGED, clock="2027-12-01T00:00:00")
    resume(case, "closed")


@fault("clock-before-systemd")
def clock_before_systemd(case):
    """The board's clock says a day before systemd was built: systemd sets its own, and the two disagree."""
    cross(case)
    boot_with(case, EXCHANGED, clock="2019-01-01T00:00:00")
    resume(case, "closed")


@fault("runbook-edited")
def runbook_edited(case):
    cross(case)
    boot_with(case, EXCHANGED)
    case.guest.check("cp /root/swap.yaml /root/kept.yaml; sed -i 's/as it should be/well/' /root/swap.yaml")
    resume(case, "edited", compare=False)
    case.guest.check("mv /root/kept.yaml /root/swap.yaml")
    resume(case, "as it was")


@fault("reboot-after-the-work")
def reboot_after_the_work(case):
    """One more boot before anybody resumes."""
    cross(case)
    boot_with(case, EXCHANGED)
    case.guest.power_off()
    boot_with(case, EXCHANGED)
    resume(case, "closed")


@fault("abort-after-the-work")
def abort_after_the_work(case):
    cross(case)
    boot_with(case, EXCHANGED)
    walk = case.walk("coldswap abort")
    case.stands("aborted", walk.code, compare=True)


@fault("another-run-while-off")
def another_run_while_off(case):
    """A session that waits for the reboot holds no lock, and is open all the same."""
    cross(case)
    boot_with(case, EXCHANGED)
    walk = case.walk("coldswap run /root/swap.yaml")
    case.stands("refused", walk.code)
    resume(case, "closed")


@fault("emergency-shell")
def emergency_shell(case):
    """status, card and verify where root is read-only and no bus runs."""
    cross(case)
    boot_with(case, EXCHANGED)
    case.guest.check("sed -i 's/ quiet$/ quiet emergency/' /boot/grub/grub.cfg")
    case.guest.power_off()
    case.power_on_emergency(EXCHANGED)
    for verb in ("status", "card", "verify"):
        code, _ = case.guest.console.command(f"coldswap {verb} >/run/{verb} 2>&1 </dev/null", limit=300)
        lines = case.guest.console.command(f"wc -l </run/{verb}")[1].split()[0]
        case.observe(verb, (), code, "-", "-", "says something" if int(lines) > 3 else f"{lines} lines")
    # Nothing but root is mounted in there, and verify has to say so.
    _, shown = case.guest.console.command(
        "coldswap verify --json 2>&1 </dev/null | grep -oE '\"id\":\"[a-z.]+/[a-z-]+\",\"verdict\":\"(fail|unknown)'", limit=300)
    case.observe("verify's findings", set(re.findall(r'"id":"([a-z.]+/[a-z-]+)"', shown)), "-")
    code, _ = case.guest.console.command("touch /var/lib/coldswap/x")
    case.observe("root is read-only", (), code)


@fault("foreign-state")
def foreign_state(case):
    """The session's state on a disk of another system, mounted there."""
    cross(case)
    boot_with(case, EXCHANGED)
    case.guest.check("cp -a /var/lib/coldswap /srv/state/rescued")
    case.guest.power_off()
    case.take_disks(case.bench.image, ("boot",))
    case.power_on(EXCHANGED)
    case.install()
    case.settle()
    case.stands("status", "-", arguments="status --state /srv/state/rescued")
    code, _ = case.guest.run("coldswap card --state /srv/state/rescued | grep -q STATE0003")
    case.observe("card", (), code)
    code, document = case.json("verify --state /srv/state/rescued")
    case.observe("verify", blocking(document), code)


# ---- before the boundary ---------------------------------------------------------------------------
def cut_and_go_on(case, **how):
    """The plug is pulled at a point of the run; then on to the power-off's first question, and back by abort."""
    case.first_boot()
    run_swap(case, **how)
    case.guest.cut()
    boot_with(case, AS_BUILT)
    case.stands("booted", "-")
    resume(case, "went on", compare=False, answers={"saved": "q"})
    walk = case.walk("coldswap abort")
    case.stands("aborted", walk.code, compare=True)


@fault("cut-in-a-stop")
def cut_in_a_stop(case):
    cut_and_go_on(case, until=r"\[5/17\]")


@fault("cut-at-a-gate")
def cut_at_a_gate(case):
    cut_and_go_on(case, hold=("gate:",))


@fault("cut-at-the-card")
def cut_at_the_card(case):
    cut_and_go_on(case, hold=("saved",))


@fault("cut-before-the-crossing")
def cut_before_the_crossing(case):
    """The host's name is typed, all is proved, and the journal does not say so yet."""
    cut_and_go_on(case, until="Pull the mains plug")


@fault("cut-at-power-off")
def cut_at_power_off(case):
    """Between the crossing and the end of the shutdown, and then nobody has touched a cable."""
    case.first_boot()
    run_swap(case)
    case.guest.cut()
    boot_with(case, AS_BUILT)
    case.stands("booted", "-")
    resume(case, "kept", answers={"off": "keep"})


@fault("cut-after-the-work")
def cut_after_the_work(case):
    """In the middle of the restores."""
    cross(case)
    boot_with(case, EXCHANGED)
    case.walk("coldswap resume", until=r"\[14/17\]")
    case.guest.cut()
    boot_with(case, EXCHANGED)
    case.stands("booted", "-")
    resume(case, "closed")


@fault("unplanned-reboot")
def unplanned_reboot(case):
    """Units that no hold keeps down have started by themselves: what was done to them is void."""
    case.first_boot()
    run_swap(case, hold=("gate:",))
    case.guest.reboot()
    case.settle()
    case.stands("booted", "-")
    resume(case, "went on", compare=False, answers={"saved": "q"})
    active = case.guest.run("systemctl is-active web archive ledger | sort -u")[1].split()
    case.observe("stopped again", (), "-", "-", "-", ",".join(active))
    walk = case.walk("coldswap abort")
    case.stands("aborted", walk.code, compare=True)


@fault("two-sessions")
def two_sessions(case):
    """A second run, with a state directory of its own, while the first one asks."""
    case.first_boot()
    walk = run_swap(case, hold=("gate:",))
    code, _ = case.guest.run("coldswap run /root/swap.yaml --state /root/other </dev/null")
    case.observe("second", (), code)
    walk.type("q")
    walk.go()
    case.stands("stopped", walk.code)
    walk = case.walk("coldswap abort")
    case.stands("aborted", walk.code, compare=True)


# ---- units, by a real systemd ----------------------------------------------------------------------
@fault("units")
def units(case):
    """A child that stays, a unit that does not end, one that its socket starts again, one whose stop fails."""
    case.first_boot()
    with open(f"{HERE}/unit.yaml", "rb") as file:
        case.guest.put("/root/unit.yaml", file.read())
    for unit, with_it in (("lingering.service", ""), ("knocked.service", "knocked.socket knocker.service"),
                          ("failing.service", ""), ("stubborn.service", "")):
        case.guest.check(f"systemctl start {with_it} {unit} && sleep 2")
        code, _ = case.guest.run(f"coldswap run /root/unit.yaml --var unit={unit} </dev/null", limit=480)
        _, document = case.json("status")
        stop = next(step for step in document["steps"] if step["id"] == "stop")
        # Whether the stop itself was seen, before the socket's next client came, is a matter of luck.
        warned = {finding["id"] for finding in stop["findings"] if finding["verdict"] == "warn"}
        found = set(blocking(document) or warned)
        if "unit.stop/active-again" in found:  # and whether that start is through yet, likewise
            found.discard("unit.stop/job-pending")
        case.observe(unit, found, code, document["record"]["next"], document["record"]["phase"])
        # What the operator does with what keeps the unit from its end, or from its rest.
        case.guest.run(f"systemctl kill -s KILL {unit}" if unit == "stubborn.service" else "true")
        code, _ = case.guest.run("coldswap abort </dev/null", limit=480)
        state = case.guest.run(f"systemctl is-active {unit}")[1].strip()
        case.observe(f"{unit} aborted", (), code, "-", "-", state)
        case.guest.run(f"systemctl kill -s KILL {unit}; systemctl stop --no-block {with_it} {unit}")
