/* SPDX-License-Identifier: MIT */
#include "probe/klog.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct klog *parse(const char *text)
{
	struct klog *klog = NULL;

	cr_assert_eq(klog_parse(text, strlen(text), "kernel log", &klog, NULL), 0);
	return klog;
}

/* The one event of a one-line log. */
#define ONE(klog, text)                                                                            \
	CLEANUP(cleanup_klog) struct klog *klog = parse(text);                                     \
	cr_assert_eq(klog->n, 1, "%zu events", klog->n);

Test(klog, header_up_to_6_1_has_the_mask)
{
	ONE(klog, "[    1.195424] ahci 0000:00:1f.2: AHCI 0001.0300 32 slots 6 ports 6 Gbps 0x29 "
		  "impl SATA mode\n");
	const struct klog_event *event = &klog->events[0];

	cr_assert_eq(event->type, KLOG_CONTROLLER);
	cr_assert_str_eq(event->controller, "0000:00:1f.2");
	cr_assert_eq(event->ports, 6);
	cr_assert_eq(event->generation, 3);
	cr_assert(event->has_mask);
	cr_assert_eq(event->mask, 0x29);
	cr_assert_eq(event->line, 1);
	cr_assert_eq(event->ata, 0);
	cr_assert_eq(event->device, -1);
	cr_assert_eq(strncmp(event->text, "ahci 0000:00:1f.2: AHCI 0001.0300", 33), 0);
}

Test(klog, header_since_6_2_has_it_on_the_next_line)
{
	CLEANUP(cleanup_klog)
	struct klog *klog = parse("[    8.5] ahci 0000:03:00.0: SSS flag set, parallel bus scan "
				  "disabled\n"
				  "[    8.6] ahci 0000:03:00.0: AHCI vers 0001.0301, 32 command "
				  "slots, 6 Gbps, SATA mode\n"
				  "[    8.7] ahci 0000:03:00.0: 30/32 ports implemented (port mask "
				  "0xffffff3f)\n"
				  "[    8.8] ahci 0000:03:00.0: flags: 64bit ncq sntf stag pm\n");

	cr_assert_eq(klog->n, 3);
	cr_assert_eq(klog->events[0].type, KLOG_CONTROLLER);
	cr_assert_eq(klog->events[0].generation, 3);
	cr_assert_not(klog->events[0].has_mask);
	cr_assert_eq(klog->events[1].type, KLOG_MASK);
	cr_assert_eq(klog->events[1].mask, 0xffffff3f);
	cr_assert_eq(klog->events[1].ports, 32);
	cr_assert_eq(klog->events[1].line, 3);
	cr_assert_eq(klog->events[2].type, KLOG_FLAGS);
	cr_assert_eq(klog->n_lines, 4);
}

Test(klog, platform_controller_has_no_pci_address)
{
	ONE(klog, "[    1.1] ahci f2540000.sata: AHCI 0001.0000 32 slots 2 ports 6 Gbps 0x3 impl "
		  "platform mode\n");

	cr_assert_str_eq(klog->events[0].controller, "f2540000.sata");
	cr_assert_eq(klog->events[0].mask, 0x3);
}

Test(klog, three_gigabit_controller)
{
	ONE(klog, "ahci 0000:00:1f.2: AHCI 0001.0200 32 slots 6 ports 3 Gbps 0x3f impl SATA mode");

	cr_assert_eq(klog->events[0].generation, 2);
	cr_assert_eq(klog->events[0].mask, 0x3f);
}

Test(klog, link_lines_are_hexadecimal)
{
	CLEANUP(cleanup_klog)
	struct klog *klog =
		parse("[    1.5] ata6: SATA link up 3.0 Gbps (SStatus 123 SControl 300)\n"
		      "[    1.6] ata3: SATA link up 1.5 Gbps (SStatus 113 SControl 310)\n"
		      "[    1.7] ata4: SATA link down (SStatus 4 SControl 300)\n"
		      "[    1.8] ata5: SATA link up <unknown> (SStatus 133 SControl 300)\n");

	cr_assert_eq(klog->n, 4);
	cr_assert_eq(klog->events[0].type, KLOG_LINK_UP);
	cr_assert_eq(klog->events[0].ata, 6);
	cr_assert_eq(klog->events[0].generation, 2);
	cr_assert_eq(klog->events[0].sstatus, 0x123);
	cr_assert_eq(klog->events[0].scontrol, 0x300);
	cr_assert_eq(klog->events[1].generation, 1);
	cr_assert_eq(klog->events[1].scontrol >> 4 & 0xf, 1);
	cr_assert_eq(klog->events[2].type, KLOG_LINK_DOWN);
	cr_assert_eq(klog->events[2].sstatus, 4);
	cr_assert_eq(klog->events[3].generation, 3, "the speed stands in SStatus too");
}

