#!/bin/sh
# SPDX-License-Identifier: MIT
# Each source and script names its licence in the first two lines.
set -u
code=0
for file in $(find src include tests .ci \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -perm -u+x \) \
	-type f ! -path '*/root/*' ! -path '*/corpus/*' | sort); do
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || {
		echo "$file:1: no SPDX-License-Identifier"
		code=1
	}
done
exit $code
