# SPDX-License-Identifier: MIT
"""The home server's services: units, Vault's seal, the files that must not be re-created, and who holds them.

Those files are 669 MB (10^6): k3s server 79, Vault 58, /srv/state 532.  The database was measured at
51 and its -wal at 30, which is more than the 79 of their directory: the directory and the sum are kept,
and the -wal has 29.
"""

from capture import uid
from homeserver_kube import POD_UID, container_mounts, kube, path_of

PGDATA = "/srv/state/postgres/pgdata"

K3S_UNIT = """\
[Unit]
Description=Lightweight Kubernetes
Documentation=https://k3s.io
Wants=network-online.target
After=network-online.target

[Install]
WantedBy=multi-user.target

[Service]
Type=notify
EnvironmentFile=-/etc/default/%N
EnvironmentFile=-/etc/sysconfig/%N
EnvironmentFile=-/etc/systemd/system/k3s.service.env
KillMode=process
Delegate=yes
# Having non-zero Limit*s causes performance problems due to accounting overhead
# in the kernel. We recommend using cgroups to do container-local accounting.
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
TimeoutStartSec=0
Restart=always
RestartSec=5s
ExecStartPre=-/sbin/modprobe br_netfilter
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/k3s \\
    server \\
	'--data-dir' \\
	'/data/k3s' \\
	'--default-local-storage-path' \\
	'/data/k3s/storage' \\
	'--disable' \\
	'traefik' \\

"""


def fetched_or_expiring():
    """What fills /data and need not be copied: 63.5 GB, the large files of it."""
    loki, tempo = path_of("monitoring", "storage-loki-0"), path_of("monitoring", "storage-tempo-0")
    prometheus = path_of("monitoring", "storage-prometheus-0")
    images = "/data/k3s/agent/containerd"
    content = f"{images}/io.containerd.content.v1.content/blobs/sha256"
    layers = f"{images}/io.containerd.snapshotter.v1.overlayfs/snapshots"
    return (
        [(f"{loki}/chunks/fake/{n:02x}", 3370000000) for n in range(10)]
        + [(f"{content}/{uid('blob', str(n)).replace('-', '')}", 2000000000) for n in range(4)]
        + [(f"{layers}/{n}/fs/usr/lib/image", 4000000000) for n in range(100, 105)]
        + [(f"{prometheus}/prometheus-db/{n:026d}/chunks/000001", 500000000) for n in range(3)]
        + [(f"{tempo}/traces/single-tenant/{uid('trace', str(n))}/data.parquet", 100000000)
           for n in range(3)]
    )


def files(m):
    """The large files, as rows; the small ones that a reader wants to open stand in the tree."""
    rows, ino = [], 1703000
    vault, audit = path_of("vault", "data-vault-0"), path_of("vault", "audit-vault-0")
    sizes = [
        ("8:33", "/data/k3s/server/db/state.db", 12330 * 4096),
        ("8:33", "/data/k3s/server/db/state.db-wal", 32 + 6988 * 4120),
        ("8:33", "/data/k3s/server/db/state.db-shm", 65536),
        ("8:33", "/data/k3s/server/token", 109),
        ("8:33", f"{vault}/vault.db", 33554432),
        ("8:33", f"{vault}/raft/raft.db", 16777216),
        ("8:33", f"{audit}/audit.log", 7400312),
    ]
    sizes += [
        ("8:1", f"{PGDATA}/base/16384/{16385 + n}", 8192 * pages)
        for n, pages in enumerate((31744, 14201, 6020, 3117, 1360, 402))
    ]
    sizes += [("8:1", f"{PGDATA}/global/{1260 + n}", 8192) for n in range(3)] + [
        ("8:1", f"{PGDATA}/base/{n}/1259", 8192 * 12) for n in (1, 4, 5)
    ]
    sizes += [
        ("8:1", f"{PGDATA}/pg_wal/00000001000000A3000000{n:02X}", 16777216)
        for n in (0x1C, 0x1D, 0x1E)
    ]
    sizes += [("8:1", "/srv/state/grafana/grafana.db", 15781888)]
    dirs = sorted({p for _, path, _ in sizes for p in parents(path)})
    for path in dirs:
        rows.append(
            {
                "path": path,
                "type": "dir",
                "size": 4096,
                "ino": (ino := ino + 1),
                "dev": "8:33" if path.startswith("/data") else "8:1",
                "mtime": 1786250000,
            }
        )
    for dev, path, size in sizes:
        rows.append(
            {
                "path": path,
                "type": "file",
                "size": size,
                "ino": (ino := ino + 1),
                "dev": dev,
                "mtime": 1786262380,
            }
        )
    fetched = fetched_or_expiring()
    for path in sorted({p for path, _ in fetched for p in parents(path)} - set(dirs)):
        rows.append(
            {
                "path": path,
                "type": "dir",
                "size": 4096,
                "ino": (ino := ino + 1),
                "dev": "8:33",
                "mtime": 1786250000,
            }
        )
    for path, size in fetched:
        rows.append(
            {
                "path": path,
                "type": "file",
                "size": size,
                "ino": (ino := ino + 1),
                "dev": "8:33",
                "mtime": 1786262380,
            }
        )
    rows.sort(key=lambda row: row["path"])
    m.tree.json("coldswap/files.json", rows)
    return {row["path"]: row for row in rows}


