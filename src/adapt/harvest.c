/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.c - stores finished jobs from the accounts, each of their tries exactly once: the number and the
 * start of a job are stored in the transaction that adds the run. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "store/door.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sacct's rows, job by job. Fields contain texts of users: they are separated by a random delimiter, and a
 * line with fewer fields than the first one is skipped.
 */

/* ---- fields ------------------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 32 };

/* lost: what is not known without it; NULL: then there are no runs. Comment stands last, for it may be of
 * several lines. */
struct slurm_field {
	const char *name, *lost;
};

static const struct slurm_field wanted[] = {
	{"JobIDRaw", NULL},
	{"JobID", "which jobs are parts of one"},
	{"State", NULL},
	{"ExitCode", "how jobs failed"},
	{"Start", NULL},
	{"Elapsed", NULL},
	{"TotalCPU", "processor time"},
	{"UserCPU", "processor time in programs"},
	{"SystemCPU", "processor time in the kernel"},
	{"MaxRSS", "memory"},
	{"MaxDiskRead", "what was read"},
	{"MaxDiskWrite", "what was written"},
	{"NTasks", "memory of steps of several tasks"},
	{"ConsumedEnergyRaw", "energy"},
	{"TimelimitRaw", "the time that jobs requested"},
	{"ReqMem", "the memory that jobs requested"},
	{"UID", NULL},
	{"NodeList", NULL},
	{"AdminComment", "what foretime filled in"},
	{"Comment", NULL},
};

/* Of all jobs, also of those that name no program. */
static const struct slurm_field reported[] = {
	{"JobIDRaw", NULL},
	{"JobID", "which jobs are parts of one"},
	{"JobName", "programs"},
	{"User", "users"},
	{"Partition", "partitions"},
	{"State", NULL},
	{"ExitCode", "how jobs failed"},
	{"Submit", "when jobs were submitted"},
	{"Start", NULL},
	{"Elapsed", NULL},
	{"TotalCPU", "processor time"},
	{"MaxRSS", "memory"},
	{"NTasks", "memory of steps of several tasks"},
	{"TimelimitRaw", "the time that jobs requested"},
	{"ReqMem", "the memory that jobs requested"},
	{"AllocCPUS", "processors"},
	{"NNodes", "nodes"},
	{"NodeList", "which jobs were cancelled before they started"},
	{"AdminComment", "what foretime filled in"},
	{"Comment", "sizes"},
};

static const char *const own_fields[FT__JOB_FIELDS] = {
	[FT__JOB_ID] = "JobID",       [FT__JOB_RAW] = "JobIDRaw",    [FT__JOB_STATE] = "State",
	[FT__JOB_START] = "Start",    [FT__JOB_ELAPSED] = "Elapsed", [FT__JOB_UID] = "UID",
	[FT__JOB_NODES] = "NodeList", [FT__JOB_COMMENT] = "Comment", [FT__JOB_ADMIN] = "AdminComment",
};

static enum ft_status choose_fields(const struct slurm_field *field, size_t n, const char *known,
				    char **fields, char **lacking, struct ft_err *err)
{
	struct ft_text have = {0}, lack = {0};

	*fields = *lacking = NULL;
	for (size_t i = 0; i < n; i++) {
		if (ft_word_at(known, field[i].name) != SIZE_MAX) {
			ft_text_add(&have, "%s%s", have.length ? "," : "", field[i].name);
		} else if (field[i].lost) {
			ft_text_add(&lack, "%s%s (%s)", lack.length ? ", " : "", field[i].name,
				    field[i].lost);
		} else {
			ft_text_clear(&have);
			ft_text_clear(&lack);
			(void)ft_fail(err, FT_EUNAVAIL, "this sacct knows no field %s", field[i].name);
			return ft_remedy(err, "see sacct --helpformat; Slurm 20.11 and newer have it");
		}
	}
	*fields = ft_text_take(&have);
	*lacking = ft_text_take(&lack);
	if (*fields && *lacking)
		return FT_OK;
	ft_free(*fields);
	ft_free(*lacking);
	*fields = *lacking = NULL;
	return ft_nomem(err);
}

