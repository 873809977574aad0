# SPDX-License-Identifier: MIT
"""A capture tree kept in memory, written as a directory (write_dir) or as one text file (write_text).

Same input, same bytes: nothing here reads the clock, the network or the machine it runs on.
"""

import json
import os
import re
import shutil
import uuid


def dump(value, depth=0):
    """JSON with one space a level, and arrays of plain values on one line, so that one fact is one line."""
    pad, end = " " * (depth + 1), " " * depth
    if isinstance(value, dict) and value:
        rows = [f"{pad}{json.dumps(k)}: {dump(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{end}}}"
    if isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        return "[\n" + ",\n".join(pad + dump(v, depth + 1) for v in value) + f"\n{end}]"
    return json.dumps(value, ensure_ascii=False)


class Tree:
    def __init__(self):
        self.files, self.links, self.empty = (
            {},
            {},
            [],
        )  # empty: directories that a text tree holds and git cannot

    def put(self, path, data):
        self.files[path] = data if isinstance(data, bytes) else data.encode()

    def attrs(self, folder, **values):
        """One-line attributes, as sysfs and /proc/sys show them."""
        for name, value in values.items():
            self.put(f"{folder}/{name}", f"{value}\n")

    def json(self, path, value):
        self.put(path, dump(value) + "\n")

    def link(self, path, text):
        self.links[path] = text

    def point(self, path, target):
        """A relative link, as the kernel and udev make them."""
        self.links[path] = os.path.relpath(target, os.path.dirname(path))

    def write_dir(self, root):
        shutil.rmtree(root, ignore_errors=True)
        for path, data in self.files.items():
            os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
            with open(f"{root}/{path}", "wb") as file:
                file.write(data)
        for path, text in self.links.items():
            os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
            os.symlink(text, f"{root}/{path}")

    def read_dir(self, root):
        for top, dirs, names in os.walk(root):
            for name in names + [d for d in dirs if os.path.islink(os.path.join(top, d))]:
                full = os.path.join(top, name)
                path = os.path.relpath(full, root)
                if os.path.islink(full):
                    self.links[path] = os.readlink(full)
                else:
                    with open(full, "rb") as file:
                        self.files[path] = file.read()

    def write_text(self, path, title):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(self.text(title))

    def text(self, title):
        out, folder = [f"# {title}"], None
        for path in sorted([*self.files, *self.links], key=lambda p: (os.path.dirname(p), p)):
            if os.path.dirname(path) != folder:
                folder = os.path.dirname(path)
                out += ["", f"/{folder}/".replace("//", "/")]
            out += self.entry(os.path.basename(path), path)
        out += [line for folder in sorted(self.empty) for line in ("", f"/{folder}/")]
        return ("\n".join(out) + "\n").encode()

    def entry(self, name, path):
        assert re.fullmatch(r"[^\s/](?:[^\n/]*[^\s/])?", name), path
        if path in self.links:
            return [f"{name} -> {self.links[path]}"]
        data = self.files[path]
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = None
        if data == b"":
            return [f"{name} empty"]
        if text is None or re.search(r"[^\n\t -~\u00a0-\U0010ffff]", text):
            return [f"{name} hex"] + [
                "\t" + data[i : i + 32].hex() for i in range(0, len(data), 32)
            ]
        if text.endswith("\n") and text.count("\n") == 1:
            return [f"{name} = {text[:-1]}"]
        mark = "text" if text.endswith("\n") else "text-"
        return [f"{name} {mark}"] + ["\t" + line for line in text.removesuffix("\n").split("\n")]


def udev_escape(text):
    return "".join(c if re.match(r"[\w#+.:=@-]", c) else f"\\x{ord(c):02x}" for c in text)


def uid(*words):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, "capture " + " ".join(map(str, words))))
