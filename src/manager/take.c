/* SPDX-License-Identifier: GPL-3.0-or-later */
/* take.c - timings that programs wrote down, into the store, each exactly once. */
#include "manager/take.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/measure.h"

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
#include <sys/stat.h>
#include <unistd.h>

/* Read at once, and kept in one transaction; a line is much shorter (FT_PROBE_LINE). */
enum { CHUNK = 1 << 18, NAME_MOST = 256 };

struct taking {
	struct ft_store *store;
	const char *folder;
	struct ft__taken *told;
	struct ft_machine machine; /* id 0: not asked for yet */
	struct ft_program program; /* of the last line; name NULL: none */
	char *chunk;
	struct ft_err *err;
};

/* ---- a line -------------------------------------------------------------------------------------------- */

static enum ft_status bad(struct taking *taking, const char *file, const char *why)
{
	taking->told->bad++;
	(void)snprintf(taking->told->why, sizeof taking->told->why, "%.64s: %.180s", file, why);
	return FT_OK;
}

/* The program of a name, as it is stored; or a new one, with the parameters of the line. */
static enum ft_status find_program(struct taking *taking, const char *name, const json_t *size)
{
	struct ft_program *program = &taking->program;
	struct ft_err missing = {0};
	const char *key;
	json_t *value;
	enum ft_status status;

	if (program->name && !strcmp(program->name, name))
		return FT_OK;
	ft_program_clear(program);
	status = ft_store_get_program(taking->store, name, program, &missing);
	if (status && status != FT_ENOENT)
		*taking->err = missing;
	if (status != FT_ENOENT)
		return status;
	*program = (struct ft_program){.name = ft_strdup(name), .hash = ft_strdup("")};
	if (!program->name || !program->hash)
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
	size_t i;

	*size = (struct ft_size){.n = program->n_params};
	for (i = 0; i < program->n_params; i++) {
		const json_t *value = json_object_get(object, program->param[i].name);

		size->value[i] = json_number_value(value);
		if (!json_is_number(value) || !isfinite(size->value[i]))
			return false;
	}
	return json_object_size(object) == program->n_params;
}

static enum ft_status add_run(struct taking *taking, const struct ft_size *size, double wall_s, double at)
{
	struct ft_sample sample = {.value = wall_s, .label = FT_MEASURED};
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
	run.started_ns = at > wall_s && at < 9e9 ? (int64_t)((at - wall_s) * 1e9) : 0;
	(void)snprintf(sample.resource, sizeof sample.resource, "wall_s");
	(void)snprintf(sample.probe, sizeof sample.probe, "told");
	run.sample = &sample;
	run.n_samples = 1;
	return ft_store_add_run(taking->store, taking->program.id, taking->machine.id, &run, taking->err);
}

/* Whose timing it is: of another user's file, what he says is kept under a name of his own. */
static bool name_of(const json_t *line, uid_t owner, char name[NAME_MOST])
{
	const char *said = json_string_value(json_object_get(line, "name"));
	int n;

	if (!said || *said == '~')
		return false;
	n = owner == geteuid() ? snprintf(name, NAME_MOST, "%s", said)
			       : snprintf(name, NAME_MOST, "~%lu/%s", (unsigned long)owner, said);
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
	enum ft_status status;

	if (!json_is_object(size) || !json_is_number(wall) || !(wall_s > 0) || !isfinite(wall_s) ||
	    !name_of(line, owner, name))
		return bad(taking, file, "a line has no name, size or wall_s");
	status = find_program(taking, name, size);
	if (status) {
		ft_program_clear(&taking->program);
		return is_ours_to_judge(status) ? bad(taking, file, err ? err->text : "") : status;
	}
	if (!read_size(&taking->program, size, &values))
		return bad(taking, file, "a size that has other parameters than the program");
	status = add_run(taking, &values, wall_s, at);
	taking->told->runs += !status;
	return is_ours_to_judge(status) ? bad(taking, file, err ? err->text : "") : status;
}

static enum ft_status take_line(struct taking *taking, const char *file, const char *text, size_t n,
				uid_t owner)
{
	json_t *line;
	enum ft_status status;

	if (!n)
		return FT_OK;
	line = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
	if (!line)
		return bad(taking, file, "a line is no JSON");
	status = take_object(taking, file, line, owner);
	json_decref(line);
	return status;
}

/* ---- a file -------------------------------------------------------------------------------------------- */

static void key_of(const char *file, char key[NAME_MOST + 16])
{
	(void)snprintf(key, NAME_MOST + 16, "spool:%s", file);
}

static off_t read_so_far(struct taking *taking, const char *file)
{
	char key[NAME_MOST + 16], *value = NULL;
	long long offset = 0;

	key_of(file, key);
	if (!ft_store_get_known(taking->store, key, &value, NULL))
		offset = strtoll(value, NULL, 10);
	free(value);
	return offset > 0 ? (off_t)offset : 0;
}

static enum ft_status keep_so_far(struct taking *taking, const char *file, off_t offset)
{
	char key[NAME_MOST + 16], value[32];

