/* SPDX-License-Identifier: MIT */
/* One finding for a process and all that it holds of a database. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/files_quiescent.h"

#define SHOWN 3 /* paths */
#define CITED_OF_ONE 1000
#define CITED_OF_ALL 10000

static bool is_of_file(const struct holder *holder)
{
	return holder->type != HOLDER_DIRECTORY && holder->type != HOLDER_MOUNT &&
	       holder->type != HOLDER_DEVICE;
}

static const struct quiet_file *file_of(const struct look *look, const struct holder *holder)
{
	return &look->files[holder->asked];
}

/* A reader of a WAL database maps its -shm for writing: it takes part in the locks alone. */
static bool writes(const struct look *look, const struct holder *holder)
{
	const struct quiet_file *file = file_of(look, holder);

	return holder->writes && !(file->data && file->data->role == DATAFILE_SHM);
}

/* What one holding is called; a group of open and mapped files goes by the worst. */
static unsigned sort_of(const struct holder *holder)
{
	switch (holder->type) {
	case HOLDER_FORMER:
		return 1;
	case HOLDER_LOOP:
		return 2;
	case HOLDER_SWAP:
		return 3;
	default:
		return 0;
	}
}

struct sorted {
	const struct look *look;
	const struct holder *holder;
};

static int by_group(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	size_t set_x = file_of(x->look, x->holder)->set, set_y = file_of(y->look, y->holder)->set;

	if (set_x != set_y)
		return set_x < set_y ? -1 : 1;
	if (x->holder->pid != y->holder->pid)
		return x->holder->pid < y->holder->pid ? -1 : 1;
	if (sort_of(x->holder) != sort_of(y->holder))
		return sort_of(x->holder) < sort_of(y->holder) ? -1 : 1;
	return x->holder < y->holder ? -1 : x->holder > y->holder;
}

static bool is_same_group(const struct sorted *a, const struct sorted *b)
{
	return file_of(a->look, a->holder)->set == file_of(b->look, b->holder)->set &&
	       a->holder->pid == b->holder->pid && sort_of(a->holder) == sort_of(b->holder);
}

static size_t sort_holders(const struct look *look, struct sorted *sorted)
{
	size_t n = 0;

	for (size_t i = 0; i < look->holders.n; i++)
		if (is_of_file(&look->holders.items[i]))
			sorted[n++] = (struct sorted){ look, &look->holders.items[i] };
	qsort(sorted, n, sizeof(*sorted), by_group);
	return n;
}

int quiet_groups(const struct look *look, struct quiet_group **ret, size_t *ret_n,
		 struct error *err)
{
	size_t max = look->holders.n + 1, n, groups = 0;
	struct sorted *sorted = calloc(max, sizeof(*sorted));
	/* The groups, and the pointers of all of them behind. */
	struct quiet_group *list = calloc(1, max * (sizeof(*list) + sizeof(const struct holder *)));
	const struct holder **items = list ? (const struct holder **)(list + max) : NULL;

	if (!sorted || !list) {
		free(sorted);
		free(list);
		return error_oom(err);
	}
	n = sort_holders(look, sorted);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || !is_same_group(&sorted[i - 1], &sorted[i]))
			list[groups++] =
				(struct quiet_group){ .set = file_of(look, sorted[i].holder)->set,
						      .items = items + i };
		items[i] = sorted[i].holder;
		list[groups - 1].n++;
	}
	free(sorted);
	*ret = list;
	*ret_n = groups;
	return 0;
}

void quiet_groups_free(struct quiet_group *groups)
{
	free(groups);
}

static bool any_writes(const struct look *look, const struct quiet_group *group)
{
	for (size_t i = 0; i < group->n; i++)
		if (writes(look, group->items[i]))
			return true;
	return false;
}

static bool all_mapped(const struct quiet_group *group)
{
	for (size_t i = 0; i < group->n; i++)
		if (group->items[i]->type != HOLDER_MAPPED &&
		    group->items[i]->type != HOLDER_PROGRAM)
			return false;
	return true;
}

const char *quiet_group_id(const struct look *look, const struct quiet_group *group)
{
	static const char *const ids[] = { NULL, "former-generation", "loop", "swap" };
	unsigned sort = sort_of(group->items[0]);

	if (sort)
		return ids[sort];
	if (all_mapped(group))
		return "mapped";
	return any_writes(look, group) ? "held" : "read-only";
}

/* ---- in words ---------------------------------------------------------------------- */

void quiet_name(const struct holder *holder, struct buf *ret)
{
	if (!holder->pid)
		buf_addf(ret, _("the kernel (%s)"), holder->comm ? holder->comm : "?");
	else
		buf_addf(ret, "%s (pid %d)", holder->comm ? holder->comm : "?", (int)holder->pid);
}

/* In a group of readers and writers, the writer is the one to be shown first. */
static const struct holder *leader(const struct look *look, const struct quiet_group *group)
{
	for (size_t i = 0; i < group->n; i++)
		if (writes(look, group->items[i]))
			return group->items[i];
	return group->items[0];
}

static const char *path_of(const struct look *look, const struct holder *holder)
{
	const struct quiet_file *file = file_of(look, holder);

	/* A former generation is known by what its holder calls it. */
	if (holder->type == HOLDER_FORMER && holder->text)
		return holder->text;
	return file->data ? file->data->path : file->sibling;
}

static bool is_listed(const struct look *look, const struct quiet_group *group, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(path_of(look, group->items[i]), path_of(look, group->items[index])) == 0)
			return true;
	return false;
}

