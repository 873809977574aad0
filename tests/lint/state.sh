#!/bin/sh
# SPDX-License-Identifier: MIT
# No mutable state at file scope, but for the command line's options: what a
# compiler puts into .data or .bss is such a state, wherever it stands.  The only
# exceptions are the words of a signal handler, which nothing else can carry.
set -u
objects=${1:-${BUILD:-build}/lint/gcc/obj/src}
[ $# -gt 0 ] || make --no-print-directory -s -j"$(nproc)" BUILD="${BUILD:-build}/lint/gcc" CC=gcc all || exit 1
found=$(find "$objects" -name '*.o' ! -path '*/cli/*' ! -name main.o | sort | while read -r object; do
	objdump -t "$object" | awk -v file="${object#"$objects"/}" \
		'/ O \.(data|bss)[ \t]/ { print file ": " $NF " can be written to" }' |
		grep -vE '^sys/process.o: (cancelled|cancel_says) '
done)
[ -z "$found" ] || { echo "$found"; exit 1; }
