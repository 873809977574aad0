/* SPDX-License-Identifier: MIT */
/*
 * A systemd of our own at the other end of a socket: it speaks D-Bus, knows
 * one service, and sees every call that is made.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "sys/bus_unit.h"
#include "sys/clock.h"

#define SYSTEMD "org.freedesktop.systemd1"
#define SECOND 1000000

static int reply_path(sd_bus_message *call, const char *unit)
{
	if (strcmp(unit, "hangs.service") == 0)
		for (;;)
			pause();
	if (strcmp(unit, "refused.service") == 0)
		return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_ACCESS_DENIED, "Not for you");
	if (strcmp(unit, "removed.service") == 0)
		return sd_bus_reply_method_return(call, "o", "/unit/removed");
	return sd_bus_reply_method_return(
		call, "o", strcmp(unit, "k3s.service") == 0 ? "/unit/k3s" : "/unit/none");
}

static int append_unit(sd_bus_message *reply, bool known, const char *active)
{
	return sd_bus_message_append(reply, "a{sv}", 5, "ActiveState", "s", active, "Id", "s",
				     "x.service", "LoadState", "s", known ? "loaded" : "not-found",
				     "TriggeredBy", "as", 2, "a.socket", "b.timer",
				     "JobTimeoutUSec", "t", UINT64_MAX);
}

static int append_command(sd_bus_message *reply)
{
	return sd_bus_message_append(reply, "{sv}", "ExecStart", "a(sasbttttuii)", 1, "/bin/k3s", 2,
				     "/bin/k3s", "serv\xc3\xa9r", 0, (uint64_t)1, (uint64_t)2,
				     (uint64_t)3, (uint64_t)4, 5U, 6, 7);
}

static int append_service(sd_bus_message *reply)
{
	int r = sd_bus_message_open_container(reply, 'a', "{sv}");

	if (r >= 0)
		r = sd_bus_message_append(reply, "{sv}{sv}{sv}{sv}{sv}{sv}", "MainPID", "u", 42U,
					  "Delegate", "b", 1, "LimitNOFILE", "t", (uint64_t)1024,
					  "Nice", "i", -5, "Job", "(uo)", 7U, "/job", "Environment",
					  "as", 0);
	if (r >= 0)
		r = append_command(reply);
	return r < 0 ? r : sd_bus_message_close_container(reply);
}

static int reply_properties(sd_bus_message *call, const char *interface)
{
	sd_bus_message *reply = NULL;
	bool removed = strcmp(sd_bus_message_get_path(call), "/unit/removed") == 0;
	bool known = strcmp(sd_bus_message_get_path(call), "/unit/k3s") == 0;
	int r = sd_bus_message_new_method_return(call, &reply);

	if (r >= 0)
		r = strcmp(interface, SYSTEMD ".Service") == 0
			    ? append_service(reply)
			    : append_unit(reply, known, known || removed ? "active" : "inactive");
	if (r >= 0)
		r = sd_bus_send(NULL, reply, NULL);
	sd_bus_message_unref(reply);
	return r < 0 ? r : 1;
}

/* Exits at a call that could start something. */
static int answer(sd_bus_message *call, void *data, sd_bus_error *error)
{
	const char *argument;

	(void)data;
	(void)error;
	if (!sd_bus_message_is_method_call(call, NULL, NULL))
		return 0;
	if (sd_bus_message_read(call, "s", &argument) < 0 || sd_bus_message_get_auto_start(call))
		_exit(1);
	if (sd_bus_message_is_method_call(call, SYSTEMD ".Manager", "LoadUnit"))
		return reply_path(call, argument);
	if (sd_bus_message_is_method_call(call, NULL, "GetAll"))
		return reply_properties(call, argument);
	_exit(2);
}

static _Noreturn void serve(int fd)
{
	sd_bus *bus = NULL;
	sd_id128_t id =
		SD_ID128_MAKE(01, 02, 03, 04, 05, 06, 07, 08, 09, 10, 11, 12, 13, 14, 15, 16);

	if (sd_bus_new(&bus) < 0 || sd_bus_set_fd(bus, fd, fd) < 0 ||
	    sd_bus_set_server(bus, 1, id) < 0 || sd_bus_set_anonymous(bus, 1) < 0 ||
	    sd_bus_start(bus) < 0 || sd_bus_add_filter(bus, NULL, answer, NULL) < 0)
		_exit(3);
	while (sd_bus_process(bus, NULL) >= 0)
		if (sd_bus_wait(bus, UINT64_MAX) < 0)
			break;
	_exit(0);
}

