#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-tidy with the checks of .ci/clang-tidy; what it finds is an error.
set -u
build=${BUILD:-build}/lint/clang
[ ! -e runbooks/audit.yaml ] || make --no-print-directory -s BUILD="$build" "$build/gen/audit_yaml.h" || exit 1
flags="-std=gnu17 -D_GNU_SOURCE -Iinclude -Isrc -I$build/gen $(pkg-config --cflags mount blkid)"
# shellcheck disable=SC2016 # the inner shell expands them
find src -name '*.c' -print0 | xargs -0 -n 4 -P "$(nproc)" sh -c '
	flags=$0
	clang-tidy-14 --quiet --config-file=.ci/clang-tidy "$@" -- $flags -DLOCALEDIR=\"\" 2>/dev/null' \
	"$flags"
