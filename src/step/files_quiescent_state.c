/* SPDX-License-Identifier: MIT */
/* The third witness: what the files of a database tell of its own state. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "step/destination.h"
#include "step/files_quiescent.h"
#include "sys/bytes_fd.h"

#define CAPTURED_MAX ((size_t)64 << 20)

/* ---- reading ----------------------------------------------------------------------- */

static int read_journal(const struct bytes_at *bytes, struct quiet_state *state, struct error *err)
{
	struct sqlite_journal journal = { 0 };
	int r = sqlite_journal_read(bytes, &journal, err);

	state->hot = r == 0 && journal.hot;
	if (r == 0)
		sqlite_journal_done(&journal);
	return r;
}

static bool tells(enum datafile_role role)
{
	return role == DATAFILE_WAL || role == DATAFILE_JOURNAL || role == DATAFILE_BBOLT ||
	       role == DATAFILE_PG_CONTROL || role == DATAFILE_PG_PID;
}

static int parse(const struct bytes_at *bytes, struct quiet_state *state, struct error *err)
{
	switch (state->data->role) {
	case DATAFILE_WAL:
		return sqlite_wal_read(bytes, &state->wal, err);
	case DATAFILE_JOURNAL:
		return read_journal(bytes, state, err);
	case DATAFILE_BBOLT:
		return bbolt_meta_read(bytes, &state->bbolt, err);
	case DATAFILE_PG_CONTROL:
		return pg_control_read(bytes, &state->pg, err);
	case DATAFILE_PG_PID:
		return pg_pid_read(bytes, &state->pid, err);
	default:
		return error_set(err, -EINVAL, "%s tells no state", state->data->path);
	}
}

static int copy_from(void *data, uint64_t offset, void *into, size_t len, struct error *err)
{
	const struct buf *buf = data;

	if (offset > buf->len || len > buf->len - offset)
		return error_set(err, -ENODATA, "the file ends too early");
	memcpy(into, buf->data + offset, len);
	return 0;
}

/* A capture may list a file and not hold it. */
static int parse_captured(const struct look *look, struct quiet_state *state, struct error *err)
{
	AUTO_BUF text = BUF_INIT_MAX(CAPTURED_MAX);
	const char *path = state->data->path;
	int r = host_read(look->step->host, path, CAPTURED_MAX, &text, err);

	if (r < 0)
		return r;
	return parse(&(struct bytes_at){ &text, text.len, path, copy_from }, state, err);
}

static int read_state(const struct look *look, const struct quiet_file *file,
		      const struct lease *lease, struct quiet_state *state, struct error *err)
{
	struct bytes_at bytes;
	int r;

	if (!look->live)
		return parse_captured(look, state, err);
	if (!lease || lease->fd < 0)
		return error_set(err, file->code ? file->code : -EACCES, "%s could not be opened",
				 file->data->path);
	r = bytes_of_fd(lease->fd, file->data->path, &bytes, err);
	return r < 0 ? r : parse(&bytes, state, err);
}

int quiet_read_states(struct look *look, struct lease *const *leases, struct error *err)
{
	look->states = calloc(look->n_files + 1, sizeof(*look->states));
	if (!look->states)
		return error_oom(err);
	for (size_t i = 0; i < look->n_files; i++) {
		const struct quiet_file *file = &look->files[i];
		struct quiet_state *state = &look->states[look->n_states];
		CLEANUP(error_done) struct error why = ERROR_INIT;

		if (!file->data || !tells(file->data->role))
			continue;
		*state = (struct quiet_state){ .set = file->set, .data = file->data };
		state->code = read_state(look, file, leases ? leases[i] : NULL, state, &why);
		if (state->code == -ENOMEM)
			return error_copy(err, &why);
		look->n_states++;
		if (state->code < 0)
			state->why = strdup(error_text(&why));
		if (state->code < 0 && !state->why)
			return error_oom(err);
	}
	return 0;
}

/* ---- judging ----------------------------------------------------------------------- */

static const struct quiet_state *state_of(const struct look *look, size_t set,
					  enum datafile_role role)
{
	for (size_t i = 0; i < look->n_states; i++)
		if (look->states[i].set == set && look->states[i].data->role == role)
			return &look->states[i];
	return NULL;
}

