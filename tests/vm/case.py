# SPDX-License-Identifier: MIT
"""A case of the rehearsal: a guest with disks of its own, coldswap installed, and what was observed, stage by stage."""
import json
import os
import shutil
import subprocess
import tempfile

from guest import BOOT, PROMPT, Disk, Guest, Timeout, overlay
from walk import Walk

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SERIALS = {"boot": "BOOT0001", "state": "STATE0003", "data": "DATA0005"}
# Where each is plugged in, as the image was made.
AS_BUILT = {0: "boot", 3: "state", 5: "data"}
EXCHANGED = {0: "boot", 5: "state", 3: "data"}


def package(build):
    """What `make install` puts on a machine, as one archive."""
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(
            ["make", "-s", "-C", TOP, f"BUILD={build}", "install", f"DESTDIR={root}"],
            check=True, stdout=subprocess.DEVNULL, env={k: v for k, v in os.environ.items() if k != "MAKEFLAGS"})
        for name in os.listdir(f"{root}/usr/local/bin"):
            subprocess.run(["strip", f"{root}/usr/local/bin/{name}"], check=True)
        return subprocess.run(
            ["tar", "-C", root, "--owner=0", "--group=0", "--mtime=@0", "--sort=name", "-czf", "-", "usr"], check=True, capture_output=True).stdout


class Case:
    """Every disk is an overlay over one of bench.image.  `log` gets the console, as the bytes came."""

    def __init__(self, bench, log):
        self.bench = bench
        self.directory = tempfile.mkdtemp(prefix="rehearsal.")
        self.disks = {}
        self.stages = []
        self.before = None
        self.guest = Guest(self.directory, f"{self.directory}/vars.fd", log)
        self.take_disks(bench.image)

    def take_disks(self, image, names=tuple(SERIALS)):
        """Drives as they lie in a directory that is never written: the image, or where another case was kept."""
        for name in names:
            file = f"{self.directory}/{name}-{len(os.listdir(self.directory))}.qcow2"
            self.disks[name] = Disk(SERIALS[name], overlay(f"{image}/{name}.qcow2", file))
        shutil.copy(f"{image}/vars.fd", self.directory)

    def keep_disks(self, image):
        """The machine as it is now, switched off, as something that other cases can start from."""
        os.makedirs(image)
        for name in SERIALS:
            subprocess.run(["qemu-img", "convert", "-O", "qcow2", "-B", f"{self.bench.image}/{name}.qcow2", "-F", "qcow2",
                            self.disks[name].file, f"{image}/{name}.qcow2"], check=True)
        shutil.copy(f"{self.directory}/vars.fd", image)
        with open(f"{image}/before", "w", encoding="utf-8") as file:
            file.write("\n".join(self.before))

    def close(self):
        self.guest.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    # ---- the machine ------------------------------------------------------------------------------
    def blank(self, serial, megabytes=256):
        """A drive that is not of this machine."""
        file = f"{self.directory}/{serial}.qcow2"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", file, f"{megabytes}M"], check=True)
        self.disks[serial] = Disk(serial, file)

    def power_on(self, wiring=None, clock=None):
        self.guest.start({port: self.disks[name] for port, name in (wiring or AS_BUILT).items()}, clock)
        self.guest.wait_boot()

    def power_on_emergency(self, wiring):
        """Up to the emergency shell, where no agent runs."""
        self.guest.start({port: self.disks[name] for port, name in wiring.items()})
        self.guest.console.expect(r"Press Enter for maintenance", limit=BOOT)
        for _ in range(12):  # sulogin throws away what was typed before it reads
            self.guest.console.type("\n")
            try:
                self.guest.console.expect(r"# $", limit=10)
                break
            except Timeout:
                continue
        self.guest.console.type(". /root/.bash_profile\n")
        self.guest.console.expect(PROMPT, limit=120)

    def first_boot(self, clock=None):
        """Up, with this build of coldswap on it and everything started."""
        self.power_on(clock=clock)
        self.install()
        self.settle()
        self.before = self.state()

    def install(self):
        self.guest.check("tar -C / --no-overwrite-dir -xzf - && sync", data=self.bench.archive)

    def settle(self, limit=240):
        """Until no job of systemd's is queued: a missing disk is waited for 90 s."""
        self.guest.wait_for("test -z \"$(systemctl list-jobs --no-legend)\"", limit)

    def state(self):
        with open(f"{HERE}/state", "rb") as file:
            return self.guest.check("bash", data=file.read()).splitlines()

    def ports(self):
        """{port: serial}, by the kernel's links and not by coldswap."""
        shown = self.guest.check(
            "for link in /dev/disk/by-path/*-ata-[0-9]; do"
            " echo ${link##*-ata-} $(lsblk -dno SERIAL $link); done")
        return {int(port) - 1: serial for port, serial in (line.split() for line in shown.splitlines())}

    # ---- coldswap ---------------------------------------------------------------------------------
    def json(self, arguments, limit=300):
        """(exit code, document) of a verb, run without a terminal."""
        code, out = self.guest.run(f"coldswap {arguments} --json 2>/run/talk", limit)
        try:
            return code, json.loads(out)
        except ValueError:
            talk = self.guest.run("cat /run/talk")[1]
            raise RuntimeError(f"coldswap {arguments}: exit code {code}, no document: {out[:500]}{talk[:2000]}") from None

    def walk(self, command, **how):
        return Walk(self.guest, command, **how)

    # ---- what is compared -------------------------------------------------------------------------
    def observe(self, stage, findings, code, next_command="-", session="-", same="-"):
        """One row of faults.tsv, as it was in fact."""
        row = (stage, ",".join(sorted(findings)) or "-", str(code), next_command or "-", session, same)
        self.stages.append(row)

    def stands(self, stage, code, compare=False, arguments="status"):
        """One row: how the open or last session stands, after a command that ended with `code`."""
        _, document = self.json(arguments)
        record = document["record"]
        same = difference(self.before, self.state()) if compare else "-"
        self.observe(stage, blocking(document), code, record["next"], record["closed_as"] or record["phase"], same)
        return document


def blocking(document):
    """The ids of all findings that stop a session."""
    return {
        finding["id"]
        for step in document["steps"]
        for finding in step["findings"]
        if finding["verdict"] in ("fail", "unknown")
    }


def difference(before, after):
    """How two records of a host differ: "same", or the lines that went and came."""
    gone, came = sorted(set(before) - set(after)), sorted(set(after) - set(before))
    return "same" if not gone and not came else "; ".join(["-" + line for line in gone] + ["+" + line for line in came])
