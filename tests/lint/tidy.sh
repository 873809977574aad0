#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-tidy with the checks of .ci/clang-tidy; what it finds is an error.  The analyzer's
# shallow mode takes a seventh of the time; the sanitizers' runs look deeper than it would.
set -u
build=${BUILD:-build}/lint/clang
[ ! -e runbooks/audit.yaml ] || make --no-print-directory -s BUILD="$build" generated || exit 1
packages=$(sed -n 's/^PACKAGES := //p' Makefile)
# shellcheck disable=SC2086 # a list of words
flags="-std=gnu17 -D_GNU_SOURCE -Iinclude -Isrc -I$build/gen $(pkg-config --cflags $packages)"
# shellcheck disable=SC2016 # the inner shell expands them
find src -name '*.c' -print0 | xargs -0 -n 4 -P "$(nproc)" sh -c '
	flags=$0
	clang-tidy-14 --quiet --config-file=.ci/clang-tidy "$@" -- $flags \
		-Xclang -analyzer-config -Xclang mode=shallow -DLOCALEDIR=\"\" -DRUNBOOKDIR=\"\" 2>/dev/null' \
	"$flags"
