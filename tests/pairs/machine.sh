# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What happens to the home server between two captures, done to a tree of it.
# The edits of the pairs source this and run in the tree.  Disks keep their
# kernel names; by-path names, ata numbers and link speeds stay with the port.

# Of a disk: its directory in sysfs, its SCSI device, its ata number and SCSI host.
path_of() { readlink "sys/block/$1" | sed 's|^\.\./|sys/|'; }
slot_of() { path_of "$1" | sed 's|/block/.*||'; }
ata_of() { path_of "$1" | sed 's|.*/ata\([0-9]*\)/.*|\1|'; }
host_of() { path_of "$1" | sed 's|.*/host\([0-9]*\)/.*|\1|'; }
udev_of() { for dev in "$(path_of "$1")"/dev "$(path_of "$1")"/"$1"[0-9]*/dev; do echo "run/udev/data/b$(cat "$dev")"; done; }

# exchange_words A B FILE...: every A becomes B and every B becomes A
exchange_words() {
	word_a=$1 word_b=$2
	shift 2
	sed -i "s/$word_a/\x01/g;s/$word_b/$word_a/g;s/\x01/$word_b/g" "$@"
}
exchange_files() { mv "$1" "$1.moved" && mv "$2" "$1" && mv "$1.moved" "$2"; }

# relink DISK DIRECTORY: the links to the disk and its partitions
relink() {
	for link in sys/block/"$1" sys/class/block/"$1" sys/class/block/"$1"[0-9]* sys/dev/block/*; do
		case $(readlink "$link") in
		*/block/"$1" | */block/"$1"/*)
			ln -sfn "$(readlink "$link" | sed "s|devices/.*/block/$1|${2#sys/}/block/$1|")" "$link" ;;
		esac
	done
}
# The by-path names, as udev's database has them now.
relink_paths() {
	rm -f dev/disk/by-path/*
	grep -H '^S:disk/by-path/' run/udev/data/b* | sed 's|^run/udev/data/b||;s|:S:| |' | while read -r number link; do
		ln -s "../../$(basename "$(readlink "sys/dev/block/$number")")" "dev/$link"
	done
}

# trade A B: two disks trade ports.  Links keep their speed.
trade() {
	ata_a=$(ata_of "$1") ata_b=$(ata_of "$2") host_a=$(host_of "$1") host_b=$(host_of "$2")
	slot_a=$(slot_of "$1") slot_b=$(slot_of "$2") files="$(udev_of "$1") $(udev_of "$2")"
	speed_a=$(speed_of "$ata_a") speed_b=$(speed_of "$ata_b")
	mv "$slot_a/block/$1" "$slot_b/block/$1"
	mv "$slot_b/block/$2" "$slot_a/block/$2"
	for name in model rev vpd_pg80 wwid; do exchange_files "$slot_a/$name" "$slot_b/$name"; done
	for name in id trim; do
		exchange_files "sys/class/ata_device/dev$ata_a.0/$name" "sys/class/ata_device/dev$ata_b.0/$name"
	done
	relink "$1" "$slot_b"
	relink "$2" "$slot_a"
	# shellcheck disable=SC2086 # words are meant
	exchange_words "-ata-$ata_a" "-ata-$ata_b" $files dev/"$1"* dev/"$2"*
	relink_paths
	exchange_words "ata$ata_a\\.00:" "ata$ata_b.00:" coldswap/kernel.log
	exchange_words " $host_a:0:0:0:" " $host_b:0:0:0:" coldswap/kernel.log
	link "$2" "$speed_a"
	link "$1" "$speed_b"
}

# Link speeds are 1.5, 3.0 or 6.0.
speed_of() { sed 's/ .*//' "sys/class/ata_link/link$1/sata_spd"; }
# link DISK SPEED: its link came up so
link() {
	case $2 in 1.5) status=113 value=2 units=15 ;; 3.0) status=123 value=6 units=30 ;; 6.0) status=133 value=14 units=60 ;; esac
	echo "$2 Gbps" >"sys/class/ata_link/link$(ata_of "$1")/sata_spd"
	sed -i "s/ata$(ata_of "$1"): SATA link .*/ata$(ata_of "$1"): SATA link up $2 Gbps (SStatus $status SControl 300)/" coldswap/kernel.log
	sed -i "/\"current\": {/,/}/{s/\"sata_value\": [0-9]*/\"sata_value\": $value/;s|\"string\": \".*\"|\"string\": \"$2 Gb/s\"|
		s/\"units_per_second\": [0-9]*/\"units_per_second\": $units/;}" "coldswap/smart/$1.json"
}
# say DISK TEXT: a line of the kernel log about the link of a disk
say() { printf '[   77.000000] ata%s%s\n' "$(ata_of "$1")" "$2" >>coldswap/kernel.log; }
crc() { sed -i "/\"UDMA_CRC_Error_Count\"/,/\"raw\"/!b;/\"raw\"/{n;s/[0-9][0-9]*/$2/;}" "coldswap/smart/$1.json"; }

# unplug DISK: it is not there at this boot
unplug() {
	ata=$(ata_of "$1") host=$(host_of "$1") slot=$(slot_of "$1") files=$(udev_of "$1")
	numbers=$(echo "$files" | sed 's|.*/b||')
	for number in $numbers; do sed -i "/^[0-9]* [0-9]* $number /d" proc/self/mountinfo && rm "sys/dev/block/$number"; done
	# shellcheck disable=SC2086
	rm -r $files dev/"$1"* sys/block/"$1" sys/class/block/"$1"* "${slot%/*}" "coldswap/smart/$1.json"
	sed -i "/ata$ata\\.00:/d;/ $host:0:0:0:/d;/($1[0-9]*)/d;/^[^a-z]*] *$1:/d
		s/ata$ata: SATA link .*/ata$ata: SATA link down (SStatus 0 SControl 300)/" coldswap/kernel.log
	echo '<unknown>' >"sys/class/ata_link/link$ata/sata_spd"
	: >"sys/class/ata_device/dev$ata.0/id"
	find dev/disk -lname "*/$1" -delete -o -lname "*/$1[0-9]*" -delete
}
unmount() { sed -i "\\| $1 |d" proc/self/mountinfo; }

# A boot is a new boot id.
boot() {
	sed -i 's/"boot_id": "........-/"boot_id": "b007b007-/' coldswap/host.json
	sed -i 's/^........-/b007b007-/' proc/sys/kernel/random/boot_id
}

# forget DISK [table]: the disk tells neither serial number nor WWN; nor has it a partition table
forget() {
	# shellcheck disable=SC2046 # words are meant
	sed -i '/ID_WWN/d;/ID_SERIAL/d' $(udev_of "$1") dev/"$1"*
	rm "$(slot_of "$1")/vpd_pg80" "$(slot_of "$1")/wwid"
	# shellcheck disable=SC2046
	[ -z "${2-}" ] || sed -i '/ID_PART_TABLE_UUID/d' $(udev_of "$1") dev/"$1"*
}
# another DISK: one of the same model, with another serial number, WWN and partition table
another() {
	# shellcheck disable=SC2046
	sed -i 's/S3YJNB0K417362F/S3YJNB0K999999X/g;s/0x5002538e40a1d7b5/0x5002538e40ffffff/g;s/c1bbaa04/c1bbaa05/' $(udev_of "$1") dev/"$1"*
	sed -i 's/S3YJNB0K417362F/S3YJNB0K999999X/' "$(slot_of "$1")/vpd_pg80" "coldswap/smart/$1.json"
	sed -i 's/5002538e40a1d7b5/5002538e40ffffff/' "$(slot_of "$1")/wwid"
}
