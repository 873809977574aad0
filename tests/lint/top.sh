#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing lies at the top of the tree but what belongs there.
set -u
allowed=' Makefile README.md LICENSE src include runbooks tests examples docs .ci '
if git -c safe.directory='*' rev-parse --git-dir >/dev/null 2>&1; then
	names=$(git -c safe.directory='*' ls-files | cut -d/ -f1 | sort -u)
else
	names=$(for d in * .[!.]*; do [ -e "$d" ] && [ "$d" != "${BUILD##*/}" ] && echo "$d"; done)
fi
code=0
for name in $names; do
	case $allowed in
	*" $name "*) ;;
	*) echo "$name: does not belong at the top"; code=1 ;;
	esac
done
exit $code
