# SPDX-License-Identifier: MIT
"""
One virtual machine: QEMU, its wiring, its console, and an agent inside that runs commands as root.

A Guest owns a directory (overlays over the disks of the image, EFI variables, logs) and one QEMU at a time; start()
and cut() or wait_off() may alternate with other wirings, as power and cables do.  Every wait has a deadline of its own.
QEMU dies with this process, and is killed by the pid in its file, after a look at what that pid runs.
"""
import base64
import ctypes
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

QEMU = "qemu-system-x86_64"
FIRMWARE = "/usr/share/OVMF/OVMF_CODE_4M.fd"
MODEL = "REHEARSAL-DISK"
PR_SET_PDEATHSIG = 1
# A boot takes 25 s on an idle machine without KVM, and some minutes on a busy one.
BOOT = 420
PATIENCE = 240  # s, for one answer: without KVM, beside other work, a guest is slow without being wrong
PROMPT = r"\[(\d+)\]rehearsal# $"


class Timeout(Exception):
    """A deadline passed: says what was waited for, and what came instead."""


class Channel:
    """A socket that QEMU serves."""

    def __init__(self, path, limit=PATIENCE):
        end = time.monotonic() + limit
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(path)
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def receive(self, wait):
        """What came within `wait` seconds, or nothing; None once QEMU has gone."""
        if not select.select([self.socket], [], [], max(wait, 0))[0]:
            return b""
        try:
            return self.socket.recv(1 << 16) or None
        except ConnectionResetError:
            return None

    def send(self, data):
        self.socket.sendall(data)

    def close(self):
        self.socket.close()


class Lines(Channel):
    """A channel that speaks one JSON document a line."""

    def __init__(self, path):
        super().__init__(path)
        self.parts = []

    def line(self, limit):
        end = time.monotonic() + limit
        while True:
            if self.parts and b"\n" in self.parts[-1]:
                line, rest = b"".join(self.parts).split(b"\n", 1)
                self.parts = [rest] if rest else []
                return json.loads(line)
            if time.monotonic() > end:
                raise Timeout(f"no answer within {limit} s")
            data = self.receive(min(1, end - time.monotonic()))
            if data is None:
                raise EOFError("the machine went off while it was asked")
            if data:
                self.parts.append(data)

    def say(self, document):
        self.send(json.dumps(document).encode() + b"\n")


class Console(Channel):
    """The serial line: what an operator reads and types.  `log` keeps all that was shown."""

    CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78]|\r|\x07")

    def __init__(self, path, log):
        super().__init__(path)
        self.raw = b""
        self.log = log

    def text(self):
        return self.CONTROL.sub("", self.raw.decode(errors="replace"))

    def feed(self, wait):
        data = self.receive(wait)
        if data:
            self.raw += data
            self.log.write(data)
            self.log.flush()
        return data

    def expect(self, *patterns, limit=PATIENCE):
        """Wait for the first of these regular expressions that shows; returns (its number, match, text before it)."""
        end = time.monotonic() + limit
        while True:
            text = self.text()
            for number, pattern in enumerate(patterns):
                match = re.search(pattern, text)
                if match:
                    self.raw = text[match.end():].encode()
                    return number, match, text[: match.start()]
            if time.monotonic() > end:
                raise Timeout(f"{limit} s passed without {patterns!r}; the console shows {text[-1500:]!r}")
            if self.feed(min(1, end - time.monotonic())) is None:
                raise EOFError(f"the machine went off before {patterns!r}; the console showed {text[-1500:]!r}")

    def type(self, text):
        self.send(text.encode())

    def drain(self):
        while self.feed(0.05):
            pass
        self.raw = b""

    def command(self, text, limit=PATIENCE):
        """A command at the shell's prompt; (exit code, what it showed)."""
        self.type(text + "\n")
        _, match, shown = self.expect(PROMPT, limit=limit)
        return int(match.group(1)), shown.partition("\n")[2]


class Disk:
    """One drive: a file and what its label says."""

    def __init__(self, serial, file):
        self.serial = serial
        self.file = file


