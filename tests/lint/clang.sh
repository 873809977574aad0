#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything compiles under clang with warnings as errors, the unit tests too.
exec make --no-print-directory -s -k -j"$(nproc)" BUILD="${BUILD:-build}/lint/clang" CC=clang-14 all units
