#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A step of the shipped runbooks is the same wherever it stands: comment, words and order."""
import pathlib
import re
import sys

# The built-in runbooks have no variables: their steps may leave `with` out.
WITHOUT_WITH = {"audit.yaml", "post-reboot.yaml"}
STEP = re.compile(r"^  - id: (\S+)$", re.M)


def steps(path):
    """[(id, comment, lines)] of a runbook; a comment before the first of several is theirs alone."""
    text = path.read_text(encoding="utf-8").split("\nsteps:\n", 1)[1]
    found, comment, lines = [], [], None
    for line in text.split("\n"):
        match = STEP.match(line)
        if match:
            lines = []
            found.append((match[1], "\n".join(comment), lines))
            comment = []
        if line.startswith("  #"):
            comment.append(line)
        elif line.strip():
            lines.append(line)
    return [(name, why, "\n".join(body)) for name, why, body in found]


def compare(path, other):
    """What differs in the steps that both have."""
    mine, theirs = steps(path), steps(other)
    bare = {path.name, other.name} & WITHOUT_WITH
    shared = {name for name, _, _ in mine} & {name for name, _, _ in theirs}
    complaints = []
    if [s[0] for s in mine if s[0] in shared] != [s[0] for s in theirs if s[0] in shared]:
        complaints.append("the steps stand in another order")
    others = {name: (why, body) for name, why, body in theirs}
    for name, why, body in mine:
        if name not in shared:
            continue
        if bare:
            body, their_body = (re.sub(r"\n    with: .*", "", b) for b in (body, others[name][1]))
        else:
            their_body = others[name][1]
        if (why, body) != (others[name][0], their_body):
            complaints.append(f"the step {name} differs")
    return [f"{path} and {other}: {complaint}" for complaint in complaints]


def main():
    paths = sorted(pathlib.Path("runbooks").glob("*.yaml"), key=lambda p: (p.name in WITHOUT_WITH, p))
    if not paths:
        return False
    first, *rest = paths
    complaints = [line for path in rest for line in compare(first, path)]
    whole = steps(first)
    complaints += [
        f"{path}: its steps are not those of {first}"
        for path in rest
        if path.name not in WITHOUT_WITH and [s[0] for s in steps(path)] != [s[0] for s in whole]
    ]
    print("\n".join(complaints))
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