/* The database's, less the suffix. */
static void database_of(const char *path, const char *suffix, struct buf *ret)
{
	size_t len = strlen(path), tail = strlen(suffix);

	buf_add(ret, path, len > tail && !strcmp(path + len - tail, suffix) ? len - tail : len);
}

static void judge_wal(const struct quiet_state *state, struct result *ret)
{
	AUTO_FREE char *size = NULL;
	AUTO_BUF database = BUF_INIT, observed = BUF_INIT, law = BUF_INIT, derived = BUF_INIT;
	struct finding *finding;

	if (state->wal.empty || !state->wal.at_most)
		return;
	if (size_words(state->wal.at_most, &size) < 0)
		size = NULL;
	database_of(state->data->path, "-wal", &database);
	finding = result_find(ret, "in-the-wal", VERDICT_PASS, "%s", state->data->path);
	result_say(ret, finding,
		   _("At most %s of %s live in its -wal alone: the two are one database, and are "
		     "copied and restored together."),
		   size ? size : "?", buf_text(&database));
	buf_addf(&observed, "%llu frames up to the last commit, page size %u",
		 (unsigned long long)state->wal.frames, state->wal.page_size);
	buf_addf(&law, "%llu frames * %u bytes", (unsigned long long)state->wal.frames,
		 state->wal.page_size);
	buf_addf(&derived, "%llu bytes at most", (unsigned long long)state->wal.at_most);
	result_evidence(ret, finding, state->data->path, buf_text(&observed), buf_text(&law),
			buf_text(&derived));
}

static void judge_journal(const struct quiet_state *state, bool held, struct result *ret)
{
	struct finding *finding;

	if (!state->hot || held) /* a transaction that runs has one */
		return;
	finding = result_find(ret, "hot-journal", VERDICT_WARN, "%s", state->data->path);
	result_say(ret, finding,
		   _("%s is hot: the last transaction was not finished, and the database is whole "
		     "only together with it."),
		   state->data->path);
	result_remedy(ret, finding, "%s",
		      _("Copy and restore the two together; or start the program once, so that it "
			"rolls the transaction back, and stop it properly."));
	result_evidence(ret, finding, state->data->path, _("a header that counts"), NULL, NULL);
}

static void judge_unread(const struct quiet_state *state, struct result *ret)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;

	error_set(&why, state->code, "%s", state->why);
	error_hint(&why, "%s",
		   _("look at the database with its own tools before anything relies on it"));
	result_unknown(ret, "state-unreadable", state->data->path, state->data->path, &why);
}

/* ---- PostgreSQL ---------------------------------------------------------------------- */

/*
 * Does the process of postmaster.pid run, and is it PostgreSQL's?  1, 0, or
 * -ENODATA: a capture that holds no process, or a number of another pid
 * namespace, where the first process is 1.
 */
static int postmaster_runs(const struct look *look, pid_t pid)
{
	struct host *host = look->step->host;
	AUTO_FREE char *path = NULL, *comm = NULL;
	AUTO_STRV char **names = NULL;
	bool processes = look->live;

	if (pid <= 1 || asprintf(&path, PATH_PROCESS_FMT "/comm", (int)pid) < 0)
		return -ENODATA;
	if (host_read_line(host, path, &comm, NULL) == 0)
		return strstr(comm, "postgres") || strstr(comm, "postmaster");
	if (!processes && host_list(host, PATH_PROC, &names, NULL) == 0)
		for (char **name = names; *name; name++)
			processes = processes || (**name >= '1' && **name <= '9');
	return processes ? 0 : -ENODATA;
}

static void cite_control(const struct quiet_state *control, struct finding *finding,
			 struct result *ret)
{
	result_evidence(ret, finding, control->data->path, pg_state_name(control->pg.state), NULL,
			NULL);
}

static void cite_pid(const struct quiet_state *pid, const char *what, struct finding *finding,
		     struct result *ret)
{
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT;

	if (!pid)
		return;
	buf_addf(&source, "%s:1", pid->data->path);
	buf_addf(&observed, "%d: %s", (int)pid->pid, what);
	result_evidence(ret, finding, buf_text(&source), buf_text(&observed), NULL, NULL);
}

