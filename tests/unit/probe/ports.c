/* SPDX-License-Identifier: MIT */
#include "probe/ports.h"

#include "sata.h"

#define OPEN(tree_log)                                                                             \
	AUTO_TREE tree = sata_new(tree_log);                                                       \
	AUTO_MACHINE machine = machine_open(&tree);                                                \
	const struct portmap *map = sata_map(&machine);                                            \
	cr_assert_not_null(map)

static const struct port *port_at(const struct portmap *map, unsigned index)
{
	const struct port *port = portmap_port(map, SATA_ADDRESS, index);

	cr_assert_not_null(port);
	return port;
}

Test(ports, mask_states_and_disks)
{
	OPEN(SATA_HELD);
	const struct controller *controller = portmap_controller(map, SATA_ADDRESS);

	cr_assert_eq(map->n, 1);
	cr_assert_str_eq(controller->driver, "ahci");
	cr_assert(controller->mask_known);
	cr_assert_eq(controller->mask, 0x7);
	cr_assert_eq(controller->generation, 3);
	cr_assert_eq(port_at(map, 2)->link, 2);
	cr_assert_eq(port_at(map, 2)->state, PORT_UP);
	cr_assert_eq(port_at(map, 2)->n_disks, 1);
	cr_assert_str_eq(port_at(map, 2)->disks[0]->name, "sdc");
	cr_assert_eq(port_at(map, 3)->state, PORT_DUMMY);
	cr_assert_eq(port_at(map, 3)->implemented, TRI_NO);
	cr_assert_null(portmap_port(map, SATA_ADDRESS, 5));
}

Test(ports, det_tells_what_is_behind_a_link_that_is_down)
{
	OPEN(SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")
		     SATA_DOWN("4", "0") SATA_DOWN("5", "4"));

	cr_assert_eq(port_at(map, 3)->state, PORT_EMPTY);
	cr_assert_eq(port_at(map, 4)->state, PORT_OFFLINE);
}

/* Without the log nothing is "not wired", and a disk proves its port all the same. */
Test(ports, no_log_leaves_empty_ports_unknown)
{
	OPEN(NULL);

	cr_assert_not(map->log_complete);
	cr_assert_not_null(map->log_why_not);
	cr_assert_eq(port_at(map, 0)->implemented, TRI_YES);
	cr_assert_eq(port_at(map, 3)->implemented, TRI_UNKNOWN);
	cr_assert_eq(port_at(map, 3)->state, PORT_UNKNOWN);
}

Test(ports, a_cut_log_proves_only_what_it_says)
{
	OPEN("[  900.0] ata4: DUMMY\n");

	cr_assert_not(map->log_complete);
	cr_assert_eq(port_at(map, 3)->implemented, TRI_NO);
	cr_assert_eq(port_at(map, 4)->implemented, TRI_UNKNOWN);
}

Test(ports, the_last_link_line_counts)
{
	OPEN(SATA_HELD SATA_FAST("3"));

	cr_assert_eq(port_at(map, 2)->link, 3);
}

Test(ports, sysfs_goes_before_the_log)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	sata_link_file(&tree, "link3", "sata_spd", "1.5 Gbps\n");
	sata_link_file(&tree, "link3", "hw_sata_spd_limit", "3.0 Gbps\n");
	sata_link_file(&tree, "link3", "sata_spd_limit", "1.5 Gbps\n");
	AUTO_MACHINE machine = machine_open(&tree);
	const struct port *port = port_at(sata_map(&machine), 2);

	cr_assert_eq(port->link, 1);
	cr_assert_eq(port->hard_limit, 2);
	cr_assert_eq(port->soft_limit, 1);
}

Test(ports, limit_of_scontrol)
{
	OPEN(SATA_HELD "[    2.0] ata3: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");

	cr_assert_eq(port_at(map, 2)->hard_limit, 2);
	cr_assert_eq(port_at(map, 0)->hard_limit, 0);
}

Test(ports, stale_lines_are_ignored)
{
	OPEN(SATA_HELD SATA_FAST(
		"9") "[    3.0] ahci 0000:05:00.0: AHCI 0001.0300 32 slots 6 ports 6 Gbps 0x3f "
		     "impl SATA mode\n");

	cr_assert_eq(map->n, 1);
	cr_assert_eq(portmap_controller(map, SATA_ADDRESS)->mask, 0x7);
	cr_assert_eq(portmap_controller(map, SATA_ADDRESS)->n_ports, 5);
}

/* Thirty ones, six from bit 0: the ports behind them are empty sockets of nobody. */
Test(ports, phantoms_of_a_big_mask)
{
	OPEN(SATA_START "[    1.1] ahci 0000:00:1f.2: 29/32 ports implemented (port mask "
			"0xfffffff3)\n" SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")
				SATA_DOWN("4", "0") SATA_DOWN("5", "0"));
	const struct controller *controller = portmap_controller(map, SATA_ADDRESS);

	cr_assert(controller->mask_phantom);
	cr_assert_eq(controller->sockets, 2);
	cr_assert_not(port_at(map, 1)->phantom);
	cr_assert(port_at(map, 4)->phantom);
	cr_assert_eq(port_at(map, 2)->implemented, TRI_YES, "a disk proves its port");
	cr_assert_not(port_at(map, 2)->phantom);
}

