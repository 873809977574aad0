#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/kinds.md says what the rows of the kinds say.
set -eu
build=${BUILD:-build}/lint/gcc
make --no-print-directory -s -j"$(nproc)" BUILD="$build" CC=gcc "$build/kindtable"
"$build/kindtable" markdown >"$build/kinds.md"
diff -u docs/kinds.md "$build/kinds.md" || { echo "docs/kinds.md is not current: make docs" && exit 1; }
