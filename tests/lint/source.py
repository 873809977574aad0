# SPDX-License-Identifier: MIT
"""C sources as the lints see them: code, comments and literals told apart."""
import pathlib
import re

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])*')""",
    re.S | re.X,
)


def files(*tops, suffixes=(".c", ".h")):
    """Sources below the directories, as paths relative to the working directory."""
    for top in tops:
        for path in sorted(pathlib.Path(top).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def blank(text):
    """The same length and lines, with nothing in them."""
    return re.sub(r"[^\n]", " ", text)


def code(text):
    """The text with comments and the insides of literals blanked, include lines too."""
    text = TOKEN.sub(lambda m: blank(m.group()), text)
    return re.sub(r"^[ \t]*#[ \t]*include[^\n]*", lambda m: blank(m.group()), text, flags=re.M)


def literals(text):
    """(offset, literal) of each string that is code, not a comment nor an include."""
    for match in TOKEN.finditer(text):
        if match.lastgroup != "string":
            continue
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not re.match(r"[ \t]*#[ \t]*include", line):
            yield match.start(), match.group()[1:-1]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