enum ft_status ft_slurm_fields_choose(const char *known, char **fields, char **lacking, struct ft_err *err)
{
	return choose_fields(wanted, sizeof wanted / sizeof *wanted, known, fields, lacking, err);
}

enum ft_status ft_slurm_report_fields(const char *known, char **fields, char **lacking, struct ft_err *err)
{
	return choose_fields(reported, sizeof reported / sizeof *reported, known, fields, lacking, err);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

struct slurm_accounts_reading {
	const char *delimiter;
	size_t columns;
	int own[COLUMNS_MOST]; /* index of a column in own_fields; -1: none */
	size_t raw;            /* the column of JobIDRaw */
	bool open;             /* a job is being read */
	struct ft_text head, rows, cell[FT__JOB_FIELDS];
	enum ft_status (*take)(void *ctx, const struct ft__account *account, struct ft_err *err);
	void *ctx;
};

struct slurm_accounts_cell {
	const char *at;
	size_t length;
};

/* The fields of a line; their number, COLUMNS_MOST + 1 where there are more. */
static size_t divide_fields(const struct slurm_accounts_reading *r, const char *line, const char *end,
			    struct slurm_accounts_cell cell[COLUMNS_MOST])
{
	size_t n = 0, length = strlen(r->delimiter);

	for (;;) {
		const char *next = memmem(line, (size_t)(end - line), r->delimiter, length);

		if (n == COLUMNS_MOST)
			return n + 1;
		cell[n++] = (struct slurm_accounts_cell){line, (size_t)((next ? next : end) - line)};
		if (!next)
			return n;
		line = next + length;
	}
}

/* A cell in a table of ours: what would end it there is a question mark. */
static void add_cell(struct ft_text *text, const struct slurm_accounts_cell *cell)
{
	size_t from = text->length;

	ft_text_add_bytes(text, cell->at, cell->length);
	for (size_t i = from; !text->failed && i < text->length; i++)
		if ((unsigned char)text->s[i] < ' ' || text->s[i] == '|' || text->s[i] == 0x7f)
			text->s[i] = '?';
}

static void add_row(struct ft_text *text, const struct slurm_accounts_cell *cell, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			ft_text_add(text, "|");
		add_cell(text, &cell[i]);
	}
}

static enum ft_status read_head(struct slurm_accounts_reading *r, const char *line, const char *end,
				struct ft_err *err)
{
	struct slurm_accounts_cell cell[COLUMNS_MOST];
	bool has_raw = false;

	r->columns = divide_fields(r, line, end, cell);
	for (size_t i = 0; i < r->columns && i < COLUMNS_MOST; i++) {
		r->own[i] = -1;
		for (size_t k = 0; k < FT__JOB_FIELDS; k++)
			if (strlen(own_fields[k]) == cell[i].length &&
			    !memcmp(own_fields[k], cell[i].at, cell[i].length))
				r->own[i] = (int)k;
		if (r->own[i] == FT__JOB_RAW) {
			r->raw = i;
			has_raw = true;
		}
	}
	if (!has_raw || r->columns > COLUMNS_MOST) {
		(void)ft_fail(err, FT_EPARSE,
			      "what sacct prints does not begin with the names of its fields");
		return ft_remedy(err, "see what it prints: sacct -P -o JobIDRaw,State");
	}
	add_row(&r->head, cell, r->columns);
	return r->head.failed ? ft_nomem(err) : FT_OK;
}

static enum ft_status flush_job(struct slurm_accounts_reading *r, struct ft_err *err)
{
	struct ft__account account = {.rows = r->rows.s, .length = r->rows.length};
	bool failed = r->rows.failed;

	if (!r->open)
		return FT_OK;
	r->open = false;
	for (size_t k = 0; k < FT__JOB_FIELDS; k++) {
		account.cell[k] = r->cell[k].s ? r->cell[k].s : "";
		failed = failed || r->cell[k].failed;
	}
	return failed ? ft_nomem(err) : r->take(r->ctx, &account, err);
}

static void empty_text(struct ft_text *text)
{
	text->length = 0;
	if (text->s)
		*text->s = '\0';
}

