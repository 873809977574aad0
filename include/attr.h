/* SPDX-License-Identifier: MIT */
/* Compiler attributes and scope cleanup, used everywhere. */
#ifndef COLDSWAP_ATTR_H
#define COLDSWAP_ATTR_H

#include <stdlib.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define CLEANUP(function) __attribute__((cleanup(function)))
#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

/* `AUTO_FREE char *name = NULL;` is freed at the end of its scope. */
static inline void attr_free_pointer(void *address)
{
	free(*(void **)address);
}
#define AUTO_FREE CLEANUP(attr_free_pointer)

/* Define cleanup_TYPE() for CLEANUP() from a destructor that takes a pointer. */
#define DEFINE_CLEANUP(type, destructor)                                                           \
	static inline void cleanup_##type(struct type **address)                                   \
	{                                                                                          \
		destructor(*address);                                                              \
	}

/* Hand over ownership: returns the pointer and leaves NULL behind. */
#define TAKE(pointer)                                                                              \
	({                                                                                         \
		__typeof__(pointer) taken_ = (pointer);                                            \
		(pointer) = NULL;                                                                  \
		taken_;                                                                            \
	})

#endif
