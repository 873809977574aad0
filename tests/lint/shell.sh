#!/bin/sh
# SPDX-License-Identifier: MIT
# All scripts pass shellcheck.
set -u
find .ci tests -type f -perm -u+x ! -path '*/root/*' -exec sh -c '
	for file; do
		head -n 1 "$file" | grep -qE "^#!/bin/(ba|da)?sh" && printf "%s\0" "$file"
	done; true' sh {} + | xargs -0r shellcheck -x