/* "a, b, c and 997 more" */
static size_t list_paths(const struct look *look, const struct quiet_group *group, struct buf *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < group->n; i++) {
		/* By index, so that a path's holdings are next to each other. */
		if (i > 0 && group->items[i]->asked == group->items[i - 1]->asked &&
		    group->items[i]->type != HOLDER_FORMER)
			continue;
		if (n < SHOWN && is_listed(look, group, i))
			continue;
		if (n < SHOWN)
			buf_addf(ret, "%s%s", n ? ", " : "", path_of(look, group->items[i]));
		n++;
	}
	if (n > SHOWN)
		buf_addf(ret, _(" and %zu more"), n - SHOWN);
	return n;
}

static size_t cited(const struct result *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < ret->n_findings; i++)
		n += ret->findings[i].n_evidence;
	return n;
}

/* Every holding, as far as a document of a reasonable size can hold them. */
static void cite(const struct quiet_group *group, struct finding *finding, struct result *ret)
{
	size_t all = cited(ret), room = all < CITED_OF_ALL ? CITED_OF_ALL - all : SHOWN;
	size_t n = group->n;

	n = n < CITED_OF_ONE ? n : CITED_OF_ONE;
	n = n < room ? n : room;
	for (size_t i = 0; i < n; i++)
		result_evidence(ret, finding,
				group->items[i]->source ? group->items[i]->source : PATH_PROC,
				group->items[i]->observed, NULL, NULL);
	if (group->n > n) {
		AUTO_BUF more = BUF_INIT;

		buf_addf(&more, _("%zu more"), group->n - n);
		result_evidence(ret, finding,
				group->items[n]->source ? group->items[n]->source : PATH_PROC,
				buf_text(&more), NULL, NULL);
	}
}

static bool is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* Who and how, then what of it: "app (pid 812), writing by descriptor 12: a.db." */
static void say(struct result *ret, struct finding *finding, const char *id, const char *who,
		const char *what)
{
	result_say(ret, finding,
		   is(id, "read-only")
			   ? _("%s: %s. A reader has nothing of its own to lose, but the last one "
			       "to close a database may still write to it.")
		   : is(id, "former-generation")
			   ? _("%s: %s. What is written there ends with the process, and no copy "
			       "by name has it.")
		   : is(id, "not-covered") ? _("%s: %s. No step before this one ends it.")
					   : _("%s: %s."),
		   who, what);
}

/* To stop it is right, and not at once. */
static void warn_of_closing(const struct quiet_group *group, struct result *ret)
{
	const struct holder *holder = group->items[0];
	struct finding *finding =
		result_find(ret, "copy-aside", VERDICT_WARN, "pid %d", (int)holder->pid);
	AUTO_BUF paths = BUF_INIT;

	for (size_t i = 0; i < group->n && i < SHOWN; i++)
		if (group->items[i]->fd >= 0)
			buf_addf(&paths, " " PATH_PROCESS_FMT "/fd/%d", (int)holder->pid,
				 group->items[i]->fd);
	result_say(ret, finding,
		   _("Do not stop %s at once: to close the database may write old pages over new "
		     "ones."),
		   holder->comm ? holder->comm : "?");
	result_remedy(
		ret, finding,
		_("First copy aside the database and%s; run no checkpoint and no VACUUM; then "
		  "stop it properly."),
		paths.len ? buf_text(&paths) : _(" the deleted file"));
	cite(group, finding, ret);
}

void quiet_say_group(const struct look *look, const struct quiet_group *group, const char *id,
		     enum verdict verdict, struct result *ret)
{
	struct finding *finding =
		result_find(ret, id, verdict, "%s", look->sets[group->set]->given);
	AUTO_BUF who = BUF_INIT, paths = BUF_INIT, remedy = BUF_INIT;

	if (holder_describe(leader(look, group), &who) < 0 || !who.len)
		quiet_name(leader(look, group), &who);
	list_paths(look, group, &paths);
	say(ret, finding, id, buf_text(&who), buf_text(&paths));
	quiet_remedy(leader(look, group), &remedy);
	result_remedy(ret, finding, "%s", buf_text(&remedy));
	cite(group, finding, ret);
	if (sort_of(group->items[0]) == 1)
		warn_of_closing(group, ret);
}

static bool ends_with(const char *text, const char *tail)
{
	size_t len = strlen(text), tail_len = strlen(tail);

	return len >= tail_len && strcmp(text + len - tail_len, tail) == 0;
}

void quiet_remedy(const struct holder *holder, struct buf *ret)
{
	if (holder->type == HOLDER_LOOP)
		buf_addf(ret,
			 _("Unmount what lies on the loop device, then detach it: losetup -d "
			   "/dev/%s."),
			 holder->comm ? holder->comm : "loopN");
	else if (holder->type == HOLDER_SWAP)
		buf_addf(ret, _("Take it out of use: swapoff %s."),
			 holder->text ? holder->text : "FILE");
	else if (holder->pod)
		buf_addf(ret,
			 _("Scale the workload of this pod to 0 replicas (kubectl delete pod alone "
			   "brings it back); which one it is: kubectl get pods -A -o "
			   "custom-columns=:.metadata.namespace,:.metadata.name,:.metadata.uid | "
			   "grep %s."),
			 holder->pod);
	else if (holder->container)
		buf_addf(ret, _("Stop the container: docker stop %.12s (or podman, crictl)."),
			 holder->container);
	else if (holder->unit && !ends_with(holder->unit, ".scope"))
		buf_addf(ret, "systemctl stop %s", holder->unit);
	else
		buf_addf(ret,
			 _("End it where it was started, in the way that it asks for; kill -9 is "
			   "not the way: %s then finds its files as after a crash."),
			 holder->comm ? holder->comm : _("the program"));
}
