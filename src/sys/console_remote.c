/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-login.h>

#include "sys/console.h"
#include "sys/io.h"

#define STAT_MAX ((size_t)4096)
#define DEPTH_MAX 64

/* Programs that a session over a network descends from. */
static const char *const servers[] = {
	"sshd", "sshd-session", "sshd-auth", "dropbear", "mosh-server", "in.telnetd", "telnetd",
};

/* The name and the parent of a process; 0 at the end, and for what cannot be read. */
static pid_t parent_of(pid_t pid, char name[32])
{
	AUTO_BUF text = BUF_INIT;
	char path[64], *first, *last;
	AUTO_FD fd = -1;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || io_read_all(fd, STAT_MAX, &text) < 0)
		return 0;
	first = text.data ? strchr(text.data, '(') : NULL;
	last = text.data ? strrchr(text.data, ')') : NULL;
	if (!first || !last || last < first || sscanf(last + 1, " %*c %d", &parent) != 1)
		return 0;
	*last = '\0';
	snprintf(name, 32, "%s", first + 1);
	return parent;
}

/* Programs that keep a terminal while nobody is connected to it. */
static const struct {
	const char *name, *back;
} keepers[] = {
	{ "tmux: server", "tmux attach" }, { "tmux", "tmux attach" },     { "screen", "screen -r" },
	{ "SCREEN", "screen -r" },         { "zellij", "zellij attach" },
};

static bool is_server(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(servers); i++)
		if (strcmp(name, servers[i]) == 0)
			return true;
	return false;
}

static const char *back_by(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(keepers); i++)
		if (strcmp(name, keepers[i].name) == 0)
			return keepers[i].back;
	return NULL;
}

/* A keeper's server is a child of nobody; logind still has it in the session that began it. */
static bool session_is_remote(void)
{
	char *session = NULL;
	bool remote = sd_pid_get_session(0, &session) >= 0 && sd_session_is_remote(session) == 1;

	free(session);
	return remote;
}

/* Anybody may set it, so that it is only ever one more hint. */
static bool environment_is_remote(void)
{
	return getenv("SSH_CONNECTION") != NULL;
}

bool console_is_remote(const struct console *console, const char **ret_back)
{
	char name[32];
	pid_t pid = getpid();
	bool remote = false;

	(void)console;
	*ret_back = NULL;
	for (int depth = 0; pid > 1 && depth < DEPTH_MAX && !remote; depth++) {
		pid = parent_of(pid, name);
		if (pid && !*ret_back)
			*ret_back = back_by(name);
		remote = pid && is_server(name);
	}
	return remote || session_is_remote() || (*ret_back && environment_is_remote());
}
