#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything compiles under gcc with warnings as errors, the unit tests too.
exec make --no-print-directory -s -k -j"$(nproc)" BUILD="${BUILD:-build}/lint/gcc" CC=gcc all units
