#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions that nobody calls, or that only one layer may."""
import re
import sys

import source

# what | where it is right | why not
RULES = [
    (r"strcpy|strcat|stpcpy|strncpy|strncat|sprintf|vsprintf|strtok|gets|alloca|strdupa",
     (), "unbounded, or cuts silently: use struct buf, asprintf() or strdup()"),
    (r"system|popen|tmpnam|mktemp|tempnam", (), "runs a shell, or races"),
    (r"atoi|atol|atoll|atof", ("src/base/parse.c",),
     "accepts rubbish: use src/base/parse.h"),
    (r"open|openat|openat2|creat|fopen|fdopen|freopen|opendir|fdopendir|execve?|execvp|execvpe|execl"
     r"|posix_spawnp?|fork|vfork|clone", ("src/sys/",), "only src/sys touches the system"),
    (r"clock_gettime|gettimeofday|time|clock|nanosleep|usleep|sleep|clock_nanosleep", ("src/sys/",),
     "only src/sys reads a clock"),
    (r"sd_bus_\w+|sd_journal_\w+|sd_id128_get_\w+", ("src/sys/",), "only src/sys talks to systemd"),
    (r"sqlite3_\w+", ("src/journal/", "src/copy/validate_sqlite.c"),
     "only src/journal and the validator of copies touch SQLite"),
    (r"curl_\w+", (), "no part of the program uses it"),
    (r"printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|putc|fputc|fwrite|perror|syslog|dprintf",
     ("src/cli/", "src/main.c", "src/sys/"), "only src/cli prints"),
    (r"exit|_exit|abort|quick_exit", ("src/cli/", "src/main.c", "src/sys/"),
     "only src/cli ends the program"),
    (r"setenv|putenv|unsetenv|secure_getenv|getenv", ("src/cli/", "src/main.c", "src/sys/"),
     "only src/cli reads the environment"),
]


def main():
    rules = [(re.compile(rf"(?<![\w.>])(?:{names})\s*\("), right, why) for names, right, why in RULES]
    bad = 0
    for path in source.files("src", "include"):
        code = source.code(source.read(path))
        for pattern, right, why in rules:
            if str(path).startswith(right or ("\0",)):
                continue
            for match in pattern.finditer(code):
                print(f"{path}:{source.line_of(code, match.start())}: "
                      f"{match.group().rstrip('( ')}() is banned here: {why}")
                bad += 1
    return 1 if bad else 0


sys.exit(main())
