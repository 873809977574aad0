#!/bin/sh
# SPDX-License-Identifier: MIT
# A file has at most 400 lines, a function at most 100.
set -u

sources() {
	find src include tests -name '*.[ch]' | sort
}

found=$(
	sources | while read -r file; do
		lines=$(wc -l <"$file")
		[ "$lines" -le 400 ] || echo "$file:400: the file has $lines lines, 400 are allowed"
	done
	sources | ctags --languages=C --langmap=C:.c.h --kinds-C=f --fields=+ne -f - -L - 2>/dev/null |
		awk -F'\t' '{
			for (i = 4; i <= NF; i++) {
				if ($i ~ /^line:/) first = substr($i, 6)
				if ($i ~ /^end:/) last = substr($i, 5)
			}
			if (last - first + 1 > 100)
				printf "%s:%d: %s() has %d lines, 100 are allowed\n", $2, first, $1, last - first + 1
		}'
)
[ -z "$found" ] || { echo "$found"; exit 1; }