def parents(path):
    parts = path.split("/")[1:-1]
    roots = (["data", "k3s"], ["srv", "state"])
    return ["/" + "/".join(parts[:i]) for i in range(3, len(parts) + 1) if parts[:2] in roots]


def holders(m, rows):
    vault, out = path_of("vault", "data-vault-0"), []

    def hold(pid, fd, path, mapped=False):
        row = rows[path]
        out.append(
            {
                "pid": pid,
                "fd": fd,
                "path": path,
                "dev": row["dev"],
                "ino": row["ino"],
                "nlink": 1,
                "mode": "rw",
                "deleted": False,
            }
        )
        if mapped:
            out.append(
                {
                    "pid": pid,
                    "map": "rw-s",
                    "path": path,
                    "dev": row["dev"],
                    "ino": row["ino"],
                    "nlink": 1,
                    "mode": "rw",
                    "deleted": False,
                }
            )

    for fd, name in ((14, "state.db"), (15, "state.db-wal"), (16, "state.db-shm")):
        hold(1203, fd, f"/data/k3s/server/db/{name}", name.endswith("shm"))
    hold(48213, 8, f"{vault}/vault.db", True)
    hold(48213, 11, f"{vault}/raft/raft.db", True)
    hold(48213, 5, f"{path_of('vault', 'audit-vault-0')}/audit.log")
    hold(50877, 9, f"{PGDATA}/base/16384/16385")
    m.tree.json("coldswap/openfiles.json", out)
    for pid, comm, argv, cgroup in (
        (1203, "k3s-server", ["/usr/local/bin/k3s", "server"], "/system.slice/k3s.service"),
        (
            48213,
            "vault",
            ["vault", "server", "-config=/tmp/storageconfig.hcl"],
            pod_cgroup("vault-0"),
        ),
        (50877, "postgres", ["postgres"], pod_cgroup("postgres-0")),
    ):
        t = m.tree
        t.put(f"proc/{pid}/comm", f"{comm}\n")
        t.put(f"proc/{pid}/cmdline", "\0".join(argv).encode() + b"\0")
        t.put(f"proc/{pid}/cgroup", f"0::{cgroup}\n")
        t.put(
            f"proc/{pid}/stat",
            f"{pid} ({comm}) S 1 {pid} {pid} 0 -1 4194560 {'0 ' * 15}{4100 if pid < 2000 else 163490000} {'0 ' * 29}0\n",
        )


def pod_cgroup(pod):
    slice_ = f"kubepods-burstable-pod{POD_UID[pod].replace('-', '_')}.slice"
    return f"/kubepods.slice/kubepods-burstable.slice/{slice_}/cri-containerd-{uid('container', pod).replace('-', '') * 2}.scope"