Test(klog, every_prefix_is_taken_off)
{
	static const char *const lines[] = {
		"[    1.53] ata2: DUMMY",
		"[    1.53][    T1] ata2: DUMMY",
		"[Mon Apr  3 05:38:12 2023] ata2: DUMMY",
		"<6>[    1.53] ata2: DUMMY",
		"<6>ata2: DUMMY",
		"Apr  3 05:38:12 host kernel: [28841.33] ata2: DUMMY",
		"Apr  3 05:38:12 host kernel: ata2: DUMMY",
		"2024-04-03T05:38:12.123456+02:00 host kernel: [    1.53] ata2: DUMMY",
		"kern.info kernel: [    1.53] ata2: DUMMY",
		"Thu Jan  1 00:00:10 1970 kern.info kernel: [    1.53] ata2: DUMMY",
		"kernel: ata2: DUMMY",
		"MESSAGE=ata2: DUMMY",
		"ata2: DUMMY",
		"[    1.53] ata2: DUMMY\r",
		"[    1.53] ata2 : DUMMY",
	};

	for (size_t i = 0; i < ELEMENTS(lines); i++) {
		ONE(klog, lines[i]);
		cr_assert_eq(klog->events[0].type, KLOG_DUMMY, "%s", lines[i]);
		cr_assert_eq(klog->events[0].ata, 2, "%s", lines[i]);
		cr_assert_eq(strncmp(klog->events[0].text, "ata2", 4), 0, "%s", lines[i]);
	}
}

Test(klog, ports_of_both_sorts)
{
	CLEANUP(cleanup_klog)
	struct klog *klog = parse(
		"[    1.2] ata1: SATA max UDMA/133 abar m2048@0xf7c06000 port 0xf7c06100\n"
		"[    1.2] ata1 : SATA max UDMA/133 irq_stat 0x00400000\n"
		"[    1.2] ata3: PATA max UDMA/100 cmd 0x1f0 ctl 0x3f6 bmdma 0xffa0 irq 14\n");

	cr_assert_eq(klog->n, 3);
	for (size_t i = 0; i < klog->n; i++)
		cr_assert_eq(klog->events[i].type, KLOG_PORT);
	cr_assert_not_null(strstr(klog->events[2].text, "PATA max"));
}

Test(klog, two_devices_of_one_number)
{
	CLEANUP(cleanup_klog)
	struct klog *klog = parse("ata1.00: SATA link up 3.0 Gbps (SStatus 123 SControl 300)\n"
				  "ata1.01: SATA link down (SStatus 0 SControl 300)\n");

	cr_assert_eq(klog->n, 2);
	cr_assert_eq(klog->events[0].device, 0);
	cr_assert_eq(klog->events[1].device, 1);
	cr_assert_eq(klog->events[1].ata, 1);
}

Test(klog, multiplier_is_device_15)
{
	CLEANUP(cleanup_klog)
	struct klog *klog = parse(
		"[    9.5] ata2.15: Port Multiplier 1.2, 0x197b:0x0325 r0, 5 ports, feat 0x5/0xf\n"
		"[    9.6] ata2.15: Port Multiplier detaching\n");

	cr_assert_eq(klog->n, 1);
	cr_assert_eq(klog->events[0].type, KLOG_MULTIPLIER);
	cr_assert_eq(klog->events[0].device, 15);
	cr_assert_eq(klog->events[0].ports, 5);
}

Test(klog, drives)
{
	CLEANUP(cleanup_klog)
	struct klog *klog = parse("ata1.00: ATA-10: CSTEST DISK-1000, CS01, max UDMA/133\n"
				  "ata2.00: ATAPI: TSSTcorp CDDVDW SN-208BB, SC00, max UDMA/100\n"
				  "ata1.00: ATA Identify Device Log not supported\n"
				  "ata1.00: configured for UDMA/133\n");

	cr_assert_eq(klog->n, 2);
	cr_assert_eq(klog->events[0].type, KLOG_DRIVE);
	cr_assert_eq(klog->events[1].type, KLOG_ATAPI);
}

/* Noise of a link that fails, against trouble of the drive alone. */
Test(klog, errors_of_the_link)
{
	CLEANUP(cleanup_klog)
	struct klog *klog =
		parse("ata3.00: exception Emask 0x10 SAct 0x0 SErr 0x400100 action 0x6 frozen\n"
		      "ata3.00: irq_stat 0x08000000, interface fatal error\n"
		      "ata3: SError: { UnrecovData Handshk }\n"
		      "ata3.00: failed command: WRITE DMA EXT\n"
		      "ata3: hard resetting link\n"
		      "ata3: limiting SATA link speed to 1.5 Gbps\n"
		      "ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n"
		      "ata3: EH complete\n");
	static const enum klog_type types[] = { KLOG_ERROR, KLOG_ERROR, KLOG_ERROR, KLOG_RESET,
						KLOG_SLOWED };

	cr_assert_eq(klog->n, ELEMENTS(types));
	for (size_t i = 0; i < klog->n; i++)
		cr_assert_eq(klog->events[i].type, types[i], "event %zu", i);
	cr_assert_eq(klog->events[4].generation, 1);
	cr_assert_eq(klog->events[4].line, 6);
}

