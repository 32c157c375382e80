/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-store.c - a store that somebody changed: refused with words, or read as facts that can be true; and
 * whoever only reads changes no byte of it.
 *
 * An input is lines. "P 60 fffffc18" puts bytes at a place of the file, "-100" takes that many off its end;
 * any other line is SQL that was executed on it before. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/store.h"
#include "fuzz.h"
#include "made.h"
#include "mapped.h"
#include "store/door.h"

#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const fuzz_store_seeds[] = {
	"",
	"P 60 fffffc18\n",
	"P 60 00000003\nP 18 0101\n",
	"-100\n",
	"P 60 f\n",
	"P04100a\n",
	"update run set size='nan inf'\nupdate run set numbers=x''\n",
	"update model set model=x'00'\nupdate param set least=1e999,most=-1\n",
	"create trigger t after insert on run begin delete from run; end\n",
	"alter table run rename to r\ncreate view run as select * from r\n",
	"update program set argv=x'4100'\nupdate machine set host=char(27)||'[2J'\n",
	"drop table layout\ndelete from param\n",
	"update layout set rest=x'3020302030203020300078'\n",
	"update run set layout=99\ndelete from tally\n",
	"update tally set runs=-1, sizes=1e99\nupdate by_size set runs=-9\n",
	"update run set numbers=zeroblob(9999)\n",
	"update layout set rest=replace(rest, '=', '')\nupdate layout set outcome=NULL\n",
	"update stated set law='((('\nupdate requirement set text='memory=none'\n",
	"pragma user_version=-2\n",
	"pragma user_version=2\n",
	"P44677a3888888638ffffffffffC677a3888888638fffffff+C",
	"update run set size='1e999 1'\n",
	"P 1326 13433\n",
	NULL,
};

const char *const fuzz_store_pieces[] = {
	"\n",
	"update ",
	" set ",
	"=",
	"'",
	"run",
	"layout",
	"tally",
	"by_size",
	"numbers",
	"program",
	"param",
	"machine",
	"model",
	"load",
	"stated",
	"requirement",
	"known",
	"size",
	"value",
	"least",
	"most",
	"stride",
	"factor",
	"list",
	"argv",
	"outcome",
	"label",
	"started_ns",
	"name",
	"hash",
	"cost_s",
	"nr",
	"1e999",
	"-1e308",
	"-9223372036854775808",
	"null",
	"x'ff'",
	"zeroblob(9)",
	"char(155)",
	"P ",
	"-1",
	"ffffffff",
	"00",
	"insert into ",
	"drop table ",
	"alter table ",
	"create view ",
	"pragma user_version=",
	NULL,
};

enum { STEPS_MOST = 2000 };

static char path[256];
static int fd = -1; /* of the store's file, as long as there are inputs */

/* ---- the store to begin with ---- */

static void give_up(const char *what)
{
	perror(what);
	exit(99);
}

static void make_base(void)
{
	struct ft_store *store;

	(void)snprintf(path, sizeof path, "%s", fuzz_path("s.db"));
	if (ft_store_open(&store, path, FT_STORE_ROLLBACK, NULL))
		give_up("a store");
	fuzz_fill(store);
	ft_store_close(store);
	fd = fuzz_mapped_begin(path);
}

/* ---- what was done to it ---- */

/* SQL of strangers reaches no other file. */
static int allow(void *context, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)context;
	(void)c;
	(void)d;
	if (action == SQLITE_PRAGMA)
		return a && (!sqlite3_stricmp(a, "user_version") || !sqlite3_stricmp(a, "application_id") ||
			     !sqlite3_stricmp(a, "writable_schema"))
			       ? SQLITE_OK
			       : SQLITE_DENY;
	return action == SQLITE_ATTACH ||
			       (action == SQLITE_FUNCTION && b && !sqlite3_stricmp(b, "load_extension"))
		       ? SQLITE_DENY
		       : SQLITE_OK;
}

static int is_long(void *context)
{
	return ++*(int *)context > STEPS_MOST;
}

static sqlite3 *db; /* who changes it; or NULL */
static int steps;   /* of the line */

static void close_base(void)
{
	(void)sqlite3_close(db);
	db = NULL;
}

static void open_base(void)
{
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
		close_base();
		return;
	}
	(void)sqlite3_exec(db, "PRAGMA journal_mode = memory; PRAGMA synchronous = off", NULL, NULL, NULL);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 16);
	(void)sqlite3_set_authorizer(db, allow, NULL);
	sqlite3_progress_handler(db, 100, is_long, &steps);
}

/* To open a store is to read its schema, which takes longer than most of what is done to it. Of one statement
 * that changes rows nothing stays in the connection: it is the next input's, too, and sees by the file's
 * counter that this is another one. */