	key_of(file, key);
	(void)snprintf(value, sizeof value, "%lld", (long long)offset);
	return ft_store_put_known(taking->store, key, value, taking->err);
}

/* The lines of a chunk, all or none of them. used: out, its bytes up to the last newline. */
static enum ft_status take_chunk(struct taking *taking, const char *file, size_t n, off_t offset, uid_t owner,
				 size_t *used)
{
	enum ft_status status = ft_store_begin(taking->store, taking->err);
	struct ft__taken before = *taking->told;
	const char *line = taking->chunk, *end;

	*used = 0;
	if (status)
		return status;
	while (!status && (end = memchr(line, '\n', n - (size_t)(line - taking->chunk)))) {
		status = take_line(taking, file, line, (size_t)(end - line), owner);
		line = end + 1;
	}
	/* A line without an end that fills all is none. */
	if (line == taking->chunk && n == CHUNK) {
		line += n;
		(void)bad(taking, file, "a line that does not end");
	}
	if (!status)
		status = keep_so_far(taking, file, offset + (off_t)(line - taking->chunk));
	status = ft_store_end(taking->store, status, taking->err);
	if (status) {
		/* What was looked up within it may not be there. */
		*taking->told = before;
		ft_program_clear(&taking->program);
		taking->machine.id = 0;
	} else {
		*used = (size_t)(line - taking->chunk);
	}
	return status;
}

/* HOST.PID.NANOSECONDS.jsonl: whether it will not grow any more. */
static bool has_ended(const char *file, const char *host)
{
	size_t n = strlen(host);
	char *end;
	long pid;

	if (strncmp(file, host, n) != 0 || file[n] != '.')
		return false;
	pid = strtol(file + n + 1, &end, 10);
	return *end == '.' && pid > 0 && kill((pid_t)pid, 0) && errno == ESRCH;
}

static void forget(struct taking *taking, const char *path, const char *file)
{
	char key[NAME_MOST + 16];

	key_of(file, key);
	if (!unlink(path))
		(void)ft_store_put_known(taking->store, key, NULL, NULL);
}

static enum ft_status take_open(struct taking *taking, const char *path, const char *file, int fd, bool ended)
{
	off_t offset = read_so_far(taking, file);
	struct stat there;
	enum ft_status status = FT_OK;
	size_t used = 1;
	ssize_t n = 0;

	if (fstat(fd, &there) || !S_ISREG(there.st_mode))
		return bad(taking, file, "it is no file");
	while (!status && used && there.st_size > offset &&
	       (n = pread(fd, taking->chunk, CHUNK, offset)) > 0) {
		status = take_chunk(taking, file, (size_t)n, offset, there.st_uid, &used);
		offset += (off_t)used;
	}
	if (n < 0)
		return ft_fail_errno(taking->err, errno, "cannot read '%s'", path);
	taking->told->behind += !status && there.st_size > offset;
	/* A torn line at its end is of a write that never ended. */
	if (!status && ended && (there.st_size == offset || !used))
		forget(taking, path, file);
	return status;
}

static enum ft_status take_file(struct taking *taking, const char *file, const char *host)
{
	struct ft_text path = {0};
	/* Before it is read: what it wrote last is then there. */
	bool ended = has_ended(file, host);
	enum ft_status status = FT_OK;
	int fd;

	ft_text_add(&path, "%s/%s", taking->folder, file);
	if (path.failed)
		return ft_nomem(taking->err);
	fd = open(path.s, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && errno != ENOENT)
		status = bad(taking, file, strerror(errno));
	if (fd >= 0) {
		taking->told->files++;
		status = take_open(taking, path.s, file, fd, ended);
		(void)close(fd);
	}
	ft_text_clear(&path);
	return status;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

char *ft__timings_folder(void)
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
	else
		return NULL;
	return ft_text_take(&text);
}

static bool is_spool(const char *file)
{
	size_t n = strlen(file);

	return *file != '.' && n > 6 && n < NAME_MOST && !strcmp(file + n - 6, ".jsonl");
}

static enum ft_status take_all(struct taking *taking, DIR *folder)
{
	enum ft_status status = FT_OK;
	struct dirent *entry;
	char host[256] = "";

	(void)gethostname(host, sizeof host - 1);
	while (!status && (entry = readdir(folder)))
		if (is_spool(entry->d_name))
			status = take_file(taking, entry->d_name, host);
	return status;
}

enum ft_status ft__timings_take(struct ft_store *store, const char *folder, struct ft__taken *told,
				struct ft_err *err)
{
	struct ft_err here = {0};
	struct taking taking = {.store = store, .folder = folder, .told = told, .err = err ? err : &here};
	DIR *open = opendir(folder);
	enum ft_status status;

	*told = (struct ft__taken){0};
	if (!open)
		return errno == ENOENT ? FT_OK : ft_fail_errno(err, errno, "cannot look into '%s'", folder);
	taking.chunk = ft_malloc(CHUNK);
	status = taking.chunk ? take_all(&taking, open) : ft_nomem(err);
	(void)closedir(open);
	ft_program_clear(&taking.program);
	ft_machine_clear(&taking.machine);
	ft_free(taking.chunk);
	return status;
}
