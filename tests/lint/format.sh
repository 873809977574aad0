#!/bin/sh
# SPDX-License-Identifier: MIT
# The layout is clang-format's; `make format` mends it.
find src include tests -name '*.[ch]' -print0 |
	xargs -0r clang-format-14 --style=file:.ci/clang-format --dry-run --Werror