static bool leaves_nothing(const char *sql)
{
	return !strchr(sql, ';') && (!strncasecmp(sql, "update ", 7) || !strncasecmp(sql, "insert ", 7) ||
				     !strncasecmp(sql, "delete ", 7));
}

/* One line; what it began it ends, or it did not happen. Returns whether another input may go on with the
 * connection. */
static bool execute(const char *sql)
{
	if (strcasestr(sql, "vacuum"))
		return true;
	if (!db)
		open_base();
	steps = 0;
	(void)sqlite3_exec(db, sql, NULL, NULL, NULL);
	if (db && !sqlite3_get_autocommit(db))
		(void)sqlite3_exec(db, "rollback", NULL, NULL, NULL);
	return leaves_nothing(sql);
}

static void put_bytes(const char *line)
{
	char *end;
	long at = strtol(line, &end, 10);
	unsigned byte;
	int taken = 0;

	for (; at >= 0 && at < FUZZ_MAPPED_MOST && sscanf(end, "%2x%n", &byte, &taken) == 1;
	     end += taken, at++) {
		unsigned char c = (unsigned char)byte;

		if (pwrite(fd, &c, 1, at) != 1)
			break;
	}
}

/* Bytes are changed behind the back of the connection: it ends. */
static bool change(const char *line)
{
	struct stat info;
	long less;

	if (line[0] == 'P' || line[0] == '-')
		close_base();
	if (line[0] == 'P')
		put_bytes(line + 1);
	else if (line[0] == '-' && !fstat(fd, &info) && (less = strtol(line + 1, NULL, 10)) > 0)
		(void)!ftruncate(fd, info.st_size > less ? info.st_size - less : 0);
	else if (line[0] && line[0] != '-')
		return execute(line);
	return true;
}

/* ---- what must hold of it ---- */

enum { SEEN = 1 << 16 };

static const char *told(enum ft_status status, const struct ft_err *err)
{
	return !status || status == FT_EEND || fuzz_is_told(status, err) ? NULL : "a refusal has words";
}

static const char *check_run(const struct ft_run *run)
{
	if (run->size.n > FT_PARAMS_MAX || run->outcome > FT_INTERRUPTED)
		return "a run has a size and an outcome";
	for (size_t i = 0; i < run->size.n; i++)
		if (!isfinite(run->size.value[i]))
			return "sizes are finite";
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].label > FT_UNAVAILABLE || isinf(run->sample[i].value))
			return "a sample has a label and no infinite value";
	return NULL;
}

static const char *check_predictions(const struct ft_model *model, const struct ft_program *program)
{
	for (size_t i = 0; i < 3; i++) {
		struct ft_size size = {program->n_params, {40.0 + 40 * (double)i, 100}};
		struct ft_prediction p;
		struct ft_err err = {0};
		enum ft_status status = ft_model_predict(model, &size, NAN, 0.9, &p, &err);

		if (status && !fuzz_is_told(status, &err))
			return "a prediction that is refused is told";
		if (!status &&
		    !(p.lower >= 0 && p.lower <= p.value && p.value <= p.upper && isfinite(p.upper)))
			return "a prediction is finite, within its interval";
	}
	return NULL;
}

static const char *check_stored_model(struct ft_store *store, const struct ft_program *program)
{
	struct ft_model_record record = {0};
	struct ft_size fixed = {program->n_params, {0, 100}};
	struct ft_err err = {0};
	enum ft_status status = ft_store_get_model(store, program->id, 1, &ft_wall_s, &fixed, &record, &err);
	const char *broken = told(status, &err);

	if (!status)
		broken = check_predictions(record.model, program);
	ft_model_record_clear(&record);
	return broken;
}

/* The same facts make the same model, which takes most of an input's time. */
static const char *check_fitted_model(const struct ft_program *program, const struct ft_runs *runs)
{
	static uint64_t seen[SEEN];
	const uint64_t hash = fuzz_mix_facts(program, runs);
	struct ft_size fixed = {program->n_params, {0, 100}};
	struct ft_model_options options = {.brief = true};
	struct ft_model *model = NULL;
	struct ft_err err = {0};

	if (seen[hash % SEEN] == hash)
		return NULL;
	enum ft_status status = ft_model_fit_runs(&model, program, runs, &ft_wall_s, &fixed, &options, &err);
	const char *broken = told(status, &err);
	if (!status)
		broken = check_predictions(model, program);
	ft_model_free(model);
	if (!broken)
		seen[hash % SEEN] = hash;
	return broken;
}

