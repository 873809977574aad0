#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One case of the crash matrix, inside tests/fake/with: hurt a session once, go on, tell what came of it.

    case.py DIR POINT       POINT is JSON: {"how": "none" | "kill" | "fail" | "hangup", ...}

What happened goes to DIR/case.json; matrix judges it.
"""
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import termios
import time

DIR, POINT = sys.argv[1], json.loads(sys.argv[2])
PROGRAM = os.path.join(os.environ["BUILD"], "crash/coldswap")
STATE = DIR + "/var"
RUN = [PROGRAM, "run", DIR + "/session.yaml", "--var", f"from={DIR}/from", "--var", f"to={DIR}/to",
       "--var", "pause=" + POINT.get("pause", "0s"), "--state", STATE]
RESUME = [PROGRAM, "resume", "--state", STATE]
RESUMES_MAX = 6


def strace(point):
    """The words before a command that hurt it at one call."""
    inject = f"inject={point['call']}:{point['with']}:when={point['when']}"
    paths = [word for path in point.get("paths", []) for word in ("-P", path.replace("DIR", DIR))]
    return ["strace", "-f", "-qqq", "-o", DIR + "/trace", "-e", "trace=" + point["call"], *paths, "-e", inject]


def call(words, seconds=60):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=seconds)
    return {"code": done.returncode, "said": (done.stdout + done.stderr)[-2000:]}


def listener():
    """Read a pty until the text or the end: what was said so far."""
    said = b""

    def until(master, what, seconds=30):
        nonlocal said
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.2)[0]:
                continue
            try:
                got = os.read(master, 4096)
            except OSError:
                return False
            if not got:
                return False
            said += got
            if what and what.encode() in said:
                return True
        return False

    return until, lambda: said.decode(errors="replace")


def on_pty(words):
    """The program as leader of a session whose terminal is the returned descriptor."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, b"\x18\x00\x50\x00\x00\x00\x00\x00")

    def lead():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    child = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, preexec_fn=lead)
    os.close(slave)
    return master, child


def hangup(point):
    """Close the terminal, or press Ctrl-C, when the program has said a word and so long after it."""
    master, child = on_pty(RUN + point.get("words", []))
    until, said = listener()
    met = until(master, point["at"])
    time.sleep(point.get("later", 0))
    if point["how"] == "interrupt":
        os.write(master, b"\x03")
        until(master, "never said")
    os.close(master)
    try:
        code = child.wait(30)
    except subprocess.TimeoutExpired:
        child.kill()
        code = "hangs"
    return {"code": code, "said": said()[-2000:], "met": met}


def hurt():
    how = POINT["how"]
    if how in ("hangup", "interrupt"):
        return hangup(POINT)
    words = RUN + ["--yes"]
    return call((strace(POINT) if how in ("kill", "fail", "trace") else []) + words)


def keep(name):
    """What is there now, for the judge."""
    for path in ("var/journal.db", "var/journal.db-journal"):
        if os.path.exists(f"{DIR}/{path}"):
            shutil.copy(f"{DIR}/{path}", f"{DIR}/{name}-{os.path.basename(path)}")
    shutil.copy(DIR + "/log", f"{DIR}/{name}-log")
    case["inode"] = os.stat(DIR + "/to").st_ino if os.path.exists(DIR + "/to") else None


def go_on():
    """resume until the session is closed; begin where none was opened."""
    calls = []
    for _ in range(RESUMES_MAX):
        calls.append(call(RESUME + ["--yes"]))
        code = calls[-1]["code"]
        if code == 2 and "no session is open" in calls[-1]["said"]:
            if is_closed():
                break
            calls.append(call(RUN + ["--yes"]))
            code = calls[-1]["code"]
        if code == 0:
            break
        time.sleep(0.1)  # a job of systemd's may still be on its way
    return calls


def is_closed():
    """Is the last session over?  Not one whose journal was never finished, or must be rolled back first."""
    try:
        with sqlite3.connect(f"file:{STATE}/journal.db?mode=ro", uri=True) as journal:
            return journal.execute("SELECT type FROM event ORDER BY seq DESC").fetchone() == ("closed",)
    except sqlite3.OperationalError:
        return False


signal.signal(signal.SIGHUP, signal.SIG_IGN)
case = {"point": POINT, "hurt": hurt()}
keep("hurt")
case["after"] = call([PROGRAM, "status", "--state", STATE])
case["calls"] = go_on() if POINT["how"] != "trace" else []
case["report"] = call([PROGRAM, "report", "--state", STATE])
with open(DIR + "/case.json", "w", encoding="utf-8") as out:
    json.dump(case, out)
