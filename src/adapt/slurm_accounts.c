/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm_accounts.c - sacct's rows, job by job. What users write stands in them, with whatever they like:
 * fields are told apart by a delimiter that nobody could foresee, and a line that has not as many as the
 * first one is passed over. */
#include "adapt/slurm.h"
#include "base/alloc.h"
#include "base/word.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* ---- which fields ------------------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 32 };

/* lost: what is not known without it; NULL: then there are no runs. Comment stands last, for it may be of
 * several lines. */
static const struct {
	const char *name, *lost;
} wanted[] = {
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

static const char *const own_fields[FT__JOB_FIELDS] = {
	[FT__JOB_ID] = "JobID",       [FT__JOB_RAW] = "JobIDRaw",    [FT__JOB_STATE] = "State",
	[FT__JOB_START] = "Start",    [FT__JOB_ELAPSED] = "Elapsed", [FT__JOB_UID] = "UID",
	[FT__JOB_NODES] = "NodeList", [FT__JOB_COMMENT] = "Comment", [FT__JOB_ADMIN] = "AdminComment",
};

enum ft_status ft_slurm_fields_choose(const char *known, char **fields, char **lacking, struct ft_err *err)
{
	struct ft_text have = {0}, lack = {0};

	*fields = *lacking = NULL;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		if (ft_word_at(known, wanted[i].name) != SIZE_MAX) {
			ft_text_add(&have, "%s%s", have.length ? "," : "", wanted[i].name);
		} else if (wanted[i].lost) {
			ft_text_add(&lack, "%s%s (%s)", lack.length ? ", " : "", wanted[i].name,
				    wanted[i].lost);
		} else {
			ft_text_clear(&have);
			ft_text_clear(&lack);
			(void)ft_fail(err, FT_EUNAVAIL, "this sacct knows no field %s", wanted[i].name);
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

/* ---- rows --------------------------------------------------------------------------------------------- */

struct slurm_accounts_reading {
	const char *delimiter;
	size_t columns;
	int own[COLUMNS_MOST]; /* which of own_fields a column is; -1: none */
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

static void begin_job(struct slurm_accounts_reading *r, const struct slurm_accounts_cell *cell)
{
	r->open = true;
	empty_text(&r->rows);
	for (size_t i = 0; i < FT__JOB_FIELDS; i++)
		empty_text(&r->cell[i]);
	for (size_t i = 0; i < r->columns; i++)
		if (r->own[i] >= 0)
			add_cell(&r->cell[r->own[i]], &cell[i]);
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
		begin_job(r, cell);
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

enum ft_status ft__accounts_each(const char *text, size_t length, const char *delimiter, const char **head,
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
