#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages are sound mdoc.
set -u
code=0
build=${BUILD:-build}/lint/gcc
# Pages with kinds in them are made by the build.
for source in docs/*.[1-8].in; do
	[ -e "$source" ] || continue
	make --no-print-directory -s BUILD="$build" manuals || exit 1
	break
done
for page in docs/*.[1-8] "$build"/man/*.[1-8]; do
	[ -e "$page" ] || continue
	mandoc -T lint -W warning "$page" || code=1
done
exit $code
