/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target is one file fuzz_NAME.c that defines this function.  clang
 * links it with libFuzzer (`make fuzz`), replay.c with the files of
 * corpus/NAME (`make test`).  The bytes end where they end: no NUL follows.
 */
#ifndef COLDSWAP_TESTS_FUZZ_H
#define COLDSWAP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stop at once: the program broke a promise on this input. */
#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			__builtin_trap();                                                          \
	} while (0)

#endif
