/* SPDX-License-Identifier: MIT */
/* On the running system: the walk over every process, and what each found is a part of. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "probe/holders_internal.h"
#include "sys/procscan.h"

struct question {
	struct scan_question ask;
	struct file_id *files;
	struct former_name *former;
	dev_t *filesystems, *mounted;
	size_t *file_of, *filesystem_of; /* from the question's index to what was asked */
};

static void question_done(struct question *q)
{
	free(q->files);
	free(q->former);
	free(q->filesystems);
	free(q->mounted);
	free(q->file_of);
	free(q->filesystem_of);
}

static int make_question(const struct holders_asked *asked, struct question *q)
{
	size_t files = asked->n_files + 1, filesystems = asked->n_filesystems + 1;

	q->files = calloc(files, sizeof(*q->files));
	q->former = calloc(files, sizeof(*q->former));
	q->file_of = calloc(files, sizeof(*q->file_of));
	q->filesystems = calloc(filesystems, sizeof(*q->filesystems));
	q->mounted = calloc(filesystems, sizeof(*q->mounted));
	q->filesystem_of = calloc(filesystems, sizeof(*q->filesystem_of));
	if (!q->files || !q->former || !q->file_of || !q->filesystems || !q->mounted ||
	    !q->filesystem_of)
		return -ENOMEM;
	for (size_t i = 0; i < asked->n_files; i++) {
		const struct holders_file *file = &asked->files[i];

		q->former[i] = (struct former_name){ file->dev, holders_last_name(file->path) };
		if (!file->ino)
			continue;
		q->file_of[q->ask.n_files] = i;
		q->files[q->ask.n_files++] = (struct file_id){ file->dev, file->ino };
	}
	for (size_t i = 0; i < asked->n_filesystems; i++) {
		const struct holders_filesystem *filesystem = &asked->filesystems[i];

		q->mounted[i] = makedev(filesystem->major, filesystem->minor);
		if (!filesystem->dev)
			continue;
		q->filesystem_of[q->ask.n_filesystems] = i;
		q->filesystems[q->ask.n_filesystems++] = filesystem->dev;
	}
	q->ask.files = q->files;
	q->ask.former = q->former;
	q->ask.n_former = asked->n_files;
	q->ask.filesystems = q->filesystems;
	q->ask.mounted = q->mounted;
	q->ask.n_mounted = asked->n_filesystems;
	q->ask.devices = asked->devices;
	q->ask.n_devices = asked->n_devices;
	q->ask.own = asked->own;
	q->ask.n_own = asked->n_own;
	return 0;
}

static enum holder_type type_of(const struct holding *holding)
{
	static const enum holder_type types[] = {
		[HOLDING_FD] = HOLDER_OPEN,        [HOLDING_MAP] = HOLDER_MAPPED,
		[HOLDING_EXE] = HOLDER_PROGRAM,    [HOLDING_CWD] = HOLDER_DIRECTORY,
		[HOLDING_ROOT] = HOLDER_DIRECTORY, [HOLDING_MOUNT] = HOLDER_MOUNT,
	};

	if (holding->of == OF_FORMER)
		return HOLDER_FORMER;
	if (holding->of == OF_DEVICE)
		return HOLDER_DEVICE;
	return types[holding->type];
}

static void set_asked(const struct question *q, const struct holding *holding,
		      struct holder *holder)
{
	holder->asked = holding->index;
	switch (holding->of) {
	case OF_FILE:
		holder->of = HOLDER_OF_FILE;
		holder->asked = q->file_of[holding->index];
		break;
	case OF_FORMER:
		holder->of = HOLDER_OF_FILE;
		break;
	case OF_FILESYSTEM:
		holder->of = HOLDER_OF_FILESYSTEM;
		holder->asked = q->filesystem_of[holding->index];
		break;
	case OF_MOUNTED:
		holder->of = HOLDER_OF_FILESYSTEM;
		break;
	case OF_DEVICE:
		holder->of = HOLDER_OF_DEVICE;
		break;
	}
}

static const char *mode_of(const struct holding *holding)
{
	if (holding->reads && holding->writes)
		return "read and write";
	if (holding->writes)
		return "write";
	return holding->reads ? "read" : "by path alone";
}

static int observe(const struct holding *holding, char **ret)
{
	unsigned major = major(holding->id.dev), minor = minor(holding->id.dev);
	int r;

	if (holding->type == HOLDING_MOUNT)
		r = asprintf(ret, "%u:%u %s, mount namespace %ju", major, minor, holding->text,
			     (uintmax_t)holding->mount_ns);
	else if (holding->type == HOLDING_FD || holding->type == HOLDING_MAP)
		r = asprintf(ret, "%s, %s, device %u:%u, inode %ju", holding->text,
			     mode_of(holding), major, minor, (uintmax_t)holding->id.ino);
	else
		r = asprintf(ret, "%s, device %u:%u, inode %ju", holding->text, major, minor,
			     (uintmax_t)holding->id.ino);
	if (r >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}

static int add_holding(struct holders_made *made, const struct question *q, struct holding *holding)
{
	struct holder *holder = holders_add(made);

	if (!holder)
		return -ENOMEM;
	set_asked(q, holding, holder);
	holder->type = type_of(holding);
	holder->pid = holding->pid;
	holder->fd = holding->fd;
	holder->writes = holding->writes;
	if (observe(holding, &holder->observed) < 0)
		return -ENOMEM;
	holder->text = TAKE(holding->text);
	holder->source = TAKE(holding->where);
	return holder_attribute(made->host, holder);
}

int holders_find_live(struct holders_made *made, const volatile sig_atomic_t *cancelled,
		      struct error *err)
{
	CLEANUP(question_done) struct question q = { 0 };
	AUTO_SCAN scan = { 0 };
	int r = make_question(made->asked, &q);

	if (r < 0)
		return error_oom(err);
	r = procscan(made->host, &q.ask, cancelled, &scan, err);
	if (r < 0)
		return r;
	made->holders.processes = scan.processes;
	made->holders.gaps = TAKE(scan.gaps);
	for (size_t i = 0; i < scan.n; i++) {
		r = add_holding(made, &q, &scan.holdings[i]);
		if (r < 0)
			return r == -ENOMEM ? error_oom(err)
					    : error_set(err, r, "cannot read of process %d: %s",
							(int)scan.holdings[i].pid, strerror(-r));
	}
	return 0;
}