def units(m):
    t = m.tree
    t.put("etc/systemd/system/k3s.service", K3S_UNIT)
    t.put(
        "etc/systemd/system/k3s.service.d/10-mounts.conf",
        "[Unit]\nRequiresMountsFor=/data /srv/state\n",
    )
    t.put("etc/systemd/system/k3s.service.env", "")
    t.point(
        "etc/systemd/system/multi-user.target.wants/k3s.service", "etc/systemd/system/k3s.service"
    )
    argv = [
        "/usr/local/bin/k3s",
        "server",
        "--data-dir",
        "/data/k3s",
        "--default-local-storage-path",
        "/data/k3s/storage",
        "--disable",
        "traefik",
    ]
    unit(
        m,
        "k3s.service",
        "Lightweight Kubernetes",
        "/etc/systemd/system/k3s.service",
        1203,
        argv,
        Type="notify",
        KillMode="process",
        Delegate=True,
        Restart="always",
        DropInPaths=["/etc/systemd/system/k3s.service.d/10-mounts.conf"],
        RequiresMountsFor=["/data", "/srv/state"],
        Wants=["network-online.target"],
        Requires=["system.slice", "sysinit.target", "-.mount", "data.mount", "srv-state.mount"],
        After=["network-online.target", "basic.target", "-.mount", "data.mount", "srv-state.mount"],
    )
    unit(
        m,
        "ssh.service",
        "OpenBSD Secure Shell server",
        "/lib/systemd/system/ssh.service",
        871,
        ["/usr/sbin/sshd", "-D"],
        Type="notify",
        KillMode="process",
        Restart="on-failure",
        After=["network.target", "auditd.service"],
    )
    unit(
        m,
        "smartmontools.service",
        "Self Monitoring and Reporting Technology (SMART) Daemon",
        "/lib/systemd/system/smartmontools.service",
        702,
        ["/usr/sbin/smartd", "-n"],
        Type="notify",
        KillMode="control-group",
        Restart="no",
    )
    t.put("run/systemd/system/.gitkeep", "")
    for name, where, what in (
        ("data.mount", "/data", "/dev/sdc1"),
        ("srv-state.mount", "/srv/state", "/dev/sda1"),
    ):
        m.tree.json(
            f"coldswap/systemd/{name}.json",
            {
                "Id": name,
                "LoadState": "loaded",
                "ActiveState": "active",
                "SubState": "mounted",
                "UnitFileState": "generated",
                "Result": "success",
                "FragmentPath": f"/run/systemd/generator/{name}",
                "SourcePath": "/etc/fstab",
                "Where": where,
                "What": what,
                "Type": "ext4",
                "NeedDaemonReload": False,
                "DropInPaths": [],
                "TriggeredBy": [],
            },
        )


def unit(m, name, description, fragment, pid, argv, **more):
    m.tree.json(
        f"coldswap/systemd/{name}.json",
        {
            "Id": name,
            "Names": [name],
            "Description": description,
            "LoadState": "loaded",
            "ActiveState": "active",
            "SubState": "running",
            "UnitFileState": "enabled",
            "FragmentPath": fragment,
            "DropInPaths": [],
            "NeedDaemonReload": False,
            "TriggeredBy": [],
            "RequiresMountsFor": [],
            "Wants": [],
            "Requires": ["system.slice", "sysinit.target"],
            "After": ["basic.target"],
            "WantedBy": ["multi-user.target"],
            "InvocationID": uid("invocation", name).replace("-", ""),
            "ExecStart": [{"path": argv[0], "argv": argv}],
            "MainPID": pid,
            "ControlGroup": f"/system.slice/{name}",
            "Result": "success",
            "NRestarts": 0,
            **more,
        },
    )


# ---- the cluster's objects


def cluster(m):
    units(m)
    holders(m, files(m))
    kube(m)
    container_mounts(m)
    t = m.tree
    t.json(
        "coldswap/vault/seal-status.json",
        {
            "type": "shamir",
            "initialized": True,
            "sealed": False,
            "t": 3,
            "n": 5,
            "progress": 0,
            "nonce": "",
            "version": "1.15.6",
            "build_date": "2024-02-28T17:07:34Z",
            "migration": False,
            "cluster_name": "vault-cluster-7f02c1aa",
            "cluster_id": uid("vault", "cluster"),
            "recovery_seal": False,
            "storage_type": "raft",
        },
    )
    t.put(PGDATA[1:] + "/PG_VERSION", "15\n")
    t.put(
        PGDATA[1:] + "/postmaster.pid",
        "1\n/var/lib/postgresql/data/pgdata\n1785993102\n5432\n/var/run/postgresql\n*\n  1048641         0\nready   \n",
    )
    t.point("var/lib/rancher/k3s", "data/k3s")