/* Whether a row is a step of the job that is being read: "15.batch" of 15. */
static bool is_step(const struct slurm_accounts_reading *r, const struct slurm_accounts_cell *id)
{
	const struct ft_text *job = &r->cell[FT__JOB_RAW];

	return r->open && job->length < id->length && id->at[job->length] == '.' &&
	       !memcmp(id->at, job->s, job->length);
}

static enum ft_status read_row(struct slurm_accounts_reading *r, const char *line, const char *end,
			       struct ft_err *err)
{
	struct slurm_accounts_cell cell[COLUMNS_MOST];
	const struct slurm_accounts_cell *id = &cell[r->raw];
	enum ft_status status = FT_OK;

	if (divide_fields(r, line, end, cell) != r->columns || !id->length)
		return FT_OK;
	if (!is_step(r, id)) {
		status = flush_job(r, err);
		if (memchr(id->at, '.', id->length)) /* its job is not there */
			return status;
		r->open = true;
		empty_text(&r->rows);
		for (size_t i = 0; i < FT__JOB_FIELDS; i++)
			empty_text(&r->cell[i]);
		for (size_t i = 0; i < r->columns; i++)
			if (r->own[i] >= 0)
				add_cell(&r->cell[r->own[i]], &cell[i]);
	}
	add_row(&r->rows, cell, r->columns);
	ft_text_add(&r->rows, "\n");
	return status;
}

static enum ft_status read_jobs(struct slurm_accounts_reading *r, const char *text, size_t length,
				const char **head, struct ft_err *err)
{
	const char *end, *last = text + length;
	enum ft_status status = FT_OK;
	bool first = true;

	for (const char *line = text; line < last && !status; line = end + 1) {
		end = memchr(line, '\n', (size_t)(last - line));
		end = end ? end : last;
		status = first ? read_head(r, line, end, err) : read_row(r, line, end, err);
		first = false;
		*head = r->head.s;
	}
	if (!status && first)
		status = read_head(r, text, text, err);
	return status ? status : flush_job(r, err);
}

/* accounts_each - the jobs of a text. head: the names of the columns of rows, "A|B|...", set before the
 * first call. A line with more or fewer fields than the first one is part of a text that a user wrote: it is
 * passed over. Returns FT_OK; FT_EPARSE: the first line names no fields; what take() returns; FT_ENOMEM. */
static enum ft_status accounts_each(const char *text, size_t length, const char *delimiter, const char **head,
				    enum ft_status (*take)(void *ctx, const struct ft__account *account,
							   struct ft_err *err),
				    void *ctx, struct ft_err *err)
{
	struct slurm_accounts_reading r = {.delimiter = delimiter, .take = take, .ctx = ctx};
	enum ft_status status = read_jobs(&r, text, length, head, err);

	*head = NULL;
	ft_text_clear(&r.head);
	ft_text_clear(&r.rows);
	for (size_t k = 0; k < FT__JOB_FIELDS; k++)
		ft_text_clear(&r.cell[k]);
	return status;
}

/* The rows of a job behind those of the jobs before it. */
struct slurm_table {
	struct ft_text text;
	const char *head;
};

static enum ft_status add_account(void *ctx, const struct ft__account *account, struct ft_err *err)
{
	struct slurm_table *table = ctx;

	if (!table->text.length)
		ft_text_add(&table->text, "%s\n", table->head);
	ft_text_add_bytes(&table->text, account->rows, account->length);
	return table->text.failed ? ft_nomem(err) : FT_OK;
}

enum ft_status ft_slurm_table(const char *text, size_t length, const char *delimiter, char **table,
			      struct ft_err *err)
{
	struct slurm_table made = {.head = NULL};
	enum ft_status status = accounts_each(text, length, delimiter, &made.head, add_account, &made, err);

	*table = NULL;
	if (!status) {
		ft_text_add(&made.text, "%s", ""); /* there may be no job */
		*table = ft_text_take(&made.text);
		status = *table ? FT_OK : ft_nomem(err);
	}
	ft_text_clear(&made.text);
	return status;
}