static const char *check_program(struct ft_store *store, int64_t id)
{
	struct ft_program program = {0};
	struct ft_knowledge knowledge = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_store_get_program_at(store, id, &program, &err);
	const char *broken = told(status, &err);

	if (!status && (!program.name || program.n_params > FT_PARAMS_MAX))
		broken = "a program has a name and parameters";
	if (!status && !broken) {
		status = ft_store_get_runs(store, id, 0, &runs, &err);
		broken = told(status, &err);
		for (size_t i = 0; i < runs.n && !broken; i++)
			broken = check_run(&runs.run[i]);
		if (!status && !broken && program.n_params)
			broken = check_stored_model(store, &program);
		if (!status && !broken && program.n_params)
			broken = check_fitted_model(&program, &runs);
		err = (struct ft_err){0};
		if (!broken)
			broken = told(ft_store_get_knowledge(store, program.name, &knowledge, &err), &err);
	}
	ft_knowledge_clear(&knowledge);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
	return broken;
}

static const char *check_machines(struct ft_store *store)
{
	int64_t after = 0;
	int turns = 0;

	for (;;) {
		struct ft_machine machine = {0};
		struct ft_loads loads = {0};
		struct ft_err err = {0};
		enum ft_status status = ft_store_next_machine(store, after, &machine, &err);
		const char *broken = told(status, &err);

		if (!status && (machine.id <= after || !machine.fingerprint))
			broken = "machines ascend and have fingerprints";
		after = machine.id;
		ft_machine_clear(&machine);
		if (!status && !broken)
			broken = told(ft_store_get_load(store, after, 0, &loads, &err), &err);
		ft_loads_clear(&loads);
		if (status || broken || ++turns > 20)
			return broken;
	}
}

static const char *check_store(struct ft_store *store)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};
	const char *broken = told(ft_store_get_list(store, NULL, &list, &err), &err);

	for (size_t i = 0; i < list.n && i < 20 && !broken; i++)
		broken = list.entry[i].name && list.entry[i].hash
				 ? check_program(store, list.entry[i].program)
				 : "what is listed has a name";
	ft_store_list_clear(&list);
	return broken ? broken : check_machines(store);
}

static const char *check_writing(struct ft_store *store)
{
	struct ft_machine machine = {.fingerprint = (char[]){"ff"}, .host = (char[]){"new"}};
	struct ft_program program = {.name = (char[]){"p"},
				     .hash = (char[]){"abc"},
				     .param = {{.name = "n"}, {.name = "m"}},
				     .n_params = 2};
	struct ft_run run;
	struct ft_err err = {0};
	enum ft_status status = ft_store_put_machine(store, &machine, &err);

	ft_run_init(&run);
	run.size = (struct ft_size){2, {1, 100}};
	if (!status)
		status = ft_store_put_program(store, &program, &err);
	if (!status)
		status = ft_store_add_run(store, program.id, machine.id, &run, &err);
	return told(status, &err);
}

/* How it is opened; looked: whether it was looked at, in and out: once is enough. */
static const char *check(unsigned flags, bool *looked)
{
	struct ft_store *store = NULL;
	struct ft_err err = {0};
	bool reads = flags & FT_STORE_READ;
	enum ft_status status = ft_store_open(&store, path, flags, &err);
	const char *broken = NULL;

	if (status && (store || !fuzz_is_told(status, &err) || !*err.remedy))
		return "a refusal has words and a remedy";
	if (!status && !*looked) {
		broken = check_store(store);
		*looked = true;
	}
	if (!status && !broken && !reads)
		broken = check_writing(store);
	ft_store_close(store);
	if (!broken && reads && !fuzz_mapped_is_same())
		broken = "who reads changes nothing";
	return broken;
}

/* Whether such a store was looked at before, byte by byte: of most changes nothing comes. */
static bool is_known(void)
{
	static uint64_t seen[SEEN];
	bool whole;
	const uint64_t hash = fuzz_mapped_look(&whole);
	uint64_t *at = &seen[hash % SEEN];
	bool known = whole && *at == hash;

	*at = hash;
	return known;
}

const char *fuzz_store(const uint8_t *bytes, size_t length)
{
	char *text = ft_strndup((const char *)bytes, length), *rest = text, *line;
	const char *broken = NULL;
	bool looked = false, keep = true;
	int lines = 0;

	if (fd < 0)
		make_base();
	else
		fuzz_mapped_restore();
	while ((line = strsep(&rest, "\n")) && lines++ < 16)
		keep = change(line) && keep;
	if (!keep)
		close_base();
	if (!is_known()) {
		broken = check(FT_STORE_READ, &looked);
		if (!broken)
			broken = check(FT_STORE_ROLLBACK, &looked);
	}
	ft_free(text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_store)
#endif
