#!/bin/sh
# SPDX-License-Identifier: MIT
exec cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	--inline-suppr --suppressions-list=.ci/cppcheck-suppressions -D_GNU_SOURCE \
	-D__attribute__\(x\)= -Iinclude -Isrc -j "$(nproc)" \
	--template='{file}:{line}: {severity}: {message} [{id}]' src
