/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timings.c - stores timings that programs wrote down. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "manager/inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The rights of another user, for files only: setfsuid(2), which applies to one thread.
 */

/* These calls report no failure: a call with an invalid identity returns the present one. */
bool ft__rights_take(uid_t user, gid_t group)
{
	if (user == (uid_t)-1 || geteuid())
		return true;
	(void)setfsgid(group);
	(void)setfsuid(user);
	if ((uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group)
		return true;
	ft__rights_back();
	return false;
}

void ft__rights_back(void)
{
	(void)setfsuid(geteuid());
	(void)setfsgid(getegid());
}

/*
 * Store the timings that programs wrote, each exactly once.
 */

/* Read at once, and stored in one transaction; a line is much shorter (FT_PROBE_LINE). */
enum { CHUNK = 1 << 18, NAME_MOST = 256, TAIL = 256 };

/* The limit of a pass, since the worker has other jobs; a chunk of each file is taken even above it, so
 * that one prolific writer does not block the rest. And how long files that were read stay. */
enum { BYTES_MOST = 4 << 20, HOUR_S = 3600, DAY_S = 86400, CLOCK_S = 60 };

struct taking {
	struct ft_store *store;
	const char *folder;
	const struct ft__trusted *trusted; /* or NULL */
	struct ft__taken *answer;
	struct ft_machine machine; /* id 0: not queried yet */
	struct ft_program program; /* of the last line; name NULL: none */
	char *chunk;
	size_t bytes; /* that were taken in this pass */
	struct ft_err *err;
};

/* ---- a line -------------------------------------------------------------------------------------------- */

static enum ft_status count_bad(struct taking *taking, const char *file, const char *why)
{
	taking->answer->bad++;
	(void)snprintf(taking->answer->why, sizeof taking->answer->why, "%.64s: %.180s", file, why);
	return FT_OK;
}

/* The program of a name, as it is stored; or a new one, with the parameters of the line. */
static enum ft_status find_program(struct taking *taking, const char *name, const char *device,
				   const json_t *size)
{
	struct ft_program *program = &taking->program;
	struct ft_err missing = {0};
	const char *key;
	json_t *value;

	if (program->name && !strcmp(program->name, name) && ft_program_is_on(program, device))
		return FT_OK;
	ft_program_clear(program);
	enum ft_status status = ft_store_get_program_on(taking->store, name, device, program, &missing);
	if (status && status != FT_ENOENT)
		*taking->err = missing;
	if (status != FT_ENOENT)
		return status;
	*program = (struct ft_program){
		.name = ft_strdup(name), .hash = ft_strdup(""), .device = ft_strdup(device)};
	if (!program->name || !program->hash || (device && !program->device))
		return ft_nomem(taking->err);
	json_object_foreach((json_t *)(uintptr_t)size, key, value)
	{
		struct ft_param *param = &program->param[program->n_params];

		if (program->n_params == FT_PARAMS_MAX || strlen(key) >= sizeof param->name)
			return ft_fail(taking->err, FT_EINVAL, "it has too many parameters");
		(void)snprintf(param->name, sizeof param->name, "%s", key);
		program->n_params++;
	}
	return ft_store_put_program(taking->store, program, taking->err);
}

static bool read_size(const struct ft_program *program, const json_t *object, struct ft_size *size)
{
	*size = (struct ft_size){.n = program->n_params};
	for (size_t i = 0; i < program->n_params; i++) {
		const json_t *value = json_object_get(object, program->param[i].name);

		size->value[i] = json_number_value(value);
		if (!json_is_number(value) || !isfinite(size->value[i]))
			return false;
	}
	return json_object_size(object) == program->n_params;
}

static enum ft_status add_run(struct taking *taking, const struct ft_size *size, double wall_s, double at)
{
	struct ft_sample sample = {.resource = &ft_wall_s, .value = wall_s, .label = FT_MEASURED};
	const double now_s = (double)ft_clock_real_ns() / 1e9;
	struct ft_run run;
	enum ft_status status = FT_OK;

	if (!taking->machine.id) {
		status = ft_machine_read("", &taking->machine, taking->err);
		if (!status)
			status = ft_store_put_machine(taking->store, &taking->machine, taking->err);
	}
	if (status)
		return status;
	ft_run_init(&run);
	run.size = *size;
	run.outcome = FT_DONE;
	run.real = true;
	run.cost_s = wall_s;
	/* With a wrong clock the time is unknown: a time in the future would be the newest for long. */
	run.started_ns = at > wall_s && at < now_s + CLOCK_S ? (int64_t)((at - wall_s) * 1e9) : 0;
	(void)snprintf(sample.probe, sizeof sample.probe, "told");
	run.sample = &sample;
	run.n_samples = 1;
	return ft_store_add_run(taking->store, taking->program.id, taking->machine.id, &run, taking->err);
}

static bool is_trusted(const struct ft__trusted *trusted, uid_t owner)
{
	for (size_t i = 0; trusted && i < trusted->n; i++)
		if (trusted->uid[i] == owner)
			return true;
	return owner == geteuid();
}

/* Whose timing it is: names in another user's file get that user's prefix. */
static bool name_of(const struct taking *taking, const json_t *line, uid_t owner, char name[NAME_MOST])
{
	const char *stated = json_string_value(json_object_get(line, "name"));

	if (!stated || *stated == '~')
		return false;
	int n = is_trusted(taking->trusted, owner)
			? snprintf(name, NAME_MOST, "%s", stated)
			: snprintf(name, NAME_MOST, "~%lu/%s", (unsigned long)owner, stated);
	return n > 0 && n < NAME_MOST;
}

static bool is_ours_to_judge(enum ft_status status)
{
	return status == FT_EINVAL || status == FT_EEXIST || status == FT_EPARSE;
}

static enum ft_status take_object(struct taking *taking, const char *file, const json_t *line, uid_t owner)
{
	const json_t *size = json_object_get(line, "size"), *wall = json_object_get(line, "wall_s");
	double wall_s = json_number_value(wall), at = json_number_value(json_object_get(line, "at"));
	struct ft_err *err = taking->err;
	char name[NAME_MOST];
	struct ft_size values;

	if (wall_s > FT_TIME_MOST_S)
		return count_bad(taking, file, "a wall_s of more than a hundred years");
	if (!json_is_object(size) || !json_is_number(wall) || !(wall_s > 0) ||
	    !name_of(taking, line, owner, name))
		return count_bad(taking, file, "a line has no name, size or wall_s");
	enum ft_status status =
		find_program(taking, name, json_string_value(json_object_get(line, "device")), size);
	if (status) {
		ft_program_clear(&taking->program);
		return is_ours_to_judge(status) ? count_bad(taking, file, err ? err->text : "") : status;
	}
	if (!read_size(&taking->program, size, &values))
		return count_bad(taking, file, "a size that has other parameters than the program");
	status = add_run(taking, &values, wall_s, at);
	taking->answer->runs += !status;
	return is_ours_to_judge(status) ? count_bad(taking, file, err ? err->text : "") : status;
}

static enum ft_status take_line(struct taking *taking, const char *file, const char *text, size_t n,
				uid_t owner)
{
	if (!n)
		return FT_OK;
	json_t *line = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
	if (!line)
		return count_bad(taking, file, "a line is no JSON");
	enum ft_status status = take_object(taking, file, line, owner);
	json_decref(line);
	return status;
}

/* ---- a file -------------------------------------------------------------------------------------------- */

static void key_of(const char *file, char key[NAME_MOST + 16])
{
	(void)snprintf(key, NAME_MOST + 16, "timings:%s", file);
}

/* The last bytes that were read, as a hash; 0: none were, or they are not there any more. */
static uint64_t tail_of(int fd, off_t offset)
{
	char tail[TAIL];
	size_t n = offset < TAIL ? (size_t)offset : TAIL;

	return n && pread(fd, tail, n, offset - (off_t)n) == (ssize_t)n
		       ? ft_hash_bytes(FT_HASH_START, tail, n)
		       : 0;
}

/* The position in a file, stored as "OFFSET INODE TAIL". The name alone is not enough: the file may have
 * been truncated, or replaced by another one, which often gets the same inode. The device is not compared:
 * its number changes when a file system is mounted again. Older versions stored the offset alone. */
static enum ft_status read_so_far(struct taking *taking, const char *file, int fd, off_t *offset)
{
	char key[NAME_MOST + 16], *value = NULL;
	struct ft_err missing = {0};
	unsigned long long inode = 0, tail = 0;
	long long stated = 0;
	struct stat there;

	*offset = 0;
	key_of(file, key);
	enum ft_status status = ft_store_get_known(taking->store, key, &value, &missing);
	if (status == FT_ENOENT)
		return FT_OK;
	if (status) {
		*taking->err = missing;
		return status;
	}
	int n = sscanf(value, "%lld %llu %llx", &stated, &inode, &tail);
	free(value);
	if (stated <= 0 || fstat(fd, &there))
		return FT_OK;
	if (there.st_size < stated ||
	    (n == 3 && (there.st_ino != inode || tail_of(fd, (off_t)stated) != tail))) {
		taking->answer->anew++;
		(void)snprintf(taking->answer->begun, sizeof taking->answer->begun, "%s", file);
	} else {
		*offset = (off_t)stated;
	}
	return FT_OK;
}

static enum ft_status keep_so_far(struct taking *taking, const char *file, int fd, off_t offset)
{
	char key[NAME_MOST + 16], value[64];
	struct stat there = {0};

	(void)fstat(fd, &there);
	key_of(file, key);
	(void)snprintf(value, sizeof value, "%lld %llu %llx", (long long)offset,
		       (unsigned long long)there.st_ino, (unsigned long long)tail_of(fd, offset));
	return ft_store_put_known(taking->store, key, value, taking->err);
}

/* The lines of a chunk. used: out, its bytes up to the last newline. */
static enum ft_status take_lines(struct taking *taking, const char *file, size_t n, uid_t owner, size_t *used)
{
	const char *line = taking->chunk, *end;
	enum ft_status status = FT_OK;

	while (!status && (end = memchr(line, '\n', n - (size_t)(line - taking->chunk)))) {
		status = take_line(taking, file, line, (size_t)(end - line), owner);
		line = end + 1;
	}
	/* A line without an end that fills all is none. */
	if (line == taking->chunk && n == CHUNK) {
		line += n;
		(void)count_bad(taking, file, "a line that does not end");
	}
	*used = (size_t)(line - taking->chunk);
	return status;
}

/* Take the next chunk of a file, all or nothing: the position is read in the same transaction, since
 * another manager may share the folder. offset: out, the new position; whole: out, there was a line to
 * take. */
static enum ft_status take_chunk(struct taking *taking, const char *file, int fd, uid_t owner, off_t *offset,
				 bool *whole)
{
	enum ft_status status = ft_store_begin(taking->store, taking->err);
	struct ft__taken before = *taking->answer;
	size_t used = 0;
	ssize_t n = 0;

	*whole = false;
	if (status)
		return status;
	status = read_so_far(taking, file, fd, offset);
	if (!status && (n = pread(fd, taking->chunk, CHUNK, *offset)) < 0)
		status = ft_fail_errno(taking->err, errno, "cannot read '%s'", file);
	if (!status)
		status = take_lines(taking, file, (size_t)n, owner, &used);
	if (!status && used)
		status = keep_so_far(taking, file, fd, *offset + (off_t)used);
	status = ft_store_end(taking->store, status, taking->err);
	if (status) {
		/* Identifiers looked up within the transaction may have been rolled back. */
		*taking->answer = before;
		ft_program_clear(&taking->program);
		taking->machine.id = 0;
		return status;
	}
	*offset += (off_t)used;
	*whole = used > 0;
	taking->bytes += used;
	return FT_OK;
}

/* ---- owners of files, and when they are removed
   --------------------------------------------------------------- */

/* HOST.PID.NANOSECONDS.jsonl: the number of the process; 0: the name is another one. host: out, its length.
 */
static long process_of(const char *file, size_t *host)
{
	size_t n = strlen(file) - strlen(".jsonl"), i = n;
	char *end;

	while (i > 0 && file[i - 1] >= '0' && file[i - 1] <= '9')
		i--;
	if (i == n || i < 2 || file[i - 1] != '.')
		return 0;
	for (i -= 1; i > 0 && file[i - 1] >= '0' && file[i - 1] <= '9'; i--)
		;
	if (i < 2 || file[i - 1] != '.')
		return 0;
	long pid = strtol(file + i, &end, 10);
	*host = i - 1;
	return *end == '.' && pid > 0 ? pid : 0;
}

/* Those of another host are its own manager's: what they took, they took there. */
static bool is_elsewhere(const char *file, const char *host)
{
	size_t n = 0;

	return process_of(file, &n) && (strlen(host) != n || strncmp(file, host, n) != 0);
}

/* A file that was read completely is removed when its writer is gone. An invisible process may live in a
 * container, and a sleeping one may wake: programs begin a new file if theirs is gone. */
static bool may_go(const char *file, const struct stat *there)
{
	size_t host;
	long pid = process_of(file, &host);
	bool ended = pid && kill((pid_t)pid, 0) && errno == ESRCH;

	return ft_clock_real_ns() / 1000000000 - there->st_mtime > (ended ? HOUR_S : DAY_S);
}

static bool has_line(struct taking *taking, int fd, off_t offset)
{
	ssize_t n = pread(fd, taking->chunk, CHUNK, offset);

	return n > 0 && (n == CHUNK || memchr(taking->chunk, '\n', (size_t)n));
}

static enum ft_status take_open(struct taking *taking, const char *path, const char *file, int fd,
				const struct stat *there)
{
	const size_t before = taking->bytes;
	const unsigned long begun = taking->answer->anew;
	off_t offset;
	enum ft_status status = read_so_far(taking, file, fd, &offset);
	bool whole = !status && there->st_size > offset && has_line(taking, fd, offset);

	/* It is read again with the first chunk, and counted there. */
	taking->answer->anew = begun;
	while (!status && whole && (taking->bytes < BYTES_MOST || taking->bytes == before))
		status = take_chunk(taking, file, fd, there->st_uid, &offset, &whole);
	if (status)
		return status;
	taking->answer->behind += whole && there->st_size > offset;
	if (!whole && may_go(file, there)) {
		char key[NAME_MOST + 16];

		key_of(file, key);
		if (!unlink(path))
			(void)ft_store_put_known(taking->store, key, NULL, NULL);
	}
	return FT_OK;
}

static enum ft_status take_file(struct taking *taking, const char *file)
{
	struct ft_text path = {0};
	struct stat there;
	enum ft_status status = FT_OK;

	ft_text_add(&path, "%s/%s", taking->folder, file);
	if (path.failed)
		return ft_nomem(taking->err);
	int fd = open(path.s, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && !fstat(fd, &there) && S_ISREG(there.st_mode))
		status = take_open(taking, path.s, file, fd, &there);
	else if (fd >= 0 || errno != ENOENT)
		taking->answer->unread++;
	if (fd >= 0)
		(void)close(fd);
	ft_text_clear(&path);
	return status;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

enum ft_status ft__timings_folder(char **folder, struct ft_err *err)
{
	const char *spool = secure_getenv("FORETIME_SPOOL"), *state = secure_getenv("XDG_STATE_HOME"),
		   *home = secure_getenv("HOME");
	struct ft_text text = {0};

	if (spool && *spool)
		ft_text_add(&text, "%s", spool);
	else if (state && *state == '/')
		ft_text_add(&text, "%s/foretime/spool", state);
	else if (home && *home == '/')
		ft_text_add(&text, "%s/.local/state/foretime/spool", home);
	if (!text.s && !text.failed) {
		(void)ft_fail(err, FT_ENOENT, "there is no place for timings: HOME is not set");
		(void)ft_remedy(err, "name it with --spool FOLDER or FORETIME_SPOOL");
		return FT_ENOENT;
	}
	*folder = ft_text_take(&text);
	return *folder ? FT_OK : ft_nomem(err);
}

static bool is_timings(const char *file)
{
	size_t n = strlen(file);

	return *file != '.' && n > 6 && n < NAME_MOST && !strcmp(file + n - 6, ".jsonl");
}

static enum ft_status take_files(struct taking *taking, DIR *folder)
{
	enum ft_status status = FT_OK;
	struct dirent *entry;
	char host[256] = "";

	(void)gethostname(host, sizeof host - 1);
	while (!status && (entry = readdir(folder)))
		if (is_timings(entry->d_name) && !is_elsewhere(entry->d_name, host))
			status = take_file(taking, entry->d_name);
	return status;
}

enum ft_status ft__timings_take(struct ft_store *store, const char *folder, const struct ft__trusted *trusted,
				struct ft__taken *answer, struct ft_err *err)
{
	struct ft_err here = {0};
	struct taking taking = {.store = store,
				.folder = folder,
				.trusted = trusted,
				.answer = answer,
				.err = err ? err : &here};
	DIR *open = opendir(folder);
	enum ft_status status;

	*answer = (struct ft__taken){0};
	if (!open)
		return errno == ENOENT ? FT_OK : ft_fail_errno(err, errno, "cannot look into '%s'", folder);
	taking.chunk = ft_malloc(CHUNK);
	status = taking.chunk ? take_files(&taking, open) : ft_nomem(err);
	(void)closedir(open);
	ft_program_clear(&taking.program);
	ft_machine_clear(&taking.machine);
	ft_free(taking.chunk);
	return status;
}

/*
 * Stores timings that programs wrote down.
 */

/* A network file system raises no event for writes elsewhere; and a burst of lines is one transaction. */
enum { LOOK_MS = 30000, REST_MS = 200, RETRY_MS = 5000 };

struct ft__timings {
	struct ft__task task; /* first: one is the other */
	const struct ft__store_at *at;
	const char *folder;
	struct ft__worker *worker;
	void (*taken)(void *ctx, const struct ft__taken *answer, const struct ft_err *err);
	void *ctx;
	int watch;
	bool at_work, changed;
	bool failing;              /* the last pass failed, and that was reported */
	unsigned long unread;      /* files that could not be read then */
	int64_t next_ns;           /* not before */
	struct ft__trusted wanted; /* from the next pass on, where `renew` */
	bool renew;
	/* the worker's, while it is at work */
	struct ft__trusted trusted;
	struct ft__taken answer;
	struct ft_err err;
	bool failed;
};

static void take_timings(struct ft__task *task, struct ft_store *reader)
{
	struct ft__timings *timings = (struct ft__timings *)task;
	struct ft_store *store = NULL;

	(void)reader;
	timings->answer = (struct ft__taken){0};
	timings->err = (struct ft_err){0};
	timings->failed = true;
	if (ft__store_at_open(timings->at, &store, 0, &timings->err))
		return;
	timings->failed = ft__timings_take(store, timings->folder, &timings->trusted, &timings->answer,
					   &timings->err) != FT_OK;
	ft_store_close(store);
}

static void done(struct ft__task *task)
{
	struct ft__timings *timings = (struct ft__timings *)task;
	bool failed = timings->failed;

	if (!failed)
		timings->err = (struct ft_err){0};
	timings->at_work = false;
	timings->changed = timings->changed || failed || timings->answer.behind;
	timings->next_ns = ft_clock_ns() + (failed ? RETRY_MS : REST_MS) * 1000000LL;
	if (timings->answer.runs || timings->answer.bad || timings->answer.anew ||
	    timings->answer.unread != timings->unread || failed != timings->failing)
		timings->taken(timings->ctx, &timings->answer, &timings->err);
	timings->unread = timings->answer.unread;
	timings->failing = failed;
}

enum ft_status ft__timings_new(struct ft__timings **out, const struct ft__store_at *at, const char *folder,
			       struct ft__worker *worker,
			       void (*taken)(void *ctx, const struct ft__taken *answer,
					     const struct ft_err *err),
			       void *ctx, struct ft_err *err)
{
	struct ft__timings *timings = ft_calloc(1, sizeof *timings);

	*out = timings;
	if (!timings)
		return ft_nomem(err);
	timings->task = (struct ft__task){.work = take_timings, .done = done};
	timings->at = at;
	timings->folder = folder;
	timings->worker = worker;
	timings->taken = taken;
	timings->ctx = ctx;
	timings->changed = true;
	/* A folder and those above it. */
	char *part = ft_strdup(folder);
	size_t i, n = strlen(folder);

	for (i = 1; part && i <= n; i++) {
		if (part[i] != '/' && part[i])
			continue;
		part[i] = '\0';
		(void)mkdir(part, 0700);
		part[i] = folder[i];
	}
	ft_free(part);
	timings->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (timings->watch >= 0 &&
	    inotify_add_watch(timings->watch, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0) {
		(void)close(timings->watch);
		timings->watch = -1;
	}
	return FT_OK;
}

void ft__timings_free(struct ft__timings *timings)
{
	if (!timings)
		return;
	if (timings->watch >= 0)
		(void)close(timings->watch);
	ft__trusted_clear(&timings->trusted);
	ft__trusted_clear(&timings->wanted);
	ft_free(timings);
}

enum ft_status ft__timings_trust(struct ft__timings *timings, const char *const *user, size_t n,
				 struct ft_err *err)
{
	struct ft__trusted trusted;

	FT_TRY(ft__trusted_read(&trusted, user, n, err));
	ft__trusted_clear(&timings->wanted);
	timings->wanted = trusted;
	timings->renew = true;
	return FT_OK;
}

int ft__timings_fd(const struct ft__timings *timings)
{
	return timings->watch;
}

int ft__timings_wait_ms(const struct ft__timings *timings)
{
	int64_t left = timings->next_ns - ft_clock_ns();

	if (timings->at_work)
		return -1;
	if (timings->changed)
		return left > 0 ? (int)(left / 1000000) + 1 : 0;
	return LOOK_MS;
}

void ft__timings_run(struct ft__timings *timings)
{
	int64_t now = ft_clock_ns();
	char buffer[4096];

	while (timings->watch >= 0 && read(timings->watch, buffer, sizeof buffer) > 0)
		timings->changed = true;
	if (timings->at_work || now < timings->next_ns ||
	    (!timings->changed && now - timings->next_ns < LOOK_MS * 1000000LL))
		return;
	if (timings->renew) {
		ft__trusted_clear(&timings->trusted);
		timings->trusted = timings->wanted;
		timings->wanted = (struct ft__trusted){0};
		timings->renew = false;
	}
	timings->at_work = true;
	timings->changed = false;
	ft__worker_post(timings->worker, &timings->task);
}