def overlay(base, top):
    """A file that starts as `base`, which must not change, and takes all that is written."""
    form = "raw" if base.endswith(".raw") else "qcow2"
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", form, "-b", base, top], check=True)
    return top


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Guest:
    def __init__(self, directory, vars_file, log, memory=1024):
        self.directory = directory
        self.vars_file = vars_file
        self.memory = memory
        self.log = open(log, "ab")
        # A socket's path has at most 107 bytes, whatever the directory's is.
        self.sockets = tempfile.mkdtemp(prefix="vm.", dir="/tmp")
        self.process = self.console = self.agent = self.monitor = None
        self.boot_id = None

    def arguments(self, wiring, clock):
        at = self.sockets
        words = [
            QEMU, "-nodefaults", "-no-user-config", "-display", "none", "-machine", "q35", "-cpu", "qemu64",
            "-accel", os.environ.get("REHEARSAL_ACCEL", "tcg,thread=multi"),
            "-smp", "2", "-m", str(self.memory), "-nic", "none", "-pidfile", f"{at}/pid",
            "-drive", f"if=pflash,unit=0,format=raw,readonly=on,file={FIRMWARE}",
            "-drive", f"if=pflash,unit=1,format=raw,file={self.vars_file}",
            "-chardev", f"socket,id=console,path={at}/console,server=on,wait=on", "-serial", "chardev:console",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={at}/agent,server=on,wait=on",
            "-device", "virtserialport,chardev=agent,name=rehearsal.0",
            "-qmp", f"unix:{at}/monitor,server=on,wait=off",
        ]
        if clock:
            words += ["-rtc", f"base={clock}"]
        for port, disk in sorted(wiring.items()):
            words += ["-drive", f"if=none,id=disk{port},file={disk.file},format=qcow2,cache=writeback"]
            words += ["-device", f"ide-hd,drive=disk{port},bus=ide.{port},serial={disk.serial},model={MODEL}"]
        return words

    def start(self, wiring, clock=None):
        """Power on with {port: Disk}; `clock` is what the clock of the board says."""
        for name in os.listdir(self.sockets):
            os.unlink(f"{self.sockets}/{name}")
        self.boot_id = None
        self.process = subprocess.Popen(
            self.arguments(wiring, clock), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=self.log, preexec_fn=die_with_parent)
        try:
            self.console = Console(f"{self.sockets}/console", self.log)
            self.agent = Lines(f"{self.sockets}/agent")
            self.monitor = Lines(f"{self.sockets}/monitor")
            self.monitor.line(30)
            self.ask_monitor("qmp_capabilities")
        except Exception:
            self.cut()
            raise

    def ask_monitor(self, command, **arguments):
        self.monitor.say({"execute": command, "arguments": arguments})
        while True:
            answer = self.monitor.line(30)
            if "return" in answer or "error" in answer:
                return answer

    def wait_hello(self, limit=BOOT):
        """Until the agent of a new boot speaks; the console is read meanwhile, so that nothing in there waits."""
        end = time.monotonic() + limit
        while True:
            self.console.feed(0.2)
            try:
                answer = self.agent.line(0.2)
            except Timeout:
                if time.monotonic() > end:
                    raise Timeout(f"no boot within {limit} s: {self.console.text()[-1500:]!r}") from None
                continue
            if "boot_id" in answer:
                self.boot_id = answer["boot_id"]
                return self.boot_id

    def wait_boot(self, limit=BOOT):
        """Until the machine is up: multi-user.target reached, a prompt on the console."""
        end = time.monotonic() + limit
        self.wait_hello(limit)
        self.wait_for("systemctl -q is-active multi-user.target", end - time.monotonic())
        self.console.expect(PROMPT, limit=max(30, end - time.monotonic()))
        return self.boot_id

    def run(self, shell, limit=PATIENCE, data=b""):
        """(exit code, output) of a command of root's; `data` is its input."""
        request = {"run": shell}
        if data:
            request["input"] = base64.b64encode(data).decode()
        self.agent.say(request)
        while True:
            answer = self.agent.line(limit)
            if "boot_id" in answer:
                self.boot_id = answer["boot_id"]
                continue
            return answer["rc"], base64.b64decode(answer["out"]).decode(errors="replace")

    def check(self, shell, limit=PATIENCE, data=b""):
        code, out = self.run(shell, limit, data)
        if code:
            raise RuntimeError(f"in the guest, exit code {code}: {shell}\n{out}")
        return out

    def wait_for(self, shell, limit):
        """Until a command succeeds."""
        end = time.monotonic() + limit
        while True:
            code, out = self.run(shell, max(1, end - time.monotonic()))
            if code == 0:
                return out
            if time.monotonic() > end:
                raise Timeout(f"{limit:.0f} s passed and this still fails: {shell}\n{out}")
            self.console.feed(0.5)

    def diagnose(self):
        """What the machine says of itself, for a case that went wrong; nothing if it is off or does not answer."""
        try:
            return self.run("systemctl list-jobs; systemctl --failed; journalctl -b -o short-monotonic --no-pager | tail -n 150", 60)[1]
        except (OSError, EOFError, Timeout, AttributeError):
            return ""

    def put(self, path, data, mode="644"):
        self.check(f"cat >'{path}' && chmod {mode} '{path}'", data=data)

    def wait_off(self, limit=480):
        """Until the machine has switched itself off."""
        end = time.monotonic() + limit
        while not self.is_off():
            if time.monotonic() > end:
                raise Timeout(f"not off within {limit} s: {self.console.text()[-1500:]!r}")
            if self.console.feed(0.2) is None:
                time.sleep(0.1)
        self.forget()

    def is_off(self):
        return self.process is None or self.process.poll() is not None

    def reboot(self):
        """A boot that nobody has planned, in the same QEMU."""
        self.agent.say({"run": "systemctl reboot --check-inhibitors=no"})
        self.console.drain()
        return self.wait_boot()

    def power_off(self, limit=480):
        self.agent.say({"run": "systemctl poweroff"})
        self.wait_off(limit)

    def cut(self):
        """Pull the plug."""
        if self.process and self.process.poll() is None:
            try:
                with open(f"{self.sockets}/pid", encoding="ascii") as file:
                    pid = int(file.read())
                if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == QEMU:
                    os.kill(pid, signal.SIGKILL)
            except (OSError, ValueError):
                self.process.kill()  # it has not written its pid yet
            self.process.wait(30)
        self.forget()

    def forget(self):
        for channel in (self.console, self.agent, self.monitor):
            if channel:
                channel.close()
        self.process = self.console = self.agent = self.monitor = None

    def close(self):
        self.cut()
        self.log.close()
        shutil.rmtree(self.sockets, ignore_errors=True)
