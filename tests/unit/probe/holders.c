/* SPDX-License-Identifier: MIT */
/* Who holds a file: in a capture, and on this very machine. */
#include "probe/holders.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strv.h"

#include "../tree.h"

static struct holders find_in(const struct tree *tree, const struct holders_asked *asked)
{
	struct holders holders = { 0 };
	struct host *host = NULL;

	cr_assert(host_open(tree->root, &host, NULL) == 0);
	cr_assert(holders_find(host, asked, NULL, &holders, NULL) == 0);
	host_free(host);
	return holders;
}

static struct holders find_file_in(const struct tree *tree, const char *path, dev_t dev, ino_t ino)
{
	struct holders_file file = { path, dev, ino };

	return find_in(tree, &(struct holders_asked){ .files = &file, .n_files = 1 });
}

static bool has_gap(const struct holders *holders, const char *part)
{
	for (size_t i = 0; holders->gaps && holders->gaps[i]; i++)
		if (strstr(holders->gaps[i], part))
			return true;
	return false;
}

static const char *describe(const struct holder *holder, struct buf *text)
{
	buf_clear(text);
	cr_assert(holder_describe(holder, text) == 0);
	return buf_text(text);
}

static void make_process(const struct tree *tree)
{
	tree_file(tree, "proc/1500/comm", "k3s) S 1 (\n");
	tree_file(tree, "proc/1500/stat",
		  "1500 (k3s) S 1 () S 1 1500 1500 0 -1 4194560 100 0 0 0 10 5 0 0 20 0 1 0 50000 "
		  "10000000 500\n");
	tree_file(tree, "proc/1500/cgroup",
		  "0::/system.slice/k3s.service/kubepods/burstable/"
		  "pod0c3d1c1c-92a4-4b6c-9d0c-6f5a5f1d2b3a/"
		  "1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a7988\n");
	tree_file(tree, "proc/uptime", "4100.50 8000.00\n");
}

Test(holders, capture_names_a_writer_and_what_it_is_a_part_of)
{
	AUTO_TREE tree = tree_new();
	AUTO_BUF text = BUF_INIT;
	AUTO_HOLDERS holders = { 0 };

	make_process(&tree);
	tree_file(&tree, "coldswap/openfiles.json",
		  "[\n{\"pid\": 1500, \"fd\": 12, \"path\": \"/srv/state.db\", \"dev\": \"8:17\", "
		  "\"ino\": 2001, \"nlink\": 1, \"mode\": \"rw\", \"deleted\": false}]\n");
	holders = find_file_in(&tree, "/srv/state.db", 0, 0);
	cr_assert(holders.n == 1);
	cr_assert_str_eq(describe(&holders.items[0], &text),
			 "k3s) S 1 ( (pid 1500, of k3s.service, pod "
			 "0c3d1c1c-92a4-4b6c-9d0c-6f5a5f1d2b3a, container 1f2e3d4c5b6a, for 1 h), "
			 "writing by descriptor 12");
	cr_assert_str_eq(holders.items[0].source, "coldswap/openfiles.json:2");
	cr_assert_str_eq(holders.items[0].observed, "/srv/state.db, rw, device 8:17, inode 2001");
	cr_assert(holders.items[0].age_s == 3600);
	cr_assert(has_gap(&holders, "a capture cannot prove"));
}

Test(holders, capture_knows_a_file_by_another_name)
{
	AUTO_TREE tree = tree_new();
	AUTO_HOLDERS holders = { 0 };

	tree_file(&tree, "coldswap/openfiles.json",
		  "[{\"pid\": 7, \"fd\": null, \"map\": \"1000-2000\", \"path\": \"/other/name\", "
		  "\"dev\": \"8:17\", \"ino\": 2001, \"nlink\": 2, \"mode\": \"r\", "
		  "\"deleted\": false},"
		  "{\"pid\": 7, \"fd\": 3, \"path\": \"/elsewhere\", \"dev\": \"8:18\", "
		  "\"ino\": 2001, \"nlink\": 1, \"mode\": \"rw\", \"deleted\": false}]");
	holders = find_file_in(&tree, "/srv/state.db", makedev(8, 17), 2001);
	cr_assert(holders.n == 1);
	cr_assert(holders.items[0].type == HOLDER_MAPPED);
	cr_assert(!holders.items[0].writes);
}