/*
 * Stores finished jobs from the accounts, each of their tries exactly once: the number and the start of
 * a job are stored in the transaction that adds the run.
 */

enum { KEY_LENGTH = 640 };

struct slurm_harvest {
	struct ft_store *store;
	const struct ft_slurm_harvest *options;
	const char *head; /* the columns of rows */
	struct ft_slurm_harvested *harvested;
	struct ft_slurm_tally tally;
	struct ft_program program; /* as stored, of the last run; name NULL: none */
	struct ft_machine machine; /* likewise; host NULL: none */
};

/* ---- one job ------------------------------------------------------------------------------------------ */

static enum ft_status note_bad(struct slurm_harvest *h, const struct ft__account *account, const char *why)
{
	struct ft_slurm_harvested *harvested = h->harvested;

	if (!harvested->bad++)
		(void)snprintf(harvested->why, sizeof harvested->why, "job %.32s: %.200s",
			       account->cell[FT__JOB_RAW], why);
	return FT_OK;
}

static bool is_ours_to_judge(enum ft_status status)
{
	return status == FT_EINVAL || status == FT_EEXIST || status == FT_EPARSE;
}

/* A job that begins again has its number, and another start. */
static void key_of(const struct slurm_harvest *h, const struct ft__account *account, char key[KEY_LENGTH])
{
	(void)snprintf(key, KEY_LENGTH, "slurm:%s:%.60s:%.60s", h->options->cluster,
		       account->cell[FT__JOB_RAW], account->cell[FT__JOB_START]);
}

static enum ft_status is_known(const struct slurm_harvest *h, const struct ft__account *account, bool *known,
			       struct ft_err *err)
{
	char key[KEY_LENGTH], *value = NULL;
	struct ft_err missing = {0};

	key_of(h, account, key);
	enum ft_status status = ft_store_get_known(h->store, key, &value, &missing);
	free(value);
	*known = !status;
	if (!status || status == FT_ENOENT)
		return FT_OK;
	if (err)
		*err = missing;
	return status;
}

static bool is_trusted(const struct ft_slurm_harvest *options, unsigned long uid)
{
	for (size_t i = 0; i < options->n_trusted; i++)
		if (options->trusted[i] == uid)
			return true;
	return options->trust_all;
}

/* The name for the job's run in the store; heap. */
static char *name_of(const struct slurm_harvest *h, const struct ft__account *account,
		     const struct ft__statement *stated)
{
	struct ft_text text = {0};
	char *end;
	unsigned long uid = strtoul(account->cell[FT__JOB_UID], &end, 10);
	bool trusted = end != account->cell[FT__JOB_UID] && !*end && is_trusted(h->options, uid);

	if (!trusted)
		ft_text_add(&text, "~%lu/", uid);
	ft_text_add(&text, "%s", stated->name);
	return ft_text_take(&text);
}

/* The job as a table of its own, in which the values that it states for its size are columns: of names
 * that are no field of sacct's. */
static char *table_of(const struct slurm_harvest *h, const struct ft__account *account,
		      const struct ft__statement *stated)
{
	struct ft_text text = {0};
	const char *end, *last = account->rows + account->length;

	ft_text_add(&text, "%s", h->head);
	for (size_t i = 0; i < stated->n; i++)
		ft_text_add(&text, "|said.%s", stated->param[i]);
	ft_text_add(&text, "\n");
	for (const char *line = account->rows; line < last; line = end + 1) {
		end = memchr(line, '\n', (size_t)(last - line));
		ft_text_add_bytes(&text, line, (size_t)(end - line));
		for (size_t i = 0; i < stated->n; i++)
			ft_text_add(&text, "|%s", stated->value[i]);
		ft_text_add(&text, "\n");
	}
	return ft_text_take(&text);
}

