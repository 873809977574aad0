#!/bin/sh
# SPDX-License-Identifier: MIT
# src/po/coldswap.pot holds the program's sentences as they are now; `make pot` mends it.
set -u
fresh=$(mktemp) || exit 4
trap 'rm -f "$fresh"' EXIT
.ci/pot "$fresh" && diff -u src/po/coldswap.pot "$fresh"