struct peer {
	sd_bus *bus;
	pid_t pid;
};

static void peer_start(struct peer *peer)
{
	int ends[2];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	peer->pid = fork();
	if (peer->pid == 0) {
		close(ends[0]);
		serve(ends[1]);
	}
	close(ends[1]);
	cr_assert_geq(sd_bus_new(&peer->bus), 0);
	cr_assert_geq(sd_bus_set_fd(peer->bus, ends[0], ends[0]), 0);
	cr_assert_geq(sd_bus_start(peer->bus), 0);
}

/* `status` of the other end, or -1 when it had to be killed. */
static int peer_stop(struct peer *peer, bool kill_it)
{
	int status;

	sd_bus_flush_close_unref(peer->bus);
	if (kill_it)
		kill(peer->pid, SIGKILL);
	waitpid(peer->pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int ask(struct peer *peer, const char *unit, uint64_t timeout_us, json_t **ret,
	       struct error *err)
{
	return bus_unit_read(peer->bus, true, unit, clock_monotonic_us() + timeout_us, ret, err);
}

Test(bus_unit, properties_become_json)
{
	struct peer peer;
	struct error err = ERROR_INIT;
	AUTO_JSON unit = NULL;
	AUTO_BUF text = BUF_INIT;

	peer_start(&peer);
	cr_assert_eq(ask(&peer, "k3s.service", 5 * SECOND, &unit, &err), 0, "%s", error_text(&err));
	cr_assert_eq(json_print(unit, &text, NULL), 0);
	cr_expect_str_eq(
		buf_text(&text),
		"{\"ActiveState\":\"active\",\"Id\":\"x.service\",\"LoadState\":\"loaded\","
		"\"TriggeredBy\":[\"a.socket\",\"b.timer\"],\"JobTimeoutUSec\":null,"
		"\"MainPID\":42,\"Delegate\":true,\"LimitNOFILE\":1024,\"Nice\":-5,"
		"\"Job\":[7,\"/job\"],\"Environment\":[],\"ExecStart\":[{\"path\":"
		"\"/bin/k3s\",\"argv\":[\"/bin/k3s\",\"serv\\u00E9r\"]}]}\n");
	cr_expect_eq(peer_stop(&peer, false), 0, "only calls that read");
}

Test(bus_unit, an_unknown_unit_is_absent)
{
	struct peer peer;
	json_t *unit = NULL;

	peer_start(&peer);
	cr_expect_eq(ask(&peer, "none.service", 5 * SECOND, &unit, NULL), -ENOENT);
	cr_expect_null(unit);
	cr_expect_eq(peer_stop(&peer, false), 0);
}

Test(bus_unit, a_unit_that_runs_without_its_file_is_there)
{
	AUTO_JSON unit = NULL;
	struct peer peer;

	peer_start(&peer);
	cr_assert_eq(ask(&peer, "removed.service", 5 * SECOND, &unit, NULL), 0);
	cr_expect_str_eq(json_text(unit, "LoadState"), "not-found");
	cr_expect_str_eq(json_text(unit, "ActiveState"), "active");
	cr_expect_eq(peer_stop(&peer, false), 0);
}

Test(bus_unit, a_refusal_is_said_in_systemds_words)
{
	struct peer peer;
	struct error err = ERROR_INIT;
	json_t *unit = NULL;

	peer_start(&peer);
	cr_expect_eq(ask(&peer, "refused.service", 5 * SECOND, &unit, &err), -EACCES);
	cr_expect_not_null(strstr(error_text(&err), "Not for you"));
	cr_expect_not_null(err.hint);
	error_done(&err);
	peer_stop(&peer, false);
}

Test(bus_unit, a_systemd_that_hangs_is_left_at_the_deadline)
{
	struct peer peer;
	uint64_t start = clock_monotonic_us();
	json_t *unit = NULL;

	peer_start(&peer);
	cr_expect_eq(ask(&peer, "hangs.service", 300000, &unit, NULL), -ETIMEDOUT);
	cr_expect_lt(clock_monotonic_us() - start, SECOND);
	peer_stop(&peer, true);
}
