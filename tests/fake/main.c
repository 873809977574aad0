/* SPDX-License-Identifier: MIT */
/* fake DIR [boot]: DIR/script is read, the sockets are made, DIR/ready says so. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake.h"

/* Units that were active in the script are so after a boot, if their Asserts let them. */
static void begin(struct fake *fake, bool boot)
{
	struct unit *unit;

	for (unit = fake->units; unit; unit = unit->next) {
		unit_read_files(unit);
		if (strcmp(unit->active, "active") != 0)
			continue;
		if (boot && !(unit_check(unit, "Assert") && unit_check(unit, "Condition"))) {
			note(fake, "boot %s held", unit->name);
			unit_set(unit, "inactive", "dead");
			continue;
		}
		if (boot || !unit->invocation) {
			unit->invocation++;
			if (boot)
				note(fake, "boot %s started", unit->name);
		}
		process_start(fake, unit);
	}
	state_save(fake);
}

/* The counts of earlier boots go on; the states are the script's. */
static void forget_states(struct fake *fake, struct fake *fresh)
{
	struct unit *unit;

	for (unit = fresh->units; unit; unit = unit->next) {
		struct unit *old = unit_find(fake, unit->name);

		if (!old)
			continue;
		unit->tried[START] = old->tried[START];
		unit->tried[STOP] = old->tried[STOP];
		unit->invocation = old->invocation;
	}
}

static void defaults(struct fake *fake, const char *dir)
{
	*fake = (struct fake){ .dir = dir };
	fake->cgroup = getenv("FAKE_CGROUP");
	fake->group = getenv("FAKE_GROUP");
	if (fake->cgroup && !*fake->cgroup)
		fake->cgroup = fake->group = NULL;
	fake->systemd = copy("ok"); /* tests/fake/with asks for it */
	fake->logind = copy("ok");
	fake->private = copy("ok");
	fake->bus = copy("ok");
	fake->power_off = copy("done");
	fake->can_power_off = copy("yes");
	fake->inhibit = copy("done");
}

static void listen_all(struct fake *fake)
{
	if (strcmp(fake->private, "absent") != 0 && strcmp(fake->systemd, "absent") != 0)
		peer_listen(fake, "/run/systemd/private", false,
			    strcmp(fake->private, "silent") == 0);
	if (strcmp(fake->bus, "absent") != 0)
		peer_listen(fake, "/run/dbus/system_bus_socket", true,
			    strcmp(fake->bus, "silent") == 0);
}

static void say_ready(const char *dir)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/ready", dir);
	file = fopen(path, "we");
	if (!file || fclose(file) != 0)
		die("cannot write %s: %m", path);
}

int main(int argc, char **argv)
{
	struct fake fake, before;
	char script[4096];
	bool boot = argc > 2 && strcmp(argv[2], "boot") == 0;

	if (argc < 2)
		die("usage: fake DIR [boot]");
	signal(SIGPIPE, SIG_IGN);
	defaults(&fake, argv[1]);
	if (sd_event_default(&fake.event) < 0)
		die("no event loop");
	snprintf(script, sizeof(script), "%s/script", argv[1]);
	script_load(&fake, script);
	if (boot) {
		defaults(&before, argv[1]);
		state_load(&before);
		forget_states(&before, &fake);
	} else {
		state_load(&fake);
	}
	begin(&fake, boot);
	listen_all(&fake);
	say_ready(argv[1]);
	return sd_event_loop(fake.event) < 0 ? 4 : 0;
}