/* Its run, as the reader of sacct's tables makes one. */
static enum ft_status read_job(const struct slurm_harvest *h, const struct ft__account *account,
			       const struct ft__statement *stated, struct ft_import *import,
			       struct ft_err *err)
{
	char size[FT_PARAMS_MAX][2 * FT_PARAM_LENGTH + 8], *name = name_of(h, account, stated),
							   *table = table_of(h, account, stated);
	const char *sizes[FT_PARAMS_MAX];
	struct ft_import_options options = {
		.format = "sacct",
		.name = name,
		.size = sizes,
		.n_sizes = stated->n,
		.machine = h->options->machine,
		.n_machines = h->options->n_machines,
		.cgroup = h->options->cgroup,
		.several = true,
		.strict = true, /* a job is one row of the answer, and so is what is wrong with it */
	};
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < stated->n; i++) {
		(void)snprintf(size[i], sizeof size[i], "%s=said.%s", stated->param[i], stated->param[i]);
		sizes[i] = size[i];
	}
	if (!name || !table)
		status = ft_nomem(err);
	if (!status)
		status = ft_import_parse(import, "sacct", table, strlen(table), &options, err);
	ft_free(name);
	ft_free(table);
	return status;
}

/* ---- into the store ----------------------------------------------------------------------------------- */

static enum ft_status find_machine(struct slurm_harvest *h, const char *name, struct ft_err *err)
{
	int64_t after = 0;
	enum ft_status status = FT_OK;

	if (h->machine.id && ft_machine_is_called(&h->machine, name))
		return FT_OK;
	do {
		ft_machine_clear(&h->machine);
		status = ft_store_next_machine(h->store, after, &h->machine, err);
		after = h->machine.id;
	} while (!status && !ft_machine_is_called(&h->machine, name));
	if (status != FT_EEND)
		return status;
	status = ft_machine_named(name, &h->machine, err);
	return status ? status : ft_store_put_machine(h->store, &h->machine, err);
}

/* Widen the parameters of a stored program by those of a run, whose sizes are put into the stored order.
 * FT_EINVAL: other parameters. changed: out */
static enum ft_status unite_programs(struct ft_program *stored, const struct ft_program *read,
				     struct ft_size *size, bool *changed, struct ft_err *err)
{
	struct ft_size ordered = {.n = stored->n_params};

	*changed = false;
	if (stored->n_params != read->n_params)
		return ft_fail(err, FT_EINVAL, "'%.100s' has %zu parameters, not %zu", stored->name,
			       stored->n_params, read->n_params);
	for (size_t i = 0; i < stored->n_params; i++) {
		struct ft_param *param = &stored->param[i];
		int at = ft_program_find_param(read, param->name);

		if (at < 0)
			return ft_fail(err, FT_EINVAL,
				       "'%.100s' has a parameter %s, which the job does not give",
				       stored->name, param->name);
		ordered.value[i] = size->value[at];
		if (ordered.value[i] >= param->least && ordered.value[i] <= param->most)
			continue;
		*param = read->param[at];
		*changed = true;
	}
	*size = ordered;
	return FT_OK;
}

/* The stored program of a run, a new one where there is none. */
static enum ft_status find_program(struct slurm_harvest *h, const struct ft_program *read,
				   struct ft_size *size, struct ft_err *err)
{
	struct ft_err missing = {0};
	enum ft_status status = FT_OK;
	bool changed = false;

	if (!h->program.name || strcmp(h->program.name, read->name) != 0) {
		ft_program_clear(&h->program);
		status = ft_store_get_program(h->store, read->name, &h->program, &missing);
		if (status == FT_ENOENT) {
			status = ft_program_copy(&h->program, read, err);
			changed = true;
		} else if (status && err) {
			*err = missing;
		}
	}
	if (!status && !changed)
		status = unite_programs(&h->program, read, size, &changed, err);
	if (!status && changed)
		status = ft_store_put_program(h->store, &h->program, err);
	if (!status && changed) { /* its range is that of all its runs now */
		char *name = ft_strdup(h->program.name);

		ft_program_clear(&h->program);
		status = name ? ft_store_get_program(h->store, name, &h->program, err) : ft_nomem(err);
		ft_free(name);
	}
	return status;
}

static enum ft_status tell_taken(struct slurm_harvest *h, struct ft_err *err)
{
	struct ft_slurm_harvested *harvested = h->harvested;
	struct ft_slurm_taken *one;