/* In a container that has nothing to do it may have no file open, and a number of its own. */
static void say_killed(const struct look *look, const struct quiet_state *control, bool elsewhere,
		       struct result *ret)
{
	const struct dataset *set = look->sets[control->set];
	struct finding *finding =
		result_find(ret, "killed-not-closed", elsewhere ? VERDICT_UNKNOWN : VERDICT_FAIL,
			    "%s", set->path);

	result_say(ret, finding,
		   elsewhere ? _("PostgreSQL in %s is \"%s\" by its own record, and no process has "
				 "its files open: it was killed, or it idles in a container.")
			     : _("PostgreSQL in %s is \"%s\" by its own record, and none runs: it "
				 "was killed, not closed."),
		   set->path, pg_state_name(control->pg.state));
	result_remedy(
		ret, finding, "%s",
		_("Start it again, let it recover, and stop it properly: pg_ctl stop -m fast, "
		  "or systemctl stop with a time limit that it can keep."));
	cite_control(control, finding, ret);
}

static void say_stale_pid(const struct quiet_state *pid, struct result *ret)
{
	struct finding *finding =
		result_find(ret, "stale-pid", VERDICT_WARN, "%s", pid->data->path);

	result_say(ret, finding, _("%s names the process %d, and there is none of PostgreSQL's."),
		   pid->data->path, (int)pid->pid);
	result_remedy(ret, finding, "%s",
		      _("It goes when PostgreSQL is started and stopped properly; do not remove it "
			"by hand while anything may run."));
	cite_pid(pid, _("no such process"), finding, ret);
}

/* Its pid file names a process that lives, and no descriptor of it was seen. */
static void say_running(const struct look *look, const struct quiet_state *pid, struct result *ret)
{
	const struct dataset *set = look->sets[pid->set];
	struct finding *finding =
		result_find(ret, look->live ? "lease-disagrees" : "held",
			    look->live ? VERDICT_UNKNOWN : VERDICT_FAIL, "%s", set->path);

	result_say(ret, finding, _("PostgreSQL in %s runs: pid %d, by its postmaster.pid."),
		   set->path, (int)pid->pid);
	result_remedy(
		ret, finding, "%s",
		_("Stop it: systemctl stop postgresql, or pg_ctl stop -m fast. kill -9 is not "
		  "the way."));
	cite_pid(pid, "postgres", finding, ret);
}

static void judge_postgres(const struct look *look, const struct quiet_state *control, bool held,
			   struct result *ret)
{
	const struct quiet_state *pid = state_of(look, control->set, DATAFILE_PG_PID);
	int runs = pid && pid->code == 0 ? postmaster_runs(look, pid->pid) : 0;

	if (pid && pid->code < 0)
		pid = NULL;
	if (held)
		return;
	if (pid && runs > 0) {
		say_running(look, pid, ret);
		return;
	}
	/* A capture proves no absence; with a pid that none has it need not. */
	if (!control->pg.clean && (look->live || (pid && runs == 0)))
		say_killed(look, control, pid && runs < 0, ret);
	if (pid && runs == 0)
		say_stale_pid(pid, ret);
}

static void judge_state(const struct look *look, const struct quiet_state *state, bool held,
			struct result *ret)
{
	if (state->code < 0) {
		/* What is written to just now need not be whole, and a capture holds few files. */
		if (!held && look->live && state->data->role != DATAFILE_PG_PID)
			judge_unread(state, ret);
		return;
	}
	switch (state->data->role) {
	case DATAFILE_WAL:
		judge_wal(state, ret);
		break;
	case DATAFILE_JOURNAL:
		judge_journal(state, held, ret);
		break;
	case DATAFILE_PG_CONTROL:
		judge_postgres(look, state, held, ret);
		break;
	default:
		break;
	}
}

void quiet_judge_states(struct look *look, size_t set, bool held, struct result *ret)
{
	for (size_t i = 0; i < look->n_states; i++)
		if (look->states[i].set == set)
			judge_state(look, &look->states[i], held, ret);
}
