#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""writer.py wal DB           - commit rows in WAL mode until SIGTERM, printing the number of each
writer.py half DB [OTHER]     - stop in the middle of a transaction in DELETE mode: SIGKILL at the
                                moment when everything is written and the journal still stands
writer.py last DB [OTHER]     - the highest row that a reader finds, after integrity_check

The rows of a transaction that was not committed are negative: none may be found.
"""
import os
import signal
import sqlite3
import subprocess
import sys
import time


def fill(base, table="t"):
    base.execute(f"create table {table} (n integer primary key, pad blob)")
    base.executemany(f"insert into {table} values (?, randomblob(900))", ((n,) for n in range(1, 2001)))
    base.commit()


def wal(path):
    base = sqlite3.connect(path)
    base.execute("pragma journal_mode=wal")
    # Nothing is moved into the database: every row of the load lives in the -wal alone.
    base.execute("pragma wal_autocheckpoint=0")
    fill(base)
    base.execute("pragma wal_checkpoint(truncate)")
    stop = []
    signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
    n = 2000
    while not stop:
        n += 1
        base.execute("insert into t values (?, randomblob(900))", (n,))
        base.commit()
        print(n, flush=True)
        if n > 2500:
            time.sleep(0.01)
    os._exit(0)  # as a program ends that does not close its database


def half(path, other=None):
    base = sqlite3.connect(path)
    fill(base)
    if other:
        base.execute("attach ? as o", (other,))
        fill(base, "o.t")
    base.close()
    sql = "import sqlite3, sys\nbase = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
    sql += "base.execute('attach ? as o', (sys.argv[2],))\n" if other else ""
    sql += "base.execute('begin')\nbase.execute('update t set n = -n')\n"
    sql += "base.execute('update o.t set n = -n')\n" if other else ""
    sql += "base.execute('commit')\n"
    # The first name that SQLite removes is that of the journal whose absence is the commit.
    code = subprocess.run(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=unlink,unlinkat",
         "-e", "inject=unlink,unlinkat:signal=SIGKILL:when=1", sys.executable, "-c", sql, path]
        + ([other] if other else []), check=False).returncode
    if code == 0:
        sys.exit("the transaction was not stopped")


def last(path, other=None):
    base = sqlite3.connect(path)
    if other:
        base.execute("attach ? as o", (other,))
    for table in ["main"] + (["o"] if other else []):
        for (text,) in base.execute(f"pragma {table}.integrity_check"):
            if text != "ok":
                sys.exit(f"{table}: {text}")
        low, high = base.execute(f"select min(n), max(n) from {table}.t").fetchone()
        if low < 0:
            sys.exit(f"{table}: {low}, which was never committed")
    print(high)


try:
    {"wal": wal, "half": half, "last": last}[sys.argv[1]](*sys.argv[2:])
except sqlite3.Error as error:
    sys.exit(f"{sys.argv[2]}: {error}")
