# SPDX-License-Identifier: MIT
# The home server's port map, fact by fact.  $figure: the 860 EVO's writing speed in measures.json ("null": no figures).
# Out: "ok|not ok TAB fact TAB what stands there".
def fact($name; $have; $want): if $have == $want then "ok\t\($name)" else "not ok\t\($name)\tis \($have | tojson), must be \($want | tojson)" end;
def holds($name; $condition; $have): if $condition then "ok\t\($name)" else "not ok\t\($name)\t\($have | tojson)" end;
"Z4YD7R2M" as $hdd | "S3YJNB0K417362F" as $evo860 | "S620NJ0R510748W" as $evo870
| .controllers as $controllers | $controllers[0].ports as $ports
| def disk($index): first($ports[] | select(.index == $index)) // {};
  def option($other): first(.advice.options[] | select(.disks | sort == ([$other, $evo870] | sort))) // {};
fact("schema"; .schema_version; 1),
fact("controllers"; [$controllers[] | .pci]; ["0000:00:1f.2"]),
fact("driver"; $controllers[0].driver; "ahci"),
fact("mask"; $controllers[0].implemented_mask | if type == "number" then . else ascii_downcase end | IN(41, "0x29"); true),
fact("speed"; $controllers[0].speed_gbps; 6),
fact("implemented"; [$ports[] | select(.implemented) | .index]; [0, 3, 5]),
fact("not implemented"; [$ports[] | select(.implemented == false) | .index]; [1, 2, 4]),
fact("ata"; [$ports[] | .ata]; [1, 2, 3, 4, 5, 6]),
fact("links"; [0, 3, 5 | disk(.).link_gbps]; [6, 6, 3]),
fact("limits"; [0, 3, 5 | disk(.).limit_gbps]; [null, null, null]),
fact("ceilings"; [0, 3, 5 | disk(.).ceiling_mb_s]; [600, 600, 300]),
fact("disks"; [0, 3, 5 | disk(.).disk.serial]; [$hdd, $evo860, $evo870]),
fact("names"; [0, 3, 5 | disk(.).disk.name]; ["sdb", "sda", "sdc"]),
fact("wwn"; disk(5).disk.wwn; "0x5002538f31b4c06a"),
fact("drives"; [0, 3, 5 | disk(.).disk.max_gbps]; [6, 6, 6]),
fact("rotational"; [0, 3, 5 | disk(.).disk.rotational]; [true, false, false]),
fact("crc"; [0, 3, 5 | disk(.).disk.crc_errors]; [0, 0, 0]),
fact("reallocated"; [0, 3, 5 | disk(.).disk.reallocated]; [0, 0, 393]),
fact("boot"; [0, 3, 5 | disk(.).disk.boot]; [true, false, false]),
fact("mounts of the HDD"; disk(0).disk.mounts | sort | map(select(startswith("/"))); ["/", "/boot/efi", "/home", "/var"]),
fact("mounts of the SSDs"; [3, 5 | [disk(.).disk.mounts[] | select(startswith("/var/lib/kubelet") | not)]]; [["/srv/state"], ["/data"]]),
fact("written"; [0, 3, 5 | disk(.).disk.written_bytes]; [96114208 * 512, 71204816 * 512, 1720411032 * 512]),
fact("held back"; [.held_back[] | [.disk, .cause]]; [[$evo870, "port"]]),
fact("advice"; .advice.action; "swap"),
fact("advised disks"; .advice.disks | sort; [$evo860, $evo870] | sort),
holds("reasons"; (.advice.reasons | length) > 0; .advice.reasons),
fact("option A loses nothing"; option($hdd).loses_at_least_mb_s; if $figure == "null" then null else 0 end),
fact("option A touches the boot disk"; option($hdd).touches_boot; true),
holds("option A is rejected for it"; (option($hdd) | (.why | test("boot")) and (.verdict | test("advised|pass|best") | not)); option($hdd)),
fact("option B loses"; option($evo860).loses_at_least_mb_s; {"333": 33, "250": 0, "null": null}[$figure]),
fact("option B touches no boot disk"; option($evo860).touches_boot; false),
holds("option B is advised"; option($evo860).verdict | test("advised|pass|best"); option($evo860)),
holds("option B says what is not measured"; $figure != "null" or ([option($evo860).why, .advice.reasons[]] | join(" ") | test("600.*300|not measured")); option($evo860))
