#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A path of the host stands in src/probe/paths.h, in the table of captures or in src/sys.

Sentences for people may name one: a string inside _(), N_() or PLURAL() is
exempt, and so is the text of JSON keys and formats, which never begins so.
"""
import pathlib
import re
import sys

import source

HOST_PATH = re.compile(r"(?:^|[^\w.%/-])/(?:etc|proc|sys|dev|run)(?:/|$)")
TABLES = ("src/probe/paths.h", "src/capture/rows.c")  # the second: what a capture holds of each
SENTENCE = re.compile(r"(?:\b_|\bN_|\bPLURAL)\s*\($")


def in_sentence(code, offset):
    """Is the innermost open parenthesis before `offset` one of the marks?"""
    depth = 0
    for at in range(offset - 1, -1, -1):
        if code[at] == ")":
            depth += 1
        elif code[at] == "(":
            if depth == 0:
                return bool(SENTENCE.search(code[max(0, at - 20) : at + 1]))
            depth -= 1
        elif code[at] in ";{}" and depth == 0:
            return False
    return False


def main():
    bad = 0
    for path in source.files("src"):
        if path.parts[1] == "sys" or str(path) in TABLES:
            continue
        text = source.read(path)
        code = source.code(text)
        for offset, literal in source.literals(text):
            if HOST_PATH.search(literal) and not in_sentence(code, offset):
                print(f"{path}:{source.line_of(text, offset)}: "
                      f'"{literal}" belongs in src/probe/paths.h')
                bad += 1
    return 1 if bad else 0


sys.exit(main())
