/* SPDX-License-Identifier: MIT */
/*
 * The kernel log of this boot.  The journal has it from the start unless it
 * was vacuumed; the ring buffer loses its first lines when it is full.  The
 * one that still begins with the kernel's version is whole and is taken.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

#include "base/parse.h"
#include "sys/io.h"
#include "sys/kmsg.h"
#include "sys/live.h"

#define LOG_MAX ((size_t)16 << 20)
/* More than the kernel's longest record, with its dictionary. */
#define RECORD_MAX ((size_t)32 << 10)
#define SYSLOG_READ_ALL 3
#define SYSLOG_SIZE 10

static void close_journal(sd_journal **journal)
{
	sd_journal_close(*journal);
}

static int journal_time(sd_journal *journal, uint64_t *ret)
{
	static const char field[] = "_SOURCE_MONOTONIC_TIMESTAMP";
	char digits[24];
	const void *data;
	size_t len;

	if (sd_journal_get_data(journal, field, &data, &len) >= 0 && len > sizeof(field) &&
	    len - sizeof(field) < sizeof(digits)) {
		len -= sizeof(field);
		memcpy(digits, (const char *)data + sizeof(field), len);
		digits[len] = '\0';
		if (parse_u64(digits, ret) == 0)
			return 0;
	}
	return sd_journal_get_monotonic_usec(journal, ret, NULL);
}

static int journal_entry(sd_journal *journal, struct buf *ret)
{
	static const char field[] = "MESSAGE";
	const void *data;
	uint64_t us;
	size_t len;
	int r = sd_journal_get_data(journal, field, &data, &len);

	if (r == -ENOENT || (r >= 0 && len < sizeof(field)))
		return 0;
	if (r >= 0)
		r = journal_time(journal, &us);
	if (r < 0)
		return r;
	return kmsg_line(us, (const char *)data + sizeof(field), len - sizeof(field), ret);
}

/* Both matches must hold: the kernel's own words, of this boot. */
static int match_kernel(sd_journal *journal)
{
	char boot[sizeof("_BOOT_ID=") + SD_ID128_STRING_MAX] = "_BOOT_ID=";
	sd_id128_t id;
	int r = sd_id128_get_boot(&id);

	if (r < 0)
		return r;
	sd_id128_to_string(id, boot + strlen(boot));
	r = sd_journal_add_match(journal, boot, 0);
	return r < 0 ? r : sd_journal_add_match(journal, "_TRANSPORT=kernel", 0);
}

static int from_journal(struct buf *ret)
{
	CLEANUP(close_journal) sd_journal *journal = NULL;
	int r = sd_journal_open(&journal, SD_JOURNAL_LOCAL_ONLY | SD_JOURNAL_SYSTEM);

	if (r >= 0)
		r = match_kernel(journal);
	if (r >= 0)
		r = sd_journal_seek_head(journal);
	while (r >= 0 && (r = sd_journal_next(journal)) > 0)
		r = journal_entry(journal, ret);
	return r < 0 ? r : 0;
}

/* Each read(2) gives one record; EPIPE tells that some were overwritten meanwhile. */
static int from_kmsg(struct buf *ret)
{
	AUTO_FREE char *record = malloc(RECORD_MAX);
	AUTO_FD fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n;
	int r = 0;

	if (!record)
		return -ENOMEM;
	if (fd < 0)
		return -errno;
	while (r == 0) {
		n = read(fd, record, RECORD_MAX);
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0 && errno != EPIPE && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		if (n > 0)
			r = kmsg_record(record, (size_t)n, ret);
	}
	return r;
}

static int from_syslog(struct buf *ret)
{
	AUTO_FREE char *text = NULL;
	int size = klogctl(SYSLOG_SIZE, NULL, 0), n;

	if (size < 0)
		return -errno;
	text = malloc((size_t)size + 1);
	if (!text)
		return -ENOMEM;
	n = klogctl(SYSLOG_READ_ALL, text, size);
	return n < 0 ? -errno : kmsg_syslog(text, (size_t)n, ret);
}

/* The version is the kernel's first line. */
static bool is_whole(const struct buf *log)
{
	const char *line = buf_text(log);
	size_t len = strcspn(line, "\n");

	return memmem(line, len, "Linux version ", strlen("Linux version ")) != NULL;
}

static int from_ring(struct buf *ret)
{
	int r = from_kmsg(ret);

	if (r == 0 && ret->len)
		return 0;
	buf_clear(ret);
	return from_syslog(ret);
}

int live_klog(struct host *host, const char *name, struct buf *ret, char **ret_source,
	      struct error *err)
{
	AUTO_BUF journal = BUF_INIT_MAX(LOG_MAX);
	AUTO_BUF ring = BUF_INIT_MAX(LOG_MAX);
	const struct buf *log = &journal;
	int r = from_journal(&journal);

	(void)host;
	(void)name;
	if (r < 0 || !is_whole(&journal)) {
		int ring_r = from_ring(&ring);

		if (ring_r == 0 && (r < 0 || !journal.len || is_whole(&ring)))
			log = &ring;
		r = journal.len && r == 0 ? 0 : ring_r;
	}
	if (r < 0) {
		error_set(err, r, "cannot read the kernel log: %s", strerror(-r));
		if (r == -EPERM || r == -EACCES)
			error_hint(err, LIVE_HINT_ROOT);
		return r;
	}
	if (!log->len)
		return error_set(err, -ENODATA, "the kernel log is empty");
	if (buf_add(ret, log->data, log->len) < 0)
		return error_set(err, buf_error(ret), "the kernel log is too large");
	*ret_source = strdup("kernel log");
	return *ret_source ? 0 : error_oom(err);
}
