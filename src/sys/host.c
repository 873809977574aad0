/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>

#include "sys/clock.h"
#include "sys/host_root.h"
#include "sys/process.h"
#include "sys/record.h"

/* A rename or a mount elsewhere makes the kernel give up on "..": ask again. */
#define RETRIES 32

#define HINT_ROOT "run as root"
#define HINT_SANDBOX "root is refused here: ask outside of the container"
#define HINT_OWNER "read the capture as the user who made it, or as root"
#define HINT_AGAIN "make the capture again as root"

int host_openat(const struct host *host, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;
	int i;

	if (path[0] != '/')
		return -EINVAL;
	/* Once the operator asked to stop, nothing more is looked at. */
	if (*process_cancelled())
		return -ECANCELED;
	for (i = 0; i < RETRIES; i++) {
		fd = syscall(SYS_openat2, host->fd, path, &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd >= 0 ? (int)fd : -errno;
}

/* Listed paths failed on the machine itself; others fail here and now. */
static const char *hint_for(const struct host *host, const char *path, int code)
{
	bool rights = code == -EACCES || code == -EPERM;

	if (rights && host->live && process_is_root())
		return HINT_SANDBOX;
	if (rights && host->live)
		return HINT_ROOT;
	if (rights)
		return host_unreadable(host, path) ? HINT_AGAIN : HINT_OWNER;
	if (host_unreadable(host, path))
		return "read it on the machine itself, and look into its kernel log";
	return NULL;
}

int host_cannot(const struct host *host, const char *path, int code, struct error *err)
{
	const char *hint;

	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot read %s: %s", path, strerror(-code));
	hint = hint_for(host, path, code);
	if (hint)
		error_hint(err, "%s", hint);
	return code;
}

/* The list names real paths; a path that is followed may reach one of them by a link. */
static int refused(const struct host *host, const char *path, bool follow)
{
	AUTO_FREE char *real = NULL;
	int r;

	if (!host->n_unreadable)
		return 0;
	r = host_unreadable(host, path);
	if (r < 0 || !follow)
		return r;
	r = host_walk(host, path, &real, NULL);
	return r < 0 ? 0 : host_unreadable(host, real);
}

int host_look(struct host *host, const char *path, int flags, struct stat *ret, struct error *err)
{
	int fd, r = refused(host, path, !(flags & O_NOFOLLOW));

	if (r < 0)
		return host_cannot(host, path, r, err);
	fd = host_openat(host, path, O_PATH | flags);
	if (fd < 0)
		return host_cannot(host, path, fd, err);
	if (fstat(fd, ret) < 0) {
		r = -errno;
		close(fd);
		return host_cannot(host, path, r, err);
	}
	return fd;
}

int host_reopen(struct host *host, const char *path, const struct stat *seen, int flags,
		struct error *err)
{
	struct stat st;
	int fd = host_openat(host, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags);

	if (fd < 0)
		return host_cannot(host, path, fd, err);
	if (fstat(fd, &st) == 0 && st.st_dev == seen->st_dev && st.st_ino == seen->st_ino)
		return fd;
	close(fd);
	return host_cannot(host, path, -ESTALE, err);
}

/* Is it "/" itself, by whatever name? */
static bool is_running_system(const struct host *host)
{
	struct stat root, here;

	return fstat(host->fd, &root) == 0 && stat("/", &here) == 0 && root.st_dev == here.st_dev &&
	       root.st_ino == here.st_ino;
}

/* Kernels before 5.6 have no openat2(2), and old sandboxes refuse it. */
static int try_openat2(const struct host *host, struct error *err)
{
	AUTO_FD fd = host_openat(host, "/", O_PATH);

	if (fd == -ENOSYS || fd == -EPERM) {
		error_set(err, fd, "this system does not allow openat2(2): %s", strerror(-fd));
		error_hint(err, "use Linux 5.6 or newer, outside of sandboxes that filter it");
		return fd;
	}
	return fd < 0 ? host_cannot(host, "/", fd, err) : 0;
}

static int open_root(struct host *host, struct error *err)
{
	int r;

	host->fd = open(host->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (host->fd < 0) {
		r = error_set(err, -errno, "cannot open the root %s: %s", host->root,
			      strerror(errno));
		error_hint(err, "name the directory of a capture, or / for this machine");
		return r;
	}
	host->live = is_running_system(host);
	r = try_openat2(host, err);
	if (r < 0 || host->live)
		return r;
	return host_load_unreadable(host, err);
}

int host_open(const char *root, struct host **ret, struct error *err)
{
	CLEANUP(cleanup_host) struct host *host = calloc(1, sizeof(*host));
	int r;

	if (!host)
		return error_oom(err);
	host->fd = -1;
	host->root = strdup(root ? root : "/");
	if (!host->root)
		return error_oom(err);
	r = open_root(host, err);
	if (r < 0)
		return r;
	*ret = TAKE(host);
	return 0;
}

void host_free(struct host *host)
{
	if (!host)
		return;
	host_free_unreadable(host);
	host_free_recording(host);
	cleanup_fd(&host->fd);
	free(host->root);
	free(host);
}

bool host_is_live(const struct host *host)
{
	return host->live;
}

const char *host_root(const struct host *host)
{
	return host->live ? "/" : host->root;
}

void host_set_deadline(struct host *host, uint64_t deadline_us)
{
	host->deadline_us = deadline_us;
}

int host_time_left(const struct host *host, uint64_t most_us, uint64_t *ret, struct error *err)
{
	uint64_t now = clock_monotonic_us();

	*ret = most_us;
	if (!host->deadline_us)
		return 0;
	if (now >= host->deadline_us) {
		error_set(err, -ETIMEDOUT, "the time that the step may take is over");
		error_hint(err, "give the step a longer timeout");
		return -ETIMEDOUT;
	}
	if (host->deadline_us - now < most_us)
		*ret = host->deadline_us - now;
	return 0;
}

int host_stat(struct host *host, const char *path, struct stat *ret, struct error *err)
{
	AUTO_FD fd = host_look(host, path, 0, ret, err);

	host_note(host, path, TOUCH_STAT);
	return fd < 0 ? fd : 0;
}

int host_exists(struct host *host, const char *path, struct error *err)
{
	struct error why = ERROR_INIT;
	struct stat st;
	int r = host_stat(host, path, &st, &why);

	if (r == 0)
		r = 1;
	else if (r == -ENOENT || r == -ENOTDIR)
		r = 0;
	else
		error_copy(err, &why);
	error_done(&why);
	return r;
}
