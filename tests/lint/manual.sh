#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages are sound mdoc.
set -u
code=0
for page in docs/*.[1-8]; do
	[ -e "$page" ] || continue
	mandoc -T lint -W warning "$page" || code=1
done
exit $code
