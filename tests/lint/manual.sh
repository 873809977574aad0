#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages are sound mdoc, the generated ones too.
set -u
code=0
build=${BUILD:-build}/lint/gcc
if ls docs/*.in >/dev/null 2>&1; then
	make --no-print-directory -s -j"$(nproc)" BUILD="$build" CC=gcc manuals || exit 1
fi
for page in docs/*.[1-8] "$build"/man/*.[1-8]; do
	[ -e "$page" ] || continue
	mandoc -T lint -W warning "$page" || code=1
done
exit $code