	harvested->runs++;
	harvested->others += *h->program.name == '~';
	for (size_t i = 0; i < harvested->n; i++) {
		one = &harvested->taken[i];
		if (!strcmp(one->name, h->program.name) && !strcmp(one->machine, h->machine.host)) {
			one->runs++;
			return FT_OK;
		}
	}
	struct ft_slurm_taken *grown =
		ft_grow(harvested->taken, harvested->n, &harvested->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	harvested->taken = grown;
	one = &harvested->taken[harvested->n];
	*one = (struct ft_slurm_taken){ft_strdup(h->program.name), ft_strdup(h->machine.host), 1};
	harvested->n++;
	return one->name && one->machine ? FT_OK : ft_nomem(err);
}

static enum ft_status add_run(struct slurm_harvest *h, const struct ft__account *account,
			      struct ft_imported *part, struct ft_err *err)
{
	struct ft_run *run = &part->runs.run[0];
	char key[KEY_LENGTH];
	enum ft_status status = find_program(h, &part->program, &run->size, err);

	if (status) {
		ft_program_clear(&h->program);
		return is_ours_to_judge(status) ? note_bad(h, account, err->text) : status;
	}
	status = find_machine(h, part->machine ? part->machine : h->options->cluster, err);
	run->real = true; /* somebody submitted it for its result */
	if (!status)
		status = ft_store_add_run(h->store, h->program.id, h->machine.id, run, err);
	if (status)
		return is_ours_to_judge(status) ? note_bad(h, account, err->text) : status;
	key_of(h, account, key);
	status = ft_store_put_known(h->store, key, "", err);
	ft__tally_count(&h->tally, account, run->outcome);
	return status ? status : tell_taken(h, err);
}

/* Why a job, of which the text has a row for each step, is no run: it is counted once. */
static enum ft_status tell_passed(struct slurm_harvest *h, const struct ft__account *account,
				  const struct ft_import *import)
{
	if (import->passed[FT_PASSED_SHORT])
		return note_bad(h, account, "it took less than a second, the unit of accounts");
	if (import->passed[FT_PASSED_KINDS])
		h->harvested->kinds++;
	else if (import->passed[FT_PASSED_NODES])
		h->harvested->nodes++;
	else
		return note_bad(h, account, "the accounts do not contain how it ended");
	return FT_OK;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static enum ft_status add_done(struct ft_slurm_harvested *harvested, long long job, struct ft_err *err)
{
	long long *grown =
		ft_grow(harvested->done, harvested->n_done, &harvested->done_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	harvested->done = grown;
	harvested->done[harvested->n_done++] = job;
	return FT_OK;
}

static enum ft_status take_ended(struct slurm_harvest *h, const struct ft__account *account,
				 const struct ft__statement *stated, struct ft_err *err)
{
	struct ft_slurm_harvested *harvested = h->harvested;
	bool known;

	if (!(!ft__is_missing(account->cell[FT__JOB_START]) &&
	      strcmp(account->cell[FT__JOB_NODES], "None assigned") != 0)) {
		harvested->unbegun++;
		return FT_OK;
	}
	enum ft_status status = is_known(h, account, &known, err);
	if (status || known) {
		harvested->known += known;
		return status;
	}
	if (strchr(account->cell[FT__JOB_ID], '+')) { /* a part of several, each on other nodes */
		harvested->kinds++;
		return FT_OK;
	}
	if (!stated->n)
		return note_bad(h, account, "it gives no size");
	struct ft_import import = {0};
	status = read_job(h, account, stated, &import, err);
	if (is_ours_to_judge(status))
		status = note_bad(h, account, err->text);
	else if (!status && import.runs)
		status = add_run(h, account, &import.part[0], err);
	else if (!status)
		status = tell_passed(h, account, &import);
	ft_import_clear(&import);
	return status;
}

static enum ft_status take_account(void *ctx, const struct ft__account *account, struct ft_err *err)
{
	struct slurm_harvest *h = ctx;
	struct ft__statement stated;
	bool words = ft__statement_find(account->cell[FT__JOB_ADMIN], &stated) ||
		     ft__statement_find(account->cell[FT__JOB_COMMENT], &stated);
	enum ft_status status = FT_OK;

	h->harvested->jobs++;
	if (words && !ft__sacct_ended(account->cell[FT__JOB_STATE])) {
		h->harvested->unfinished++;
		return FT_OK;
	}
	if (words)
		status = take_ended(h, account, &stated, err);
	else
		h->harvested->unsaid++;
	return status ? status : add_done(h->harvested, strtoll(account->cell[FT__JOB_RAW], NULL, 10), err);
}

void ft_slurm_harvested_clear(struct ft_slurm_harvested *harvested)
{
	if (!harvested)
		return;
	for (size_t i = 0; i < harvested->n; i++) {
		ft_free(harvested->taken[i].name);
		ft_free(harvested->taken[i].machine);
	}
	ft_free(harvested->taken);
	ft_free(harvested->done);
	*harvested = (struct ft_slurm_harvested){0};
}

/* All in one transaction; what it takes is h->harvested, for which `all` has room in the end. */
static enum ft_status harvest_text(struct slurm_harvest *h, struct ft_slurm_harvested *all, const char *text,
				   size_t length, struct ft_err *err)
{
	const struct ft_slurm_harvested *one = h->harvested;

	FT_TRY(ft_store_begin(h->store, err));
	enum ft_status status = ft_slurm_tally_get(h->store, h->options->cluster, &h->tally, err);
	if (!status)
		status = accounts_each(text, length, h->options->delimiter, &h->head, take_account, h, err);
	if (h->tally.until_ns < h->options->until_ns)
		h->tally.until_ns = h->options->until_ns;
	if (!status)
		status = ft__tally_put(h->store, h->options->cluster, &h->tally, err);
	if (!status && one->n) { /* first: nothing fails once it is stored */
		void *grown = ft_reserve(all->taken, all->n + one->n, &all->capacity, sizeof *all->taken);

		all->taken = grown ? grown : all->taken;
		status = grown ? FT_OK : ft_nomem(err);
	}
	if (!status && one->n_done) {
		void *grown = ft_reserve(all->done, all->n_done + one->n_done, &all->done_capacity,
					 sizeof *all->done);

		all->done = grown ? grown : all->done;
		status = grown ? FT_OK : ft_nomem(err);
	}
	status = ft_store_end(h->store, status, err);
	ft_program_clear(&h->program);
	ft_machine_clear(&h->machine);
	return status;
}

enum ft_status ft_slurm_harvest(struct ft_store *store, const char *text, size_t length,
				const struct ft_slurm_harvest *options, struct ft_slurm_harvested *harvested,
				struct ft_err *err)
{
	struct ft_slurm_harvested one = {0};
	struct ft_err here = {0};
	struct slurm_harvest h = {.store = store, .options = options, .harvested = &one};
	enum ft_status status = harvest_text(&h, harvested, text, length, err ? err : &here);

	for (size_t i = 0; i < one.n && !status; i++) {
		struct ft_slurm_taken *taken = &one.taken[i];
		size_t k = 0;

		while (k < harvested->n && (strcmp(harvested->taken[k].name, taken->name) != 0 ||
					    strcmp(harvested->taken[k].machine, taken->machine) != 0))
			k++;
		if (k < harvested->n) {
			harvested->taken[k].runs += taken->runs;
			continue;
		}
		harvested->taken[harvested->n++] = *taken;
		*taken = (struct ft_slurm_taken){0};
	}
	if (!status) {
		if (one.n_done)
			memcpy(harvested->done + harvested->n_done, one.done, one.n_done * sizeof *one.done);
		harvested->n_done += one.n_done;
		harvested->jobs += one.jobs;
		harvested->runs += one.runs;
		harvested->known += one.known;
		harvested->unsaid += one.unsaid;
		harvested->unfinished += one.unfinished;
		harvested->unbegun += one.unbegun;
		harvested->nodes += one.nodes;
		harvested->kinds += one.kinds;
		harvested->others += one.others;
		if (!harvested->bad)
			memcpy(harvested->why, one.why, sizeof harvested->why);
		harvested->bad += one.bad;
	}
	ft_slurm_harvested_clear(&one);
	return status;
}