Test(holders, capture_tells_a_former_generation)
{
	AUTO_TREE tree = tree_new();
	AUTO_HOLDERS holders = { 0 };

	tree_file(&tree, "coldswap/openfiles.json",
		  "[{\"pid\": 7, \"fd\": 4, \"path\": \"/c/state.db-wal (deleted)\", "
		  "\"dev\": \"8:17\", \"ino\": 2002, \"nlink\": 0, \"mode\": \"rw\"},"
		  "{\"pid\": 7, \"fd\": 5, \"path\": \"/c/other-state.db-wal\", "
		  "\"dev\": \"8:17\", \"ino\": 2003, \"nlink\": 0, \"mode\": \"rw\", "
		  "\"deleted\": true}]");
	holders = find_file_in(&tree, "/srv/state.db-wal", makedev(8, 17), 2410);
	cr_assert(holders.n == 1);
	cr_assert(holders.items[0].type == HOLDER_FORMER);
	cr_assert(holders.items[0].fd == 4);
}

Test(holders, capture_without_the_list_or_with_a_broken_one_says_so)
{
	AUTO_TREE tree = tree_new();
	AUTO_HOLDERS none = find_file_in(&tree, "/srv/state.db", 0, 0);
	AUTO_HOLDERS broken = { 0 };

	cr_assert(none.n == 0 && has_gap(&none, "openfiles.json"));
	tree_file(&tree, "coldswap/openfiles.json", "[{\"pid\": 7, \"fd\": 4}]");
	broken = find_file_in(&tree, "/srv/state.db", 0, 0);
	cr_assert(broken.n == 0 && has_gap(&broken, "openfiles.json:1: no process or no path"));
}

Test(holders, capture_finds_a_mount_in_another_namespace)
{
	struct holders_filesystem filesystem = { .major = 8, .minor = 17, .mount_point = "/srv" };
	AUTO_TREE tree = tree_new();
	AUTO_HOLDERS holders = { 0 };

	tree_file(&tree, "coldswap/openfiles.json", "[]");
	tree_file(&tree, "proc/6300/comm", "pause\n");
	tree_file(&tree, "proc/6300/mountinfo",
		  "901 850 8:2 / / ro - ext4 /dev/sda2 rw\n"
		  "917 901 8:17 / /srv/two\\040words ro - ext4 /dev/sdb1 rw\n");
	holders = find_in(
		&tree, &(struct holders_asked){ .filesystems = &filesystem, .n_filesystems = 1 });
	cr_assert(holders.n == 1);
	cr_assert(holders.items[0].type == HOLDER_MOUNT && holders.items[0].pid == 6300);
	cr_assert_str_eq(holders.items[0].text, "/srv/two words");
}

Test(holders, capture_finds_a_loop_device_and_a_swap_file)
{
	AUTO_TREE tree = tree_new();
	AUTO_HOLDERS loop = { 0 };
	AUTO_HOLDERS swap = { 0 };

	tree_file(&tree, "sys/block/loop3/loop/backing_file", "/srv/image\n");
	tree_file(&tree, "proc/swaps",
		  "Filename\tType\tSize\tUsed\tPriority\n/srv/swapfile file 1024 0 -2\n");
	loop = find_file_in(&tree, "/srv/image", 0, 0);
	swap = find_file_in(&tree, "/srv/swapfile", 0, 0);
	cr_assert(loop.n == 1 && loop.items[0].type == HOLDER_LOOP);
	cr_assert_str_eq(loop.items[0].comm, "loop3");
	cr_assert(swap.n == 1 && swap.items[0].type == HOLDER_SWAP && swap.items[0].pid == 0);
}

static struct holders find_live(const char *path, const int *own, size_t n_own)
{
	struct holders holders = { 0 };
	struct holders_file file = { .path = path };
	struct host *host = NULL;
	struct stat st;

	cr_assert(stat(path, &st) == 0 && host_open(NULL, &host, NULL) == 0);
	file.dev = st.st_dev;
	file.ino = st.st_ino;
	cr_assert(holders_find(host,
			       &(struct holders_asked){
				       .files = &file, .n_files = 1, .own = own, .n_own = n_own },
			       NULL, &holders, NULL) == 0);
	host_free(host);
	return holders;
}

/* Our own descriptors count, but for those that are named. */
Test(holders, live_leaves_out_the_named_descriptors_alone)
{
	AUTO_TREE tree = tree_new();
	char path[512];
	int one, other;

	tree_file(&tree, "file", "x");
	tree_path(&tree, "file", path);
	one = open(path, O_RDONLY);
	other = open(path, O_RDWR);
	AUTO_HOLDERS both = find_live(path, NULL, 0);
	AUTO_HOLDERS rest = find_live(path, &one, 1);
	cr_assert(both.n == 2 && !both.items[0].writes && both.items[1].writes);
	cr_assert(rest.n == 1 && rest.items[0].fd == other && rest.items[0].pid == getpid());
	close(one);
	close(other);
}

