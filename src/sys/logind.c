/* SPDX-License-Identifier: MIT */
#include "sys/logind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "sys/bus.h"
#include "sys/clock.h"
#include "sys/host_root.h"

#define TIMEOUT_US 5000000
#define PATH "/org/freedesktop/login1"
#define INTERFACE BUS_LOGIND ".Manager"
#define HINT_START "start it: systemctl start systemd-logind"

/* Names of errors that say there is nobody to ask. */
static const char *const absent[] = {
	SD_BUS_ERROR_SERVICE_UNKNOWN,
	SD_BUS_ERROR_NAME_HAS_NO_OWNER,
	"org.freedesktop.systemd1.NoSuchUnit",
};

/* Names of errors that say somebody holds the power-off back, or one runs already. */
static const struct {
	const char *name, *hint;
} blocked[] = {
	{ BUS_LOGIND ".BlockedByInhibitorLock", "see who blocks it: systemd-inhibit --list" },
	{ BUS_LOGIND ".OperationInProgress", "a shutdown runs already: wait for it" },
};

static int cannot(const char *what, int code, const sd_bus_error *error, struct error *err)
{
	const char *words = error->message ? error->message : strerror(-code);
	const char *advice = HINT_START;
	size_t i;

	if (code == -ENOMEM)
		return error_oom(err);
	if (code == -ECANCELED)
		return error_set(err, code, "stopped while logind was asked to %s", what);
	for (i = 0; i < ELEMENTS(absent); i++)
		if (sd_bus_error_has_name(error, absent[i]))
			code = -ENOENT;
	for (i = 0; i < ELEMENTS(blocked); i++)
		if (sd_bus_error_has_name(error, blocked[i].name)) {
			code = -EBUSY;
			advice = blocked[i].hint;
		}
	if (sd_bus_error_has_name(error, SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED))
		code = -EACCES;
	if (code == -EACCES || code == -EPERM)
		advice = "run as root";
	if (code == -ENOENT)
		error_set(err, code, "logind does not run, so it cannot %s", what);
	else
		error_set(err, code, "logind did not %s: %s", what, words);
	error_hint(err, "%s", advice);
	return code;
}

/* A method of logind with arguments of one D-Bus signature. */
static int ask(struct host *host, const char *what, sd_bus **bus, sd_bus_message **ret,
	       struct error *err, const char *method, const char *types, ...)
{
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	AUTO_MESSAGE call = NULL;
	uint64_t left, deadline_us;
	va_list arguments;
	int r = host_time_left(host, TIMEOUT_US, &left, err);

	if (r < 0)
		return r;
	deadline_us = clock_monotonic_us() + left;
	r = bus_connect(deadline_us, bus, err);
	if (r == -ECONNREFUSED) {
		error_set(err, -ENOENT, "no system bus runs here, so logind cannot %s", what);
		error_hint(err, "start it (systemctl start dbus systemd-logind), or do it by hand");
		return -ENOENT;
	}
	if (r < 0)
		return r;
	r = sd_bus_message_new_method_call(*bus, &call, BUS_LOGIND, PATH, INTERFACE, method);
	va_start(arguments, types);
	if (r >= 0)
		r = sd_bus_message_appendv(call, types, arguments);
	va_end(arguments);
	if (r >= 0)
		r = bus_call(*bus, call, deadline_us, ret, &error);
	return r < 0 ? cannot(what, r, &error, err) : 0;
}

static int check_live(const struct host *host, const char *what, struct error *err)
{
	if (host_is_live(host))
		return 0;
	error_set(err, -EPERM, "logind cannot be asked to %s: this is a capture", what);
	error_hint(err, "run on the machine itself, without --root");
	return -EPERM;
}

int logind_inhibit(struct host *host, const char *what, const char *who, const char *why,
		   int *ret_fd, struct error *err)
{
	static const char words[] = "hold the power-off back";
	AUTO_BUS bus = NULL;
	AUTO_MESSAGE reply = NULL;
	int fd, r = check_live(host, words, err);

	if (r == 0)
		r = ask(host, words, &bus, &reply, err, "Inhibit", "ssss", what, who, why, "block");
	if (r < 0)
		return r;
	r = sd_bus_message_read(reply, "h", &fd);
	/* The message owns the first one. */
	fd = r < 0 ? r : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0) {
		r = r < 0 ? r : -errno;
		error_set(err, r, "logind did not hold the power-off back: %s", strerror(-r));
		error_hint(err, HINT_START);
		return r;
	}
	*ret_fd = fd;
	return 0;
}

int logind_power_off(struct host *host, struct error *err)
{
	static const char words[] = "power the machine off";
	AUTO_BUS bus = NULL;
	AUTO_MESSAGE reply = NULL;
	int r = check_live(host, words, err);

	return r < 0 ? r : ask(host, words, &bus, &reply, err, "PowerOff", "b", 0);
}

/* The answers of CanPowerOff but for "yes". */
static const struct {
	const char *answer;
	int code;
	const char *why, *hint;
} answers[] = {
	{ "no", -EACCES, "this user may not power the machine off", "run as root" },
	{ "challenge", -EACCES, "logind would ask for a password first", "run as root" },
	{ "na", -EOPNOTSUPP, "this machine cannot be powered off by logind",
	  "power it off by hand after the last step" },
	{ "inhibited", -EBUSY, "somebody holds the power-off back",
	  "see who: systemd-inhibit --list" },
	{ "inhibitor-blocked", -EBUSY, "somebody holds the power-off back",
	  "see who: systemd-inhibit --list" },
	{ "challenge-inhibitor-blocked", -EBUSY, "somebody holds the power-off back",
	  "see who: systemd-inhibit --list" },
};

int logind_can_power_off(struct host *host, struct error *err)
{
	static const char words[] = "tell whether it can power off";
	AUTO_BUS bus = NULL;
	AUTO_MESSAGE reply = NULL;
	const char *answer = NULL;
	size_t i;
	int r = check_live(host, words, err);

	if (r == 0)
		r = ask(host, words, &bus, &reply, err, "CanPowerOff", "");
	if (r < 0)
		return r;
	r = sd_bus_message_read(reply, "s", &answer);
	if (r >= 0 && strcmp(answer, "yes") == 0)
		return 0;
	for (i = 0; r >= 0 && i < ELEMENTS(answers); i++)
		if (strcmp(answer, answers[i].answer) == 0) {
			error_set(err, answers[i].code, "%s", answers[i].why);
			error_hint(err, "%s", answers[i].hint);
			return answers[i].code;
		}
	error_set(err, -EBADMSG, "logind answered \"%s\" when asked for a power-off",
		  answer ? answer : "");
	error_hint(err, "ask it yourself: busctl call " BUS_LOGIND " " PATH " " INTERFACE
			" CanPowerOff");
	return -EBADMSG;
}
