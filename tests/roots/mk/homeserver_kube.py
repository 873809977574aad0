# SPDX-License-Identifier: MIT
"""The home server's cluster: the API's lists, and what its pods add to mountinfo."""

from capture import uid

STORAGE, PGDATA = "/data/k3s/storage", "/srv/state/postgres/pgdata"

CLAIMS = [
    ("vault", "data-vault-0", "10Gi"),
    ("vault", "audit-vault-0", "10Gi"),
    ("monitoring", "storage-loki-0", "60Gi"),
    ("monitoring", "storage-prometheus-0", "10Gi"),
    ("monitoring", "storage-tempo-0", "10Gi"),
]

POD_UID = {
    name: uid("pod", name)
    for name in (
        "vault-0",
        "postgres-0",
        "loki-0",
        "prometheus-0",
        "tempo-0",
        "coredns-6799fbcd5-x8k2p",
        "local-path-provisioner-6f5d79df6-9wq7j",
    )
}

SETS = [
    ("vault", "vault", "hashicorp/vault:1.15.6"),
    ("database", "postgres", "postgres:15.8"),
    ("monitoring", "loki", "grafana/loki:2.9.8"),
    ("monitoring", "prometheus", "prom/prometheus:v2.53.1"),
    ("monitoring", "tempo", "grafana/tempo:2.5.0"),
]

DEPLOYMENTS = [
    ("kube-system", "coredns", "coredns-6799fbcd5", "x8k2p"),
    ("kube-system", "local-path-provisioner", "local-path-provisioner-6f5d79df6", "9wq7j"),
]


def volume(namespace, claim):
    return f"pvc-{uid('claim', namespace, claim)}"


def path_of(namespace, claim):
    return f"{STORAGE}/{volume(namespace, claim)}_{namespace}_{claim}"


def meta(name, namespace=None, **more):
    return {
        "name": name,
        **({"namespace": namespace} if namespace else {}),
        "uid": uid("object", namespace, name),
        "resourceVersion": "4182093",
        "creationTimestamp": "2024-03-02T19:04:11Z",
        **more,
    }


def owner(kind, name, namespace):
    return [
        {
            "apiVersion": "apps/v1",
            "kind": kind,
            "name": name,
            "uid": uid("object", namespace, name),
            "controller": True,
        }
    ]


def persistent_volumes():
    node = {
        "required": {
            "nodeSelectorTerms": [
                {
                    "matchExpressions": [
                        {
                            "key": "kubernetes.io/hostname",
                            "operator": "In",
                            "values": ["homeserver"],
                        }
                    ]
                }
            ]
        }
    }
    for namespace, claim, size in CLAIMS:
        yield {
            "metadata": meta(
                volume(namespace, claim),
                annotations={"pv.kubernetes.io/provisioned-by": "rancher.io/local-path"},
            ),
            "spec": {
                "capacity": {"storage": size},
                "accessModes": ["ReadWriteOnce"],
                "persistentVolumeReclaimPolicy": "Delete",
                "volumeMode": "Filesystem",
                "storageClassName": "local-path",
                "claimRef": {
                    "kind": "PersistentVolumeClaim",
                    "namespace": namespace,
                    "name": claim,
                },
                "hostPath": {"path": path_of(namespace, claim), "type": "DirectoryOrCreate"},
                "nodeAffinity": node,
            },
            "status": {"phase": "Bound"},
        }
    yield {
        "metadata": meta("postgres"),
        "spec": {
            "capacity": {"storage": "20Gi"},
            "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Retain",
            "volumeMode": "Filesystem",
            "storageClassName": "local-storage",
            "claimRef": {
                "kind": "PersistentVolumeClaim",
                "namespace": "database",
                "name": "data-postgres-0",
            },
            "local": {"path": "/srv/state/postgres"},
            "nodeAffinity": node,
        },
        "status": {"phase": "Bound"},
    }


def claims():
    names = {"postgres": ("database", "data-postgres-0", "20Gi")}
    for namespace, claim, size in [*CLAIMS, names["postgres"]]:
        bound = "postgres" if namespace == "database" else volume(namespace, claim)
        yield {
            "metadata": meta(claim, namespace),
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": size}},
                "volumeName": bound,
            },
            "status": {"phase": "Bound"},
        }


def stateful_sets():
    for namespace, name, image in SETS:
        yield {
            "metadata": meta(name, namespace, generation=3, labels={"app": name}),
            "spec": {
                "replicas": 1,
                "serviceName": name,
                "selector": {"matchLabels": {"app": name}},
                "podManagementPolicy": "Parallel" if name == "vault" else "OrderedReady",
                "updateStrategy": {"type": "OnDelete" if name == "vault" else "RollingUpdate"},
                "template": {
                    "metadata": {"labels": {"app": name}},
                    "spec": {"containers": [{"name": name, "image": image}]},
                },
            },
            "status": {
                "replicas": 1,
                "readyReplicas": 1,
                "currentReplicas": 1,
                "observedGeneration": 3,
            },
        }