Test(ports, a_known_chip_is_taken_by_its_id)
{
	AUTO_TREE tree = sata_new(SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1"));
	tree_file(&tree, SATA_DEVICE "vendor", "0x1b21\n");
	tree_file(&tree, SATA_DEVICE "device", "0x1064\n");
	AUTO_MACHINE machine = machine_open(&tree);
	const struct portmap *map = sata_map(&machine);

	cr_assert(portmap_controller(map, SATA_ADDRESS)->sockets_by_id);
	cr_assert_eq(portmap_controller(map, SATA_ADDRESS)->sockets, 4);
	cr_assert(portmap_controller(map, SATA_ADDRESS)->mask_phantom);
}

Test(ports, multiplier_is_the_port_not_a_disk)
{
	OPEN(SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_SLOW(
		"2") "[    1.6] ata2.15: Port Multiplier 1.2, 0x197b:0x0325 r0, 5 ports, feat "
		     "0x5/0xf\n"
		     "[    1.7] ata2.00: SATA link up 1.5 Gbps (SStatus 113 SControl 310)\n"
		     "[    1.8] ata2.04: SATA link down (SStatus 0 SControl 0)\n");
	const struct port *port = port_at(map, 1);

	cr_assert(port->multiplier);
	cr_assert_eq(port->link, 2, "the fan-out links are not the port's");
	cr_assert_eq(port->hard_limit, 0);
	cr_assert_eq(port->state, PORT_UP);
	cr_assert_neq(port->multiplier_line, 0);
}

Test(ports, two_sockets_of_one_number)
{
	AUTO_TREE tree =
		sata_new(SATA_START "ata1.00: SATA link up 3.0 Gbps (SStatus 123 SControl 300)\n"
				    "ata1.01: SATA link down (SStatus 0 SControl 300)\n");
	AUTO_MACHINE machine = { 0 };
	char path[512];

	tree_path(&tree, SATA_DEVICE "driver", path);
	unlink(path);
	tree_link(&tree, SATA_DEVICE "driver", "../../../bus/pci/drivers/ata_piix");
	machine = machine_open(&tree);
	const struct portmap *map = sata_map(&machine);

	cr_assert_eq(port_at(map, 0)->device, 0);
	cr_assert_eq(port_at(map, 0)->link, 2);
	cr_assert_eq(port_at(map, 1)->device, 1);
	cr_assert_eq(port_at(map, 1)->ata, 1);
	cr_assert_eq(port_at(map, 1)->state, PORT_EMPTY);
	cr_assert_eq(port_at(map, 2)->ata, 2, "the next number begins at index 2");
}

Test(ports, parallel_ata_is_left_out)
{
	OPEN(SATA_HELD "[    1.2] ata4: PATA max UDMA/100 cmd 0x1f0 ctl 0x3f6\n");

	cr_assert_null(portmap_port(map, SATA_ADDRESS, 3));
	cr_assert_not_null(portmap_port(map, SATA_ADDRESS, 4));
}

Test(ports, slow_downs_and_errors)
{
	OPEN(SATA_HELD "[    5.0] ata3: SError: { UnrecovData }\n"
		       "[    5.1] ata3: hard resetting link\n"
		       "[    5.2] ata3: limiting SATA link speed to 1.5 Gbps\n");
	const struct port *port = port_at(map, 2);

	cr_assert(port->slowed);
	cr_assert_eq(port->errors, 1, "a reset alone is no error");
	cr_assert_eq(port_at(map, 0)->errors, 0);
}

Test(ports, drives_by_smartctl_identify_and_diskstats)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	char path[512];

	tree_path(&tree, "coldswap/smart/sdb.json", path);
	unlink(path);
	sata_identify(&tree, "dev2.0", 0x0006);
	tree_file(&tree, "proc/diskstats",
		  "   8       0 sda 1 2 3 4 5 6 70 8 9 10 11\n"
		  "   8       1 sda1 1 2 3 4 5 6 9 8 9 10 11\n");
	AUTO_MACHINE machine = machine_open(&tree);
	const struct portmap *map = sata_map(&machine);
	const struct drive_link *sda = portmap_drive(map, port_at(map, 0)->disks[0]);
	const struct drive_link *sdb = portmap_drive(map, port_at(map, 1)->disks[0]);

	cr_assert_eq(sda->max, 3);
	cr_assert_eq(sda->crc_errors, 0);
	cr_assert_eq(sda->reallocated, 3);
	cr_assert_eq(sda->written_bytes, 70 * 512);
	cr_assert_eq(sdb->max, 2);
	cr_assert_eq(sdb->crc_errors, -1);
	cr_assert_eq(sdb->written_bytes, -1);
	cr_assert_not_null(sdb->why_not);
	cr_assert_not_null(sdb->remedy);
}

Test(ports, ceilings_of_8b10b)
{
	cr_assert_eq(generation_ceiling_mb_s(1), 150);
	cr_assert_eq(generation_ceiling_mb_s(2), 300);
	cr_assert_eq(generation_ceiling_mb_s(3), 600);
	cr_assert_eq(generation_ceiling_mb_s(4), 0);
	cr_assert_float_eq(generation_gbps(1), 1.5, 0.001);
	cr_assert_float_eq(generation_gbps(0), 0, 0.001);
}
