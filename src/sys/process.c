/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strv.h"
#include "sys/process.h"

/* A signal handler gets no argument of ours: the mutable words of this layer. */
static volatile sig_atomic_t cancelled;
static const char *volatile cancel_says;

static const char *const kept[] = {
	"TERM",       "LANG", "LANGUAGE", "COLUMNS",        "NO_COLOR",
	"KUBECONFIG", "HOME", "TZ",       "SSH_CONNECTION",
};

/* A shell and the kernel each tell a session's end: the second word must not end the program. */
static void on_signal(int number)
{
	const char *says = cancel_says;
	int kept_errno = errno;

	if (number == SIGHUP)
		signal(SIGHUP, SIG_IGN);
	else if (says && write(STDERR_FILENO, says, strlen(says)) < 0)
		says = NULL; /* nobody is there to be told */
	cancelled = number;
	errno = kept_errno;
}

const volatile sig_atomic_t *process_cancelled(void)
{
	return &cancelled;
}

void process_cancel_says(const char *text)
{
	cancel_says = text;
}

int process_cancel_reset(void)
{
	/* One that comes between reading and clearing must not get lost. */
	return __atomic_exchange_n(&cancelled, 0, __ATOMIC_SEQ_CST);
}

bool process_is_root(void)
{
	return geteuid() == 0;
}

/*
 * A file opened later must not become the standard output.  For reading only:
 * a result that was written to a closed output is an error, not a success.
 */
static int open_standard(struct error *err)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
		if (fd < 0)
			return error_set(err, -errno, "cannot open /dev/null: %s", strerror(errno));
	} while (fd <= STDERR_FILENO);
	close(fd);
	return 0;
}

/* "NAME=": a locale or a time zone that leads to a file of the caller's choice is dropped. */
static bool is_kept(const char *entry)
{
	size_t len = strcspn(entry, "="), i;
	const char *value = entry + len;
	bool locale = strncmp(entry, "LC_", 3) == 0 || strncmp(entry, "LANG", 4) == 0;

	if (*value != '=')
		return false;
	if (locale && strchr(value, '/'))
		return false;
	if (strncmp(entry, "TZ=", 3) == 0 &&
	    (strstr(value, "..") || strpbrk(value, ":/") == value + 1))
		return false;
	if (strncmp(entry, "LC_", 3) == 0)
		return true;
	for (i = 0; i < ELEMENTS(kept); i++)
		if (strlen(kept[i]) == len && strncmp(entry, kept[i], len) == 0)
			return true;
	return false;
}

static int put_entry(const char *entry)
{
	AUTO_FREE char *name = strndup(entry, strcspn(entry, "="));

	if (!name)
		return -ENOMEM;
	return setenv(name, entry + strlen(name) + 1, 1) < 0 ? -errno : 0;
}

static int replace_environment(struct error *err)
{
	AUTO_STRV char **entries = NULL;
	size_t i;

	for (i = 0; environ && environ[i]; i++)
		if (is_kept(environ[i]) && strv_add(&entries, environ[i]) < 0)
			return error_oom(err);
	if (clearenv() != 0)
		return error_oom(err);
	for (i = 0; entries && entries[i]; i++)
		if (put_entry(entries[i]) < 0)
			return error_oom(err);
	return setenv("PATH", PROCESS_PATH, 1) < 0 ? error_oom(err) : 0;
}

static void set_signals(void)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = SIG_IGN };
	struct sigaction old;
	sigset_t none;
	size_t i;

	sigaction(SIGPIPE, &action, NULL);
	/* An inherited SIG_IGN would let no child be waited for. */
	action.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &action, NULL);
	/* No SA_RESTART: what waits is woken, and looks at the flag. */
	action.sa_handler = on_signal;
	action.sa_flags = (int)SA_RESETHAND;
	for (i = 0; i < ELEMENTS(stops); i++)
		/* nohup(1) and a shell's background jobs stay as they are. */
		if (sigaction(stops[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(stops[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int process_harden(struct error *err)
{
	int r = open_standard(err);

	if (r < 0)
		return r;
	umask(077);
	set_signals();
	return replace_environment(err);
}