Test(holders, live_sees_a_mapping_whose_descriptor_is_closed)
{
	AUTO_TREE tree = tree_new();
	char path[512];
	void *mapped;
	int fd;

	if (geteuid() != 0)
		cr_skip("mappings are shown to root alone");
	tree_file(&tree, "file", "x");
	tree_path(&tree, "file", path);
	fd = open(path, O_RDWR);
	mapped = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	cr_assert(mapped != MAP_FAILED);
	close(fd);
	AUTO_HOLDERS holders = find_live(path, NULL, 0);
	cr_assert(holders.n == 1 && holders.items[0].type == HOLDER_MAPPED);
	cr_assert(holders.items[0].writes);
	munmap(mapped, 1);
}

Test(holders, live_does_not_count_a_descriptor_of_the_path_alone)
{
	AUTO_TREE tree = tree_new();
	char path[512];
	int fd;

	tree_file(&tree, "file", "x");
	tree_path(&tree, "file", path);
	fd = open(path, O_PATH);
	AUTO_HOLDERS holders = find_live(path, NULL, 0);
	cr_assert(holders.n == 0);
	close(fd);
}

/* Mounted where nobody else sees it, and stood in; tells the number of the filesystem. */
static pid_t mount_out_of_sight(const char *where, dev_t *ret_dev)
{
	int ends[2];
	pid_t pid;

	cr_assert(pipe(ends) == 0);
	pid = fork();
	if (pid == 0) {
		struct stat st;

		if (unshare(CLONE_NEWNS) < 0 ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("none", where, "tmpfs", 0, NULL) < 0 || stat(where, &st) < 0 ||
		    chdir(where) < 0 ||
		    write(ends[1], &st.st_dev, sizeof(st.st_dev)) != sizeof(st.st_dev))
			_exit(1);
		for (;;)
			pause();
	}
	close(ends[1]);
	cr_assert(read(ends[0], ret_dev, sizeof(*ret_dev)) == sizeof(*ret_dev));
	close(ends[0]);
	return pid;
}

Test(holders, live_finds_a_mount_and_who_stands_in_it_in_another_namespace)
{
	struct holders_filesystem filesystem = { 0 };
	struct holders_asked asked = { .filesystems = &filesystem, .n_filesystems = 1 };
	AUTO_HOLDERS holders = { 0 };
	AUTO_TREE tree = tree_new();
	struct host *host = NULL;
	pid_t pid;

	if (geteuid() != 0)
		cr_skip("namespaces are root's");
	pid = mount_out_of_sight(tree.root, &filesystem.dev);
	filesystem.major = major(filesystem.dev);
	filesystem.minor = minor(filesystem.dev);
	cr_assert(host_open(NULL, &host, NULL) == 0);
	cr_assert(holders_find(host, &asked, NULL, &holders, NULL) == 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	host_free(host);
	cr_assert(holders.n == 2);
	cr_assert(holders.items[0].type == HOLDER_DIRECTORY && holders.items[0].pid == pid);
	cr_assert(holders.items[1].type == HOLDER_MOUNT && holders.items[1].pid == pid);
	cr_assert_str_eq(holders.items[1].text, tree.root);
}

Test(holders, live_names_who_has_a_raw_device_open)
{
	AUTO_HOLDERS holders = { 0 };
	struct host *host = NULL;
	struct stat st;
	int fd = open("/dev/loop0", O_RDONLY);
	dev_t device;

	if (fd < 0)
		cr_skip("no block device can be opened");
	cr_assert(fstat(fd, &st) == 0 && host_open(NULL, &host, NULL) == 0);
	device = st.st_rdev;
	cr_assert(holders_find(host, &(struct holders_asked){ .devices = &device, .n_devices = 1 },
			       NULL, &holders, NULL) == 0);
	host_free(host);
	close(fd);
	cr_assert(holders.n >= 1);
	for (size_t i = 0; i < holders.n; i++)
		if (holders.items[i].pid == getpid() && holders.items[i].fd == fd) {
			cr_assert(holders.items[i].type == HOLDER_DEVICE);
			return;
		}
	cr_assert_fail("this process is not named");
}