Test(klog, from_start_only_with_the_first_line)
{
	CLEANUP(cleanup_klog) struct klog *late = parse("[  900.1] ata2: DUMMY\n");
	cr_assert_not(late->from_start);

	CLEANUP(cleanup_klog)
	struct klog *whole = parse("[    0.0] microcode: updated early\n"
				   "[    0.0] Linux version 6.1.0-35-amd64 (x@y) #1 SMP\n"
				   "[    1.0] ata2: DUMMY\n");
	cr_assert(whole->from_start);
	cr_assert_eq(whole->n, 1);
}

Test(klog, events_of_an_earlier_boot_are_dropped)
{
	CLEANUP(cleanup_klog)
	struct klog *klog = parse("Apr  3 05:00:00 h kernel: Linux version 6.1.0 (x@y)\n"
				  "Apr  3 05:00:01 h kernel: ata5: DUMMY\n"
				  "Apr  4 06:00:00 h kernel: Linux version 6.1.0 (x@y)\n"
				  "Apr  4 06:00:01 h kernel: ata2: DUMMY\n");

	cr_assert_eq(klog->n, 1);
	cr_assert_eq(klog->events[0].ata, 2);
	cr_assert_eq(klog->events[0].line, 4);
}

/* What only quotes the kernel, and what is no storage line at all. */
Test(klog, other_lines_are_left_alone)
{
	CLEANUP(cleanup_klog)
	struct klog *klog =
		parse("Apr  3 05:38:12 h app[12]: kernel: ata2: DUMMY\n"
		      "Apr  3 05:38:12 h app[12]: seen ata2: DUMMY\n"
		      "[    1.0] ata2: DUMMYX\n"
		      "[    1.0] ata: DUMMY\n"
		      "[    1.0] ata0: DUMMY\n"
		      "[    1.0] ata99999999999999999999: DUMMY\n"
		      "[    1.0] ata2.99: SATA link up 6.0 Gbps (SStatus 1 SControl 2)\n"
		      "[    1.0] ata2: SATA link up 6.0 Gbps\n"
		      "[    1.0] ata2: SATA link up 6.0 Gbps (SStatus zz SControl 300)\n"
		      "[    1.0] ahci 0000:00:1f.2: 3/6 ports implemented (port mask\n"
		      "[    1.0] ahci: AHCI 0001.0300 32 slots\n"
		      "[    1.0] data corruption in ata layer\n"
		      "[\n[[[\n]\n");

	cr_assert_eq(klog->n, 0, "event of line %u", klog->n ? klog->events[0].line : 0);
}

Test(klog, hostile_bytes_do_no_harm)
{
	static const char text[] = "[ 1.0] ata2: DUM\0MY\n\xff\xfe"
				   "ata\x1b[2J\n\0\0\0ata1: DUMMY\n"
				   "[ 1.0] ata3: DUMMY";
	CLEANUP(cleanup_klog) struct klog *klog = NULL;

	cr_assert_eq(klog_parse(text, sizeof(text) - 1, "x", &klog, NULL), 0);
	cr_assert_eq(klog->n, 1);
	cr_assert_eq(klog->events[0].ata, 3);
	cr_assert_eq(klog->n_lines, 4);
}

Test(klog, long_lines_are_cut)
{
	size_t len = 1 << 20;
	AUTO_FREE char *text = malloc(len);
	CLEANUP(cleanup_klog) struct klog *klog = NULL;

	memset(text, 'x', len);
	memcpy(text, "ata1: ATAPI: ", strlen("ata1: ATAPI: "));
	cr_assert_eq(klog_parse(text, len, "x", &klog, NULL), 0);
	cr_assert_eq(klog->n, 1);
	cr_assert_lt(strlen(klog->events[0].text), 2048);
}

/* An error storm keeps its beginning and hides nothing that follows. */
Test(klog, a_storm_of_errors_is_bounded)
{
	AUTO_BUF text = BUF_INIT;
	CLEANUP(cleanup_klog) struct klog *klog = NULL;

	for (unsigned i = 0; i < 200000; i++)
		buf_adds(&text, "ata3: SError: { UnrecovData }\n");
	buf_adds(&text, "ata3: limiting SATA link speed to 3.0 Gbps\n");
	cr_assert_eq(klog_parse(text.data, text.len, "x", &klog, NULL), 0);
	cr_assert_leq(klog->n, 5000);
	cr_assert_eq(klog->events[klog->n - 1].type, KLOG_SLOWED);
	cr_assert_eq(klog->events[klog->n - 1].line, 200001);
}

Test(klog, too_many_events_are_an_error)
{
	AUTO_BUF text = BUF_INIT;
	CLEANUP(cleanup_klog) struct klog *klog = NULL;
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < 70000; i++)
		buf_adds(&text, "ata3: DUMMY\n");
	cr_assert_eq(klog_parse(text.data, text.len, "the log", &klog, &err), -EFBIG);
	cr_assert_null(klog);
	cr_assert_not_null(strstr(err.message, "the log"));
	error_done(&err);
}
