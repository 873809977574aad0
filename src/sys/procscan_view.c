/* SPDX-License-Identifier: MIT */
/* Does this process see every other one?  Each reason why it may not is a gap. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include "sys/mountinfo.h"
#include "sys/process.h"
#include "sys/procscan_internal.h"

#define MOUNTINFO_MAX ((size_t)16 << 20)
/* The kernel's own number of the first pid namespace (PROC_PID_INIT_INO). */
#define FIRST_PID_NAMESPACE 4026531836u

static void view_namespace(struct scan_thread *thread)
{
	struct stat st;

	if (fstatat(thread->shared->proc, "self/ns/pid", &st, 0) < 0)
		scan_gap(thread, -errno, "/proc/self/ns/pid");
	else if (st.st_ino != FIRST_PID_NAMESPACE)
		scan_gap(thread, 0,
			 "/proc/self/ns/pid: a pid namespace of its own, where the processes of "
			 "others are not to be seen");
}

/* "hidepid=2" and "hidepid=invisible"; "hidepid=0" and "hidepid=off" hide nothing. */
static bool hides(const char *option)
{
	if (strncmp(option, "hidepid=", 8) == 0)
		return strcmp(option + 8, "0") != 0 && strcmp(option + 8, "off") != 0;
	return strcmp(option, "subset=pid") == 0;
}

static void view_options(struct scan_thread *thread, char *options)
{
	char *option;

	while ((option = strsep(&options, ",")))
		if (hides(option))
			scan_gap(thread, 0, "/proc: mounted with %s", option);
}

static void view_mount(struct scan_thread *thread, struct host *host)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };
	AUTO_BUF text = BUF_INIT;
	int r = host_read(host, "/proc/self/mountinfo", MOUNTINFO_MAX, &text, NULL);

	if (r == 0)
		r = mountinfo_parse(buf_take(&text), &mounts, NULL);
	if (r < 0) {
		scan_gap(thread, r, "/proc/self/mountinfo");
		return;
	}
	for (size_t i = 0; i < mounts.n; i++)
		if (strcmp(mounts.lines[i].target, "/proc") == 0 &&
		    !mountinfo_is_hidden(&mounts, i) && mounts.lines[i].super)
			view_options(thread, mounts.lines[i].super);
}

void scan_view(struct scan_thread *thread, struct host *host)
{
	struct statfs fs;

	if (fstatfs(thread->shared->proc, &fs) < 0)
		scan_gap(thread, -errno, "/proc");
	else if (fs.f_type != PROC_SUPER_MAGIC)
		scan_gap(thread, 0, "/proc: not the kernel's own");
	if (!process_is_root())
		scan_gap(thread, 0, "/proc: the processes of others are open to root alone");
	view_namespace(thread);
	view_mount(thread, host);
}
