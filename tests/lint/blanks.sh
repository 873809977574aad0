#!/bin/sh
# SPDX-License-Identifier: MIT
# No blanks at a line's end, no CR, a newline at the end of the file.
set -u
code=0
cr=$(printf '\r')
for file in Makefile README.md $(find src include runbooks docs .ci tests -type f \
	\( -name '*.[ch]' -o -name '*.md' -o -name '*.py' -o -name '*.sh' -o -name '*.yaml' -o -name '*.[1-8]' \
	-o -perm -u+x \) ! -path '*/root/*' ! -path '*/corpus/*' ! -path 'tests/roots/*/*' | sort); do
	[ -e "$file" ] || continue
	grep -nE "[ 	$cr]\$" "$file" | sed "s|^\([0-9]*\):.*|$file:\1: blanks at the end of the line|" | grep . && code=1
	[ -z "$(tail -c 1 "$file")" ] || { echo "$file: no newline at the end"; code=1; }
done
exit $code
