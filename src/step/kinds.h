/* SPDX-License-Identifier: MIT */
/* The kinds, in the order in which reports list them: one line for each file of src/step. */
#ifndef COLDSWAP_STEP_KINDS_H
#define COLDSWAP_STEP_KINDS_H

#include "step.h"

/* One kind more, in the program that tests/crash kills; see there. */
#ifdef COLDSWAP_TEST_KIND
#define TEST_KINDS(KIND) KIND(kind_test_copy)
#else
#define TEST_KINDS(KIND)
#endif

/* clang-format off */
#define KINDS(KIND)              \
	KIND(kind_names_fstab)   \
	KIND(kind_names_boot)    \
	KIND(kind_unit_mounts)   \
	KIND(kind_disk_ports)    \
	KIND(kind_disk_smart)    \
	KIND(kind_mounts_present) \
	KIND(kind_copy_room)     \
	KIND(kind_files_copy)    \
	KIND(kind_net_link)      \
	KIND(kind_unit_state)    \
	KIND(kind_unit_stop)     \
	KIND(kind_unit_start)    \
	KIND(kind_unit_hold)     \
	KIND(kind_mount_release) \
	KIND(kind_files_quiescent) \
	KIND(kind_boot_unit)     \
	KIND(kind_operator_confirm) \
	KIND(kind_power_off)     \
	KIND(kind_boot_happened) \
	KIND(kind_disk_links)    \
	KIND(kind_mounts_expected) \
	KIND(kind_session_restore) \
	TEST_KINDS(KIND)         \
	/* end of the list */
/* clang-format on */

#define KIND_DECLARE(symbol) extern const struct kind symbol;
KINDS(KIND_DECLARE)
#undef KIND_DECLARE

/* kinds_sound() of one. */
int kind_sound(const struct kind *kind, struct error *err);

#endif