def deployments():
    for namespace, name, _, _ in DEPLOYMENTS:
        yield {
            "metadata": meta(name, namespace, generation=1),
            "spec": {"replicas": 1, "selector": {"matchLabels": {"k8s-app": name}}},
            "status": {"replicas": 1, "readyReplicas": 1, "observedGeneration": 1},
        }


def replica_sets():
    for namespace, name, replica_set, _ in DEPLOYMENTS:
        yield {
            "metadata": meta(
                replica_set, namespace, ownerReferences=owner("Deployment", name, namespace)
            ),
            "spec": {"replicas": 1},
            "status": {"replicas": 1, "readyReplicas": 1},
        }


def pods():
    rows = [(ns, f"{name}-0", "StatefulSet", name, image) for ns, name, image in SETS]
    rows += [
        (ns, f"{rs}-{tail}", "ReplicaSet", rs, f"rancher/mirrored-{name}")
        for ns, name, rs, tail in DEPLOYMENTS
    ]
    for namespace, name, kind, parent, image in rows:
        container = {
            "name": parent,
            "ready": True,
            "restartCount": 0,
            "image": image,
            "started": True,
            "containerID": f"containerd://{uid('container', name).replace('-', '') * 2}",
            "state": {"running": {"startedAt": "2026-08-06T05:11:42Z"}},
        }
        claim = {"database": "data-postgres-0"}.get(namespace) or next(
            (c for n, c, _ in CLAIMS if n == namespace and c.endswith(name)), None
        )
        volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}] if claim else []
        if name == "vault-0":
            volumes.append(
                {"name": "audit", "persistentVolumeClaim": {"claimName": "audit-vault-0"}}
            )
        yield {
            "metadata": {
                **meta(name, namespace, ownerReferences=owner(kind, parent, namespace)),
                "uid": POD_UID[name],
            },
            "spec": {
                "nodeName": "homeserver",
                "restartPolicy": "Always",
                "containers": [{"name": parent, "image": image}],
                "volumes": volumes,
            },
            "status": {
                "phase": "Running",
                "podIP": f"10.42.0.{20 + rows.index((namespace, name, kind, parent, image))}",
                "containerStatuses": [container],
            },
        }


def kube(m):
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady"}
    node = {
        "metadata": meta(
            "homeserver",
            labels={
                "kubernetes.io/hostname": "homeserver",
                "node-role.kubernetes.io/control-plane": "true",
            },
        ),
        "spec": {},
        "status": {
            "conditions": [ready],
            "nodeInfo": {
                "machineID": m.machine_id,
                "bootID": m.boot_id,
                "kernelVersion": m.release,
                "kubeletVersion": "v1.30.4+k3s1",
            },
        },
    }
    lists = {
        "nodes": ("v1", "Node", [node]),
        "persistentvolumes": ("v1", "PersistentVolume", persistent_volumes()),
        "persistentvolumeclaims": ("v1", "PersistentVolumeClaim", claims()),
        "pods": ("v1", "Pod", pods()),
        "statefulsets": ("apps/v1", "StatefulSet", stateful_sets()),
        "deployments": ("apps/v1", "Deployment", deployments()),
        "replicasets": ("apps/v1", "ReplicaSet", replica_sets()),
        "daemonsets": ("apps/v1", "DaemonSet", []),
        "jobs": ("batch/v1", "Job", []),
        "cronjobs": ("batch/v1", "CronJob", []),
        "horizontalpodautoscalers": ("autoscaling/v2", "HorizontalPodAutoscaler", []),
        "poddisruptionbudgets": ("policy/v1", "PodDisruptionBudget", []),
    }
    for plural, (version, kind, items) in lists.items():
        m.tree.json(
            f"coldswap/kube/{plural}.json",
            {
                "apiVersion": version,
                "kind": f"{kind}List",
                "metadata": {"resourceVersion": "4182101"},
                "items": [{"apiVersion": version, "kind": kind, **item} for item in items],
            },
        )


def container_mounts(m):
    """What a running cluster adds to mountinfo: the pods' own mounts below /var/lib/kubelet and /run/k3s."""
    for number, (namespace, name, _) in enumerate(SETS):
        pod = f"{name}-0"
        m.mount(
            f"0:{60 + 2 * number}",
            f"/var/lib/kubelet/pods/{POD_UID[pod]}/volumes/kubernetes.io~projected/kube-api-access-{pod[:5]}",
            "tmpfs",
            "tmpfs",
            super_options="rw,size=524288k,inode64",
        )
        ident = uid("container", pod).replace("-", "") * 2
        m.mount(
            f"0:{61 + 2 * number}",
            f"/run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/{ident}/rootfs",
            "overlay",
            "overlay",
            super_options=f"rw,lowerdir=/data/k3s/agent/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/{100 + number}/fs,"
            f"upperdir=/data/k3s/agent/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/{200 + number}/fs,"
            f"workdir=/data/k3s/agent/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/{200 + number}/work",
        )
    m.mount(
        "8:1",
        f"/var/lib/kubelet/pods/{POD_UID['postgres-0']}/volumes/kubernetes.io~local-volume/postgres",
        "ext4",
        "/dev/sda1",
        "rw,noatime",
        root="/postgres",
    )
