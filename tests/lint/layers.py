#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point down only: each layer lists what it may include; no header includes itself."""
import pathlib
import re
import sys

import source

BASIC = {"attr", "error", "buf"}
HOST = BASIC | {"host"}
STEP = HOST | {"step"}

# layer: (other layers below it, contracts of include/)
ALLOWED = {
    "base": (set(), BASIC),
    "sys": ({"base"}, HOST),
    "probe": ({"base", "sys"}, HOST),
    "work": ({"base", "sys", "probe"}, HOST),
    "capture": ({"base", "sys", "probe"}, HOST),
    "copy": ({"base", "sys", "probe"}, HOST | {"version"}),
    "step": ({"base", "sys", "probe", "work", "copy"}, STEP | {"version"}),
    "draft": ({"base", "sys", "probe", "work"}, STEP),
    "runbook": ({"base", "sys", "probe"}, STEP | {"runbook"}),
    "plan": ({"base", "sys", "probe", "work", "runbook"}, STEP | {"runbook", "plan"}),
    "journal": ({"base", "sys"}, STEP | {"journal"}),
    "exec": (
        {"base", "sys", "probe", "work", "capture", "runbook", "plan", "journal"},
        STEP | {"runbook", "plan", "journal", "report", "card", "version"},
    ),
    "report": (
        {"base", "probe", "work", "plan"},
        STEP | {"runbook", "plan", "journal", "report", "card", "version"},
    ),
    "cli": (
        {
            "base", "sys", "probe", "work", "copy", "step", "draft", "capture", "runbook", "plan",
            "exec", "journal", "report",
        },
        STEP | {"runbook", "plan", "journal", "report", "card", "version"},
    ),
}
CONTRACTS = {
    "attr": set(),
    "error": {"attr"},
    "buf": {"attr"},
    "host": BASIC,
    "step": HOST,
    "runbook": STEP,
    "plan": STEP | {"runbook"},
    "report": STEP | {"runbook", "plan"},
    "journal": BASIC,
    "card": STEP | {"runbook", "plan"},
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def where(path):
    """(layer or None, contract or None) of a source."""
    parts = path.parts
    if parts[0] == "include":
        return None, path.stem
    return (parts[1] if len(parts) > 2 else "cli"), None


def target(path, name):
    """The file that an include means, or None for a generated one."""
    for candidate in (pathlib.Path("include") / name, pathlib.Path("src") / name, path.parent / name):
        if candidate.exists():
            return candidate
    return None


def complaint(path, name, to):
    layer, contract = where(path)
    to_layer, to_contract = where(to)
    if contract:
        if not to_contract or to_contract not in CONTRACTS.get(contract, set()):
            return f"the contract {path.name} may not include {name}"
        return None
    if layer not in ALLOWED:
        return f"the layer src/{layer} is not in the table of {pathlib.Path(__file__).name}"
    layers, contracts = ALLOWED[layer]
    if to_contract:
        return None if to_contract in contracts else f"src/{layer} may not include {name}"
    if to_layer != layer and to_layer not in layers:
        return f"src/{layer} may not include {name}: that layer does not lie below it"
    return None


def cycles(edges):
    state = {}

    def visit(node, trail):
        state[node] = 1
        for to in edges.get(node, ()):
            if state.get(to) == 1:
                yield trail[trail.index(to) :] + [to] if to in trail else [node, to]
            elif to not in state:
                yield from visit(to, trail + [to])
        state[node] = 2

    for node in sorted(edges):
        if node not in state:
            yield from visit(node, [node])


def main():
    bad, edges = 0, {}
    for path in source.files("src", "include"):
        text = source.read(path)
        for match in INCLUDE.finditer(text):
            to = target(path, match.group(1))
            if not to:
                continue
            edges.setdefault(str(path), []).append(str(to))
            words = complaint(path, match.group(1), to)
            if words:
                print(f"{path}:{source.line_of(text, match.start())}: {words}")
                bad += 1
    for ring in cycles(edges):
        print("includes in a ring: " + " -> ".join(ring))
        bad += 1
    return 1 if bad else 0


sys.exit(main())
